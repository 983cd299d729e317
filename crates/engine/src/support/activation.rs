//! Activation states of actuators: which are disabled, and their value after the next step.

use crate::model::Model;
use crate::model::enums::DynType;
use sinew_math::{MINVAL, clip};

/// Whether the actuator's group is disabled.
#[doc(alias = "mj_actuatorDisabled")]
#[inline]
pub fn is_disabled(m: &Model, actuator: usize) -> bool {
    let group = m.actuator_group[actuator];
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// Activation after one time step at the rate `act_dot`, clamped to `actrange`; exact for `filterexact`.
#[doc(alias = "mj_nextActivation")]
#[inline]
pub fn next(m: &Model, actuator: usize, act: f64, act_dot: f64) -> f64 {
    let h = m.opt.timestep;
    let next = if m.actuator_dyntype(actuator) == DynType::Filterexact {
        let tau = MINVAL.max(m.actuator_dynprm[actuator][0]);
        act + act_dot * tau * (1.0 - (-h / tau).exp())
    } else {
        act + act_dot * h
    };
    if m.actuator_actlimited[actuator] != 0 {
        let [min, max] = m.actuator_actrange[actuator];
        clip(next, min, max)
    } else {
        next
    }
}
