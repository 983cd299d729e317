//! What the constraint solvers report.

pub use super::contact::SolverStat;

/// Islands for which solver statistics are kept; MuJoCo's `mjNISLAND`.
pub const ISLANDS: usize = 20;
/// Iterations of an island for which statistics are kept; MuJoCo's `mjNSOLVER`.
pub const ITERATIONS: usize = 200;
