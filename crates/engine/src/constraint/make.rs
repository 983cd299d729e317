//! All constraint rows at the current position, in MuJoCo's order.

use super::row::Rows;
use super::work::ConstraintWork;
use super::{contact, equality, friction, impedance, limit};
use crate::data::rows::RowGroups;
use crate::data::{Awake, Contact, Efc, Pose, State};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::contact::MOVES_NOTHING;

/// Builds the rows of equalities, dry friction, limits and contacts with their Jacobian, regularisation and stiffness.
/// Returns false if they would not fit into the model's arena.
///
/// *Reads* positions, poses, tendon lengths and Jacobians, contacts.
/// *Writes* the `efc` block up to `efc_R`; `efc_address`, `exclude` and `mu` of contacts.
#[doc(alias = "mj_makeConstraint")]
pub fn make_constraint(
    m: &Model,
    state: &State,
    awake: &Awake,
    pose: &Pose,
    contact: &mut [Contact],
    efc: &mut Efc,
    groups: &mut RowGroups,
    work: &mut ConstraintWork,
) -> bool {
    let mut rows = Rows::new(m, efc, groups);
    if !m.opt.disabled(DisableFlags::CONSTRAINT) {
        if !m.opt.disabled(DisableFlags::EQUALITY) {
            equality::rows(m, state, awake, pose, &mut rows, work);
        }
        if !m.opt.disabled(DisableFlags::FRICTIONLOSS) {
            friction::rows(m, awake, pose, &mut rows, &mut work.block);
        }
        if !m.opt.disabled(DisableFlags::LIMIT) {
            limit::rows(m, state, awake, pose, &mut rows, &mut work.block);
        }
        if !m.opt.disabled(DisableFlags::CONTACT) {
            contact::rows(m, pose, contact, &mut rows, work);
        }
    }
    rows.finish();
    if memory(m, contact.len(), efc) > m.narena {
        return false;
    }
    impedance::make_impedance(m, contact, efc);
    true
}

/// Bytes per sparse entry: column index and value.
const ENTRY: usize = 4 + 8;

/// Removes contacts from the solver after their rows were dropped.
pub fn drop_rows(contact: &mut [Contact]) {
    for con in contact {
        con.efc_address = -1;
        con.exclude = if con.exclude == MOVES_NOTHING { 0 } else { con.exclude };
    }
}

/// Lower bound on the bytes that contacts and rows take in MuJoCo's arena, whose size is `narena`.
pub fn memory(m: &Model, contacts: usize, efc: &Efc) -> usize {
    const CONTACT: usize = 576;
    /// Six integers and fourteen floats.
    const ROW: usize = 6 * 4 + 14 * 8;
    let (rows, entries) = (efc.nefc as usize, efc.nJ as usize);
    contacts * CONTACT + rows * ROW + entries * ENTRY + 4 * m.ntendon
}

/// Additional bytes that islands take in the arena.
pub fn island_memory(m: &Model, efc: &Efc) -> usize {
    /// Nine integers and five floats.
    const ISLAND_ROW: usize = 9 * 4 + 5 * 8;
    let (rows, entries) = (efc.nefc as usize, efc.nJ as usize);
    if rows == 0 || m.opt.disabled(DisableFlags::ISLAND) {
        0
    } else {
        rows * ISLAND_ROW + entries * ENTRY + m.nC * (4 + 2 * 8)
    }
}
