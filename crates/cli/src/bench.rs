//! `sinew bench`: simulation speed of models, and the time per stage.

use crate::bench_gpu;
use crate::noise::Noise;
use crate::{input, output};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use serde_json::{Value, json};
use sinew::batch::{BatchError, BatchSim};
use sinew::{Data, Model};
use sinew_engine::hooks::Hooks;
use sinew_engine::model::enums::Timer;
use sinew_engine::step;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of steps with the same controls.
const STEPS: usize = 20;

/// Measure steps per second and the time of each stage
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  sinew bench\n  sinew bench robot.xml --threads 1 2 4\n  sinew bench robot.xml --gpu=1024,8192\n  sinew bench --json a.xml b.xml"
)]
pub struct Args {
    /// Model files; the embedded humanoid when absent, standard input when -
    models: Vec<String>,
    /// Numbers of threads, each simulating a separate world: 1,2,4 or 1 2 4
    #[arg(short, long, value_delimiter = ',', num_args = 1.., default_value = "1")]
    threads: Vec<String>,
    /// Duration of each measurement in seconds
    #[arg(short, long, default_value_t = 1.0)]
    seconds: f64,
    /// Amplitude of smooth pseudo-random controls, relative to the control range
    #[arg(short, long, default_value_t = 0.5)]
    noise: f64,
    /// Measure batches of these sizes on a GPU instead, by the protocol of MuJoCo Warp's benchmark
    #[arg(long, value_delimiter = ',', num_args = 0..=1, require_equals = true, default_missing_value = "8192")]
    gpu: Option<Vec<usize>>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Splits thread counts and models: values after `--threads` that are not numbers are models.
    fn split(&self) -> Result<(Vec<usize>, Vec<&str>), String> {
        let (mut threads, mut models) = (Vec::new(), Vec::new());
        for word in &self.threads {
            match word.parse() {
                Ok(0) => return Err("--threads: at least one thread".into()),
                Ok(n) => threads.push(n),
                Err(_) => models.push(word.as_str()),
            }
        }
        models.extend(self.models.iter().map(String::as_str));
        if threads.is_empty() { Err("--threads: a number is missing".into()) } else { Ok((threads, models)) }
    }
}

