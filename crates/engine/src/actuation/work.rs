//! Workspace of the actuation stage.

use crate::model::Model;
use crate::support::row::RowWork;

/// Buffers of the actuation stage.
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
    /// Accumulator for a sparse moment row.
    pub row: RowWork,
}

impl ActuatorWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        ActuatorWork {
            ctrl: vec![0.0; m.nu],
            gain: vec![1.0; m.nu],
            bias: vec![0.0; m.nu],
            tendon: vec![0.0; m.ntendon],
            row: RowWork::new(m.nv),
        }
    }
}
