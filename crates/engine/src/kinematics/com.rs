//! Centres of mass, and body inertias and motion axes relative to them.

use crate::data::{Awake, Pose};
use crate::model::Model;
use crate::model::enums::JointType;
use crate::support::awake as subset;
use sinew_math::spatial::{self, Vec6};
use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// Subtree centres of mass; body inertias and motion axes about the centre of mass of their tree.
///
/// *Equation*: `com_i = Σ_{j ∈ subtree i} m_j x_j / M_i`; `cinert_i = R I Rᵀ − m [r]×[r]×` with `r` from
/// the tree's centre of mass; `cdof = (axis, axis × (com − anchor))`.
/// *Reads* `xipos`, `ximat`, `xmat`, `xanchor`, `xaxis`. *Writes* `subtree_com`, `cinert`, `cdof`.
/// *Source*: Featherstone 2008, chapter 2; one reference point per tree keeps velocities small.
#[doc(alias = "mj_comPos")]
pub fn com_pos(m: &Model, awake: &Awake, pose: &mut Pose) {
    if subset::skips_bodies(m, awake) {
        let bodies = subset::bodies(m, awake);
        moments(m, pose, bodies.iter());
        for i in subset::parents(m, awake).iter().rev() {
            // a sleeping body holds its centre of mass rather than its moment
            let scale = if subset::body_asleep(awake, i) { m.body_subtreemass[i] } else { 1.0 };
            add_to_parent(m, pose, i, scale);
        }
        about_com(m, pose, bodies.iter());
    } else {
        moments(m, pose, 0..m.nbody);
        (1..m.nbody).rev().for_each(|i| add_to_parent(m, pose, i, 1.0));
        about_com(m, pose, 0..m.nbody);
    }
}

#[inline(always)]
fn moments(m: &Model, pose: &mut Pose, bodies: impl Iterator<Item = usize>) {
    for i in bodies {
        pose.subtree_com[i] = vec3::scale(pose.xipos[i], m.body_mass[i]);
    }
}

#[inline(always)]
fn add_to_parent(m: &Model, pose: &mut Pose, i: usize, scale: f64) {
    let moment = vec3::scale(pose.subtree_com[i], scale);
    let sum = &mut pose.subtree_com[m.body_parentid[i] as usize];
    *sum = vec3::add(*sum, moment);
}

/// Divides moments by mass, and expresses inertias and motion axes about the centre of mass of the tree's root;
/// a root precedes the other bodies of its tree.
#[inline(always)]
fn about_com(m: &Model, pose: &mut Pose, bodies: impl Iterator<Item = usize>) {
    // slices of known length let the compiler drop bounds checks in the loop
    let n = m.nbody;
    let (mass, total, root) = (&m.body_mass[..n], &m.body_subtreemass[..n], &m.body_rootid[..n]);
    let inertia = &m.body_inertia[..n];
    let Pose { subtree_com, xipos, ximat, xmat, xanchor, xaxis, cinert, cdof, .. } = pose;
    let (subtree_com, cinert) = (&mut subtree_com[..n], &mut cinert[..n]);
    let (xipos, ximat, xmat) = (&xipos[..n], &ximat[..n], &xmat[..n]);
    for i in bodies {
        let own = if total[i] < MINVAL { xipos[i] } else { vec3::scale(subtree_com[i], 1.0 / total[i]) };
        subtree_com[i] = own;
        if i == 0 {
            cinert[0] = [0.0; 10];
            continue;
        }
        // a root reuses the value in registers: loading what was just stored would stall
        let com = if root[i] as usize == i { own } else { subtree_com[root[i] as usize] };
        let offset = vec3::sub(xipos[i], com);
        cinert[i] = spatial::inert_com(&inertia[i], &ximat[i], offset, mass[i]);
        for j in m.body_joints(i) {
            motion_axes(m, j, &xmat[i], xaxis[j], vec3::sub(com, xanchor[j]), cdof);
        }
    }
}

/// Motion axes of joint `j`; `offset` is the reference point minus the anchor. A quaternion joint uses the axes of its
/// body.
#[inline(always)]
fn motion_axes(m: &Model, j: usize, xmat: &Mat3, axis: Vec3, offset: Vec3, cdof: &mut [Vec6]) {
    const FREE: i32 = JointType::Free as i32;
    const BALL: i32 = JointType::Ball as i32;
    const SLIDE: i32 = JointType::Slide as i32;
    let first = m.jnt_dofadr[j] as usize;
    match m.jnt_type[j] {
        kind @ (FREE | BALL) => {
            let mut cdof = &mut cdof[first..];
            if kind == FREE {
                let along;
                (along, cdof) = cdof.split_at_mut(3);
                along[0] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
                along[1] = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
                along[2] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
            }
            let cdof = &mut cdof[..3];
            for k in 0..3 {
                cdof[k] = spatial::hinge_axis(mat3::col(xmat, k), offset);
            }
        }
        SLIDE => cdof[first] = spatial::slide_axis(axis),
        _ => cdof[first] = spatial::hinge_axis(axis, offset),
    }
}
