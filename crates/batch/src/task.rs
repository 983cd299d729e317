//! Task of a batch: rewards, ends of episodes and initial states.

use sinew_engine::{Data, Model};

/// Rewards, ends of episodes and initial states. All methods have defaults. A closure over model and simulation is a
/// task with only a reward; `()` is a task without anything.
///
/// Methods see a world after its steps: positions and velocities are new, and, as after any step, fields computed from
/// them (frames, sensors, forces) lag by one step.
pub trait Task: Send + Sync {
    /// Reward of the steps just taken.
    fn reward(&self, _m: &Model, _d: &Data) -> f64 {
        0.0
    }

    /// Whether the episode has ended.
    fn terminated(&self, _m: &Model, _d: &Data) -> bool {
        false
    }

    /// Whether the episode is truncated, for example by a time limit.
    fn truncated(&self, _m: &Model, _d: &Data) -> bool {
        false
    }

    /// Modifies the initial state of a world that has just been reset. Only the state is stored, not what is computed
    /// from it here.
    fn reset(&self, _m: &Model, _d: &mut Data, _world: usize) {}

    /// Whether [`Task::reset`] does anything; if not, resets are cheaper.
    fn resets(&self) -> bool {
        true
    }
}

impl Task for () {
    fn resets(&self) -> bool {
        false
    }
}

impl<F: Fn(&Model, &Data) -> f64 + Send + Sync> Task for F {
    fn reward(&self, m: &Model, d: &Data) -> f64 {
        self(m, d)
    }

    fn resets(&self) -> bool {
        false
    }
}
