//! The constraint solver as an exchangeable component.

use super::{Given, SolverRoom, Sought, fwd_constraint, is_dual};
use crate::data::multiplier::Multiplier;
use crate::data::{Contact, Efc};
use crate::model::Model;

/// Computes constraint forces for all rows: equalities, dry friction, limits and contacts.
pub trait ConstraintSolver {
    /// Checks whether the solver supports a model.
    ///
    /// # Errors
    /// A sentence saying what is not supported, and what to do instead.
    fn check(&self, _m: &Model) -> Result<(), String> {
        Ok(())
    }

    /// Reserves capacity, so that no step has to allocate.
    fn prepare(&self, _m: &Model, _room: &mut SolverRoom) {}

    /// Whether the solver needs the dual matrix `efc_AR`.
    fn is_dual(&self, _m: &Model) -> bool {
        false
    }

    /// Computes the forces of all rows and the resulting acceleration, as described at [`fwd_constraint`].
    fn solve(&self, m: &Model, x: Given<'_>, out: Sought<'_>, room: &mut SolverRoom, threads: usize);

    /// Stores data for warm-starting the next step, at the end of a step. `memory` stays with the simulation, but is
    /// not part of its state.
    fn remember(&self, _m: &Model, _x: Made<'_>, _room: &SolverRoom, _memory: &mut Vec<Multiplier>) {}

    /// Velocity with which Euler's method updates positions, if it differs from the new velocity: for solvers that
    /// correct penetration in positions only.
    fn mean_velocity<'a>(&self, _m: &Model, _room: &'a SolverRoom) -> Option<&'a [f64]> {
        None
    }

    /// Whether strict steps can check if the tolerance was reached.
    fn iterates_to_tolerance(&self, _m: &Model) -> bool {
        false
    }
}

/// The constraints of a step.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// Contacts.
    pub contact: &'a [Contact],
    /// Constraint rows.
    pub efc: &'a Efc,
}

/// MuJoCo's convex solvers: Newton, CG or PGS, and the no-slip pass, as selected by the options of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Convex;

impl ConstraintSolver for Convex {
    #[inline]
    fn is_dual(&self, m: &Model) -> bool {
        is_dual(m)
    }

    #[inline]
    fn solve(&self, m: &Model, x: Given<'_>, out: Sought<'_>, room: &mut SolverRoom, threads: usize) {
        fwd_constraint(m, x, out, room, threads);
    }

    fn iterates_to_tolerance(&self, _m: &Model) -> bool {
        true
    }
}
