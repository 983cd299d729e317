//! Kernels of many models beside the CPU engine: on emulated lanes, or on a GPU if there is one and `--gpu` asks for it.
//!
//! `cargo run --release -p sinew-gpu --example conform -- LIST [--gpu | --plan]`, where LIST names a model a line, beside
//! itself. `--plan` only says which have kernels.

use sinew_engine::Model;
use sinew_gpu::emulate::Emulator;
use sinew_gpu::{BatchSim, Device, Plan, Worlds, compare};
use std::error::Error;
use std::path::Path;

/// Worlds compared for each model, and steps between their states.
const WORLDS: (usize, usize) = (6, 30);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = |flag: &str| arguments.iter().any(|a| a == flag);
    let list = Path::new(arguments.iter().find(|a| !a.starts_with("--")).ok_or("which list?")?);
    let (mut agree, mut refused, mut differ, mut worlds) = (0, 0, 0, 0);
    for line in std::fs::read_to_string(list)?.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let path = list.parent().unwrap_or(Path::new(".")).join(line);
        let Ok(model) = sinew_mjcf::load_path(&path.to_string_lossy()) else { continue };
        match Plan::new(&model, &compare::settings()) {
            Err(refusal) => {
                refused += 1;
                println!("refused {line}: {refusal}");
            }
            Ok(_) if asked("--plan") => {
                agree += 1;
                println!("planned {line}");
            }
            Ok(plan) => match difference(&model, &plan, asked("--gpu")) {
                Ok((None, compared)) => {
                    agree += 1;
                    worlds += compared;
                }
                Ok((Some(difference), _)) => {
                    differ += 1;
                    println!("differs {line}: {difference}");
                }
                Err(error) => {
                    differ += 1;
                    println!("fails {line}: {error}");
                }
            },
        }
    }
    println!(
        "{agree} agree ({worlds} of {} worlds to the end), {differ} differ, {refused} are refused",
        agree * WORLDS.0
    );
    Ok(())
}

/// The first difference, and the worlds that were compared to the end.
fn difference(m: &Model, plan: &Plan, gpu: bool) -> Result<(Option<String>, usize), Box<dyn Error>> {
    let states = compare::states(m, WORLDS.0, WORLDS.1);
    let mut worlds = states.worlds.clone();
    if gpu {
        BatchSim::new(m, WORLDS.0, Device::Gpu(0), &compare::settings())?.run_worlds(&mut worlds, 1)?;
    } else {
        emulate(plan, &mut worlds)?;
    }
    let first = compare::differences(m, plan, &worlds, &states).first().map(ToString::to_string);
    Ok((first, WORLDS.0 - states.left_out()))
}

fn emulate(plan: &Plan, worlds: &mut Worlds) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    Ok(Emulator::build(plan, folder.path(), false)?.step(worlds, 1, 0)?)
}
