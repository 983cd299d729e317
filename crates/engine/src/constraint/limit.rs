//! Constraint rows of joint and tendon limits.

use super::row::{Group, Rows};
use super::work::Block;
use crate::data::{Awake, Pose, State};
use crate::model::Model;
use crate::model::enums::{ConstraintType, JointType};
use crate::support::awake as subset;
use crate::support::row::tendon_row;
use sinew_math::{quat, vec3};

/// Adds a row for each limit within its margin.
///
/// *Equation*: `±(range − y) ≥ 0` for slides, hinges and tendons; `max(range) − angle ≥ 0` for balls.
#[doc(alias = "mj_instantiateLimit")]
pub fn rows(m: &Model, state: &State, awake: &Awake, pose: &Pose, out: &mut Rows, block: &mut Block) {
    let skips = subset::skips_trees(m, awake);
    for i in 0..m.njnt {
        if m.jnt_limited[i] == 0 || skips && subset::body_asleep(awake, m.jnt_bodyid[i] as usize) {
            continue;
        }
        match m.jnt_type(i) {
            JointType::Slide | JointType::Hinge => scalar(m, state, i, out, block),
            JointType::Ball => ball(m, state, i, out, block),
            _ => {}
        }
    }
    for i in (0..m.ntendon).filter(|&i| m.tendon_limited[i] != 0) {
        tendon(m, pose, i, out, block);
    }
}

/// Lower and upper side: index into the range, and sign of the distance.
const SIDES: [(usize, f64); 2] = [(0, -1.0), (1, 1.0)];

fn joint_group(m: &Model, i: usize, dist: f64) -> Group {
    let weight = m.dof_invweight0[m.jnt_dofadr[i] as usize];
    Group { margin: m.jnt_margin[i], ..Group::one(ConstraintType::LimitJoint, i, dist, weight) }
}

fn scalar(m: &Model, state: &State, i: usize, out: &mut Rows, block: &mut Block) {
    let value = state.qpos[m.jnt_qposadr[i] as usize];
    for (side, sign) in SIDES {
        let dist = sign * (m.jnt_range[i][side] - value);
        if dist < m.jnt_margin[i] {
            block.clear();
            block.push(m.jnt_dofadr[i] as usize, [-sign, 0.0, 0.0, 0.0, 0.0, 0.0]);
            out.push(block, &joint_group(m, i, dist));
        }
    }
}

fn ball(m: &Model, state: &State, i: usize, out: &mut Rows, block: &mut Block) {
    let q = &state.qpos[m.jnt_qposadr[i] as usize..][..4];
    let (axis, angle) = vec3::normalize(quat::to_velocity(quat::normalize([q[0], q[1], q[2], q[3]]).0, 1.0));
    let dist = m.jnt_range[i][0].max(m.jnt_range[i][1]) - angle;
    if dist < m.jnt_margin[i] {
        block.clear();
        for k in 0..3 {
            block.push(m.jnt_dofadr[i] as usize + k, [-axis[k], 0.0, 0.0, 0.0, 0.0, 0.0]);
        }
        out.push(block, &joint_group(m, i, dist));
    }
}

fn tendon(m: &Model, pose: &Pose, i: usize, out: &mut Rows, block: &mut Block) {
    let margin = m.tendon_margin[i];
    for (side, sign) in SIDES {
        let dist = sign * (m.tendon_range[i][side] - pose.ten_length[i]);
        if dist < margin {
            block.clear();
            let row = tendon_row(m, pose, i);
            row.entries().for_each(|(dof, v)| block.push(dof, [-sign * v, 0.0, 0.0, 0.0, 0.0, 0.0]));
            let group = Group::one(ConstraintType::LimitTendon, i, dist, m.tendon_invweight0[i]);
            let first = out.len();
            out.push(block, &Group { margin, ..group });
            out.mark_tendon(i, first);
        }
    }
}
