//! Constraint rows of contacts.

use super::motion::Motion;
use super::row::Rows;
use super::work::ConstraintWork;
use crate::data::{Contact, Pose};
use crate::model::Model;
use crate::model::enums::ConstraintType;
use crate::support::contact::{MOVES_NOTHING, PASSIVE};
use crate::support::{is_pyramidal, side};

/// Whether a flex contact acts as a passive force instead of a constraint.
fn is_passive(m: &Model, con: &Contact) -> bool {
    con.flex.iter().any(|&f| usize::try_from(f).is_ok_and(|f| m.flex_passive[f] != 0))
}

/// Adds the rows of all contacts that are not excluded, and sets their `efc_address`.
///
/// *Equation*: relative motion of the two bodies at the contact point, second minus first, in the contact frame:
/// normal, two tangents, spin about the normal, two rolling axes. Frictionless contacts keep the normal;
/// elliptic ones have one row per dimension; pyramids have two edges, `normal ± mu_k · axis_k`, per friction axis.
#[doc(alias = "mj_instantiateContact")]
pub fn rows(m: &Model, pose: &Pose, contact: &mut [Contact], out: &mut Rows, work: &mut ConstraintWork) {
    if m.nv == 0 {
        return;
    }
    let ConstraintWork { block, motion, .. } = work;
    motion.clear();
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
                motion.of_bodies(m, pose, [b1, b2], con);
                [0, 1].map(|k| m.body_invweight0[b1][k] + m.body_invweight0[b2][k])
            }
            _ => {
                motion.of_carriers(m, pose, con, block);
                mean_invweight(m, pose, con)
            }
        };
        con.efc_address = out.len() as i32;
        if !out.accepts(&motion.dofs) {
            con.efc_address = -1;
            con.exclude = MOVES_NOTHING;
            continue;
        }
        let kind = match con.dim {
            1 => ConstraintType::ContactFrictionless,
            _ if pyramidal => ConstraintType::ContactPyramidal,
            _ => ConstraintType::ContactElliptic,
        };
        push(id, con, kind, weight, motion, out);
    }
}

/// Adds the rows of a contact.
fn push(id: usize, con: &Contact, kind: ConstraintType, weight: [f64; 2], motion: &Motion, out: &mut Rows) {
    let dim = con.dim as usize;
    let distance = [con.dist, con.includemargin];
    match kind {
        ConstraintType::ContactPyramidal => {
            out.push_columns(&motion.dofs, 2 * (dim - 1));
            (1..dim).for_each(|k| out.push_edges(&motion.dofs, [motion.row(0), motion.row(k)], con.friction[k - 1]));
            let diag = |r: usize| {
                let mu = con.friction[r / 2];
                weight[0] + mu * mu * weight[usize::from(r > 3)]
            };
            out.push_contact(kind, id, 2 * (dim - 1), [distance; 2], diag);
        }
        ConstraintType::ContactElliptic => {
            out.push_columns(&motion.dofs, dim);
            out.push_values(&motion.dofs, dim, motion.rows(dim));
            out.push_contact(kind, id, dim, [distance, [0.0; 2]], |r| weight[usize::from(r > 2)]);
        }
        _ => {
            out.push_columns(&motion.dofs, 1);
            out.push_values(&motion.dofs, 1, motion.rows(1));
            out.push_contact(kind, id, 1, [distance; 2], |_| weight[0]);
        }
    }
    out.end_group(&motion.dofs);
}

/// Inverse weights (translation, rotation) of both sides, averaged over the bodies that carry them.
fn mean_invweight(m: &Model, pose: &Pose, con: &Contact) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for k in 0..2 {
        for (body, weight) in side::carriers(m, pose, con, k, 1.0).iter() {
            (0..2).for_each(|i| sum[i] += m.body_invweight0[body][i] * weight);
        }
    }
    sum
}