/// Measures every model; fails if one does not compile.
pub fn main(args: &Args) -> ExitCode {
    let (threads, models) = match args.split() {
        Ok(split) => split,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    let files: Vec<Option<&str>> = if models.is_empty() { vec![None] } else { models.into_iter().map(Some).collect() };
    let (mut all, mut status) = (Vec::new(), ExitCode::SUCCESS);
    for file in files {
        let Some(model) = input::open(file, false).report() else {
            status = ExitCode::FAILURE;
            continue;
        };
        let name = file.unwrap_or(input::EMBEDDED);
        if let Some(sizes) = &args.gpu {
            match bench_gpu::measure(&model, sizes) {
                Ok(found) if args.json => all.push(bench_gpu::json(name, &found)),
                Ok(found) => output::print(&bench_gpu::table(name, &found)),
                Err(error) => {
                    eprintln!("error: {name}: {error}");
                    status = ExitCode::FAILURE;
                }
            }
            continue;
        }
        match measure(args, &threads, name, Arc::new(model)) {
            Ok(result) if args.json => all.push(result.json()),
            Ok(result) => output::print(&result.tables()),
            Err(message) => {
                eprintln!("error: {message}");
                status = ExitCode::FAILURE;
            }
        }
    }
    if args.json {
        output::print(&format!("{:#}\n", Value::from(all)));
    }
    status
}

/// Measurements of one model.
struct Measured {
    file: String,
    model: Arc<Model>,
    /// Threads, total steps per second, failed steps.
    speeds: Vec<(usize, f64, usize)>,
    /// Seconds per step of each stage.
    stages: Vec<(&'static str, f64)>,
    /// Seconds per step while stages were timed.
    step: f64,
    /// Mean number of contacts and of constraint rows.
    contacts: f64,
    rows: f64,
}

fn measure(args: &Args, threads: &[usize], file: &str, model: Arc<Model>) -> Result<Measured, String> {
    let limit = Duration::try_from_secs_f64(args.seconds).map_err(|e| format!("--seconds: {e}"))?;
    let mut speeds = Vec::new();
    for &threads in threads {
        let (speed, failed) = speed(&model, threads, args.noise, limit).map_err(|e| e.to_string())?;
        speeds.push((threads, speed, failed));
    }
    Ok(Profile::run(&model, args.noise, limit).into_measured(file, model, speeds))
}

/// Steps per second with one world per thread, and the number of calls after which a world had to be reset.
fn speed(model: &Arc<Model>, threads: usize, noise: f64, limit: Duration) -> Result<(f64, usize), BatchError> {
    let mut sim = BatchSim::builder(model.clone(), threads).threads(threads).steps(STEPS).build()?;
    let (mut noise, mut ctrl) = (Noise::new(noise), vec![0.0; threads * model.nu]);
    let mut call = |ctrl: &mut [f64]| {
        (0..threads).for_each(|i| noise.apply(model, &mut ctrl[i * model.nu..][..model.nu]));
        sim.step_all(ctrl).map(|out| out.errors.iter().flatten().count())
    };
    call(&mut ctrl)?;
    let (start, mut calls, mut failed) = (Instant::now(), 0, 0);
    while start.elapsed() < limit || calls == 0 {
        failed += call(&mut ctrl)?;
        calls += 1;
    }
    Ok(((calls * threads * STEPS) as f64 / start.elapsed().as_secs_f64(), failed))
}

/// The clock that the engine reads before and after its stages.
struct Clock(Instant);

impl Hooks for Clock {
    fn time(&mut self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

/// Sums over the steps of one world.
#[derive(Default)]
struct Profile {
    steps: usize,
    timer: Vec<f64>,
    /// Stages that the engine times together with others, so they are run once more after each step: transmission,
    /// passive forces, sensors.
    again: [f64; 3],
    contacts: usize,
    rows: usize,
}

impl Profile {
    fn run(m: &Model, noise: f64, limit: Duration) -> Self {
        let (mut d, mut noise, mut clock) = (Data::new(m), Noise::new(noise), Clock(Instant::now()));
        let mut sum = Profile { timer: vec![0.0; d.timer.len()], ..Default::default() };
        let start = Instant::now();
        while start.elapsed() < limit || sum.steps == 0 {
            if sum.steps.is_multiple_of(STEPS) {
                noise.apply(m, &mut d.state.ctrl);
            }
            d.timer = Default::default();
            step::step_with(m, &mut d, &mut clock);
            sum.timer.iter_mut().zip(&d.timer).for_each(|(sum, t)| *sum += t.duration);
            sum.contacts += d.contact.len();
            sum.rows += d.efc.nefc.max(0) as usize;
            sum.steps += 1;
            sum.once_more(m, &mut d, &mut clock);
        }
        sum
    }

    fn once_more(&mut self, m: &Model, d: &mut Data, clock: &mut Clock) {
        let begun = clock.time();
        step::transmission(m, d);
        let transmitted = clock.time();
        step::passive(m, d, &mut ());
        let passed = clock.time();
        step::sensor_pos(m, d, &mut ());
        step::sensor_vel(m, d, &mut ());
        step::sensor_acc(m, d, &mut ());
        let sensed = clock.time();
        self.again[0] += transmitted - begun;
        self.again[1] += passed - transmitted;
        self.again[2] += sensed - passed;
    }

    fn into_measured(self, file: &str, model: Arc<Model>, speeds: Vec<(usize, f64, usize)>) -> Measured {
        let n = self.steps as f64;
        let [transmission, passive, sensor] = self.again;
        let timer = |t: Timer| self.timer[t as usize];
        let mut stages = vec![
            ("kinematics", (timer(Timer::PosKinematics) - transmission).max(0.0)),
            ("inertia", timer(Timer::PosInertia)),
            ("collision", timer(Timer::PosCollision)),
            ("constraint", timer(Timer::PosMake) + timer(Timer::PosProject)),
            ("transmission", transmission.min(timer(Timer::PosKinematics))),
            ("velocity", (timer(Timer::Velocity) - passive).max(0.0)),
            ("passive", passive.min(timer(Timer::Velocity))),
            ("actuation", timer(Timer::Actuation)),
            ("solver", timer(Timer::Constraint)),
            ("sensor", sensor),
            ("integrate", timer(Timer::Step) - timer(Timer::Forward)),
        ];
        let known: f64 = stages.iter().map(|(_, t)| t).sum();
        stages.push(("other", (timer(Timer::Step) - known).max(0.0)));
        stages.iter_mut().for_each(|(_, t)| *t /= n);
        let (contacts, rows) = (self.contacts as f64 / n, self.rows as f64 / n);
        Measured { file: file.into(), model, speeds, stages, step: timer(Timer::Step) / n, contacts, rows }
    }
}

impl Measured {
    fn json(&self) -> Value {
        let speeds = self.speeds.iter().map(|(threads, speed, failed)| {
            json!({"threads": threads, "steps_per_second": speed, "real_time": speed * self.model.opt.timestep,
                "failed_calls": failed})
        });
        let stages: serde_json::Map<String, Value> =
            self.stages.iter().map(|(s, t)| (s.to_string(), json!(t))).collect();
        json!({"model": self.file, "name": self.model.model_name(), "dofs": self.model.nv, "contacts": self.contacts,
            "constraint_rows": self.rows, "speeds": speeds.collect::<Vec<_>>(), "seconds_per_timed_step": self.step,
            "stages": stages})
    }

    fn tables(&self) -> String {
        let m = &self.model;
        let mut text = format!(
            "{}: {}, timestep {} s, {:.1} contacts, {:.1} constraint rows\n",
            self.file,
            output::count(m.nv, "dof", "dofs"),
            m.opt.timestep,
            self.contacts,
            self.rows
        );
        let mut speeds = Table::new();
        speeds.load_style(UTF8_FULL_CONDENSED).set_header(["threads", "steps/s", "x real time", "per thread"]);
        for &(threads, speed, _) in &self.speeds {
            let per_thread = speed / threads as f64 / (self.speeds[0].1 / self.speeds[0].0 as f64);
            speeds.add_row([
                threads.to_string(),
                format!("{speed:.0}"),
                format!("{:.0}", speed * m.opt.timestep),
                format!("{:.0} %", 100.0 * per_thread),
            ]);
        }
        let mut stages = Table::new();
        stages.load_style(UTF8_FULL_CONDENSED).set_header(["stage", "µs/step", "share"]);
        for (stage, time) in &self.stages {
            let share = 100.0 * time / self.step.max(f64::MIN_POSITIVE);
            stages.add_row([stage.to_string(), format!("{:.2}", 1e6 * time), format!("{share:.0} %")]);
        }
        text += &format!("{speeds}\n{stages}\n");
        let failed: usize = self.speeds.iter().map(|s| s.2).sum();
        if failed > 0 {
            text += &format!("unstable: {failed} times a world had to start anew\n");
        }
        text + "\n"
    }
}
