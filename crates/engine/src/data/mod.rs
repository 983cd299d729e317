//! The state of one simulation and everything computed from it, in one block per stage that computes it.

pub mod capacity;
pub mod contact;
pub mod history;
pub mod memory;
pub mod multiplier;
pub mod rows;
mod save;
pub mod solver;
mod start;
pub mod state;
pub mod validate;

use crate::fields::{Array, DType, Dim, FieldInfo, Fields, Holds, Slice, SliceMut, Zero};
use crate::model::enums::{self, StateFlags, Warning};
use crate::model::{Model, Sizes};
use crate::scratch::Scratch;
pub use contact::{Contact, SolverStat, TimerStat, WarningStat};
use multiplier::Multiplier;
use rows::RowGroups;
use save::replace_storage;
pub use start::Start;
use state::StateError;

include!(concat!(env!("OUT_DIR"), "/data.rs"));

/// Everything that one simulation owns. Nothing is allocated after [`Data::new`].
#[derive(Clone, Debug)]
#[doc(alias = "mjData")]
pub struct Data {
    /// Quantities that the integrator advances or the user sets.
    pub state: State,
    /// Frames, motion axes and tendon paths.
    pub pose: Pose,
    /// Composite inertia, mass matrix and its factor.
    pub inertia: Inertia,
    /// Which trees are awake.
    pub awake: Awake,
    /// Counts and flags of the collision stage.
    pub collision: Collision,
    /// Contacts found by the collision stage.
    pub contact: Vec<Contact>,
    /// Constraint rows.
    pub efc: Efc,
    /// Dofs that each group of constraint rows moves.
    pub row_groups: RowGroups,
    /// Warm start of a position-based solver; empty for other solvers.
    pub multipliers: Vec<Multiplier>,
    /// Matrix of the dual solvers.
    pub dual: Dual,
    /// Constraint islands.
    pub island: Island,
    /// Results of the constraint solvers.
    pub solution: Solution,
    /// Actuator lengths and moments.
    pub trn: Trn,
    /// Velocities.
    pub motion: Motion,
    /// Generalised forces.
    pub force: Force,
    /// Accelerations and constraint forces.
    pub accel: Accel,
    /// Velocity derivatives and modified factors of the implicit integrators.
    pub deriv: Deriv,
    /// Sensor outputs and energy.
    pub sensor: Sensor,
    /// Warning counters, indexed by `Warning`.
    pub warning: [WarningStat; 8],
    /// Time spent in each stage, by `mjtTimer`.
    pub timer: [TimerStat; NTIMER],
    /// Statistics of each solver iteration: [`solver::ITERATIONS`] for each of the first islands.
    pub solver: Vec<SolverStat>,
    /// Number of threads that may work on this simulation; see [`Data::set_threads`].
    pub(crate) threads: usize,
    /// Workspaces of the stages.
    pub scratch: Box<Scratch>,
}

/// Number of timed stages; MuJoCo's `mjNTIMER`.
pub const NTIMER: usize = 15;

impl Data {
    /// Allocates everything that a simulation of `m` needs.
    #[doc(alias = "mj_makeRawData")]
    pub(crate) fn allocate(m: &Model) -> Self {
        Data {
            state: State::new(m),
            pose: Pose::new(m),
            inertia: Inertia::new(m),
            awake: Awake::new(m),
            collision: Collision::new(m),
            contact: Vec::with_capacity(contact::capacity(m)),
            efc: Efc::with_capacity(m),
            row_groups: RowGroups::with_capacity(m),
            multipliers: Vec::new(),
            dual: Dual::with_capacity(m),
            island: Island::with_capacity(m),
            solution: Solution::with_capacity(m),
            trn: Trn::new(m),
            motion: Motion::new(m),
            force: Force::new(m),
            accel: Accel::new(m),
            deriv: Deriv::new(m),
            sensor: Sensor::new(m),
            warning: Default::default(),
            timer: Default::default(),
            solver: vec![SolverStat::default(); solver::ISLANDS * solver::ITERATIONS],
            threads: 1,
            scratch: Box::new(Scratch::new(m)),
        }
    }

