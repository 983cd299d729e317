//! Rows of contacts.

use super::row::{ContactRows, Rows};
use super::work::Block;
use crate::data::{Contact, Pose};
use crate::model::Model;
use crate::model::enums::ConstraintType;
use crate::support::contact::{MOVES_NOTHING, PASSIVE};
use crate::support::{chain, is_pyramidal, side};
use sinew_math::{mat3, spatial, vec3};

/// Whether a contact of a flex acts as a passive force instead.
fn is_passive(m: &Model, con: &Contact) -> bool {
    con.flex.iter().any(|&f| usize::try_from(f).is_ok_and(|f| m.flex_passive[f] != 0))
}

/// Adds the rows of all contacts that are not excluded, and notes where they begin.
///
/// *Equation*: relative motion of the two bodies at the contact point, second minus first, in the contact frame:
/// normal, two tangents, spin about the normal, two rolling axes. Frictionless contacts keep the normal;
/// elliptic ones have a row per dimension; pyramids have two edges, `normal ± mu_k · axis_k`, per friction axis.
#[doc(alias = "mj_instantiateContact")]
pub fn rows(m: &Model, pose: &Pose, contact: &mut [Contact], out: &mut Rows, block: &mut Block) {
    if m.nv == 0 {
        return;
    }
    let pyramidal = is_pyramidal(m);
    for (id, con) in contact.iter_mut().enumerate() {
        if m.nflex > 0 && is_passive(m, con) {
            con.efc_address = -1;
            con.exclude = PASSIVE;
        }
        if con.exclude != 0 {
            continue;
        }
        let weight = match [0, 1].map(|k| side::body(m, con, k)) {
            [Some(b1), Some(b2)] => {
                relative_motion(m, pose, [b1, b2], con, block);
                [0, 1].map(|k| m.body_invweight0[b1][k] + m.body_invweight0[b2][k])
            }
            _ => {
                weighted_motion(m, pose, con, block);
                mean_invweight(m, pose, con)
            }
        };
        con.efc_address = out.len() as i32;
        if !out.accepts(block) {
            con.efc_address = -1;
            con.exclude = MOVES_NOTHING;
            continue;
        }
        let mut rows = ContactRows {
            kind: ConstraintType::ContactFrictionless,
            id,
            pos: con.dist,
            margin: con.includemargin,
            diag: weight[0],
        };
        if con.dim == 1 {
            out.push_contact(block, &rows, |col| col[0]);
        } else if pyramidal {
            rows.kind = ConstraintType::ContactPyramidal;
            for k in 1..con.dim as usize {
                let mu = con.friction[k - 1];
                rows.diag = weight[0] + mu * mu * weight[usize::from(k > 2)];
                out.push_contact(block, &rows, |col| col[0] + col[k] * mu);
                out.push_contact(block, &rows, |col| col[0] + col[k] * -mu);
            }
        } else {
            rows.kind = ConstraintType::ContactElliptic;
            for k in 0..con.dim as usize {
                rows.diag = weight[usize::from(k > 2)];
                out.push_contact(block, &rows, |col| col[k]);
                (rows.pos, rows.margin) = (0.0, 0.0);
            }
        }
        out.end_group(&block.dofs);
    }
}

/// Columns of the motion of the second body relative to the first, in the contact frame: translation, then
/// rotation, which only contacts of more than three dimensions need.
fn relative_motion(m: &Model, pose: &Pose, bodies: [usize; 2], con: &Contact, block: &mut Block) {
    block.clear();
    let arm = bodies.map(|b| chain::offset(m, pose, b, con.pos));
    let turns = con.dim > 3;
    for shared in chain::merged(m, bodies[0], bodies[1]) {
        let axis = &pose.cdof[shared.dof];
        let (shift, turn) = match shared.moves {
            [false, true] => (chain::column(axis, arm[1]), spatial::rot(axis)),
            [true, false] => (vec3::scale(chain::column(axis, arm[0]), -1.0), vec3::scale(spatial::rot(axis), -1.0)),
            // both bodies turn alike
            _ => (vec3::sub(chain::column(axis, arm[1]), chain::column(axis, arm[0])), [0.0; 3]),
        };
        let turn = if turns { mat3::mul_vec(&con.frame, turn) } else { [0.0; 3] };
        block.push(shared.dof, spatial::join(mat3::mul_vec(&con.frame, shift), turn));
    }
    block.dofs.reverse();
    block.cols.reverse();
}

/// The same for sides that several bodies carry: the sum of the motions of all of them at the contact, weighted.
fn weighted_motion(m: &Model, pose: &Pose, con: &Contact, block: &mut Block) {
    block.clear();
    let turns = con.dim > 3;
    for (k, sign) in [(0, -1.0), (1, 1.0)] {
        for (body, weight) in side::carriers(m, pose, con, k, sign).iter() {
            let arm = chain::offset(m, pose, body, con.pos);
            for dof in chain::ancestors(m, body) {
                let axis = &pose.cdof[dof];
                let shift = mat3::mul_vec(&con.frame, chain::column(axis, arm));
                let turn = if turns { mat3::mul_vec(&con.frame, spatial::rot(axis)) } else { [0.0; 3] };
                spatial::add_scaled(block.column(dof), &spatial::join(shift, turn), weight);
            }
        }
    }
}

/// Inverse weights of the bodies on both sides, weighted alike: translation, rotation.
fn mean_invweight(m: &Model, pose: &Pose, con: &Contact) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for k in 0..2 {
        for (body, weight) in side::carriers(m, pose, con, k, 1.0).iter() {
            (0..2).for_each(|i| sum[i] += m.body_invweight0[body][i] * weight);
        }
    }
    sum
}
