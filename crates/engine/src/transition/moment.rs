//! Derivatives of actuator moments with respect to position.

use super::crank;
use super::lever::Lever;
use super::path::{self, Mover, group};
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{JointType, TrnType};
use crate::support::chain::{ancestors, column, offset};
use sinew_math::spatial::rot;
use sinew_math::{Vec3, mat3, quat, vec3};

/// Whether the moments of an actuator have a closed-form derivative here; those of adhesion depend on contacts.
pub(super) fn is_closed(m: &Model, i: usize) -> bool {
    m.actuator_trntype(i) != TrnType::Body
}

/// Current moments of actuator `i`.
pub(super) fn row(d: &Data, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
    let start = d.trn.moment_rowadr[i] as usize;
    let at = start..start + d.trn.moment_rownnz[i] as usize;
    d.trn.moment_colind[at.clone()].iter().zip(&d.trn.actuator_moment[at]).map(|(&dof, &v)| (dof as usize, v))
}

/// Moments of actuator `i`, with their derivatives. Returns whether anything was differenced.
pub(super) fn actuator(m: &Model, d: &Data, i: usize, lever: &mut Lever, movers: &mut Vec<Mover>) -> bool {
    let id = m.actuator_trnid[i][0] as usize;
    match m.actuator_trntype(i) {
        TrnType::Tendon => {
            let differenced = path::tendon(m, &d.pose, id, lever, movers);
            lever.scale(m.actuator_gear[i][0]);
            return differenced;
        }
        TrnType::Site if m.actuator_trnid[i][1] >= 0 => crank::site_pair(m, d, i, lever),
        TrnType::Site => site(m, d, i, id, lever),
        TrnType::Slidercrank => crank::slider_crank(m, d, i, lever),
        _ => {
            lever.set(row(d, i));
            if matches!(m.jnt_type(id), JointType::Ball | JointType::Free) {
                rotation(m, d, i, id, lever);
            }
        }
    }
    false
}

/// Torque about an axis of a quaternion joint. In the child frame the axis is constant; in the parent frame `a = Rᵀ g`
/// rotates in the opposite direction: `∂a/∂q_j = −e_j × a`. The length of a ball joint is `g · log q` in either case; a
/// free joint has none.
fn rotation(m: &Model, d: &Data, i: usize, joint: usize, lever: &mut Lever) {
    let gear = &m.actuator_gear[i];
    let free = m.jnt_type(joint) == JointType::Free;
    let first = if free { 3 } else { 0 };
    let g: Vec3 = std::array::from_fn(|k| gear[first + k]);
    let adr = m.jnt_qposadr[joint] as usize + first;
    let q = quat::normalize(std::array::from_fn(|k| d.state.qpos[adr + k])).0;
    lever.slope.fill(0.0);
    if !free {
        let by = quat::sub_derivative(q, quat::IDENTITY);
        lever.slope.copy_from_slice(&mat3::mul_vec_t(&by, g));
    }
    if m.actuator_trntype(i) == TrnType::Jointinparent {
        lever.bend();
        let axis = quat::rotate(quat::conj(q), g);
        let dof = m.jnt_dofadr[joint] as usize + first;
        for j in 0..3 {
            let mut e = [0.0; 3];
            e[j] = 1.0;
            let turned = vec3::cross(axis, e);
            (0..3).for_each(|k| lever.add_curve(dof + k, dof + j, turned[k]));
        }
    }
}

/// A wrench `(f, t)` fixed to the body of a site: `J_i = f · c_i + t · ω_i`. The moment of `i` changes only for dofs
/// `j` below it that do not rotate together with `i`:
/// `∂J_i/∂q_j = (ω_j × f) · c_i + f · (ω_i × c_j) + (ω_j × t) · ω_i`.
fn site(m: &Model, d: &Data, i: usize, site: usize, lever: &mut Lever) {
    let (gear, mat) = (&m.actuator_gear[i], &d.pose.site_xmat[site]);
    let force = mat3::mul_vec(mat, [gear[0], gear[1], gear[2]]);
    let torque = mat3::mul_vec(mat, [gear[3], gear[4], gear[5]]);
    let body = m.site_bodyid[site] as usize;
    let arm = offset(m, &d.pose, body, d.pose.site_xpos[site]);
    let moment = |i: usize| {
        let axis = &d.pose.cdof[i];
        vec3::dot(column(axis, arm), force) + vec3::dot(rot(axis), torque)
    };
    lever.set(ancestors(m, body).map(|i| (i, moment(i))));
    lever.slope.fill(0.0);
    lever.bend();
    for j in ancestors(m, body) {
        let (wj, cj) = (rot(&d.pose.cdof[j]), column(&d.pose.cdof[j], arm));
        for i in ancestors(m, body).filter(|&i| i < j && group(m, i) != group(m, j)) {
            let (wi, ci) = (rot(&d.pose.cdof[i]), column(&d.pose.cdof[i], arm));
            let turned = vec3::dot(vec3::cross(wj, force), ci) + vec3::dot(vec3::cross(wj, torque), wi);
            lever.add_curve(i, j, turned + vec3::dot(force, vec3::cross(wi, cj)));
        }
    }
}
