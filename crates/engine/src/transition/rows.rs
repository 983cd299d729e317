//! Constraints along lengths: limits, tendon friction, joint and tendon equalities.
//!
//! A row along a length with moments `J`, whose violation is that length, has the force `F` of a spring and a damper:
//! `δF = −C (δJ (a + b q̇) + k (d + d' r) δr) + F d'/(d (1 − d)) δr`.

use super::lever::{Along, Lever};
use super::partials::Partials;
use super::path::{self, Mover};
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{ConstraintState, ConstraintType, EqType, JointType};
use crate::support::row::tendon_row;
use sinew_math::{MINVAL, mat3, quat, vec3};

/// Whether all rows, apart from contacts, are of types supported here.
pub(super) fn are_closed(m: &Model, d: &Data) -> bool {
    (0..d.efc.nefc as usize).all(|r| {
        let id = d.efc.efc_id[r] as usize;
        match d.efc.efc_type(r) {
            ConstraintType::Equality => !matches!(m.eq_type(id), EqType::Flex | EqType::Flexvert),
            _ => true,
        }
    })
}

/// Adds the position derivatives of rows along lengths. Returns whether anything was differenced.
pub(super) fn lengths(
    m: &Model,
    d: &Data,
    qacc: &[f64],
    (lever, movers): (&mut Lever, &mut Vec<Mover>),
    rate: &mut [f64],
    out: &mut Partials,
) -> bool {
    let mut differenced = false;
    for r in 0..d.efc.nefc as usize {
        let (id, force) = (d.efc.efc_id[r] as usize, d.solution.efc_force[r]);
        let kind = d.efc.efc_type(r);
        let active = d.solution.efc_state(r) == ConstraintState::Quadratic;
        if force == 0.0 && !active {
            continue;
        }
        match kind {
            ConstraintType::LimitTendon => differenced |= tendon_limit(m, d, r, lever, movers),
            ConstraintType::FrictionTendon => {
                differenced |= path::tendon(m, &d.pose, id, lever, movers);
                if !lever.is_curved() {
                    continue;
                }
            }
            ConstraintType::LimitJoint => joint_limit(m, d, r, lever),
            ConstraintType::Equality if m.eq_type(id) == EqType::Joint => joints(m, d, id, lever),
            ConstraintType::Equality if m.eq_type(id) == EqType::Tendon => {
                differenced |= tendons(m, d, id, lever, movers);
            }
            _ => continue,
        }
        let b = d.efc.efc_KBIP[r][1];
        (0..m.nv).for_each(|i| rate[i] = qacc[i] + b * d.state.qvel[i]);
        lever.spread_q(along(d, r), rate, &|_| false, out);
    }
    differenced
}

/// Force of a row along a length, and its derivatives with respect to that length and to `a + b q̇` along it.
pub(super) fn along(d: &Data, r: usize) -> Along {
    let force = d.solution.efc_force[r];
    let [k, _, imp, slope] = d.efc.efc_KBIP[r];
    let depth = d.efc.efc_pos[r] - d.efc.efc_margin[r];
    let stiff = if d.solution.efc_state(r) == ConstraintState::Quadratic { d.efc.efc_D[r] } else { 0.0 };
    // friction rows have no violation
    let violated = d.efc.efc_type(r) != ConstraintType::FrictionTendon;
    let by_length = force * slope / (imp * (1.0 - imp)) - stiff * k * (imp + slope * depth);
    Along { force, by_length: if violated { by_length } else { 0.0 }, by_velocity: -stiff }
}

/// Limit of a joint: the distance from its range; for a ball joint, by its angle.
pub(super) fn joint_limit(m: &Model, d: &Data, r: usize, lever: &mut Lever) {
    let id = d.efc.efc_id[r] as usize;
    let (q, dof) = (m.jnt_qposadr[id] as usize, m.jnt_dofadr[id] as usize);
    if m.jnt_type(id) != JointType::Ball {
        let upper = d.efc.efc_pos[r] == m.jnt_range[id][1] - d.state.qpos[q];
        lever.set(std::iter::once((dof, if upper { -1.0 } else { 1.0 })));
        return;
    }
    let now = quat::normalize(std::array::from_fn(|k| d.state.qpos[q + k])).0;
    let (axis, angle) = vec3::normalize(quat::to_velocity(now, 1.0));
    lever.set((0..3).map(|k| (dof + k, -axis[k])));
    lever.bend();
    let by = quat::sub_derivative(now, quat::IDENTITY);
    for c in 0..3 {
        let turned = mat3::col(&by, c);
        let across = vec3::add_scaled(turned, axis, -vec3::dot(axis, turned));
        (0..3).for_each(|k| lever.add_curve(dof + k, dof + c, -across[k] / angle.max(MINVAL)));
    }
}

/// Limit of a tendon. Returns whether anything was differenced.
pub(super) fn tendon_limit(m: &Model, d: &Data, r: usize, lever: &mut Lever, movers: &mut Vec<Mover>) -> bool {
    let id = d.efc.efc_id[r] as usize;
    let differenced = path::tendon(m, &d.pose, id, lever, movers);
    // at the upper limit, an increase of the length increases the violation
    let upper = d.efc.efc_pos[r] == m.tendon_range[id][1] - d.pose.ten_length[id];
    lever.scale(if upper { -1.0 } else { 1.0 });
    differenced
}

/// First and second derivative of the quartic polynomial of an equality at coordinate `x`.
fn quartic(p: &[f64], x: f64) -> [f64; 2] {
    let slope = p[1] + x * (2.0 * p[2] + x * (3.0 * p[3] + x * 4.0 * p[4]));
    [slope, 2.0 * p[2] + x * (6.0 * p[3] + x * 12.0 * p[4])]
}

/// Joint equality `q_1 − p(q_2)`, with the quartic `p`.
fn joints(m: &Model, d: &Data, id: usize, lever: &mut Lever) {
    let at = |joint: i32| (m.jnt_dofadr[joint as usize] as usize, m.jnt_qposadr[joint as usize] as usize);
    let (first, _) = at(m.eq_obj1id[id]);
    lever.set(std::iter::once((first, 1.0)));
    if m.eq_obj2id[id] < 0 {
        return;
    }
    let (second, q) = at(m.eq_obj2id[id]);
    let [slope, bend] = quartic(&m.eq_data[id], d.state.qpos[q] - m.qpos0[q]);
    lever.push(second, -slope);
    lever.bend();
    lever.add_curve(second, second, -bend);
}

/// Tendon equality `l_1 − p(l_2)`. Returns whether anything was differenced.
fn tendons(m: &Model, d: &Data, id: usize, lever: &mut Lever, movers: &mut Vec<Mover>) -> bool {
    let first = m.eq_obj1id[id] as usize;
    let Ok(second) = usize::try_from(m.eq_obj2id[id]) else { return path::tendon(m, &d.pose, first, lever, movers) };
    let [slope, bend] = quartic(&m.eq_data[id], d.pose.ten_length[second] - m.tendon_length0[second]);
    let differenced = path::sum(m, &d.pose, &[(first, 1.0), (second, -slope)], lever, movers);
    if bend != 0.0 {
        lever.bend_if_straight();
        let row = tendon_row(m, &d.pose, second);
        for (i, x) in row.entries() {
            row.entries().for_each(|(j, y)| lever.add_curve(i, j, -bend * x * y));
        }
    }
    differenced
}
