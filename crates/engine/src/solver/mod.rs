//! Smooth dynamics and constraint rows → accelerations and constraint forces.

pub mod work;
pub mod blocks;
pub mod cone;
pub mod primal;
pub mod search;
pub mod newton;
pub mod warmstart;
pub mod qcqp;
pub mod project;
pub mod dual;
pub mod pgs;
pub mod noslip;
pub mod xpbd;
pub mod part;
pub mod forward;
pub mod islands;
pub mod link;
pub mod inverse;
pub mod converged;

pub use converged::{Solved, unsolved};
pub use forward::{Given, Sought, fwd_constraint};
pub use inverse::{constraint_update, inv_constraint};
pub use part::{ConstraintSolver, Convex, Made};
pub use project::{is_dual, project_constraint};
pub use work::{SolverRoom, SolverWork};

/// Clamps an iteration count from the options. The maximum is far beyond any sensible value; it keeps an option that
/// holds garbage from making a step run for hours.
fn most_iterations(asked: i32) -> usize {
    const MOST: i32 = 10_000;
    asked.clamp(0, MOST) as usize
}
