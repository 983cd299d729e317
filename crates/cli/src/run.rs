//! `sinew run`: simulate a model and say how it went.

use crate::noise::Noise;
use crate::report;
use crate::trajectory::Trajectory;
use indicatif::{ProgressBar, ProgressStyle};
use sinew::{Data, Model};
use sinew_engine::model::enums::{EnableFlags, ObjType, Warning};
use sinew_engine::support::contact::contact_force;
use std::process::ExitCode;
use std::time::Instant;

/// Simulate a model and report speed, energy, contacts and state.
#[derive(clap::Args)]
pub struct Args {
    /// Model file (MJCF or URDF); the embedded humanoid when absent
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
    #[arg(short, long, default_value_t = 0.0)]
    noise: f64,
    /// Write time, positions, velocities, activations, controls and sensors of every step, as .npz or .csv
    #[arg(short, long)]
    output: Option<String>,
}

fn duration(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(t) if t.is_finite() && t >= 0.0 => Ok(t),
        Ok(_) => Err("a time is finite and not negative".into()),
        Err(e) => Err(e.to_string()),
    }
}

/// Runs the simulation.
pub fn main(args: &Args) -> ExitCode {
    let model = match report::load(args.model.as_deref()) {
        Ok(model) => model,
        Err(error) => return report::fail(&error),
    };
    match simulate(args, model) {
        Ok(text) => {
            report::print(&text);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn simulate(args: &Args, mut model: Model) -> Result<String, String> {
    model.opt.enableflags |= EnableFlags::ENERGY;
    let mut data = Data::new(&model);
    if let Some(key) = &args.keyframe {
        data.reset_keyframe(&model, keyframe(&model, key)?);
    }
    let mut trajectory = args.output.as_ref().map(|path| Trajectory::create(path, &model)).transpose()?;
    sinew::forward(&model, &mut data);
    let start_energy = data.sensor.energy;
    let steps = args.steps.unwrap_or((args.time / model.opt.timestep).round() as u64);
    let bar = progress(steps);
    let mut noise = Noise::new(args.noise);
    let mut contacts = Contacts::default();
    let mut elapsed = 0.0;
    if let Some(t) = &mut trajectory {
        t.push(&data);
    }
    for i in 0..steps {
        noise.apply(&model, &mut data.state.ctrl);
        let start = Instant::now();
        sinew::step(&model, &mut data);
        elapsed += start.elapsed().as_secs_f64();
        contacts.add(&model, &data);
        if let Some(t) = &mut trajectory {
            t.push(&data);
        }
        if i % 256 == 0 {
            bar.set_position(i);
        }
    }
    bar.finish_and_clear();
    sinew::forward(&model, &mut data);
    let mut text = summary(&model, &data, steps, elapsed, start_energy);
    text += &contacts.describe(&model);
    text += &warnings(&data);
    if let Some(t) = trajectory {
        text += &format!("trajectory {}\n", t.finish()?.display());
    }
    Ok(text)
}

/// Index of a keyframe given by name or number.
fn keyframe(m: &Model, key: &str) -> Result<usize, String> {
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

fn summary(m: &Model, d: &Data, steps: u64, elapsed: f64, start: [f64; 2]) -> String {
    let rate = steps as f64 / elapsed.max(1e-9);
    let energy = d.sensor.energy;
    let mut text = format!("{}: {} dofs, {} actuators, timestep {} s\n", m.model_name(), m.nv, m.nu, m.opt.timestep);
    text += &format!("simulated  {:.3} s in {steps} steps, {elapsed:.3} s of computation\n", d.state.time);
    text += &format!("speed      {rate:.0} steps/s, {:.0} x real time\n", rate * m.opt.timestep);
    text += &format!(
        "energy     potential {:.3} → {:.3} J, kinetic {:.3} → {:.3} J\n",
        start[0], energy[0], start[1], energy[1]
    );
    if m.nbody > 1 {
        let [x, y, z] = d.pose.subtree_com[1];
        text += &format!("state      centre of mass of the first tree at ({x:.3}, {y:.3}, {z:.3}) m\n");
    }
    text
}

fn warnings(d: &Data) -> String {
    let raised = d.warning.iter().enumerate().filter(|(_, w)| w.number > 0);
    raised
        .map(|(i, w)| {
            let name = Warning::try_from(i as i32).map_or("?".into(), |w| format!("{w:?}"));
            format!("warning    {name}: {} times, last at index {}\n", w.number, w.lastinfo)
        })
        .collect()
}

/// Contacts over all steps.
#[derive(Default)]
struct Contacts {
    steps: u64,
    most: usize,
    sum: u64,
    deepest: f64,
    /// Sum of normal forces: of the last step, the largest, and summed over steps.
    force: [f64; 3],
}

impl Contacts {
    fn add(&mut self, m: &Model, d: &Data) {
        let force: f64 = d.contact.iter().map(|c| contact_force(m, c, &d.solution)[0]).sum();
        self.steps += 1;
        self.most = self.most.max(d.contact.len());
        self.sum += d.contact.len() as u64;
        self.deepest = d.contact.iter().fold(self.deepest, |deepest, c| deepest.max(-c.dist));
        self.force = [force, self.force[1].max(force), self.force[2] + force];
    }

    fn describe(&self, m: &Model) -> String {
        if self.most == 0 {
            return "contacts   none\n".into();
        }
        let steps = self.steps.max(1) as f64;
        let [last, largest, sum] = self.force;
        let [x, y, z] = m.opt.gravity;
        let weight = m.body_subtreemass[0] * (x * x + y * y + z * z).sqrt();
        format!(
            "contacts   at most {}, {:.1} on average, deepest penetration {:.3} mm\n\
             force      total normal {last:.1} N at the end, {:.1} N on average, {largest:.1} N at most; weight {weight:.1} N\n",
            self.most,
            self.sum as f64 / steps,
            1e3 * self.deepest,
            sum / steps,
        )
    }
}
