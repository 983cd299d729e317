//! How far the two sides of a comparison in Rust tests may be apart: one name per reason. A factor of scale stands beside the
//! name where numbers are not near 1. Comparisons with MuJoCo have their own table, in the corpus.
#![allow(dead_code)] // each test program uses a part of this

/// The same few operations, in another order: the last bit.
pub const EXACT: f64 = 1e-15;
/// A step along two paths of the same arithmetic: the last bits.
pub const LAST_BITS: f64 = 1e-14;
/// An identity over hundreds of operations on numbers near 1.
pub const ROUNDING: f64 = 1e-12;
/// The same over thousands of operations, or after a solve.
pub const ROUNDING_SUMS: f64 = 1e-11;
/// A converged solve, a closed form, or a sum of hundreds of time steps.
pub const SOLVED: f64 = 1e-9;
/// What the integrator keeps over thousands of steps, and forces in balance.
pub const INTEGRATED: f64 = 1e-8;
/// Central differences, where truncation and rounding meet, and the same constraints solved in two ways.
pub const DIFFERENCED: f64 = 1e-7;
/// Momentum of a tree, which Runge–Kutta keeps to fourth order.
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
