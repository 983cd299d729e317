//! Forward kinematics of bodies, geoms and sites.

use crate::data::{Awake, Pose, State};
use crate::model::Model;
use crate::model::enums::{EnableFlags, JointType, SameFrame, SleepState};
use crate::support::awake as subset;
use sinew_math::{Mat3, Quat, Vec3, mat3, pair, quat, vec3};

/// Body frames and joint axes.
///
/// *Equation*: `x_i = x_parent ∘ T_i ∘ Π_j X_j(q_j − q0_j)`, joints applied in order, each about its
/// anchor; a free joint replaces the frame.
/// *Reads* `qpos`, mocap poses. *Writes* `xpos`, `xquat`, `xmat`, `xanchor`, `xaxis`; marks sleeping trees
/// whose pose has changed in `tree_awake`.
/// *Source*: Featherstone 2008, chapter 4.
#[doc(alias = "mj_kinematics1")]
pub fn kinematics1(m: &Model, state: &State, awake: &mut Awake, pose: &mut Pose) {
    let sleep = m.opt.enabled(EnableFlags::SLEEP);
    pose.xipos[0] = [0.0; 3];
    pose.ximat[0] = mat3::IDENTITY;
    // slices of known length let the compiler drop bounds checks in the loop
    let (n, joints) = (m.nbody, m.njnt);
    let Pose { xpos, xquat, xmat, xanchor, xaxis, .. } = pose;
    let (xpos, xquat, xmat) = (&mut xpos[..n], &mut xquat[..n], &mut xmat[..n]);
    let mut found = Anchors { pos: &mut xanchor[..joints], axis: &mut xaxis[..joints] };
    let (jntadr, jntnum, parents) = (&m.body_jntadr[..n], &m.body_jntnum[..n], &m.body_parentid[..n]);
    let kinds = &m.jnt_type[..joints];
    xpos[0] = [0.0; 3];
    xquat[0] = quat::IDENTITY;
    xmat[0] = mat3::IDENTITY;

    for i in 1..n {
        if sleep && awake.body_awake(i) == SleepState::Static {
            continue;
        }
        let (first, count) = (jntadr[i] as usize, jntnum[i] as usize);
        let (at, turn) = if count == 1 && kinds[first] == JointType::Free as i32 {
            free_frame(m, state, &mut found, first)
        } else {
            let (pos, quat) = local_frame(m, state, i);
            let fixed = match parents[i] as usize {
                0 => (pos, quat),
                p => (vec3::add(mat3::mul_vec(&xmat[p], pos), xpos[p]), quat::mul(xquat[p], quat)),
            };
            (first..first + count).fold(fixed, |(pos, quat), j| move_by(m, state, &mut found, j, pos, quat))
        };
        let turn = quat::normalize(turn).0;

        if sleep && count > 0 && awake.body_awake(i) == SleepState::Asleep {
            if at == xpos[i] && turn == xquat[i] {
                continue;
            }
            awake.tree_awake[m.body_treeid[i] as usize] = 1;
        }
        xpos[i] = at;
        xquat[i] = turn;
        xmat[i] = quat::to_mat(turn);
    }
}

/// Joint anchors and axes in the world, each recorded before the joint moves.
struct Anchors<'a> {
    pos: &'a mut [Vec3],
    axis: &'a mut [Vec3],
}

/// Body frame set by a free joint.
#[inline(always)]
fn free_frame(m: &Model, state: &State, found: &mut Anchors, joint: usize) -> (Vec3, Quat) {
    let q = &state.qpos[m.jnt_qposadr[joint] as usize..][..7];
    let xpos = [q[0], q[1], q[2]];
    found.pos[joint] = xpos;
    found.axis[joint] = m.jnt_axis[joint];
    (xpos, quat::normalize([q[3], q[4], q[5], q[6]]).0)
}

/// Frame of body `i` in its parent, before its joints are applied.
#[inline(always)]
fn local_frame(m: &Model, state: &State, i: usize) -> (Vec3, Quat) {
    match usize::try_from(m.body_mocapid[i]) {
        Ok(k) => (state.mocap_pos[k], quat::normalize(state.mocap_quat[k]).0),
        Err(_) => (m.body_pos[i], m.body_quat[i]),
    }
}

/// Applies joint `j` to a body frame, after recording the joint's anchor and axis.
#[inline(always)]
fn move_by(m: &Model, state: &State, found: &mut Anchors, j: usize, xpos: Vec3, xquat: Quat) -> (Vec3, Quat) {
    let adr = m.jnt_qposadr[j] as usize;
    let axis = quat::rotate(xquat, m.jnt_axis[j]);
    // most joints are at the origin of their body
    let centred = m.jnt_pos[j] == [0.0; 3];
    let anchor = if centred { xpos } else { vec3::add(quat::rotate(xquat, m.jnt_pos[j]), xpos) };
    found.pos[j] = anchor;
    found.axis[j] = axis;
    let turn = match m.jnt_type(j) {
        JointType::Slide => return (vec3::add_scaled(xpos, axis, state.qpos[adr] - m.qpos0[adr]), xquat),
        JointType::Ball => {
            let q = &state.qpos[adr..][..4];
            quat::normalize([q[0], q[1], q[2], q[3]]).0
        }
        _ => quat::from_axis_angle(m.jnt_axis[j], state.qpos[adr] - m.qpos0[adr]),
    };
    let xquat = quat::mul(xquat, turn);
    // the rotation leaves the anchor fixed
    (if centred { xpos } else { vec3::sub(anchor, quat::rotate(xquat, m.jnt_pos[j])) }, xquat)
}

