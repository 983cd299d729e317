//! Compares the kernels of many models with the CPU engine: on emulated lanes, or with `--gpu` on a GPU.
//!
//! `cargo run --release -p sinew-gpu --example conform -- LIST [--gpu | --plan] [--table FILE]`, where LIST has one
//! model per line, relative to itself. `--plan` only says which have kernels; `--table` writes the counts to a file.

use sinew_engine::Model;
use sinew_engine::model::enums::DisableFlags;
use sinew_gpu::emulate::Emulator;
use sinew_gpu::{BatchSim, Device, Plan, Refusal, Settings, Status, Worlds, compare};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

/// Worlds compared per model, and steps between their states.
const WORLDS: (usize, usize) = (6, 30);
/// Minimum iterations of the solver and of the line search: without convergence results depend on the path.
const ITERATIONS: (i32, i32) = (100, 50);
/// Finest tolerance and minimum iterations of the depth search, for the same reason: on a GPU spheres and capsules on
/// a height field have a closed form, and round shapes are searched eroded.
const DEPTH: (f64, i32) = (1e-9, 500);
/// Finest tolerance of MPR: below that, rounding of vertices decides where it ends.
const PORTAL: f64 = 1e-7;

/// Head of the generated page.
const HEAD: &str = "# The corpus on a GPU's kernels\n\nModels of the corpus beside the CPU engine, written by `cargo xtask gpu corpus`. \
                    [gpu.md](gpu.md) says how they are compared.\n\n";

/// The result for a model.
enum Outcome {
    /// The number of fully compared worlds, all in agreement, and whether sensors were compared.
    Agrees(usize, bool),
    Refused(Refusal),
    Differs(String),
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = |flag: &str| arguments.iter().any(|a| a == flag);
    let list = Path::new(arguments.iter().find(|a| !a.starts_with("--")).ok_or("which list?")?);
    let mut score = Score::default();
    for line in std::fs::read_to_string(list)?.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let path = list.parent().unwrap_or(Path::new(".")).join(line);
        let Ok(model) = sinew_mjcf::load_path(&path.to_string_lossy()) else { continue };
        let outcome = judge(model, asked("--plan"), asked("--gpu"));
        println!("{}", score.add(line, outcome));
    }
    println!("{}", score.table());
    if let Some(at) = arguments.iter().position(|a| a == "--table") {
        std::fs::write(arguments.get(at + 1).ok_or("which file?")?, format!("{HEAD}{}", score.table()))?;
    }
    Ok(())
}

fn judge(mut m: Model, plan_only: bool, gpu: bool) -> Outcome {
    m.opt.iterations = m.opt.iterations.max(ITERATIONS.0);
    m.opt.ls_iterations = m.opt.ls_iterations.max(ITERATIONS.1);
    let portals = m.opt.disabled(DisableFlags::NATIVECCD);
    m.opt.ccd_tolerance = m.opt.ccd_tolerance.min(if portals { PORTAL } else { DEPTH.0 });
    m.opt.ccd_iterations = m.opt.ccd_iterations.max(DEPTH.1);
    let (mut settings, mut senses) = (compare::everything(), true);
    let mut plan = Plan::new(&m, &settings);
    if plan.is_err() {
        // a sensor without a kernel is only refused if sensordata is requested
        settings.outputs.retain(|name| name != "sensordata");
        (plan, senses) = (Plan::new(&m, &settings), false);
    }
    match plan {
        Err(refusal) => Outcome::Refused(refusal),
        Ok(_) if plan_only => Outcome::Agrees(0, senses),
        Ok(plan) => match difference(&m, &plan, &settings, gpu) {
            Ok((None, worlds)) => Outcome::Agrees(worlds, senses),
            Ok((Some(difference), _)) => Outcome::Differs(difference),
            Err(error) => Outcome::Differs(error.to_string()),
        },
    }
}

/// The first difference, and the number of fully compared worlds.
fn difference(
    m: &Model,
    plan: &Plan,
    settings: &Settings,
    gpu: bool,
) -> Result<(Option<String>, usize), Box<dyn Error>> {
    let states = compare::states(m, WORLDS.0, WORLDS.1);
    let mut worlds = states.worlds.clone();
    if gpu {
        BatchSim::new(m, WORLDS.0, Device::Gpu(0), settings)?.run_worlds(&mut worlds, 1)?;
    } else {
        emulate(plan, &mut worlds)?;
        if worlds.status.iter().any(|s| s.flags & Status::NO_ROOM != 0) {
            worlds = states.worlds.clone();
            BatchSim::new(m, WORLDS.0, Device::Emulated, settings)?.run_worlds(&mut worlds, 1)?;
        }
    }
    let first = compare::differences(m, plan, &worlds, &states).first().map(ToString::to_string);
    Ok((first, WORLDS.0 - states.left_out()))
}

fn emulate(plan: &Plan, worlds: &mut Worlds) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    Ok(Emulator::build(plan, folder.path(), false)?.step(worlds, 1, 0)?)
}

/// Counts over a list.
#[derive(Default)]
struct Score {
    agree: usize,
    /// Those of them without any fully compared world.
    begun: usize,
    /// Those of them with a sensor that has no kernel.
    senseless: usize,
    worlds: usize,
    reasons: BTreeMap<String, usize>,
    differ: Vec<String>,
}

impl Score {
    /// Counts a model, and returns a line about it.
    fn add(&mut self, name: &str, outcome: Outcome) -> String {
        match outcome {
            Outcome::Agrees(worlds, senses) => {
                self.agree += 1;
                self.begun += usize::from(worlds == 0);
                self.senseless += usize::from(!senses);
                self.worlds += worlds;
                format!("agrees {name}: {worlds} worlds{}", if senses { "" } else { ", without sensors" })
            }
            Outcome::Refused(refusal) => {
                let reason = refusal.what.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').to_owned();
                *self.reasons.entry(reason).or_default() += 1;
                format!("refused {name}: {refusal}")
            }
            Outcome::Differs(difference) => {
                self.differ.push(format!("{name}: {difference}"));
                format!("differs {name}: {difference}")
            }
        }
    }

    fn table(&self) -> String {
        let refused: usize = self.reasons.values().sum();
        let mut text = String::from("| | models |\n|---|---|\n");
        let mut row = |what: &str, count: usize| {
            let _ = writeln!(text, "| {what} | {count} |");
        };
        row("agree", self.agree);
        row("– compared up to contacts in all worlds", self.begun);
        row("– whose sensors have no kernel", self.senseless);
        row(&format!("– their worlds compared to the end, of {}", self.agree * WORLDS.0), self.worlds);
        row("differ", self.differ.len());
        row("refused", refused);
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        reasons.iter().for_each(|(reason, count)| row(&format!("– {reason}"), **count));
        self.differ.iter().for_each(|line| {
            let _ = writeln!(text, "\nDiffers: {line}");
        });
        text
    }
}
