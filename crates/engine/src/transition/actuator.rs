//! Actuators: slopes of their forces, and derivatives with respect to controls and activations.

use super::contact::Geometry;
use super::lever::{Along, Lever};
use super::partials::Partials;
use super::path::Mover;
use super::spring::Part;
use super::{adhesion, moment};
use crate::actuation::{bias::bias, gain::gain};
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{BiasType, DisableFlags, DynType, GainType, TrnType};
use crate::support::{activation, muscle};
use sinew_math::MINVAL;

/// Slopes of the force of one actuator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slopes {
    pub along: Along,
    /// Slope with respect to the input that the gain multiplies.
    pub by_input: f64,
    /// Velocity slope that implicit integrators use, and its derivatives with respect to length and velocity.
    pub damping: [f64; 3],
}

/// Whether the actuator force on dof `i` is clamped by the range of its joint.
pub(super) fn is_held(m: &Model, d: &Data, i: usize) -> bool {
    let joint = m.dof_jntid[i] as usize;
    let [min, max] = m.jnt_actfrcrange[joint];
    let f = d.force.qfrc_actuator[i];
    m.jnt_actfrclimited[joint] != 0 && m.jnt_dofadr[joint] as usize == i && (f <= min || f >= max)
}

/// Input that the gain of actuator `i` multiplies.
fn input(m: &Model, d: &Data, i: usize) -> f64 {
    match m.actuator_act(i) {
        None => d.scratch.actuation.ctrl[i],
        Some(a) if m.actuator_actearly[i] != 0 => activation::next(m, i, d.state.act[a], d.force.act_dot[a]),
        Some(a) => d.state.act[a],
    }
}

/// Slopes of the force of actuator `i`: `f = gain · input + bias`, constant at the bounds of its range.
pub(super) fn slopes(m: &Model, d: &Data, i: usize) -> Slopes {
    let (length, velocity) = (d.trn.actuator_length[i], d.motion.actuator_velocity[i]);
    let (range, acc0) = (m.actuator_lengthrange[i], m.actuator_acc0[i]);
    let prm = &m.actuator_gainprm[i];
    let [g_l, g_v, g_vl, g_vv] = match m.actuator_gaintype(i) {
        GainType::Affine => [prm[1], prm[2], 0.0, 0.0],
        GainType::Muscle => {
            let [l, vl, vv] = muscle::gain_slopes(length, velocity, range, acc0, prm);
            [l, muscle::gain_vel(length, velocity, range, acc0, prm), vl, vv]
        }
        _ => [0.0; 4],
    };
    let prm = &m.actuator_biasprm[i];
    let [b_l, b_v] = match m.actuator_biastype(i) {
        BiasType::Affine => [prm[1], prm[2]],
        BiasType::Muscle => [muscle::bias_slope(length, range, acc0, prm), 0.0],
        _ => [0.0; 2],
    };
    let force = d.force.actuator_force[i];
    let [min, max] = m.actuator_forcerange[i];
    if m.actuator_forcelimited[i] != 0 && (force <= min || force >= max) {
        return Slopes { along: Along { force, ..Along::default() }, ..Slopes::default() };
    }
    let (u, share) = (input(m, d, i), share(m, d, i));
    // implicit integrators use the control as set by the user
    let seen = if m.actuator_act(i).is_some() && m.actuator_dyntype(i) != DynType::None { u } else { d.state.ctrl[i] };
    Slopes {
        along: Along { force, by_length: share * (g_l * u + b_l), by_velocity: share * (g_v * u + b_v) },
        by_input: share * gain(m, &d.trn, &d.motion, i).unwrap_or(0.0),
        damping: [g_v * seen + b_v, g_vl * seen, g_vv * seen],
    }
}

/// Fraction of a change of an actuator's force that its tendon transmits. A tendon scales the forces `f` of its
/// actuators by `s` to keep their sum at a bound; the fraction is then `s (1 − Σ gear f / (gear · bound))`.
fn share(m: &Model, d: &Data, i: usize) -> f64 {
    let k = m.actuator_trnid[i][0];
    if m.actuator_trntype(i) != TrnType::Tendon || m.tendon_actfrclimited[k as usize] == 0 {
        return 1.0;
    }
    let on_tendon = |l: &usize| {
        m.actuator_trntype(*l) == TrnType::Tendon && m.actuator_trnid[*l][0] == k && !activation::is_disabled(m, *l)
    };
    let own = |l: usize| {
        let gain = gain(m, &d.trn, &d.motion, l).unwrap_or(0.0);
        gain * input(m, d, l) + bias(m, &d.trn, &d.motion, l).unwrap_or(0.0)
    };
    let total: f64 = (0..m.nu).filter(on_tendon).map(own).sum();
    let [min, max] = m.tendon_actfrcrange[k as usize];
    let bound = total.clamp(min, max);
    if bound == total || total == 0.0 {
        return 1.0;
    }
    let gear = m.actuator_gear[i][0];
    let pulled: f64 = (0..m.nu).filter(on_tendon).map(|l| m.actuator_gear[l][0] * own(l)).sum();
    bound / total * (1.0 - pulled / (gear * total))
}

