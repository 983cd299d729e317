//! What a batch is asked to do besides physics.

use sinew_engine::{Data, Model};

/// Rewards, ends of episodes and initial states. Implement what you need; the rest has a default. A closure over
/// model and simulation is a task that only rewards; `()` is one that asks nothing.
///
/// Methods see a world after its steps: positions and velocities are the new ones, and as after any step what is
/// computed from them (frames, sensors, forces) is one step older.
pub trait Task: Send + Sync {
    /// Reward of the steps just taken.
    fn reward(&self, _m: &Model, _d: &Data) -> f64 {
        0.0
    }

    /// Whether the episode has come to its end.
    fn terminated(&self, _m: &Model, _d: &Data) -> bool {
        false
    }

    /// Whether the episode is cut off, by a time limit for example.
    fn truncated(&self, _m: &Model, _d: &Data) -> bool {
        false
    }

    /// Changes the initial state of a world that has just been reset. Only the state is kept, not what is computed from it here.
    fn reset(&self, _m: &Model, _d: &mut Data, _world: usize) {}

    /// Whether [`Task::reset`] does anything; where it does not, resets are cheaper.
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
