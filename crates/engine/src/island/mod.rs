//! Constraint rows → islands: groups of trees coupled by constraints, which can be solved independently.

mod gather;
mod trees;
mod work;

use crate::data::{Contact, Efc, Inertia, Island, Pose};
use crate::model::Model;
use crate::model::enums::{ConstraintType, DisableFlags};
pub use work::IslandWork;

/// Finds the islands and reorders dofs, inertia and constraint rows by island.
///
/// *Equation*: two trees are in one island if a constraint, or an implicit spring or damper, acts on both; islands are
/// numbered by their first tree, dofs and rows keep their order within an island, dofs without constraints come last.
/// *Reads* `M`, `qLD`, the constraint rows. *Writes* the `island` block except what [`solver`](crate::solver) fills:
/// `ifrc_smooth`, `iacc_smooth`, `iacc`, `iefc_aref`, `iefc_force`, `iefc_state`, `ifrc_constraint`.
#[doc(alias = "mj_island")]
pub fn island(
    m: &Model,
    pose: &Pose,
    contact: &[Contact],
    efc: &Efc,
    inertia: &Inertia,
    out: &mut Island,
    work: &mut IslandWork,
) {
    if efc.nefc == 0 || m.opt.disabled(DisableFlags::ISLAND) {
        return out.clear();
    }
    trees::find(m, pose, contact, efc, out, work);
    number_trees(m, out, work);
    number_dofs(m, out, work);
    gather::inertia(m, inertia, out);
    number_rows(efc, out, work);
    gather::rows(efc, out);
    gather::jacobian(m, efc, out);
}

/// Fills `count` with the exclusive prefix sum of `sizes`.
fn starts(count: &mut Vec<i32>, sizes: &[i32]) {
    let mut sum = 0;
    count.clear();
    count.extend(sizes.iter().map(|n| {
        sum += n;
        sum - n
    }));
}

/// Sorts trees by island, those without constraints last.
fn number_trees(m: &Model, out: &mut Island, work: &mut IslandWork) {
    let Island { tree_island, island_ntree, island_itreeadr, map_itree2tree, nisland, .. } = out;
    island_ntree.clear();
    island_ntree.resize(*nisland as usize, 0);
    tree_island.iter().filter(|i| **i >= 0).for_each(|&i| island_ntree[i as usize] += 1);
    starts(island_itreeadr, island_ntree);
    let next = work.next(island_itreeadr, island_ntree.iter().sum());
    for tree in 0..m.ntree {
        map_itree2tree[take(next, tree_island[tree])] = tree as i32;
    }
}

/// Sorts dofs by island, those without constraints last.
fn number_dofs(m: &Model, out: &mut Island, work: &mut IslandWork) {
    let Island { tree_island, dof_island, island_nv, island_idofadr, island_dofadr, .. } = out;
    island_nv.clear();
    island_nv.resize(out.nisland as usize, 0);
    for (of, &tree) in dof_island.iter_mut().zip(m.dof_treeid.iter()) {
        *of = tree_island[tree as usize];
        if let Ok(i) = usize::try_from(*of) {
            island_nv[i] += 1;
        }
    }
    starts(island_idofadr, island_nv);
    out.nidof = island_nv.iter().sum();
    let next = work.next(island_idofadr, out.nidof);
    for dof in 0..m.nv {
        let at = take(next, dof_island[dof]);
        out.map_dof2idof[dof] = at as i32;
        out.map_idof2dof[at] = dof as i32;
    }
    island_dofadr.clear();
    island_dofadr.extend(island_idofadr.iter().map(|&i| out.map_idof2dof[i as usize]));
}

/// Sorts rows by island, given `efc_island`.
fn number_rows(efc: &Efc, out: &mut Island, work: &mut IslandWork) {
    if out.nisland == 1 {
        return keep_rows(efc, out);
    }
    let Island { efc_island, island_ne, island_nf, island_nefc, island_iefcadr, .. } = out;
    for count in [&mut *island_ne, &mut *island_nf, &mut *island_nefc] {
        count.clear();
        count.resize(out.nisland as usize, 0);
    }
    for (&island, &kind) in efc_island.iter().zip(&efc.efc_type) {
        let island = island as usize;
        island_nefc[island] += 1;
        if kind == ConstraintType::Equality as i32 {
            island_ne[island] += 1;
        } else if kind == ConstraintType::FrictionDof as i32 || kind == ConstraintType::FrictionTendon as i32 {
            island_nf[island] += 1;
        }
    }
    starts(island_iefcadr, island_nefc);
    let next = work.next(island_iefcadr, efc.nefc);
    out.map_efc2iefc.clear();
    out.map_iefc2efc.clear();
    out.map_iefc2efc.resize(efc_island.len(), 0);
    for (row, &island) in efc_island.iter().enumerate() {
        let at = take(next, island);
        out.map_efc2iefc.push(at as i32);
        out.map_iefc2efc[at] = row as i32;
    }
}

/// [`number_rows`] for a single island, where rows keep their order.
fn keep_rows(efc: &Efc, out: &mut Island) {
    let Island { island_ne, island_nf, island_nefc, island_iefcadr, map_efc2iefc, map_iefc2efc, .. } = out;
    for (one, value) in [(island_ne, efc.ne), (island_nf, efc.nf), (island_nefc, efc.nefc), (island_iefcadr, 0)] {
        one.clear();
        one.push(value);
    }
    for map in [map_efc2iefc, map_iefc2efc] {
        map.clear();
        map.extend(0..efc.nefc);
    }
}

/// Takes the next free index of an island; a negative `island` takes one after all islands.
fn take(next: &mut [i32], island: i32) -> usize {
    let place = usize::try_from(island).unwrap_or(next.len() - 1);
    next[place] += 1;
    next[place] as usize - 1
}
