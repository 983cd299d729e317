//! Jacobians of points and frames: dense 3 × nv matrices, row-major.

use super::chain::{ancestors, column, offset};
use crate::data::{Motion, Pose};
use crate::model::Model;
use crate::model::enums::JointType;
use sinew_math::spatial::{self, Vec6};
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// Destination of a Jacobian; `None` to skip it.
pub type Out<'a> = Option<&'a mut [f64]>;

fn clear(jac: &mut Out) {
    if let Some(jac) = jac {
        jac.fill(0.0);
    }
}

#[inline(always)]
fn set_column(jac: &mut [f64], nv: usize, dof: usize, col: Vec3) {
    jac[dof] = col[0];
    jac[nv + dof] = col[1];
    jac[2 * nv + dof] = col[2];
}

#[inline(always)]
fn add_column(jac: &mut [f64], nv: usize, dof: usize, col: Vec3, scale: f64) {
    jac[dof] += col[0] * scale;
    jac[nv + dof] += col[1] * scale;
    jac[2 * nv + dof] += col[2] * scale;
}

/// Translation and rotation Jacobian of a world point that moves with a body.
///
/// *Equation*: `∂ẋ/∂q̇_i = v_i + ω_i × (x − com)`, `∂ω/∂q̇_i = ω_i` over the dofs that move the body.
/// *Reads* `cdof`, `subtree_com`.
#[doc(alias = "mj_jac")]
pub fn jac(m: &Model, pose: &Pose, mut jacp: Out, mut jacr: Out, point: Vec3, body: usize) {
    clear(&mut jacp);
    clear(&mut jacr);
    let arm = offset(m, pose, body, point);
    for i in ancestors(m, body) {
        let axis = &pose.cdof[i];
        if let Some(jacp) = &mut jacp {
            set_column(jacp, m.nv, i, column(axis, arm));
        }
        if let Some(jacr) = &mut jacr {
            set_column(jacr, m.nv, i, spatial::rot(axis));
        }
    }
}

/// Jacobian of a body frame.
#[doc(alias = "mj_jacBody")]
pub fn jac_body(m: &Model, pose: &Pose, jacp: Out, jacr: Out, body: usize) {
    jac(m, pose, jacp, jacr, pose.xpos[body], body);
}

/// Jacobian of a body's centre of mass.
#[doc(alias = "mj_jacBodyCom")]
pub fn jac_body_com(m: &Model, pose: &Pose, jacp: Out, jacr: Out, body: usize) {
    jac(m, pose, jacp, jacr, pose.xipos[body], body);
}

/// Jacobian of a geom.
#[doc(alias = "mj_jacGeom")]
pub fn jac_geom(m: &Model, pose: &Pose, jacp: Out, jacr: Out, geom: usize) {
    jac(m, pose, jacp, jacr, pose.geom_xpos[geom], m.geom_bodyid[geom] as usize);
}

/// Jacobian of a site.
#[doc(alias = "mj_jacSite")]
pub fn jac_site(m: &Model, pose: &Pose, jacp: Out, jacr: Out, site: usize) {
    jac(m, pose, jacp, jacr, pose.site_xpos[site], m.site_bodyid[site] as usize);
}

/// Bodies of the subtree of `body`, starting with `body`.
pub fn subtree(m: &Model, body: usize) -> impl Iterator<Item = usize> + '_ {
    let rest = (body + 1..m.nbody).take_while(move |&b| m.body_parentid[b] as usize >= body);
    std::iter::once(body).chain(rest)
}

/// Jacobian of the centre of mass of a subtree.
#[doc(alias = "mj_jacSubtreeCom")]
pub fn jac_subtree_com(m: &Model, pose: &Pose, jacp: &mut [f64], body: usize) {
    jacp.fill(0.0);
    for b in subtree(m, body) {
        let arm = offset(m, pose, b, pose.xipos[b]);
        for i in ancestors(m, b) {
            add_column(jacp, m.nv, i, column(&pose.cdof[i], arm), m.body_mass[b]);
        }
    }
    let inv = 1.0 / m.body_subtreemass[body];
    jacp.iter_mut().for_each(|v| *v *= inv);
}

