//! Reference acceleration of constraints.

use crate::data::rows::RowGroups;
use crate::data::{Efc, State};
use crate::model::Model;
use crate::support::row::Jacobian;

/// Velocity of each row, and its reference acceleration.
///
/// *Equation*: `vel = J qvel`, `aref = −B vel − K d (pos − margin)`.
/// *Reads* `qvel`, `efc_J`, `efc_KBIP`, `efc_pos`. *Writes* `efc_vel`, `efc_aref`.
#[doc(alias = "mj_referenceConstraint")]
pub fn reference_constraint(m: &Model, state: &State, groups: &RowGroups, efc: &mut Efc) {
    let Efc { efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_J, efc_vel, .. } = &mut *efc;
    let jac = Jacobian::new(m, [efc_J_rownnz, efc_J_rowadr, efc_J_colind], efc_J);
    jac.mul_vec_within(groups, efc_vel, &state.qvel);
    for i in 0..efc.efc_vel.len() {
        let [k, b, imp, _] = efc.efc_KBIP[i];
        efc.efc_aref[i] = -b * efc.efc_vel[i] - k * imp * (efc.efc_pos[i] - efc.efc_margin[i]);
    }
}
