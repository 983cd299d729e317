//! Actuator gain: force per unit of control or activation.

use crate::data::{Motion, Trn};
use crate::model::Model;
use crate::support::actuator::mujoco;

/// Gain of actuator `i`; `None` if it is user-defined.
#[inline]
pub fn gain(m: &Model, trn: &Trn, motion: &Motion, i: usize) -> Option<f64> {
    mujoco::gain(m, i, trn.actuator_length[i], motion.actuator_velocity[i])
}
