//! All constraint rows of the present position, in MuJoCo's order.

use super::row::Rows;
use super::{equality, friction, impedance, limit};
use crate::data::{Awake, Efc, Pose, Scratch, State};
use crate::model::Model;
use crate::model::enums::DisableBit;

/// Rows of equalities, dry friction and limits with their Jacobian, regularisation and stiffness.
///
/// *Reads* positions, poses, tendon lengths and Jacobians. *Writes* the `efc` block up to `efc_R`.
#[doc(alias = "mj_makeConstraint")]
pub fn make_constraint(m: &Model, state: &State, awake: &Awake, pose: &Pose, efc: &mut Efc, scratch: &mut Scratch) {
    let mut rows = Rows::new(m, efc);
    if !m.opt.disabled(DisableBit::Constraint) {
        if !m.opt.disabled(DisableBit::Equality) {
            equality::rows(m, state, awake, pose, &mut rows, scratch);
        }
        if !m.opt.disabled(DisableBit::Frictionloss) {
            friction::rows(m, awake, pose, &mut rows, &mut scratch.block);
        }
        if !m.opt.disabled(DisableBit::Limit) {
            limit::rows(m, state, awake, pose, &mut rows, &mut scratch.block);
        }
    }
    rows.finish();
    impedance::make_impedance(m, efc);
}