    /// Sets everything to zero, then the state to the model's initial state, all trees awake and mocap bodies at the
    /// origin.
    pub(crate) fn clear(&mut self, m: &Model) {
        self.each_block_zero();
        self.contact.clear();
        self.multipliers.clear();
        self.warning = Default::default();
        self.timer = Default::default();
        self.solver.fill(SolverStat::default());
        self.state.begin(m);
    }

    /// Removes constraint rows, everything that belongs to them, and the islands.
    pub(crate) fn clear_rows(&mut self) {
        self.contact.iter_mut().for_each(|c| c.efc_address = -1);
        self.efc.clear_rows();
        self.dual.zero();
        self.island.clear();
        self.solution.fit_rows(0);
        self.solution.fit_islands(0, 0);
    }

    /// Removes constraint rows and the solution computed from them.
    pub(crate) fn clear_constraints(&mut self) {
        self.clear_rows();
        self.solution.zero();
    }

    /// Lets up to `count` threads of the current rayon pool solve constraint islands and move large deformables in
    /// parallel, if there is enough work. Results do not depend on the number of threads, bit for bit. Default: 1.
    pub fn set_threads(&mut self, m: &Model, count: usize) {
        self.threads = count.max(1);
        self.scratch.solver.fit_threads(m, self.threads);
    }

    /// Number of threads that may work on this simulation.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Adds a contact, which removes all constraint rows. Returns whether it fits into the model's arena.
    #[doc(alias = "mj_addContact")]
    pub fn add_contact(&mut self, m: &Model, contact: Contact) -> bool {
        self.clear_rows();
        if (self.contact.len() + 1) * contact::ARENA_BYTES > m.narena {
            self.warn(Warning::Contactfull, self.contact.len());
            return false;
        }
        self.contact.push(Contact { efc_address: -1, ..contact });
        self.collision.ncon = self.contact.len() as i32;
        true
    }

    /// Counts a warning.
    #[doc(alias = "mj_warning")]
    pub fn warn(&mut self, warning: Warning, info: usize) {
        let stat = &mut self.warning[warning as usize];
        stat.lastinfo = info as i32;
        stat.number += 1;
    }

    /// Sets the elements of a signature from `src`. If these include positions or velocities, the solver's warm start
    /// is cleared, so that steps depend on the state only.
    ///
    /// # Errors
    /// [`StateError`] if the signature or the length does not fit.
    pub fn set_state(&mut self, m: &Model, src: &[f64], sig: i32) -> Result<(), StateError> {
        self.state.set(m, src, sig)?;
        self.forget(sig);
        Ok(())
    }

    /// Copies the elements of a signature from another simulation of the same model, like
    /// [`set_state`](Self::set_state).
    ///
    /// # Errors
    /// [`StateError`] if the signature is invalid.
    pub fn copy_state(&mut self, src: &Data, sig: i32) -> Result<(), StateError> {
        self.state.copy_elements(&src.state, sig)?;
        self.forget(sig);
        Ok(())
    }

    fn forget(&mut self, sig: i32) {
        if sig & (StateFlags::QPOS | StateFlags::QVEL).bits() != 0 {
            self.multipliers.clear();
        }
    }

    /// Copies only what the next step of another simulation starts from, not what a step computes.
    pub(crate) fn copy_start(&mut self, src: &Data) {
        self.state.copy_from(&src.state);
        self.awake.copy_from(&src.awake);
    }

    /// Copies another simulation of the same model without allocating.
    pub fn copy_from(&mut self, src: &Data) {
        self.each_block_copy(src);
        self.contact.clone_from(&src.contact);
        self.warning = src.warning;
        self.timer = src.timer;
        self.solver.copy_from_slice(&src.solver);
        self.row_groups.copy_from(&src.row_groups);
        self.multipliers.clone_from(&src.multipliers);
    }
}
