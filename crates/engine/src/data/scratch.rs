//! Room for what a stage computes on the way; nothing in it outlives the stage.

use crate::model::Model;

/// Buffers sized once by [`Scratch::new`], so that stages never allocate.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Dense rows of length `nv`.
    pub row: [Vec<f64>; 4],
    /// Dense 3 × `nv` Jacobians, row-major.
    pub jac: [Vec<f64>; 3],
    /// Lists of dofs.
    pub dofs: Vec<i32>,
    /// One mark per dof; clear between stages.
    pub marked: Vec<bool>,
    /// Accelerations and forces of bodies.
    pub body: BodyWork,
}

/// Two spatial vectors per body.
#[derive(Clone, Debug)]
pub struct BodyWork {
    /// Accelerations, or velocities.
    pub acc: Vec<[f64; 6]>,
    /// Forces.
    pub frc: Vec<[f64; 6]>,
}

impl Scratch {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let nv = m.nv;
        Scratch {
            row: std::array::from_fn(|_| vec![0.0; nv]),
            jac: std::array::from_fn(|_| vec![0.0; 3 * nv]),
            dofs: Vec::with_capacity(nv),
            marked: vec![false; nv],
            body: BodyWork { acc: vec![[0.0; 6]; m.nbody], frc: vec![[0.0; 6]; m.nbody] },
        }
    }
}
