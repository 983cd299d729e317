//! Rows of contacts.

use super::row::{ContactRows, Rows};
use super::work::Block;
use crate::data::{Contact, Pose};
use crate::model::Model;
use crate::model::enums::ConstraintType;
use crate::support::{chain, is_pyramidal};
use sinew_math::{mat3, spatial, vec3};

/// `exclude` of a contact that moves nothing.
pub(super) const MOVES_NOTHING: i32 = 3;

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
    for (id, con) in contact.iter_mut().enumerate().filter(|(_, con)| con.exclude == 0) {
        let [Ok(g1), Ok(g2)] = con.geom.map(usize::try_from) else {
            con.efc_address = -1;
            continue;
        };
        let bodies = [m.geom_bodyid[g1] as usize, m.geom_bodyid[g2] as usize];
        relative_motion(m, pose, bodies, con, block);
        con.efc_address = out.len() as i32;
        if !out.accepts(block) {
            con.efc_address = -1;
            con.exclude = MOVES_NOTHING;
            continue;
        }
        let weight = [0, 1].map(|k| m.body_invweight0[bodies[0]][k] + m.body_invweight0[bodies[1]][k]);
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
        out.end_group(block);
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
