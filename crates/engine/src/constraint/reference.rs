//! The acceleration that constraints ask for.

use crate::data::solver::RowGroups;
use crate::data::{Efc, State};
use crate::model::Model;
use crate::support::row::Jacobian;

/// Velocity of each row, and its reference acceleration.
///
/// *Equation*: `vel = J qvel`, `aref = −B vel − K d (pos − margin)`.
/// *Reads* `qvel`, `efc_J`, `efc_KBIP`, `efc_pos`. *Writes* `efc_vel`, `efc_aref`.
#[doc(alias = "mj_referenceConstraint")]
pub fn reference_constraint(m: &Model, state: &State, groups: &RowGroups, efc: &mut Efc) {
    // taken out while the rest of the block is read
    let mut vel = std::mem::take(&mut efc.efc_vel);
    Jacobian::efc(m, efc).mul_vec_within(groups, &mut vel, &state.qvel);
    efc.efc_vel = vel;
    for i in 0..efc.efc_vel.len() {
        let [k, b, imp, _] = efc.efc_KBIP[i];
        efc.efc_aref[i] = -b * efc.efc_vel[i] - k * imp * (efc.efc_pos[i] - efc.efc_margin[i]);
    }
}
