//! Springs and dampers of joints and tendons.

use crate::data::{Awake, Force, Motion, Pose, State};
use crate::model::Model;
use crate::model::enums::{DisableFlags, JointType};
use crate::support::awake as subset;
use crate::support::capstan;
use crate::support::row::tendon_row;
use crate::support::spring::stretch;
use sinew_math::quat;

/// Spring and damper forces of joints.
///
/// *Equation*: `−k (q ⊖ q_spring)` and `−b q̇`.
/// *Reads* `qpos`, `qvel`. *Writes* `qfrc_spring`, `qfrc_damper`.
pub fn joints(m: &Model, awake: &Awake, state: &State, force: &mut Force) {
    if !m.opt.disabled(DisableFlags::SPRING) {
        for i in subset::bodies(m, awake).iter() {
            for j in m.body_joints(i).filter(|&j| m.jnt_stiffness[j] != 0.0) {
                joint_spring(m, &state.qpos, j, &mut force.qfrc_spring);
            }
        }
    }
    if !m.opt.disabled(DisableFlags::DAMPER) {
        for i in subset::dofs(m, awake).iter() {
            let damping = m.dof_damping[i];
            if damping != 0.0 {
                force.qfrc_damper[i] = -damping * state.qvel[i];
            }
        }
    }
}

/// Spring and damper forces of tendons.
///
/// *Equation*: `Jᵀ(−k δ − b l̇)` with `δ` the stretch beyond the dead band `tendon_lengthspring`.
/// *Reads* `ten_length`, `ten_velocity`, `ten_J`. *Writes* `qfrc_spring`, `qfrc_damper`.
pub fn tendons(m: &Model, awake: &Awake, state: &State, pose: &Pose, motion: &Motion, force: &mut Force) {
    let springs = !m.opt.disabled(DisableFlags::SPRING);
    let dampers = !m.opt.disabled(DisableFlags::DAMPER);
    let skips = subset::skips_trees(m, awake);
    for k in 0..m.ntendon {
        let stiffness = if springs { m.tendon_stiffness[k] } else { 0.0 };
        let damping = if dampers { m.tendon_damping[k] } else { 0.0 };
        let idle = stiffness == 0.0 && damping == 0.0;
        if idle || skips && subset::tendon_asleep(m, awake, k) {
            continue;
        }
        let spring = -stiffness * stretch(pose.ten_length[k], m.tendon_lengthspring[k]);
        let damper = -damping * motion.ten_velocity[k];
        force.ten_force[k] = spring + damper;
        let row = tendon_row(m, pose, k);
        if spring != 0.0 {
            row.add_to(&mut force.qfrc_spring, spring);
        }
        if damper != 0.0 {
            row.add_to(&mut force.qfrc_damper, damper);
        }
        capstan::drag(m, pose, &state.qvel, k, spring + damper, &mut force.qfrc_spring);
    }
}

/// Force of the spring of joint `j`.
fn joint_spring(m: &Model, qpos: &[f64], j: usize, qfrc: &mut [f64]) {
    let k = m.jnt_stiffness[j];
    let (mut q, mut v) = (m.jnt_qposadr[j] as usize, m.jnt_dofadr[j] as usize);
    if m.jnt_type(j) == JointType::Free {
        for i in 0..3 {
            qfrc[v + i] = -k * (qpos[q + i] - m.qpos_spring[q + i]);
        }
        q += 3;
        v += 3;
    }
    if matches!(m.jnt_type(j), JointType::Free | JointType::Ball) {
        let [now, rest] = [qpos, &m.qpos_spring[..]].map(|p| [p[q], p[q + 1], p[q + 2], p[q + 3]]);
        let dif = quat::sub(quat::normalize(now).0, rest);
        (0..3).for_each(|i| qfrc[v + i] = -k * dif[i]);
    } else {
        qfrc[v] = -k * (qpos[q] - m.qpos_spring[q]);
    }
}
