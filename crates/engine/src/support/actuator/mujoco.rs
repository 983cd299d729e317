//! MuJoCo's gains and biases, and the actuator law made of them.

use super::{ActuatorInput, ActuatorModel, Slopes};
use crate::model::Model;
use crate::model::enums::{BiasType, GainType};
use crate::support::muscle;

/// Gain of actuator `i`; `None` if the user provides it.
#[inline]
pub fn gain(m: &Model, i: usize, length: f64, velocity: f64) -> Option<f64> {
    let prm = &m.actuator_gainprm[i];
    match m.actuator_gaintype(i) {
        GainType::Fixed => Some(prm[0]),
        GainType::Affine => Some(prm[0] + prm[1] * length + prm[2] * velocity),
        GainType::Muscle => Some(muscle::gain(length, velocity, m.actuator_lengthrange[i], m.actuator_acc0[i], prm)),
        _ => None,
    }
}

/// Bias of actuator `i`; `None` if the user provides it.
#[inline]
pub fn bias(m: &Model, i: usize, length: f64, velocity: f64) -> Option<f64> {
    let prm = &m.actuator_biasprm[i];
    match m.actuator_biastype(i) {
        BiasType::None => Some(0.0),
        BiasType::Affine => Some(prm[0] + prm[1] * length + prm[2] * velocity),
        BiasType::Muscle => Some(muscle::bias(length, m.actuator_lengthrange[i], m.actuator_acc0[i], prm)),
        _ => None,
    }
}

/// Velocity derivative of the gain.
#[inline]
pub fn gain_vel(m: &Model, i: usize, length: f64, velocity: f64) -> f64 {
    let prm = &m.actuator_gainprm[i];
    match m.actuator_gaintype(i) {
        GainType::Affine => prm[2],
        GainType::Muscle => muscle::gain_vel(length, velocity, m.actuator_lengthrange[i], m.actuator_acc0[i], prm),
        _ => 0.0,
    }
}

/// Velocity derivative of the bias.
#[inline]
pub fn bias_vel(m: &Model, i: usize) -> f64 {
    if m.actuator_biastype(i) == BiasType::Affine { m.actuator_biasprm[i][2] } else { 0.0 }
}

/// `f = gain · input + bias`, by `gaintype` and `biastype` of the model. Callbacks are not called: user gains and
/// biases count as 1 and 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mujoco;

impl ActuatorModel for Mujoco {
    fn force(&self, x: &ActuatorInput<'_>) -> f64 {
        let g = gain(x.m, x.id, x.length, x.velocity).unwrap_or(1.0);
        g * x.input + bias(x.m, x.id, x.length, x.velocity).unwrap_or(0.0)
    }

    fn slopes(&self, x: &ActuatorInput<'_>) -> Slopes {
        let force = |length: f64| self.force(&ActuatorInput { length, ..*x });
        let eps = 1e-6 * x.length.abs().max(1.0);
        Slopes {
            length: (force(x.length + eps) - force(x.length - eps)) / (2.0 * eps),
            velocity: bias_vel(x.m, x.id) + gain_vel(x.m, x.id, x.length, x.velocity) * x.input,
            input: gain(x.m, x.id, x.length, x.velocity).unwrap_or(1.0),
        }
    }
}
