//! The solver of constraint rows as a part that can be exchanged.

use super::{Given, SolverRoom, Sought, fwd_constraint, is_dual};
use crate::data::multiplier::Multiplier;
use crate::data::{Contact, Efc};
use crate::model::Model;

/// From rows to forces. It gets all of them: equalities, dry friction, limits and contacts.
pub trait ConstraintSolver {
    /// Whether the solver can serve a model.
    ///
    /// # Errors
    /// A sentence that says what it cannot do, and what to do instead.
    fn check(&self, _m: &Model) -> Result<(), String> {
        Ok(())
    }

    /// Makes room, so that no step has to.
    fn prepare(&self, _m: &Model, _room: &mut SolverRoom) {}

    /// Whether the rows come with their dual matrix `efc_AR`.
    fn is_dual(&self, _m: &Model) -> bool {
        false
    }

    /// Forces of all rows and the acceleration they leave, as [`fwd_constraint`] describes them.
    fn solve(&self, m: &Model, x: Given<'_>, out: Sought<'_>, room: &mut SolverRoom, threads: usize);

    /// Keeps what the next step begins with, once a step is over: `memory` stays with the simulation, but is no part of its state.
    fn remember(&self, _m: &Model, _x: Made<'_>, _room: &SolverRoom, _memory: &mut Vec<Multiplier>) {}

    /// Velocity with which Euler's method moves positions, if that is not the new velocity: solvers that take penetration
    /// away from positions alone.
    fn mean_velocity<'a>(&self, _m: &Model, _room: &'a SolverRoom) -> Option<&'a [f64]> {
        None
    }

    /// Whether strict steps can ask if the tolerance was reached.
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

/// MuJoCo's solvers of its convex problem: Newton, CG or PGS, and the pass without slip, by the options of the model.
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
