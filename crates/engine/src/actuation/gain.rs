//! Force of an actuator per unit of control or activation.

use crate::data::{Motion, Trn};
use crate::model::Model;
use crate::model::enums::GainType;
use crate::support::muscle;

/// Gain of actuator `i`; `None` if the user provides it.
#[inline]
pub fn gain(m: &Model, trn: &Trn, motion: &Motion, i: usize) -> Option<f64> {
    let prm = &m.actuator_gainprm[i];
    let (length, velocity) = (trn.actuator_length[i], motion.actuator_velocity[i]);
    match m.actuator_gaintype(i) {
        GainType::Fixed => Some(prm[0]),
        GainType::Affine => Some(prm[0] + prm[1] * length + prm[2] * velocity),
        GainType::Muscle => Some(muscle::gain(length, velocity, m.actuator_lengthrange[i], m.actuator_acc0[i], prm)),
        _ => None,
    }
}
