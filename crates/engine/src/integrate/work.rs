//! Workspace of the integrators.

use super::flex::FlexWork;
use crate::model::Model;
use crate::support::spring::{SpringRows, is_implicit};
use sinew_math::sparse_chol::SparseChol;

/// Buffers of the integrators.
#[derive(Clone, Debug)]
pub struct IntegrateWork {
    /// Acceleration with which an integrator advances the velocity.
    pub qacc: Vec<f64>,
    /// Number of remaining entries per row, during an LU factorisation.
    pub left: Vec<i32>,
    /// Intermediate states of the Runge–Kutta method.
    pub rk4: Rk4Work,
    /// Springs and dampers that an integrator treats implicitly.
    pub spring: SpringWork,
    /// Stiffness of interpolated flexes.
    pub flex: FlexWork,
}

impl IntegrateWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        IntegrateWork {
            qacc: vec![0.0; m.nv],
            left: vec![0; m.nv],
            rk4: Rk4Work::new(m),
            spring: SpringWork::new(m),
            flex: FlexWork::new(m),
        }
    }
}

/// Four states and their rates.
#[derive(Clone, Debug)]
pub struct Rk4Work {
    /// Position at the beginning.
    pub qpos: Vec<f64>,
    /// Velocities, then activations, of each stage.
    pub x: [Vec<f64>; 4],
    /// Accelerations, then activation rates, of each stage.
    pub f: [Vec<f64>; 4],
    /// Mean velocity.
    pub dq: Vec<f64>,
    /// Mean acceleration, then mean activation rate.
    pub dv: Vec<f64>,
}

impl Rk4Work {
    fn new(m: &Model) -> Self {
        let of_rates = || vec![0.0; m.nv + m.na];
        Rk4Work {
            qpos: vec![0.0; m.nq],
            x: std::array::from_fn(|_| of_rates()),
            f: std::array::from_fn(|_| of_rates()),
            dq: vec![0.0; m.nv],
            dv: of_rates(),
        }
    }
}

/// Upper bound on the preallocated entries of a factor.
const MOST_ENTRIES: usize = 1 << 22;

/// Spring and damper terms added to the mass matrix, and the factor of the sum.
#[derive(Clone, Debug, Default)]
pub struct SpringWork {
    /// Springs and dampers.
    pub rows: SpringRows,
    /// Factor of the matrix.
    pub chol: SparseChol,
    /// Buffer for an acceleration.
    pub row: Vec<f64>,
}

impl SpringWork {
    /// Preallocated buffers if the model uses this integrator; otherwise they grow on first use.
    fn new(m: &Model) -> Self {
        if !is_implicit(m) {
            return Self::default();
        }
        let (nv, couplings) = (m.nv, SpringRows::room(m));
        SpringWork {
            rows: SpringRows::new(m),
            chol: SparseChol::with_capacity(nv, couplings, (nv * (nv + 1) / 2).min(MOST_ENTRIES), false),
            row: Vec::with_capacity(nv),
        }
    }
}
