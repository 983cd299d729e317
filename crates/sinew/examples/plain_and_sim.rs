//! Compares a `Sim` with the default components with plain steps, bit for bit, over lists of models: `plain_and_sim
//! LIST.txt|MODEL.xml ... [--steps 50]`. Without arguments, the humanoid. `conformance/parts.py` runs it, and counts
//! its indirect calls.

use sinew::open::SimBuilder;
use sinew::prelude::*;
use std::path::{Path, PathBuf};

/// No callbacks: the plain step, compiled in this program so that its machine code can be inspected.
#[derive(Clone)]
struct Plain;

impl Hooks for Plain {}

/// Model files: the given ones, and for a `.txt` the files that it lists, relative to itself.
fn expand(path: &str) -> Result<Vec<PathBuf>, Box<dyn std::error::Error>> {
    if !path.ends_with(".txt") {
        return Ok(vec![path.into()]);
    }
    // as in MuJoCo, included files find their meshes only by absolute paths
    let base = std::fs::canonicalize(path)?.parent().unwrap_or(Path::new("/")).to_path_buf();
    let text = std::fs::read_to_string(path)?;
    let names = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    Ok(names.filter(|name| !name.is_empty()).map(|name| base.join(name)).collect())
}

/// The first difference between the two, if any.
fn differ(model: Model, steps: usize) -> Result<Option<String>, Box<dyn std::error::Error>> {
    let mut sim = SimBuilder::new().hooks(Plain).build(model)?;
    let m = sim.model().clone();
    let mut d = Data::new(&m);
    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for step in 1..=steps {
        for (i, u) in d.state.ctrl.iter_mut().enumerate() {
            *u = 0.1 * ((7 * i + step) as f64).sin();
        }
        sim.data_mut().state.ctrl.copy_from_slice(&d.state.ctrl);
        let warned = |d: &Data| d.warning.iter().map(|w| w.number).sum::<i32>();
        let before = warned(&d);
        step_with(&m, &mut d, &mut Plain);
        if sim.step().is_err() {
            // plain steps reset a bad state, with a warning
            return Ok((warned(&d) == before).then(|| format!("step {step}: only the simulation refuses")));
        }
        let theirs = &sim.data().state;
        for (name, a, b) in [
            ("qpos", &d.state.qpos[..], &theirs.qpos[..]),
            ("qvel", &d.state.qvel, &theirs.qvel),
            ("act", &d.state.act, &theirs.act),
            ("sensordata", &d.sensor.sensordata, &sim.data().sensor.sensordata),
        ] {
            if bits(a) != bits(b) {
                return Ok(Some(format!("step {step}: {name}")));
            }
        }
    }
    Ok(None)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut steps = 50;
    if let Some(at) = arguments.iter().position(|a| a == "--steps") {
        steps = arguments.drain(at..at + 2).nth(1).unwrap_or_default().parse()?;
    }
    if arguments.is_empty() {
        arguments.push(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml").into());
    }
    let (mut same, mut skipped, mut other) = (0, 0, 0);
    for path in arguments.iter().map(|path| expand(path)).collect::<Result<Vec<_>, _>>()?.concat() {
        let model = match load_path(&path.to_string_lossy()) {
            Ok(model) => model,
            Err(e) => {
                skipped += 1;
                println!("{}: does not load: {e}", path.display());
                continue;
            }
        };
        match differ(model, steps)? {
            None => same += 1,
            Some(what) => {
                other += 1;
                println!("{}: {what}", path.display());
            }
        }
    }
    println!("{same} the same to the last bit over {steps} steps, {other} not, {skipped} do not load");
    match (same, other) {
        (0, 0) => Err("no model has been compared".into()),
        (_, 0) => Ok(()),
        _ => Err("the usual parts are not plain steps".into()),
    }
}