/// Jacobian of a point, and Jacobian of an axis that rotates with the body.
#[doc(alias = "mj_jacPointAxis")]
pub fn jac_point_axis(
    m: &Model,
    pose: &Pose,
    mut jac_point: Out,
    mut jac_axis: Out,
    point: Vec3,
    axis: Vec3,
    body: usize,
) {
    clear(&mut jac_point);
    clear(&mut jac_axis);
    let arm = offset(m, pose, body, point);
    for i in ancestors(m, body) {
        let dof = &pose.cdof[i];
        if let Some(jac_point) = &mut jac_point {
            set_column(jac_point, m.nv, i, column(dof, arm));
        }
        if let Some(jac_axis) = &mut jac_axis {
            set_column(jac_axis, m.nv, i, vec3::cross(spatial::rot(dof), axis));
        }
    }
}

/// Time derivative of the motion axis of dof `i` in the frame of the body it moves: the axes of a quaternion joint
/// rotate with the body itself, not with its parent.
pub fn axis_rate(m: &Model, pose: &Pose, motion: &Motion, i: usize) -> Vec6 {
    let joint = m.dof_jntid[i] as usize;
    let turns = m.jnt_type(joint) == JointType::Ball
        || m.jnt_type(joint) == JointType::Free && i >= m.jnt_dofadr[joint] as usize + 3;
    if turns {
        spatial::cross_motion(&motion.cvel[m.dof_bodyid[i] as usize], &pose.cdof[i])
    } else {
        motion.cdof_dot[i]
    }
}

/// Time derivative of [`jac`] at the current velocity.
#[doc(alias = "mj_jacDot")]
pub fn jac_dot(m: &Model, pose: &Pose, motion: &Motion, jacs: [Out; 2], point: Vec3, body: usize) {
    let [mut jacp, mut jacr] = jacs;
    clear(&mut jacp);
    clear(&mut jacr);
    let com = pose.subtree_com[m.body_rootid[body] as usize];
    let arm = vec3::sub(point, com);
    let vel = spatial::lin(&spatial::transform_motion(&motion.cvel[body], point, com, None));
    for i in ancestors(m, body) {
        let rate = axis_rate(m, pose, motion, i);
        if let Some(jacp) = &mut jacp {
            let swept = vec3::cross(spatial::rot(&pose.cdof[i]), vel);
            set_column(jacp, m.nv, i, vec3::add(column(&rate, arm), swept));
        }
        if let Some(jacr) = &mut jacr {
            set_column(jacr, m.nv, i, spatial::rot(&rate));
        }
    }
}

/// Matrix that maps velocities to the angular momentum of a subtree about its centre of mass.
///
/// *Equation*: `Σ_b R I Rᵀ J_ω + m [x_b − com]× J_v`.
#[doc(alias = "mj_angmomMat")]
pub fn angmom_mat(m: &Model, pose: &Pose, mat: &mut [f64], body: usize) {
    mat.fill(0.0);
    let com = pose.subtree_com[body];
    for b in subtree(m, body) {
        let (point, turn, inert) = (pose.xipos[b], &pose.ximat[b], &m.body_inertia[b]);
        let scaled: Mat3 = std::array::from_fn(|k| turn[k] * inert[k % 3]);
        let inertia = mat3::mul(&scaled, &mat3::transpose(turn));
        let lever = vec3::sub(point, com);
        let arm = offset(m, pose, b, point);
        for i in ancestors(m, b) {
            let axis = &pose.cdof[i];
            add_column(mat, m.nv, i, mat3::mul_vec(&inertia, spatial::rot(axis)), 1.0);
            add_column(mat, m.nv, i, vec3::cross(lever, column(axis, arm)), m.body_mass[b]);
        }
    }
}
