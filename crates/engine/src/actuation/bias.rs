//! Force of an actuator that is there without control.

use crate::data::{Motion, Trn};
use crate::model::Model;
use crate::model::enums::BiasType;
use crate::support::muscle;

/// Bias of actuator `i`; `None` if the user provides it.
#[inline]
pub fn bias(m: &Model, trn: &Trn, motion: &Motion, i: usize) -> Option<f64> {
    let prm = &m.actuator_biasprm[i];
    let (length, velocity) = (trn.actuator_length[i], motion.actuator_velocity[i]);
    match m.actuator_biastype(i) {
        BiasType::None => Some(0.0),
        BiasType::Affine => Some(prm[0] + prm[1] * length + prm[2] * velocity),
        BiasType::Muscle => Some(muscle::bias(length, m.actuator_lengthrange[i], m.actuator_acc0[i], prm)),
        _ => None,
    }
}