/// Adds the derivatives of actuator forces with respect to position and velocity, or those of their implicit treatment.
/// Adhesion is left out if the geometry of contacts is unknown. Returns whether anything was differenced.
pub(super) fn forces(
    m: &Model,
    d: &Data,
    (part, geometry): (Part, Option<&[Geometry]>),
    (lever, movers): (&mut Lever, &mut Vec<Mover>),
    out: &mut Partials,
) -> bool {
    if m.opt.disabled(DisableFlags::ACTUATION) {
        return false;
    }
    let mut differenced = false;
    for i in (0..m.nu).filter(|&i| !activation::is_disabled(m, i)) {
        let s = slopes(m, d, i);
        let idle = s.along.by_length == 0.0 && s.along.by_velocity == 0.0 && s.damping == [0.0; 3];
        // constant forces with constant moments
        if idle && (s.along.force == 0.0 || m.actuator_trntype(i) == TrnType::Joint) {
            continue;
        }
        match geometry {
            _ if moment::is_closed(m, i) => differenced |= moment::actuator(m, d, i, lever, movers),
            Some(geometry) => adhesion::body(m, d, m.actuator_trnid[i][0] as usize, geometry, lever),
            None => continue,
        }
        if let Part::Damping(y) = part {
            lever.spread_damping(m, s.damping, &d.state.qvel, (y, m.opt.timestep), out);
        } else {
            lever.spread(s.along, &d.state.qvel, |dof| is_held(m, d, dof), out);
        }
    }
    differenced
}

/// Whether a change of control `i` affects the actuator in this step.
pub(super) fn listens(m: &Model, d: &Data, i: usize) -> bool {
    let ([low, high], u) = (m.actuator_ctrlrange[i], d.state.ctrl[i]);
    let within = m.actuator_ctrllimited[i] == 0 || low < high && low <= u && u <= high;
    within && m.actuator_delay[i] == 0.0 && !m.opt.disabled(DisableFlags::ACTUATION) && !activation::is_disabled(m, i)
}

/// Derivatives of the rate of activation `a` of actuator `i` with respect to that activation and the control.
pub(super) fn activation_rate(m: &Model, d: &Data, i: usize, a: usize) -> [f64; 2] {
    if m.opt.disabled(DisableFlags::ACTUATION) || activation::is_disabled(m, i) || m.actuator_act(i) != Some(a) {
        return [0.0; 2];
    }
    let prm = &m.actuator_dynprm[i];
    let tau = MINVAL.max(prm[0]);
    let [by_act, by_ctrl] = match m.actuator_dyntype(i) {
        DynType::Integrator => [0.0, 1.0],
        DynType::Filter | DynType::Filterexact => [-1.0 / tau, 1.0 / tau],
        DynType::Muscle => {
            let [by_ctrl, by_act] = muscle::dynamics_slopes(d.scratch.actuation.ctrl[i], d.state.act[a], prm);
            [by_act, by_ctrl]
        }
        _ => [0.0; 2],
    };
    [by_act, by_ctrl * f64::from(listens(m, d, i))]
}

/// Effective time over which a rate acts on an activation in a step; `None` if the activation ends at a bound.
pub(super) fn activation_time(m: &Model, i: usize, act: f64, rate: f64) -> Option<f64> {
    let (h, tau) = (m.opt.timestep, MINVAL.max(m.actuator_dynprm[i][0]));
    let exact = m.actuator_dyntype(i) == DynType::Filterexact;
    let time = if exact { tau * (1.0 - (-h / tau).exp()) } else { h };
    let ([min, max], free) = (m.actuator_actrange[i], act + rate * time);
    (m.actuator_actlimited[i] == 0 || (min <= free && free <= max)).then_some(time)
}

/// Derivatives of activation `a` of actuator `i` after the step, with respect to that activation and the control.
pub(super) fn next_activation(m: &Model, d: &Data, i: usize, a: usize) -> [f64; 2] {
    let [by_act, by_ctrl] = activation_rate(m, d, i, a);
    let held = m.opt.disabled(DisableFlags::ACTUATION) || activation::is_disabled(m, i);
    let rate = if held { 0.0 } else { d.force.act_dot[a] };
    activation_time(m, i, d.state.act[a], rate).map_or([0.0; 2], |time| [1.0 + time * by_act, time * by_ctrl])
}
