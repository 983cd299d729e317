//! Velocity derivative of actuator forces.

use super::add_outer;
use crate::data::{Awake, Force, Motion, State, Trn};
use crate::model::Model;
use crate::model::enums::{DisableFlags, DynType};
use crate::support::activation;
use crate::support::actuator::mujoco;
use crate::support::awake as subset;

/// Adds the derivative of actuator forces to `deriv`.
///
/// *Equation*: `qDeriv += momentᵀ (∂bias/∂l̇ + ∂gain/∂l̇ · (u or a)) moment`; nothing for an actuator that is disabled,
/// asleep or at a bound of its force range. `law` gives the slope of actuators with a custom law.
/// *Reads* `ctrl`, `act`, `act_dot`, `actuator_force`, lengths, velocities and moments. *Writes* `qDeriv`.
#[doc(alias = "mjd_actuator_vel")]
pub fn actuator_vel(
    m: &Model,
    awake: &Awake,
    state: &State,
    trn: &Trn,
    motion: &Motion,
    force: &Force,
    law: impl Fn(usize) -> Option<f64>,
    deriv: &mut [f64],
) {
    if m.opt.disabled(DisableFlags::ACTUATION) {
        return;
    }
    let skips = subset::skips_trees(m, awake);
    for i in 0..m.nu {
        let asleep = skips && subset::actuator_asleep(m, awake, i);
        if activation::is_disabled(m, i) || asleep || is_clamped(m, force, i) {
            continue;
        }
        let slope = law(i).unwrap_or_else(|| {
            let gain = mujoco::gain_vel(m, i, trn.actuator_length[i], motion.actuator_velocity[i]);
            let by_gain = if gain != 0.0 { gain * input(m, state, force, i) } else { 0.0 };
            mujoco::bias_vel(m, i) + by_gain
        });
        if slope != 0.0 {
            let start = trn.moment_rowadr[i] as usize;
            let row = start..start + trn.moment_rownnz[i] as usize;
            add_outer(m, deriv, &trn.moment_colind[row.clone()], &trn.actuator_moment[row], slope);
        }
    }
}

/// Whether the force of actuator `i` is at a bound of its range.
fn is_clamped(m: &Model, force: &Force, i: usize) -> bool {
    let [min, max] = m.actuator_forcerange[i];
    let f = force.actuator_force[i];
    m.actuator_forcelimited[i] != 0 && (f <= min || f >= max)
}

/// Input that the gain multiplies: the control as set by the user, or the activation in effect.
fn input(m: &Model, state: &State, force: &Force, i: usize) -> f64 {
    match m.actuator_act(i) {
        Some(a) if m.actuator_dyntype(i) != DynType::None => {
            if m.actuator_actearly[i] != 0 {
                activation::next(m, i, state.act[a], force.act_dot[a])
            } else {
                state.act[a]
            }
        }
        _ => state.ctrl[i],
    }
}
