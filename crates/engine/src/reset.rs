//! The initial state of a simulation. Trees that start asleep are put to sleep by running the stages.

use crate::data::memory::{self, OutOfMemory};
use crate::data::{Data, history};
use crate::model::Model;
use crate::model::enums::{EnableFlags, SleepPolicy};
use crate::parts::Parts;
use crate::step;
use crate::support::awake::{self, AWAKE};

/// Some trees should start asleep but cannot: something moves them, or they touch an awake tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{wanted} trees should start asleep but {slept} can; the first that cannot has body {root} at its root")]
pub struct CannotSleep {
    /// Number of trees with the policy `init`.
    pub wanted: usize,
    /// Number of trees that have fallen asleep.
    pub slept: usize,
    /// Root body of the first tree that has not.
    pub root: usize,
}

/// Why a simulation cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// There is not enough memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// Trees that should start asleep cannot.
    #[error(transparent)]
    CannotSleep(#[from] CannotSleep),
    /// The timestep is not positive, so samples in history buffers would not have increasing times.
    #[error("history buffers need a positive timestep; set opt.timestep")]
    Timestep,
}

impl Data {
    /// Allocates everything that a simulation of `m` needs and resets it to the initial state. Aborts the process if
    /// there is not enough memory; [`Data::try_new`] returns an error instead.
    #[doc(alias = "mj_makeData")]
    pub fn new(m: &Model) -> Self {
        let mut d = Data::allocate(m);
        d.reset(m);
        d
    }

    /// [`Data::new`] that returns an error if memory is short or trees cannot start asleep.
    ///
    /// # Errors
    /// [`DataError`].
    pub fn try_new(m: &Model) -> Result<Self, DataError> {
        memory::probe(Data::bytes_needed(m))?;
        let mut d = Data::allocate(m);
        d.try_reset(m, &mut ())?;
        Ok(d)
    }

    /// Sets everything to zero, then the state to the model's initial state. Trees that should start asleep but cannot
    /// stay awake.
    #[doc(alias = "mj_resetData")]
    pub fn reset(&mut self, m: &Model) {
        // the compiler has already rejected models for which this is an error
        let _ = self.try_reset(m, &mut ());
    }

    /// [`Data::reset`] with callbacks; an error if trees cannot start asleep or history buffers have no timestep.
    ///
    /// # Errors
    /// [`DataError::CannotSleep`]; those trees are then awake. [`DataError::Timestep`].
    pub fn try_reset<P: Parts + ?Sized>(&mut self, m: &Model, parts: &mut P) -> Result<(), DataError> {
        self.clear(m);
        self.state.begin_plugins(m);
        let mut result = if history::has_times(m) { Ok(()) } else { Err(DataError::Timestep) };
        if m.opt.enabled(EnableFlags::SLEEP) {
            // static bodies are visited now and never again
            awake::update_sleep(m, &self.state, &mut self.awake, true);
            if m.tree_sleep_policy.contains(&(SleepPolicy::Init as i32)) {
                step::forward_with(m, self, parts);
                result = result.and(self.start_asleep(m).map_err(DataError::from));
            } else {
                step::kinematics(m, self);
                step::com_pos(m, self);
                step::camlight(m, self);
                step::tendon(m, self);
            }
        }
        step::update_sleep(m, self);
        self.state.begin_mocap(m);
        result
    }

    /// Puts the trees with the policy `init` to sleep.
    fn start_asleep(&mut self, m: &Model) -> Result<(), CannotSleep> {
        let starts = |tree: &usize| m.tree_sleep_policy(*tree) == SleepPolicy::Init;
        for tree in 0..m.ntree {
            self.state.tree_asleep[tree] = if starts(&tree) { -1 } else { AWAKE };
        }
        let slept = step::sleep(m, self);
        let left = (0..m.ntree).filter(starts).find(|&tree| self.state.tree_asleep[tree] < 0);
        self.accel.qacc_smooth.fill(0.0);
        self.force.qfrc_smooth.fill(0.0);
        self.clear_constraints();
        let Some(tree) = left else { return Ok(()) };
        let root = m.tree_bodyadr[tree] as usize;
        (0..m.ntree).filter(starts).for_each(|tree| {
            let count = &mut self.state.tree_asleep[tree];
            *count = if *count < 0 { AWAKE } else { *count };
        });
        Err(CannotSleep { wanted: (0..m.ntree).filter(starts).count(), slept, root })
    }
}
