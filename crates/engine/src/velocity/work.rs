//! Workspace of the velocity stage.

use crate::model::Model;

/// Two spatial vectors per body.
#[derive(Clone, Debug)]
pub struct BodyWork {
    /// Accelerations, or velocities.
    pub acc: Vec<[f64; 6]>,
    /// Forces.
    pub frc: Vec<[f64; 6]>,
}

impl BodyWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        BodyWork { acc: vec![[0.0; 6]; m.nbody], frc: vec![[0.0; 6]; m.nbody] }
    }
}
