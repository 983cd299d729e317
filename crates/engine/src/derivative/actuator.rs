//! Velocity derivative of actuator forces.

use super::add_outer;
use crate::data::{Awake, Force, Motion, State, Trn};
use crate::model::Model;
use crate::model::enums::{BiasType, DisableFlags, DynType, GainType};
use crate::support::awake as subset;
use crate::support::{activation, muscle};

/// Adds the derivative of actuator forces to `deriv`.
///
/// *Equation*: `qDeriv += momentᵀ (∂bias/∂l̇ + ∂gain/∂l̇ · (u or a)) moment`; nothing for an actuator that is
/// disabled, asleep or at a bound of its force range.
/// *Reads* `ctrl`, `act`, `act_dot`, `actuator_force`, lengths, velocities and moments. *Writes* `qDeriv`.
#[doc(alias = "mjd_actuator_vel")]
pub fn actuator_vel(
    m: &Model,
    awake: &Awake,
    state: &State,
    trn: &Trn,
    motion: &Motion,
    force: &Force,
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
        let mut slope = 0.0;
        if m.actuator_biastype(i) == BiasType::Affine {
            slope = m.actuator_biasprm[i][2];
        }
        let gain = gain_vel(m, trn, motion, i);
        if gain != 0.0 {
            slope += gain * input(m, state, force, i);
        }
        if slope != 0.0 {
            let start = trn.moment_rowadr[i] as usize;
            let row = start..start + trn.moment_rownnz[i] as usize;
            add_outer(m, deriv, &trn.moment_colind[row.clone()], &trn.actuator_moment[row], slope);
        }
    }
}

/// Whether the force of actuator `i` is held by its range.
fn is_clamped(m: &Model, force: &Force, i: usize) -> bool {
    let [min, max] = m.actuator_forcerange[i];
    let f = force.actuator_force[i];
    m.actuator_forcelimited[i] != 0 && (f <= min || f >= max)
}

/// Velocity derivative of the gain.
fn gain_vel(m: &Model, trn: &Trn, motion: &Motion, i: usize) -> f64 {
    let prm = &m.actuator_gainprm[i];
    match m.actuator_gaintype(i) {
        GainType::Affine => prm[2],
        GainType::Muscle => {
            let (length, velocity) = (trn.actuator_length[i], motion.actuator_velocity[i]);
            muscle::gain_vel(length, velocity, m.actuator_lengthrange[i], m.actuator_acc0[i], prm)
        }
        _ => 0.0,
    }
}

/// What the gain multiplies: the control as the user set it, or the activation that acts.
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
