//! `sinew run`: simulates a model and reports the result.

use crate::control::Control;
use crate::noise::Noise;
use crate::summary::{Ending, Summary};
use crate::trajectory::Trajectory;
use crate::{UNSTABLE, input, output};
use indicatif::{ProgressBar, ProgressStyle};
use sinew::{Data, Model};
use sinew_engine::model::enums::{EnableFlags, ObjType};
use sinew_engine::step::{try_step, try_step_strict};
use std::process::ExitCode;
use std::time::Instant;

const AFTER: &str = "\
A control file has a row of controls per step; the last one stays in force. Columns of a .csv are named after actuators
(or ctrl0, ctrl1, …) in its first line; with a column 'time', a row counts from that time on. Columns without names and
those of a .npy are in the order of the actuators.

Examples:
  sinew run robot.xml --time 5 --keyframe home --output motion.npz
  sinew run robot.xml --control controls.csv --json
  cat robot.xml | sinew run - --strict";

/// Simulate a model and report speed, energy, contacts and state
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Args {
    /// Model file; the embedded humanoid when absent, standard input when -
    model: Option<String>,
    /// Simulated time in seconds
    #[arg(short, long, default_value_t = 10.0, value_parser = duration, allow_negative_numbers = true)]
    time: f64,
    /// Number of steps, instead of a time
    #[arg(short, long, conflicts_with = "time")]
    steps: Option<u64>,
    /// Start from this keyframe, by name or number
    #[arg(short, long, visible_alias = "key")]
    keyframe: Option<String>,
    /// Amplitude of smooth pseudo-random controls, relative to the control range
    #[arg(short, long, default_value_t = 0.0, conflicts_with = "control")]
    noise: f64,
    /// Take the controls from this .csv or .npy file
    #[arg(short, long)]
    control: Option<String>,
    /// Write time, positions, velocities, activations, controls and sensors of every step, as .npz or .csv
    #[arg(short, long)]
    output: Option<String>,
    /// Refuse models with warnings, and end when constraint forces have not converged
    #[arg(long)]
    strict: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(crate) fn duration(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(t) if t.is_finite() && t >= 0.0 => Ok(t),
        Ok(_) => Err("a time is finite and not negative".into()),
        Err(e) => Err(e.to_string()),
    }
}

/// Runs the simulation.
pub fn main(args: &Args) -> ExitCode {
    let Some(model) = input::open(args.model.as_deref(), args.strict).report() else { return ExitCode::FAILURE };
    let summary = match simulate(args, model) {
        Ok(summary) => summary,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::FAILURE;
        }
    };
    output::print(&if args.json { format!("{:#}\n", summary.json()) } else { summary.text() });
    match &summary.ending {
        Ending::Done => ExitCode::SUCCESS,
        Ending::Failed(message) => {
            eprintln!("error: {message}");
            ExitCode::from(UNSTABLE)
        }
    }
}

/// Source of the controls.
enum Source {
    Noise(Noise),
    File(Control),
}

fn simulate(args: &Args, mut model: Model) -> Result<Summary, String> {
    model.opt.enableflags |= EnableFlags::ENERGY;
    let mut data = Data::new(&model);
    if let Some(key) = &args.keyframe {
        data.reset_keyframe(&model, keyframe(&model, key)?).map_err(|e| e.to_string())?;
    }
    let mut source = match &args.control {
        Some(path) => Source::File(Control::read(path, &model)?),
        None => Source::Noise(Noise::new(args.noise)),
    };
    let steps = steps(args, &model)?;
    let mut trajectory = args.output.as_ref().map(|path| Trajectory::create(path, &model)).transpose()?;
    sinew::forward(&model, &mut data);
    let mut summary = Summary::new(&model, &data);
    let bar = progress(steps);
    let step = if args.strict { try_step_strict } else { try_step };
    if let Some(t) = &mut trajectory {
        t.push(&data);
    }
    for i in 0..steps {
        match &mut source {
            Source::Noise(noise) => noise.apply(&model, &mut data.state.ctrl),
            Source::File(control) => control.apply(i, data.state.time, &mut data.state.ctrl),
        }
        let start = Instant::now();
        let result = step(&model, &mut data, &mut ());
        let elapsed = start.elapsed().as_secs_f64();
        if let Err(error) = result {
            summary.fail(i, &data, &error);
            break;
        }
        summary.add(&model, &data, elapsed);
        if let Some(t) = &mut trajectory {
            t.push(&data);
        }
        if i % 256 == 0 {
            bar.set_position(i);
        }
    }
    bar.finish_and_clear();
    if summary.ending.is_done() {
        sinew::forward(&model, &mut data);
    }
    summary.finish(&model, &data);
    summary.trajectory = trajectory.map(Trajectory::finish).transpose()?;
    Ok(summary)
}

/// Number of steps to take.
fn steps(args: &Args, m: &Model) -> Result<u64, String> {
    let h = m.opt.timestep;
    match args.steps {
        Some(steps) => Ok(steps),
        None if h > 0.0 => Ok((args.time / h).round() as u64),
        None => Err(format!("the model's timestep is {h} s; give a number of --steps")),
    }
}

/// Index of a keyframe given by name or number.
pub(crate) fn keyframe(m: &Model, key: &str) -> Result<usize, String> {
    let by_number = || key.parse().ok().filter(|k| *k < m.nkey);
    m.name2id(ObjType::Key, key).or_else(by_number).ok_or_else(|| {
        let names: Vec<String> =
            (0..m.nkey).map(|k| m.id2name(ObjType::Key, k).map_or(k.to_string(), String::from)).collect();
        format!("keyframe {key} does not exist; the model has {} of them: {}", m.nkey, names.join(", "))
    })
}

fn progress(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    bar.set_style(ProgressStyle::with_template("{bar:30} {percent}% {per_sec}").expect("the template is constant"));
    bar
}
