//! A simulation run by a page: its clock, its history, and the effects of commands.

use crate::command::{Command, index};
use crate::look::Look;
use sinew_engine::data::state::state_size;
use sinew_engine::model::enums::StateFlags;
use sinew_engine::{Data, Model, step};
use sinew_scene::{apply_force, apply_pose};
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum lag behind real time that one call catches up with. (s)
const MOST_OWED: f64 = 0.5;
/// Capacity of the history, in values.
const HISTORY: usize = 1 << 21;
/// Maximum number of past states.
const MOST_STATES: usize = 2000;

/// A recorded motion: times, and positions at each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Times, not decreasing. (s)
    pub time: Vec<f64>,
    /// Positions, `nq` values for each time.
    pub qpos: Vec<f64>,
}

/// A simulation in progress.
#[derive(Clone, Debug)]
pub struct Session {
    /// The model.
    pub model: Arc<Model>,
    /// Its state.
    pub data: Data,
    /// The view of it.
    pub look: Look,
    /// Whether the simulation is running.
    pub running: bool,
    /// Simulated time per real time.
    pub speed: f64,
    /// Real time that has passed and is not yet simulated. (s)
    owed: f64,
    /// States before the last steps, as many as fit.
    history: VecDeque<Vec<f64>>,
    /// The motion shown instead of a simulation, if any.
    motion: Option<Motion>,
}

const KEPT: i32 = StateFlags::INTEGRATION.bits();

impl Session {
    /// A simulation at its first keyframe, or at the initial state if there is none.
    pub fn new(model: impl Into<Arc<Model>>) -> Self {
        let model = model.into();
        let mut data = Data::new(&model);
        if model.nkey > 0 {
            _ = data.reset_keyframe(&model, 0usize);
        }
        step::forward(&model, &mut data);
        let mut look = Look::new(&model);
        _ = look.update(&model, &data);
        let history = VecDeque::new();
        Session { model, data, look, running: true, speed: 1.0, owed: 0.0, history, motion: None }
    }

    /// Shows a recorded motion; returns false if it does not match the model.
    pub fn replay(&mut self, motion: Motion) -> bool {
        let fits = !motion.time.is_empty() && motion.qpos.len() == motion.time.len() * self.model.nq;
        if fits {
            self.motion = Some(motion);
            self.go_to(f64::MIN);
        }
        fits
    }

    /// The recorded motion that is shown.
    pub fn motion(&self) -> Option<&Motion> {
        self.motion.as_ref()
    }

    /// Advances real time, and returns the number of steps taken. Simulation stops when it has caught up or when
    /// `out_of_time`, called before each step, returns true.
    pub fn advance(&mut self, seconds: f64, mut out_of_time: impl FnMut() -> bool) -> usize {
        if !self.running {
            self.settle();
            return 0;
        }
        self.owed = (self.owed + seconds.max(0.0) * self.speed).min(MOST_OWED * self.speed.max(1.0));
        if self.motion.is_some() {
            let time = self.data.state.time + std::mem::take(&mut self.owed);
            self.go_to(time);
            return 0;
        }
        let h = self.model.opt.timestep.max(1e-9);
        self.remember();
        let mut steps = 0;
        while self.owed >= h {
            if out_of_time() {
                self.owed = 0.0; // too slow: simulated time falls behind
                break;
            }
            self.owed -= h;
            self.step();
            steps += 1;
        }
        steps
    }

    /// Updates the view from the present state.
    pub fn see(&mut self) {
        if self.look.update(&self.model, &self.data).is_err() {
            self.look.apply(&self.model, &self.data, Command::FreeCamera([]));
        }
    }

    /// Takes a step with the user's perturbation applied.
    fn step(&mut self) {
        let (m, d) = (&*self.model, &mut self.data);
        d.state.xfrc_applied.fill([0.0; 6]);
        apply_pose(m, d, &self.look.pert, false);
        apply_force(m, d, &self.look.pert);
        step::step(m, d);
    }

