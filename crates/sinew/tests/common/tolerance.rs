//! Tolerances of comparisons in Rust tests, one name per reason. Where values are not near 1, the test multiplies by a
//! scale. Comparisons with MuJoCo have a separate table, in the corpus.
#![allow(dead_code)] // each test program uses a part of this

/// A few operations in a different order: the last bit.
pub const EXACT: f64 = 1e-15;
/// One step along two paths of the same arithmetic: the last bits.
pub const LAST_BITS: f64 = 1e-14;
/// An identity over hundreds of operations on values near 1.
pub const ROUNDING: f64 = 1e-12;
/// The same over thousands of operations, or after a linear solve.
pub const ROUNDING_SUMS: f64 = 1e-11;
/// A converged solve, a closed form, or a sum of hundreds of time steps.
pub const SOLVED: f64 = 1e-9;
/// Invariants of the integrator over thousands of steps, and forces in equilibrium.
pub const INTEGRATED: f64 = 1e-8;
/// Central differences, where truncation and rounding balance, and the same constraints solved by two methods.
pub const DIFFERENCED: f64 = 1e-7;
/// Momentum of a tree, which Runge–Kutta conserves to fourth order.
pub const MOMENTUM: f64 = 2e-7;
/// Single precision, one-sided differences, and CG at its own tolerance.
pub const SINGLE: f64 = 1e-6;
/// A pile that has come to rest, and second-order integrators.
pub const SETTLED: f64 = 1e-5;
/// Quadrature with weights of eight digits, and limits of thin shells.
pub const TABULATED: f64 = 1e-4;
/// A minimum found by sampling, to the distance of samples.
pub const SAMPLED: f64 = 2e-4;
/// PGS, which converges linearly, and a rule of few points where the integrand is steep.
pub const DUAL: f64 = 1e-3;
