//! Constraints other than contacts: limits, friction of dofs and tendons, coupled joints, connected points.
//!
//! A row along a length with moments `J`, whose violation is that length, has the force `F` of a spring and a damper:
//! `δF = −C (δJ (a + b q̇) + k (d + d' r) δr) + F d'/(d (1 − d)) δr`.

use super::lever::{Along, Lever};
use super::partials::Partials;
use super::path::{self, Mover};
use super::tie::{Change, Field, Tie};
use super::tree::Tree;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{ConstraintState, ConstraintType, EqType, JointType, ObjType};
use crate::support::chain::{column, merged, offset};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// Whether all rows but those of contacts are of kinds that are known here.
pub(super) fn are_closed(m: &Model, d: &Data) -> bool {
    (0..d.efc.nefc as usize).all(|r| {
        let id = d.efc.efc_id[r] as usize;
        match d.efc.efc_type(r) {
            ConstraintType::Equality => matches!(m.eq_type(id), EqType::Joint | EqType::Connect),
            ConstraintType::LimitJoint => m.jnt_type(id) != JointType::Ball,
            _ => true,
        }
    })
}

/// Adds the derivatives of rows along lengths by position. Says whether something was differenced.
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
            ConstraintType::LimitTendon | ConstraintType::FrictionTendon => {
                differenced |= path::tendon(m, &d.pose, id, lever, movers);
                if kind == ConstraintType::FrictionTendon && !lever.is_curved() {
                    continue;
                }
                // nearer to the upper bound, longer is worse
                let upper = d.efc.efc_pos[r] == m.tendon_range[id][1] - d.pose.ten_length[id];
                lever.scale(if kind == ConstraintType::LimitTendon && upper { -1.0 } else { 1.0 });
            }
            ConstraintType::LimitJoint => {
                let (q, dof) = (m.jnt_qposadr[id] as usize, m.jnt_dofadr[id] as usize);
                let upper = d.efc.efc_pos[r] == m.jnt_range[id][1] - d.state.qpos[q];
                lever.set(std::iter::once((dof, if upper { -1.0 } else { 1.0 })));
            }
            ConstraintType::Equality if m.eq_type(id) == EqType::Joint => joint(m, d, id, lever),
            _ => continue,
        }
        let [k, b, imp, slope] = d.efc.efc_KBIP[r];
        let depth = d.efc.efc_pos[r] - d.efc.efc_margin[r];
        let stiff = if active { d.efc.efc_D[r] } else { 0.0 };
        let by_length = force * slope / (imp * (1.0 - imp)) - stiff * k * (imp + slope * depth);
        // friction has no violation
        let by_length = if kind == ConstraintType::FrictionTendon { 0.0 } else { by_length };
        (0..m.nv).for_each(|i| rate[i] = qacc[i] + b * d.state.qvel[i]);
        lever.spread_q(Along { force, by_length, by_velocity: -stiff }, rate, &|_| false, out);
    }
    differenced
}

/// Joints that follow each other: `q_1 − p(q_2)`, with the quartic `p`.
fn joint(m: &Model, d: &Data, id: usize, lever: &mut Lever) {
    let at = |joint: i32| (m.jnt_dofadr[joint as usize] as usize, m.jnt_qposadr[joint as usize] as usize);
    let (first, _) = at(m.eq_obj1id[id]);
    lever.set(std::iter::once((first, 1.0)));
    if m.eq_obj2id[id] < 0 {
        return;
    }
    let (second, q) = at(m.eq_obj2id[id]);
    let x = d.state.qpos[q] - m.qpos0[q];
    let p = &m.eq_data[id];
    lever.push(second, -(p[1] + x * (2.0 * p[2] + x * (3.0 * p[3] + x * 4.0 * p[4]))));
    lever.bend();
    lever.add_curve(second, second, -(2.0 * p[2] + x * (6.0 * p[3] + x * 12.0 * p[4])));
}

/// First rows and ids of connections.
fn connections<'a>(m: &'a Model, d: &'a Data) -> impl Iterator<Item = (usize, usize)> + 'a {
    let is_first = |r: usize| r == 0 || d.efc.efc_id[r - 1] != d.efc.efc_id[r];
    (0..d.efc.ne as usize)
        .filter(move |&r| is_first(r))
        .map(|r| (r, d.efc.efc_id[r] as usize))
        .filter(|&(_, id)| m.eq_type(id) == EqType::Connect)
}

/// The tie of a connection: its force acts on the first body.
fn tie(m: &Model, d: &Data, r: usize, id: usize) -> Tie {
    let ids = [m.eq_obj1id[id] as usize, m.eq_obj2id[id] as usize];
    let data = &m.eq_data[id];
    let points = if m.eq_objtype(id) == ObjType::Site {
        ids.map(|s| d.pose.site_xpos[s])
    } else {
        let local: [Vec3; 2] = [[data[0], data[1], data[2]], [data[3], data[4], data[5]]];
        [0, 1].map(|k| vec3::add(mat3::mul_vec(&d.pose.xmat[ids[k]], local[k]), d.pose.xpos[ids[k]]))
    };
    let [b1, b2] = m.eq_bodies(id);
    let force = std::array::from_fn(|k| d.solution.efc_force[r + k]);
    Tie::new(m, &d.pose, [b2, b1], [points[1], points[0]], [force, [0.0; 3]])
}

/// Subtracts the forces of connections from those of bodies.
pub(super) fn subtract(m: &Model, d: &Data, tree: &mut Tree) {
    for (r, id) in connections(m, d) {
        tie(m, d, r, id).subtract(tree);
    }
}

/// Adds how the forces of connections change besides turning with their bodies.
///
/// *Equation*: with the violation `x = x_1 − x_2` and the impedance `d(|x|)`:
/// `δF = −D (δ(J (a + b q̇)) + k (d δx + d' x δ|x|)) + F d'/(d (1 − d)) δ|x|`.
pub(super) fn add(m: &Model, d: &Data, fields: [&Field; 2], out: &mut Partials) {
    for (r, id) in connections(m, d) {
        let tie = tie(m, d, r, id);
        let off = vec3::sub(tie.points[1], tie.points[0]);
        let size = vec3::norm(off);
        let [k, b, imp, slope] = d.efc.efc_KBIP[r];
        for shared in merged(m, tie.bodies[0], tie.bodies[1]) {
            let points = [0, 1].map(|side| {
                let arm = offset(m, &d.pose, tie.bodies[side], tie.points[side]);
                if shared.moves[side] { column(&d.pose.cdof[shared.dof], arm) } else { [0.0; 3] }
            });
            let moved = vec3::sub(points[1], points[0]);
            let farther = vec3::dot(off, moved) / size.max(MINVAL);
            let [acc, vel] = fields.map(|f| f.change(&d.pose, &tie, (shared.dof, shared.moves), &points)[0]);
            let force = std::array::from_fn(|i| {
                let residual = acc[i] + b * vel[i] + k * (imp * moved[i] + slope * off[i] * farther);
                tie.force[i] * slope / (imp * (1.0 - imp)) * farther - d.efc.efc_D[r + i] * residual
            });
            let change = Change { points, force, torque: [0.0; 3] };
            tie.add(m, &d.pose, shared.dof, shared.moves, &change, out);
        }
    }
}
