//! Statistics of the constraint solvers.

pub use super::contact::SolverStat;

/// Number of islands with solver statistics; MuJoCo's `mjNISLAND`.
pub const ISLANDS: usize = 20;
/// Number of iterations per island with statistics; MuJoCo's `mjNSOLVER`.
pub const ITERATIONS: usize = 200;
