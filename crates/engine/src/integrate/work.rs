//! Room for the integrators.

use crate::model::Model;
use crate::model::enums::Integrator;
use sinew_math::sparse_chol::SparseChol;

/// Buffers of the integrators.
#[derive(Clone, Debug)]
pub struct IntegrateWork {
    /// Acceleration that an integrator advances with.
    pub qacc: Vec<f64>,
    /// Remaining entries per row of a factorisation.
    pub left: Vec<i32>,
    /// Intermediate states of the Runge–Kutta method.
    pub rk4: Rk4Work,
    /// Springs and dampers that an integrator treats implicitly.
    pub spring: SpringWork,
}

impl IntegrateWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        IntegrateWork { qacc: vec![0.0; m.nv], left: vec![0; m.nv], rk4: Rk4Work::new(m), spring: SpringWork::new(m) }
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

/// Springs and dampers of the tendons that pull, and the matrix they are part of.
#[derive(Clone, Debug, Default)]
pub struct SpringWork {
    /// Mass matrix with all springs and dampers that keep its sparsity.
    pub mass: Vec<f64>,
    /// What springs pull with because of the velocity, over a step.
    pub pull: Vec<f64>,
    /// An acceleration.
    pub row: Vec<f64>,
    /// Factor of `JᵀJ` of each tendon.
    pub weights: Vec<f64>,
    /// Where the entries of each tendon end.
    pub ends: Vec<usize>,
    /// Columns of the Jacobians.
    pub cols: Vec<i32>,
    /// Their values.
    pub values: Vec<f64>,
    /// Factor of the whole matrix.
    pub chol: SparseChol,
}

impl SpringWork {
    /// Room for a model, if it uses this integrator; otherwise it is made when first needed.
    fn new(m: &Model) -> Self {
        if m.opt.integrator != Integrator::Implicitspringdamper {
            return Self::default();
        }
        let (nv, n) = (m.nv, m.ntendon);
        SpringWork {
            mass: Vec::with_capacity(m.nC),
            pull: Vec::with_capacity(nv),
            row: Vec::with_capacity(nv),
            weights: Vec::with_capacity(n),
            ends: Vec::with_capacity(n),
            cols: Vec::with_capacity(n * nv),
            values: Vec::with_capacity(n * nv),
            chol: if n > 0 {
                SparseChol::with_capacity(nv, [n, n * nv], nv * (nv + 1) / 2, false)
            } else {
                SparseChol::default()
            },
        }
    }

    /// No springs, for `nv` dofs.
    pub fn clear(&mut self, nv: usize) {
        for vector in [&mut self.pull, &mut self.row] {
            vector.clear();
            vector.resize(nv, 0.0);
        }
        self.mass.clear();
        self.weights.clear();
        self.ends.clear();
        self.cols.clear();
        self.values.clear();
    }

    /// Adds a tendon with the given columns and values.
    pub fn push(&mut self, entries: impl Iterator<Item = (usize, f64)>, weight: f64) {
        for (col, value) in entries {
            self.cols.push(col as i32);
            self.values.push(value);
        }
        self.ends.push(self.cols.len());
        self.weights.push(weight);
    }
}