/// World frames of body inertias, geoms and sites.
///
/// *Reads* `xpos`, `xquat`, `xmat`. *Writes* `xipos`, `ximat`, `geom_xpos`, `geom_xmat`, `site_xpos`,
/// `site_xmat`.
#[doc(alias = "mj_kinematics2")]
pub fn kinematics2(m: &Model, awake: &Awake, pose: &mut Pose) {
    let bodies = subset::bodies(m, awake);
    let is_awake = |body: usize| awake.body_awake(body) == SleepState::Awake;
    let Pose { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = pose;
    let n = m.nbody;
    let own = Bodies { pos: &xpos[..n], quat: &xquat[..n], mat: &xmat[..n], inertial: None };
    let inertias = Fixed { same: &m.body_sameframe, pos: &m.body_ipos, quat: &m.body_iquat };
    attach(own, inertias, bodies.iter().skip(1).map(|i| (i, i)), xipos, ximat);

    let bodies_with = Bodies { inertial: Some((&xipos[..n], &ximat[..n])), ..own };
    let geoms = Fixed { same: &m.geom_sameframe, pos: &m.geom_pos, quat: &m.geom_quat };
    let sites = Fixed { same: &m.site_sameframe, pos: &m.site_pos, quat: &m.site_quat };
    let site_bodies = m.site_bodyid.iter().map(|&body| body as usize).enumerate();
    if subset::skips_bodies(m, awake) {
        let of_body = |i: usize| m.body_geoms(i).map(move |g| (g, i));
        attach(bodies_with, geoms, bodies.iter().filter(|&i| is_awake(i)).flat_map(of_body), geom_xpos, geom_xmat);
        attach(bodies_with, sites, site_bodies.filter(|&(_, body)| is_awake(body)), site_xpos, site_xmat);
    } else {
        let geom_bodies = m.geom_bodyid.iter().map(|&body| body as usize).enumerate();
        attach(bodies_with, geoms, geom_bodies, geom_xpos, geom_xmat);
        attach(bodies_with, sites, site_bodies, site_xpos, site_xmat);
    }
}

/// World frames of bodies.
#[derive(Clone, Copy)]
struct Bodies<'a> {
    pos: &'a [Vec3],
    quat: &'a [Quat],
    mat: &'a [Mat3],
    /// Inertial frames, once computed.
    inertial: Option<(&'a [Vec3], &'a [Mat3])>,
}

/// Frames in body coordinates, with the [`SameFrame`] code that says which of the body's frames they share.
#[derive(Clone, Copy)]
struct Fixed<'a> {
    same: &'a [u8],
    pos: &'a [Vec3],
    quat: &'a [Quat],
}

/// Computes the world frames of elements fixed to bodies; `each` yields (element, body). Elements whose orientation is
/// not shared with the body are computed in pairs (SIMD), as soon as a second one is found.
#[inline(always)]
fn attach(
    bodies: Bodies,
    fixed: Fixed,
    each: impl Iterator<Item = (usize, usize)>,
    xpos: &mut [Vec3],
    xmat: &mut [Mat3],
) {
    const BODY: u8 = SameFrame::Body as u8;
    const INERTIA: u8 = SameFrame::Inertia as u8;
    const BODYROT: u8 = SameFrame::Bodyrot as u8;
    const INERTIAROT: u8 = SameFrame::Inertiarot as u8;
    let n = xpos.len();
    let (same, pos, quat, xmat) = (&fixed.same[..n], &fixed.pos[..n], &fixed.quat[..n], &mut xmat[..n]);
    let point = |i: usize, b: usize| vec3::add(mat3::mul_vec(&bodies.mat[b], pos[i]), bodies.pos[b]);
    let mut waiting = None;
    for (i, b) in each {
        match (same[i], bodies.inertial) {
            (BODY, _) => (xpos[i], xmat[i]) = (bodies.pos[b], bodies.mat[b]),
            (BODYROT, _) => (xpos[i], xmat[i]) = (point(i, b), bodies.mat[b]),
            (INERTIA, Some((centre, axes))) => (xpos[i], xmat[i]) = (centre[b], axes[b]),
            (INERTIAROT, Some((_, axes))) => (xpos[i], xmat[i]) = (point(i, b), axes[b]),
            _ => match waiting.take() {
                None => waiting = Some((i, b)),
                Some(first) => two(bodies, (pos, quat), [first, (i, b)], xpos, xmat),
            },
        }
    }
    if let Some(last) = waiting {
        two(bodies, (pos, quat), [last; 2], xpos, xmat);
    }
}

/// World frames of two elements, given as (element, body).
#[inline(always)]
fn two(
    bodies: Bodies,
    (pos, quat): (&[Vec3], &[Quat]),
    [(i, a), (j, b)]: [(usize, usize); 2],
    xpos: &mut [Vec3],
    xmat: &mut [Mat3],
) {
    let turn = quat::mul(pair::join(&bodies.quat[a], &bodies.quat[b]), pair::join(&quat[i], &quat[j]));
    [xmat[i], xmat[j]] = pair::split(quat::rotation(turn));
    let offset = mat3::mul_vec(&pair::join(&bodies.mat[a], &bodies.mat[b]), pair::join(&pos[i], &pos[j]));
    let at = pair::join(&bodies.pos[a], &bodies.pos[b]);
    [xpos[i], xpos[j]] = pair::split(std::array::from_fn(|k| offset[k] + at[k]));
}
