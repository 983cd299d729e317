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
    /// What the actuation stage works with.
    pub actuator: ActuatorWork,
}

/// Two spatial vectors per body.
#[derive(Clone, Debug)]
pub struct BodyWork {
    /// Accelerations, or velocities.
    pub acc: Vec<[f64; 6]>,
    /// Forces.
    pub frc: Vec<[f64; 6]>,
}

/// Inputs of actuators.
#[derive(Clone, Debug)]
pub struct ActuatorWork {
    /// Controls after delay and clamping.
    pub ctrl: Vec<f64>,
    /// Gains of user actuators, 1 unless a callback gives them.
    pub gain: Vec<f64>,
    /// Biases of user actuators, 0 unless a callback gives them.
    pub bias: Vec<f64>,
    /// Total actuator force at each tendon.
    pub tendon: Vec<f64>,
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
            actuator: ActuatorWork {
                ctrl: vec![0.0; m.nu],
                gain: vec![1.0; m.nu],
                bias: vec![0.0; m.nu],
                tendon: vec![0.0; m.ntendon],
            },
            body: BodyWork { acc: vec![[0.0; 6]; m.nbody], frc: vec![[0.0; 6]; m.nbody] },
        }
    }
}
