//! Actuator forces and the resulting joint forces.

use super::work::ActuatorWork;
use super::{bias::bias, gain::gain};
use crate::data::{Awake, Force, Motion, Pose, State, Trn};
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, TrnType};
use crate::support::activation;
use crate::support::awake as subset;
use crate::support::capstan;
use sinew_math::clip;
use sinew_math::sparse::{self, Pattern};

/// Scalar forces of actuators before clamping.
///
/// *Equation*: `f = gain · (u or a) + bias`, with the activation of the next step if `actearly`; zero for
/// disabled groups.
/// *Reads* `act`, `act_dot`, lengths and velocities; user gains and biases from `work`.
/// *Writes* `actuator_force`.
#[doc(alias = "mj_fwdActuation")]
pub fn actuator_force(
    m: &Model,
    awake: &Awake,
    state: &State,
    trn: &Trn,
    motion: &Motion,
    work: &ActuatorWork,
    force: &mut Force,
) {
    let sleeps = m.opt.enabled(EnableFlags::SLEEP);
    let groups = m.opt.disableactuator != 0;
    for i in 0..m.nu {
        force.actuator_force[i] = 0.0;
        let skip = groups && activation::is_disabled(m, i) || m.actuator_plugin[i] >= 0;
        if skip || sleeps && subset::actuator_asleep(m, awake, i) {
            continue;
        }
        let input = match m.actuator_act(i) {
            None => work.ctrl[i],
            Some(a) if m.actuator_actearly[i] != 0 => activation::next(m, i, state.act[a], force.act_dot[a]),
            Some(a) => state.act[a],
        };
        let g = gain(m, trn, motion, i).unwrap_or(work.gain[i]);
        let b = bias(m, trn, motion, i).unwrap_or(work.bias[i]);
        force.actuator_force[i] = g * input + b;
    }
}

/// Clamps actuator forces: first the sum at each limited tendon, by scaling its actuators, then each force to its
/// range.
///
/// *Reads, writes* `actuator_force`.
pub fn clamp_force(m: &Model, total: &mut [f64], force: &mut Force) {
    let f = &mut force.actuator_force;
    let limited = |i: usize| {
        let k = m.actuator_trnid[i][0] as usize;
        (m.actuator_trntype(i) == TrnType::Tendon && m.tendon_actfrclimited[k] != 0).then_some(k)
    };
    // as in MuJoCo, plugin actuators are scaled only if some limited tendon has another kind of actuator
    if m.ntendon > 0 && (0..m.nu).any(|i| m.actuator_plugin[i] < 0 && limited(i).is_some()) {
        total.fill(0.0);
        (0..m.nu).for_each(|i| limited(i).into_iter().for_each(|k| total[k] += f[i]));
        for i in 0..m.nu {
            let Some(k) = limited(i) else { continue };
            let [min, max] = m.tendon_actfrcrange[k];
            if total[k] != 0.0 && total[k] < min {
                f[i] *= min / total[k];
            } else if total[k] != 0.0 && total[k] > max {
                f[i] *= max / total[k];
            }
        }
    }
    for i in 0..m.nu {
        if m.actuator_forcelimited[i] != 0 {
            f[i] = clip(f[i], m.actuator_forcerange[i][0], m.actuator_forcerange[i][1]);
        }
    }
}

/// Joint forces of actuators.
///
/// *Equation*: `qfrc = momentᵀ f`, plus gravity compensation at joints whose actuators provide it, clamped to the
/// joints' ranges.
/// *Reads* `actuator_force`, `actuator_moment`, `qfrc_gravcomp`, paths of cables with friction.
/// *Writes* `qfrc_actuator`.
pub fn joint_force(m: &Model, state: &State, pose: &Pose, trn: &Trn, force: &mut Force) {
    let moments = Pattern { rownnz: &trn.moment_rownnz, rowadr: &trn.moment_rowadr, colind: &trn.moment_colind };
    sparse::mul_vec_t(&mut force.qfrc_actuator, &trn.actuator_moment, moments, &force.actuator_force);
    if !m.extension().pulleys.is_empty() {
        rub(m, state, pose, force);
    }
    if m.ngravcomp > 0 && !m.opt.disabled(DisableFlags::GRAVITY) && m.opt.gravity != [0.0; 3] {
        for j in (0..m.njnt).filter(|&j| m.jnt_actgravcomp[j] != 0) {
            m.joint_dofs(j).for_each(|i| force.qfrc_actuator[i] += force.qfrc_gravcomp[i]);
        }
    }
    for j in (0..m.njnt).filter(|&j| m.jnt_actfrclimited[j] != 0) {
        let q = &mut force.qfrc_actuator[m.jnt_dofadr[j] as usize];
        *q = clip(*q, m.jnt_actfrcrange[j][0], m.jnt_actfrcrange[j][1]);
    }
}

/// Adds the friction of cables pulled by actuators.
fn rub(m: &Model, state: &State, pose: &Pose, force: &mut Force) {
    for i in (0..m.nu).filter(|&i| m.actuator_trntype(i) == TrnType::Tendon) {
        let pull = m.actuator_gear[i][0] * force.actuator_force[i];
        capstan::drag(m, pose, &state.qvel, m.actuator_trnid[i][0] as usize, pull, &mut force.qfrc_actuator);
    }
}
