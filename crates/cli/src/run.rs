//! `sinew run`: simulate a model and say how it went.

use crate::report;
use indicatif::{ProgressBar, ProgressStyle};
use sinew::{Data, Model};
use sinew_engine::model::enums::{EnableBit, Warning};
use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;
use std::time::Instant;

/// Simulate a model and report speed, energy and state.
#[derive(clap::Args)]
pub struct Args {
    /// Model file (MJCF or URDF); the embedded humanoid when absent
    model: Option<String>,
    /// Simulated time in seconds
    #[arg(short, long, default_value_t = 10.0)]
    time: f64,
    /// Start from this keyframe
    #[arg(short, long)]
    key: Option<usize>,
    /// Amplitude of smooth pseudo-random controls, relative to the control range
    #[arg(short, long, default_value_t = 0.0)]
    noise: f64,
    /// Write time, positions and velocities of every step as CSV
    #[arg(short, long)]
    output: Option<String>,
}

/// Runs the simulation.
pub fn main(args: &Args) -> ExitCode {
    match report::load(args.model.as_deref()) {
        Ok(model) => simulate(args, model),
        Err(error) => report::fail(&error),
    }
}

fn simulate(args: &Args, mut model: Model) -> ExitCode {
    model.opt.enableflags |= EnableBit::Energy as i32;
    let mut data = Data::new(&model);
    if let Some(key) = args.key {
        if key >= model.nkey {
            eprintln!("error: keyframe {key} does not exist; the model has {}", model.nkey);
            return ExitCode::FAILURE;
        }
        data.reset_keyframe(&model, key);
    }
    sinew::forward(&model, &mut data);
    let start_energy = data.sensor.energy;
    let steps = (args.time / model.opt.timestep).round().max(0.0) as u64;
    let mut trajectory = args.output.as_ref().map(|_| header(&model));
    let bar = progress(steps);
    let mut noise = Noise::new(args.noise);
    let mut elapsed = 0.0;
    for i in 0..steps {
        noise.apply(&model, &mut data);
        let start = Instant::now();
        sinew::step(&model, &mut data);
        elapsed += start.elapsed().as_secs_f64();
        if let Some(text) = &mut trajectory {
            row(text, &data);
        }
        if i % 256 == 0 {
            bar.set_position(i);
        }
    }
    bar.finish_and_clear();
    sinew::forward(&model, &mut data);
    summary(&model, &data, steps, elapsed, start_energy);
    write(args.output.as_deref(), trajectory)
}

fn progress(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    bar.set_style(ProgressStyle::with_template("{bar:30} {percent}% {per_sec}").expect("the template is constant"));
    bar
}

fn summary(m: &Model, d: &Data, steps: u64, elapsed: f64, start: [f64; 2]) {
    let rate = steps as f64 / elapsed.max(1e-9);
    println!("{}: {} dofs, {} actuators, timestep {} s", m.model_name(), m.nv, m.nu, m.opt.timestep);
    println!("simulated  {:.3} s in {steps} steps, {elapsed:.3} s of computation", d.state.time);
    println!("speed      {rate:.0} steps/s, {:.0} x real time", rate * m.opt.timestep);
    println!(
        "energy     potential {:.3} → {:.3} J, kinetic {:.3} → {:.3} J",
        start[0], d.sensor.energy[0], start[1], d.sensor.energy[1]
    );
    if m.nbody > 1 {
        let com = d.pose.subtree_com[1];
        println!("state      centre of mass of the first tree at ({:.3}, {:.3}, {:.3}) m", com[0], com[1], com[2]);
    }
    println!("contacts   {}", d.collision.ncon);
    for (i, w) in d.warning.iter().enumerate().filter(|(_, w)| w.number > 0) {
        let name = Warning::try_from(i as i32).map_or("?".into(), |w| format!("{w:?}"));
        println!("warning    {name}: {} times, last at index {}", w.number, w.lastinfo);
    }
}

fn header(m: &Model) -> String {
    let names = |prefix: &str, n: usize| (0..n).map(|i| format!(",{prefix}{i}")).collect::<String>();
    format!("time{}{}\n", names("qpos", m.nq), names("qvel", m.nv))
}

fn row(text: &mut String, d: &Data) {
    let _ = write!(text, "{}", d.state.time);
    for x in d.state.qpos.iter().chain(d.state.qvel.iter()) {
        let _ = write!(text, ",{x}");
    }
    text.push('\n');
}

fn write(path: Option<&str>, trajectory: Option<String>) -> ExitCode {
    let (Some(path), Some(text)) = (path, trajectory) else { return ExitCode::SUCCESS };
    match fs::write(path, text) {
        Ok(()) => {
            println!("trajectory {path}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("error: cannot write {path}: {e}");
            ExitCode::FAILURE
        }
    }
}

/// Smooth pseudo-random controls from a fixed seed, so that runs repeat.
struct Noise {
    amplitude: f64,
    seed: u64,
}

impl Noise {
    fn new(amplitude: f64) -> Self {
        Noise { amplitude, seed: 0x9E37_79B9_7F4A_7C15 }
    }

    /// Uniform in [−1, 1] by a xorshift generator.
    fn next(&mut self) -> f64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn apply(&mut self, m: &Model, d: &mut Data) {
        if self.amplitude == 0.0 {
            return;
        }
        for i in 0..m.nu {
            let [low, high] = if m.actuator_ctrllimited[i] != 0 { m.actuator_ctrlrange[i] } else { [-1.0, 1.0] };
            let target = 0.5 * (low + high) + 0.5 * (high - low) * self.amplitude * self.next();
            d.state.ctrl[i] += 0.1 * (target - d.state.ctrl[i]);
        }
    }
}
