//! The report of `sinew run`, as text or as JSON.

use crate::output::count;
use serde_json::{Value, json};
use sinew::{Data, Model};
use sinew_engine::model::enums::Warning;
use sinew_engine::step::StepError;
use sinew_engine::support::contact::contact_force;
use std::path::PathBuf;

/// How a simulation ended.
pub enum Ending {
    /// After all steps.
    Done,
    /// Early, for this reason.
    Failed(String),
}

impl Ending {
    /// Whether all steps were taken.
    pub fn is_done(&self) -> bool {
        matches!(self, Ending::Done)
    }
}

/// Summary statistics of a simulation.
pub struct Summary {
    name: String,
    dofs: usize,
    actuators: usize,
    timestep: f64,
    steps: u64,
    /// Time of the final state. (s)
    time: f64,
    /// Wall-clock time of the steps. (s)
    elapsed: f64,
    /// Potential and kinetic energy, at the start and at the end. (J)
    energy: [[f64; 2]; 2],
    /// Centre of mass of the first tree. (m)
    com: Option<[f64; 3]>,
    contacts: Contacts,
    /// Name, count and last index of the engine's warnings.
    warnings: Vec<(String, i64, i64)>,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    /// How it ended.
    pub ending: Ending,
    /// The recorded trajectory file.
    pub trajectory: Option<PathBuf>,
}

impl Summary {
    /// Starts a summary before the first step.
    pub fn new(m: &Model, d: &Data) -> Self {
        let [x, y, z] = m.opt.gravity;
        let weight = m.body_subtreemass[0] * (x * x + y * y + z * z).sqrt();
        Summary {
            name: m.model_name().to_string(),
            dofs: m.nv,
            actuators: m.nu,
            timestep: m.opt.timestep,
            steps: 0,
            time: d.state.time,
            elapsed: 0.0,
            energy: [d.sensor.energy; 2],
            com: None,
            contacts: Contacts { weight, ..Contacts::default() },
            warnings: Vec::new(),
            qpos: Vec::new(),
            qvel: Vec::new(),
            ending: Ending::Done,
            trajectory: None,
        }
    }

    /// Adds a step that took `elapsed` seconds.
    pub fn add(&mut self, m: &Model, d: &Data, elapsed: f64) {
        self.steps += 1;
        self.time = d.state.time;
        self.elapsed += elapsed;
        self.contacts.add(m, d);
    }

    /// Records that a step failed.
    pub fn fail(&mut self, step: u64, d: &Data, error: &StepError) {
        self.ending = Ending::Failed(format!("step {step}, at time {:.4} s: {error}", d.state.time));
    }

    /// Completes the summary after the last step, with energy and frames of the final state.
    pub fn finish(&mut self, m: &Model, d: &Data) {
        self.energy[1] = d.sensor.energy;
        self.com = (m.nbody > 1).then(|| d.pose.subtree_com[1]);
        self.qpos = d.state.qpos.to_vec();
        self.qvel = d.state.qvel.to_vec();
        let raised = d.warning.iter().enumerate().filter(|(_, w)| w.number > 0);
        self.warnings = raised
            .map(|(i, w)| {
                let name = Warning::try_from(i as i32).map_or("?".into(), |w| format!("{w:?}"));
                (name, i64::from(w.number), i64::from(w.lastinfo))
            })
            .collect();
    }

    fn rate(&self) -> f64 {
        self.steps as f64 / self.elapsed.max(1e-9)
    }

    /// The summary as text.
    pub fn text(&self) -> String {
        let (dofs, nu) = (count(self.dofs, "dof", "dofs"), count(self.actuators, "actuator", "actuators"));
        let mut text = format!("{}: {dofs}, {nu}, timestep {} s\n", self.name, self.timestep);
        let steps = count(self.steps as usize, "step", "steps");
        text += &format!("simulated  {:.3} s in {steps}, {:.3} s of computation\n", self.time, self.elapsed);
        text += &format!("speed      {:.0} steps/s, {:.0} x real time\n", self.rate(), self.rate() * self.timestep);
        let [start, end] = self.energy;
        text += &format!(
            "energy     potential {:.3} → {:.3} J, kinetic {:.3} → {:.3} J\n",
            start[0], end[0], start[1], end[1]
        );
        if let Some([x, y, z]) = self.com {
            text += &format!("state      centre of mass of the first tree at ({x:.3}, {y:.3}, {z:.3}) m\n");
        }
        text += &self.contacts.text();
        for (name, number, last) in &self.warnings {
            text += &format!("warning    {name}: {}, last at index {last}\n", count(*number as usize, "time", "times"));
        }
        if let Some(path) = &self.trajectory {
            text += &format!("trajectory {}\n", path.display());
        }
        text
    }

    /// The summary as JSON.
    pub fn json(&self) -> Value {
        let warnings =
            self.warnings.iter().map(|(name, number, last)| json!({"name": name, "number": number, "last": last}));
        let [start, end] = self.energy;
        let error = match &self.ending {
            Ending::Done => Value::Null,
            Ending::Failed(message) => json!(message),
        };
        json!({
            "model": self.name, "dofs": self.dofs, "actuators": self.actuators, "timestep": self.timestep,
            "steps": self.steps, "time": self.time, "seconds": self.elapsed, "steps_per_second": self.rate(),
            "energy": {"start": start, "end": end}, "centre_of_mass": self.com, "contacts": self.contacts.json(),
            "warnings": warnings.collect::<Vec<_>>(), "qpos": self.qpos, "qvel": self.qvel,
            "trajectory": self.trajectory, "error": error,
        })
    }
}

/// Contact statistics over all steps.
#[derive(Default)]
struct Contacts {
    steps: u64,
    most: usize,
    sum: u64,
    deepest: f64,
    /// Sum of normal forces: of the last step, the maximum, and summed over steps.
    force: [f64; 3],
    weight: f64,
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

    /// Average number of contacts and normal force per step.
    fn averages(&self) -> [f64; 2] {
        let steps = self.steps.max(1) as f64;
        [self.sum as f64 / steps, self.force[2] / steps]
    }

    fn text(&self) -> String {
        if self.most == 0 {
            return "contacts   none\n".into();
        }
        let ([last, largest, _], [number, force]) = (self.force, self.averages());
        format!(
            "contacts   at most {}, {number:.1} on average, deepest penetration {:.3} mm\n\
             force      total normal {last:.1} N at the end, {force:.1} N on average, {largest:.1} N at most; weight {:.1} N\n",
            self.most,
            1e3 * self.deepest,
            self.weight,
        )
    }

    fn json(&self) -> Value {
        let ([last, largest, _], [number, force]) = (self.force, self.averages());
        json!({"most": self.most, "average": number, "deepest": self.deepest,
            "force": {"last": last, "average": force, "largest": largest}, "weight": self.weight})
    }
}
