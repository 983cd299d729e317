//! Allocation of contacts and constraint rows that were computed elsewhere.

use super::{add, call};
use crate::data::MjData;
use crate::error;
use pyo3::prelude::*;
use sinew_engine::data::Contact;
use sinew_engine::support::is_sparse;
use sinew_engine::{Data, Model};

/// Bytes that a contact, a constraint row and an entry of the Jacobian take in MuJoCo's arena.
const BYTES: [u128; 3] = [576, 152, 12];

/// Replaces the contacts and constraint rows by `ncon` and `nefc` zeroed ones, with `nJ` entries of the Jacobian. MJX
/// calls it before it writes its own. Rows whose other values stay zero have no effect.
#[pyfunction]
#[pyo3(signature = (d, ncon, nefc, nJ = -1))]
#[allow(non_snake_case)]
fn _realloc_con_efc(py: Python<'_>, d: &Bound<'_, MjData>, ncon: usize, nefc: usize, nJ: i64) -> PyResult<()> {
    let m = d.get().model.bind(py).clone();
    // previous contents are dropped even if they are invalid
    d.setattr("ncon", 0)?;
    d.setattr("nefc", 0)?;
    let full = call(py, &m, d, |m, d| {
        let entries = usize::try_from(nJ).unwrap_or_else(|_| nefc.saturating_mul(m.nv));
        let needed: u128 = [ncon, nefc, entries].into_iter().zip(BYTES).map(|(n, bytes)| n as u128 * bytes).sum();
        let full = needed > m.narena as u128;
        fit(m, d, if full { [0; 3] } else { [ncon, nefc, entries] });
        full.then_some(m.narena)
    })?;
    full.map_or(Ok(()), |bytes| {
        let size = if bytes >= 1 << 20 { format!("{}M", bytes >> 20) } else { format!("{}K", bytes >> 10) };
        let advice = r#"Increase using <size memory="X"/>."#;
        Err(error::fatal(format!(r#"Insufficient arena memory, currently allocated memory="{size}". {advice}"#)))
    })
}

fn fit(m: &Model, d: &mut Data, [ncon, nefc, entries]: [usize; 3]) {
    d.contact.clear();
    d.contact.resize(ncon, Contact { dim: 3, efc_address: -1, flex: [-1; 2], ..Contact::default() });
    d.collision.ncon = ncon as i32;
    let e = &mut d.efc;
    (e.nefc, e.nJ) = (nefc as i32, entries as i32);
    for ints in [&mut e.efc_type, &mut e.efc_id, &mut e.efc_J_rownnz, &mut e.efc_J_rowadr, &mut e.efc_J_rowsuper] {
        ints.resize(nefc, 0);
    }
    let (pos, near) = ([&mut e.efc_pos, &mut e.efc_margin, &mut e.efc_frictionloss], [&mut e.efc_diagApprox]);
    let (weights, motion) = ([&mut e.efc_D, &mut e.efc_R], [&mut e.efc_vel, &mut e.efc_aref]);
    pos.into_iter().chain(near).chain(weights).chain(motion).for_each(|numbers| numbers.resize(nefc, 0.0));
    e.efc_KBIP.resize(nefc, [0.0; 4]);
    e.efc_J.resize(entries, 0.0);
    if is_sparse(m) {
        e.efc_J_colind.resize(entries, 0);
    }
    d.solution.efc_b.resize(nefc, 0.0);
    d.solution.efc_force.resize(nefc, 0.0);
    d.solution.efc_state.resize(nefc, 0);
    // the dofs that the rows act on are unknown: assume all
    let all: Vec<i32> = (0..m.nv as i32).collect();
    d.row_groups.clear();
    d.row_groups.push(nefc, &all);
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, _realloc_con_efc);
    Ok(())
}
