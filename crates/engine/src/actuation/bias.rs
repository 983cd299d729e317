//! Actuator bias: the force at zero control.

use crate::data::{Motion, Trn};
use crate::model::Model;
use crate::support::actuator::mujoco;

/// Bias of actuator `i`; `None` if it is user-defined.
#[inline]
pub fn bias(m: &Model, trn: &Trn, motion: &Motion, i: usize) -> Option<f64> {
    mujoco::bias(m, i, trn.actuator_length[i], motion.actuator_velocity[i])
}
