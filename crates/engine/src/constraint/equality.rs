//! Constraint rows of equalities.

use super::row::{Group, Rows};
use super::work::{Block, ConstraintWork};
use crate::data::{Awake, Pose, State};
use crate::model::Model;
use crate::model::enums::{ConstraintType, EqType};
use crate::support::awake as subset;
use crate::support::row::{RowSum, tendon_row};
use crate::support::{anchor, chain, flex};
use sinew_math::{Vec3, quat, spatial, vec3};

const EQUALITY: ConstraintType = ConstraintType::Equality;

/// Adds the rows of all active equality constraints.
///
/// *Equation*: connect: `x1 − x2 = 0`; weld: also the vector part of `q2⁻¹ q1 q_rel`, scaled; joint and
/// tendon: `y1 − y1_0 = p(y2 − y2_0)`, `p` a quartic; flex: `l − L` of each edge, or both strain invariants of each
/// vertex.
#[doc(alias = "mj_instantiateEquality")]
pub fn rows(m: &Model, state: &State, awake: &Awake, pose: &Pose, out: &mut Rows, work: &mut ConstraintWork) {
    let skips = subset::skips_trees(m, awake);
    for i in 0..m.neq {
        if state.eq_active[i] == 0 || skips && subset::equality_asleep(m, awake, i) {
            continue;
        }
        work.block.clear();
        match m.eq_type(i) {
            EqType::Connect => connect(m, pose, i, out, &mut work.block),
            EqType::Weld => weld(m, pose, i, out, &mut work.block),
            EqType::Joint => joint(m, state, i, out, work),
            EqType::Tendon => tendon(m, pose, i, out, work),
            EqType::Flex => flex_edges(m, pose, i, out),
            EqType::Flexvert => flex_vertices(m, pose, i, out),
            EqType::Distance => {}
        }
    }
}

/// Jacobian columns of the relative motion of two points, body 1 minus body 2: translation, then rotation.
fn relative_motion(m: &Model, pose: &Pose, bodies: [usize; 2], points: [Vec3; 2], block: &mut Block) {
    let arm = [0, 1].map(|k| chain::offset(m, pose, bodies[k], points[k]));
    for shared in chain::merged(m, bodies[0], bodies[1]) {
        let axis = &pose.cdof[shared.dof];
        let at = |k: usize| {
            if shared.moves[k] { spatial::join(chain::column(axis, arm[k]), spatial::rot(axis)) } else { [0.0; 6] }
        };
        block.push(shared.dof, spatial::sub(&at(0), &at(1)));
    }
    block.dofs.reverse();
    block.cols.reverse();
}

fn connect(m: &Model, pose: &Pose, i: usize, out: &mut Rows, block: &mut Block) {
    let bodies = m.eq_bodies(i);
    let points = anchor::points(m, pose, i);
    relative_motion(m, pose, bodies, points, block);
    let error = vec3::sub(points[0], points[1]);
    let weight = m.body_invweight0[bodies[0]][0] + m.body_invweight0[bodies[1]][0];
    let group =
        Group { size: 3, pos: spatial::join(error, [0.0; 3]), diag: [weight; 6], ..Group::one(EQUALITY, i, 0.0, 0.0) };
    out.push(block, &group);
}

fn weld(m: &Model, pose: &Pose, i: usize, out: &mut Rows, block: &mut Block) {
    let bodies = m.eq_bodies(i);
    let points = anchor::points(m, pose, i);
    relative_motion(m, pose, bodies, points, block);
    let scale = m.eq_data[i][10];
    let [first, second] = anchor::frames(m, pose, i);
    let inverse = quat::conj(second);
    let twist = quat::mul(inverse, first);
    // derivative of the quaternion error: ½ q2⁻¹ ω q1 q_rel
    for col in &mut block.cols {
        let rate = quat::mul(quat::mul_axis(inverse, [col[3], col[4], col[5]]), first);
        for k in 0..3 {
            col[3 + k] = 0.5 * rate[1 + k] * scale;
        }
    }
    let error = vec3::sub(points[0], points[1]);
    let weight = [0, 1].map(|k| m.body_invweight0[bodies[0]][k] + m.body_invweight0[bodies[1]][k]);
    let group = Group {
        size: 6,
        pos: spatial::join(error, vec3::scale([twist[1], twist[2], twist[3]], scale)),
        diag: spatial::join([weight[0]; 3], [weight[1]; 3]),
        ..Group::one(EQUALITY, i, 0.0, 0.0)
    };
    out.push(block, &group);
}

