//! What the constraint solvers report.

/// Islands for which solver statistics are kept; MuJoCo's `mjNISLAND`.
pub const ISLANDS: usize = 20;
/// Iterations of an island for which statistics are kept; MuJoCo's `mjNSOLVER`.
pub const ITERATIONS: usize = 200;

/// One iteration of the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias = "mjSolverStat")]
pub struct SolverStat {
    /// Cost reduction, scaled.
    pub improvement: f64,
    /// Norm of the gradient, scaled; zero for dual solvers.
    pub gradient: f64,
    /// Slope where the line search ended, scaled.
    pub lineslope: f64,
    /// Active constraint rows.
    pub nactive: i32,
    /// Rows that changed their state.
    pub nchange: i32,
    /// Cost evaluations of the line search.
    pub neval: i32,
    /// Updates of the Hessian's factor.
    pub nupdate: i32,
}
