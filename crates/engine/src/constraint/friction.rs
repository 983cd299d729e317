//! Constraint rows of dry friction in dofs and tendons.

use super::row::{Group, Rows};
use super::work::Block;
use crate::data::{Awake, Pose};
use crate::model::Model;
use crate::model::enums::ConstraintType;
use crate::support::awake as subset;
use crate::support::row::tendon_row;

/// Adds a row for each dof and tendon with `frictionloss`, which bounds the force of the row.
#[doc(alias = "mj_instantiateFriction")]
pub fn rows(m: &Model, awake: &Awake, pose: &Pose, out: &mut Rows, block: &mut Block) {
    let skips = subset::skips_trees(m, awake);
    for i in 0..m.nv {
        let loss = m.dof_frictionloss[i];
        if loss == 0.0 || skips && subset::body_asleep(awake, m.dof_bodyid[i] as usize) {
            continue;
        }
        block.clear();
        block.push(i, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let group = Group::one(ConstraintType::FrictionDof, i, 0.0, m.dof_invweight0[i]);
        out.push(block, &Group { frictionloss: loss, ..group });
    }
    for i in 0..m.ntendon {
        let loss = m.tendon_frictionloss[i];
        if loss > 0.0 {
            block.clear();
            tendon_row(m, pose, i).entries().for_each(|(dof, v)| block.push(dof, [v, 0.0, 0.0, 0.0, 0.0, 0.0]));
            let group = Group::one(ConstraintType::FrictionTendon, i, 0.0, m.tendon_invweight0[i]);
            let first = out.len();
            out.push(block, &Group { frictionloss: loss, ..group });
            out.mark_tendon(i, first);
        }
    }
}