    /// While paused: moves perturbed bodies with the mouse, and recomputes what depends on positions.
    fn settle(&mut self) {
        if self.motion.is_none() && self.look.pert.active != 0 {
            apply_pose(&self.model, &mut self.data, &self.look.pert, true);
            step::forward(&self.model, &mut self.data);
        }
    }

    fn remember(&mut self) {
        let size = state_size(&self.model, KEPT).unwrap_or(0).max(1);
        let most = (HISTORY / size).clamp(1, MOST_STATES);
        let mut state = if self.history.len() >= most { self.history.pop_front() } else { None }.unwrap_or_default();
        state.resize(size, 0.0);
        if self.data.state.get(&self.model, &mut state, KEPT).is_ok() {
            self.history.push_back(state);
        }
    }

    /// Goes back to states in the history.
    fn back(&mut self, count: usize) {
        for _ in 0..count {
            let Some(state) = self.history.pop_back() else { return };
            _ = self.data.state.set(&self.model, &state, KEPT);
        }
        step::forward(&self.model, &mut self.data);
    }

    /// Shows the recorded motion at a time; it repeats after its end.
    fn go_to(&mut self, time: f64) {
        let Some(motion) = &self.motion else { return };
        let (first, last) = (motion.time[0], motion.time[motion.time.len() - 1]);
        let time = if time > last { first } else { time.max(first) };
        let row = motion.time.partition_point(|t| *t <= time).saturating_sub(1);
        let nq = self.model.nq;
        self.data.state.qpos.copy_from_slice(&motion.qpos[row * nq..(row + 1) * nq]);
        self.data.state.time = time;
        step::forward(&self.model, &mut self.data);
    }

    /// Executes a command; returns false for a key, which others handle.
    pub fn apply(&mut self, command: Command) -> bool {
        let m = self.model.clone();
        if self.look.apply(&m, &self.data, command) {
            return true;
        }
        let recorded = self.motion.is_some();
        match command {
            Command::Run([on]) => self.running = on != 0.0,
            Command::Speed([factor]) => self.speed = factor.clamp(1e-3, 1e3),
            Command::Cursor([time]) => self.go_to(time),
            Command::Step(_) if self.running => {}
            Command::Step([count]) if recorded => self.stride(count),
            Command::Step([count]) if count < 0.0 => self.back((-count).min(1e4) as usize),
            Command::Step([count]) => {
                for _ in 0..count.min(1e4) as usize {
                    self.remember();
                    self.step();
                }
                step::forward(&m, &mut self.data);
            }
            Command::Reset([]) if recorded => self.go_to(f64::MIN),
            Command::Reset([]) => {
                self.data.reset(&m);
                self.renew();
            }
            Command::Keyframe([id]) => {
                if let Some(key) = index(id).filter(|k| *k < m.nkey && !recorded) {
                    _ = self.data.reset_keyframe(&m, key);
                    self.renew();
                }
            }
            Command::Ctrl([id, value]) => set(&mut self.data.state.ctrl, id, value),
            Command::ClearCtrl([]) => self.data.state.ctrl.fill(0.0),
            Command::Qpos([id, value]) if !recorded => {
                set(&mut self.data.state.qpos, id, value);
                step::forward(&m, &mut self.data);
            }
            _ => return false,
        }
        true
    }

    /// Moves some states forwards or backwards in the recorded motion.
    fn stride(&mut self, count: f64) {
        let Some(motion) = &self.motion else { return };
        let row = motion.time.partition_point(|t| *t <= self.data.state.time).saturating_sub(1);
        let to = (row as f64 + count).clamp(0.0, (motion.time.len() - 1) as f64) as usize;
        self.go_to(motion.time[to]);
    }

    fn renew(&mut self) {
        self.owed = 0.0;
        self.history.clear();
        step::forward(&self.model, &mut self.data);
    }
}

fn set(values: &mut [f64], id: f64, value: f64) {
    if let Some(slot) = index(id).and_then(|i| values.get_mut(i)) {
        *slot = value;
    }
}
