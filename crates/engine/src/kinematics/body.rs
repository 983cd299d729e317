//! Forward kinematics of bodies, geoms and sites.

use crate::data::{Awake, Pose, State};
use crate::model::Model;
use crate::model::enums::{EnableFlags, JointType, SleepState};
use crate::support::{awake as subset, frame};
use sinew_math::{Quat, Vec3, mat3, quat, vec3};

/// Body frames and joint axes.
///
/// *Equation*: `x_i = x_parent ∘ T_i ∘ Π_j X_j(q_j − q0_j)`, joints applied in order, each about its own
/// anchor; a free joint replaces the frame.
/// *Reads* `qpos`, mocap poses. *Writes* `xpos`, `xquat`, `xmat`, `xanchor`, `xaxis`; marks in
/// `tree_awake` the trees found moved while asleep.
/// *Source*: Featherstone 2008, chapter 4.
#[doc(alias = "mj_kinematics1")]
pub fn kinematics1(m: &Model, state: &State, awake: &mut Awake, pose: &mut Pose) {
    let sleep = m.opt.enabled(EnableFlags::SLEEP);
    pose.xpos[0] = [0.0; 3];
    pose.xquat[0] = quat::IDENTITY;
    pose.xipos[0] = [0.0; 3];
    pose.xmat[0] = mat3::IDENTITY;
    pose.ximat[0] = mat3::IDENTITY;

    for i in 1..m.nbody {
        if sleep && awake.body_awake(i) == SleepState::Static {
            continue;
        }
        let joints = m.body_joints(i);
        let moves = !joints.is_empty();
        let (xpos, xquat) = if joints.len() == 1 && m.jnt_type(joints.start) == JointType::Free {
            free_frame(m, state, pose, joints.start)
        } else {
            let (xpos, xquat) = fixed_frame(m, state, pose, i);
            jointed_frame(m, state, pose, joints, xpos, xquat)
        };
        let xquat = quat::normalize(xquat).0;

        if sleep && moves && awake.body_awake(i) == SleepState::Asleep {
            if xpos == pose.xpos[i] && xquat == pose.xquat[i] {
                continue;
            }
            awake.tree_awake[m.body_treeid[i] as usize] = 1;
        }
        pose.xpos[i] = xpos;
        pose.xquat[i] = xquat;
        pose.xmat[i] = quat::to_mat(xquat);
    }
}

/// Frame set by a lone free joint.
#[inline(always)]
fn free_frame(m: &Model, state: &State, pose: &mut Pose, joint: usize) -> (Vec3, Quat) {
    let q = &state.qpos[m.jnt_qposadr[joint] as usize..][..7];
    let xpos = [q[0], q[1], q[2]];
    pose.xanchor[joint] = xpos;
    pose.xaxis[joint] = m.jnt_axis[joint];
    (xpos, quat::normalize([q[3], q[4], q[5], q[6]]).0)
}

/// Frame of body `i` before its joints move it.
#[inline(always)]
fn fixed_frame(m: &Model, state: &State, pose: &Pose, i: usize) -> (Vec3, Quat) {
    let (pos, quat) = match usize::try_from(m.body_mocapid[i]) {
        Ok(k) => (state.mocap_pos[k], quat::normalize(state.mocap_quat[k]).0),
        Err(_) => (m.body_pos[i], m.body_quat[i]),
    };
    match m.body_parentid[i] as usize {
        0 => (pos, quat),
        p => (vec3::add(mat3::mul_vec(&pose.xmat[p], pos), pose.xpos[p]), quat::mul(pose.xquat[p], quat)),
    }
}

/// Applies joints in order, recording the anchor and axis of each as it found them.
#[inline(always)]
fn jointed_frame(
    m: &Model,
    state: &State,
    pose: &mut Pose,
    joints: std::ops::Range<usize>,
    mut xpos: Vec3,
    mut xquat: Quat,
) -> (Vec3, Quat) {
    for j in joints {
        let adr = m.jnt_qposadr[j] as usize;
        let axis = quat::rotate(xquat, m.jnt_axis[j]);
        // most joints sit at the origin of their body
        let centred = m.jnt_pos[j] == [0.0; 3];
        let anchor = if centred { xpos } else { vec3::add(quat::rotate(xquat, m.jnt_pos[j]), xpos) };
        match m.jnt_type(j) {
            JointType::Slide => xpos = vec3::add_scaled(xpos, axis, state.qpos[adr] - m.qpos0[adr]),
            kind => {
                let turn = if kind == JointType::Ball {
                    let q = &state.qpos[adr..][..4];
                    quat::normalize([q[0], q[1], q[2], q[3]]).0
                } else {
                    quat::from_axis_angle(m.jnt_axis[j], state.qpos[adr] - m.qpos0[adr])
                };
                xquat = quat::mul(xquat, turn);
                if !centred {
                    // the anchor stays where it is
                    xpos = vec3::sub(anchor, quat::rotate(xquat, m.jnt_pos[j]));
                }
            }
        }
        pose.xanchor[j] = anchor;
        pose.xaxis[j] = axis;
    }
    (xpos, xquat)
}

/// Inertial frames, geoms and sites, each fixed to its body.
///
/// *Reads* `xpos`, `xquat`, `xmat`. *Writes* `xipos`, `ximat`, `geom_xpos`, `geom_xmat`, `site_xpos`,
/// `site_xmat`.
#[doc(alias = "mj_kinematics2")]
pub fn kinematics2(m: &Model, awake: &Awake, pose: &mut Pose) {
    let bodies = subset::bodies(m, awake);
    let skips = subset::skips_bodies(m, awake);
    let is_awake = |body: usize| awake.body_awake(body) == SleepState::Awake;
    for i in bodies.iter().skip(1) {
        let same = m.body_sameframe(i);
        let pos = frame::local_to_global_pos(pose, i, &m.body_ipos[i], same);
        pose.xipos[i] = pos;
        pose.ximat[i] = frame::local_to_global_mat(pose, i, &m.body_iquat[i], same);
    }
    if skips {
        for i in bodies.iter().filter(|&i| is_awake(i)) {
            m.body_geoms(i).for_each(|g| geom_frame(m, pose, g));
        }
    } else {
        for g in 0..m.ngeom {
            geom_frame(m, pose, g);
        }
    }
    for s in 0..m.nsite {
        let body = m.site_bodyid[s] as usize;
        if skips && !is_awake(body) {
            continue;
        }
        let same = m.site_sameframe(s);
        pose.site_xpos[s] = frame::local_to_global_pos(pose, body, &m.site_pos[s], same);
        pose.site_xmat[s] = frame::local_to_global_mat(pose, body, &m.site_quat[s], same);
    }
}

#[inline(always)]
fn geom_frame(m: &Model, pose: &mut Pose, g: usize) {
    let body = m.geom_bodyid[g] as usize;
    let same = m.geom_sameframe(g);
    pose.geom_xpos[g] = frame::local_to_global_pos(pose, body, &m.geom_pos[g], same);
    pose.geom_xmat[g] = frame::local_to_global_mat(pose, body, &m.geom_quat[g], same);
}
