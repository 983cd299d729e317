//! Force of an actuator that is there without control.

use crate::data::{Motion, Trn};
use crate::model::Model;
use crate::support::actuator::mujoco;

/// Bias of actuator `i`; `None` if the user provides it.
#[inline]
pub fn bias(m: &Model, trn: &Trn, motion: &Motion, i: usize) -> Option<f64> {
    mujoco::bias(m, i, trn.actuator_length[i], motion.actuator_velocity[i])
}