/// Residual of a polynomial coupling, and its derivative with respect to the second coordinate.
fn coupling(data: &[f64; 11], first: f64, second: Option<f64>) -> (f64, f64) {
    match second {
        None => (first - data[0], 0.0),
        Some(x) => {
            let value = data[1] * x + data[2] * x * x + data[3] * x * x * x + data[4] * x * x * x * x;
            let slope = data[1] + 2.0 * data[2] * x + 3.0 * data[3] * x * x + 4.0 * data[4] * x * x * x;
            (first - data[0] - value, -slope)
        }
    }
}

fn joint(m: &Model, state: &State, i: usize, out: &mut Rows, work: &mut ConstraintWork) {
    let displacement = |j: usize| {
        let adr = m.jnt_qposadr[j] as usize;
        state.qpos[adr] - m.qpos0[adr]
    };
    let first = m.eq_obj1id[i] as usize;
    let second = usize::try_from(m.eq_obj2id[i]).ok();
    let (pos, slope) = coupling(&m.eq_data[i], displacement(first), second.map(displacement));
    let dof = |j: usize| m.jnt_dofadr[j] as usize;
    let mut row = RowSum::new(&mut work.sum);
    *row.at(dof(first)) += 1.0;
    let mut weight = m.dof_invweight0[dof(first)];
    if let Some(second) = second {
        *row.at(dof(second)) += slope;
        weight += m.dof_invweight0[dof(second)];
    }
    work.block.take(row);
    out.push(&work.block, &Group::one(EQUALITY, i, pos, weight));
}

fn tendon(m: &Model, pose: &Pose, i: usize, out: &mut Rows, work: &mut ConstraintWork) {
    let displacement = |t: usize| pose.ten_length[t] - m.tendon_length0[t];
    let first = m.eq_obj1id[i] as usize;
    let second = usize::try_from(m.eq_obj2id[i]).ok();
    let (pos, slope) = coupling(&m.eq_data[i], displacement(first), second.map(displacement));
    let mut row = RowSum::new(&mut work.sum);
    // MuJoCo stores the id of the equality here, not its row
    out.mark_tendon(first, i);
    tendon_row(m, pose, first).entries().for_each(|(dof, v)| *row.at(dof) += v);
    let mut weight = m.tendon_invweight0[first];
    if let Some(second) = second {
        out.mark_tendon(second, i);
        tendon_row(m, pose, second).entries().for_each(|(dof, v)| *row.at(dof) += slope * v);
        weight += m.tendon_invweight0[second];
    }
    work.block.take(row);
    out.push(&work.block, &Group::one(EQUALITY, i, pos, weight));
}

fn flex_edges(m: &Model, pose: &Pose, i: usize, out: &mut Rows) {
    let f = m.eq_obj1id[i] as usize;
    for e in flex::edges(m, f).filter(|&e| m.flexedge_rigid[e] == 0) {
        let error = pose.flexedge_length[e] - m.flexedge_length0[e];
        let (dofs, values) = flex::edge_entries(m, pose, e);
        out.push_stored(dofs, [values], &Group::one(EQUALITY, i, error, m.flexedge_invweight0[e]));
    }
}

fn flex_vertices(m: &Model, pose: &Pose, i: usize, out: &mut Rows) {
    let f = m.eq_obj1id[i] as usize;
    let values = pose.flexvert_J.as_flattened();
    for v in flex::verts(m, f) {
        // only sheets whose vertices are attached to bodies have these rows
        let Ok(body) = usize::try_from(m.flex_vertbodyid[v]) else { continue };
        let (starts, count) = flex::vertex_rows(m, v);
        let dofs = &m.flexvert_J_colind.as_flattened()[starts[0]..][..count];
        let rows = starts.map(|start| &values[start..][..count]);
        let [trace, det] = pose.flexvert_length[v];
        let weight = m.body_invweight0[body][0];
        let pos = [trace, det, 0.0, 0.0, 0.0, 0.0];
        out.push_stored(dofs, rows, &Group { size: 2, pos, diag: [weight; 6], ..Group::one(EQUALITY, i, 0.0, 0.0) });
    }
}
