//! Copies inertia and constraint rows to island order.

use crate::data::{Efc, Inertia, Island};
use crate::model::Model;
use crate::support::{inertia::pattern, is_sparse};
use sinew_math::sparse::{Pattern, gather};
use std::ops::Range;

/// Index range of an island.
fn range(start: &[i32], count: &[i32], island: usize) -> Range<usize> {
    start[island] as usize..(start[island] + count[island]) as usize
}

/// Whether one island has all dofs, so that the order stays the same.
fn is_whole(m: &Model, out: &Island) -> bool {
    out.nisland == 1 && out.nidof as usize == m.nv
}

fn copy<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}

/// Copies the mass matrix and its factor; column indices are relative to the first dof of the island.
pub(super) fn inertia(m: &Model, inertia: &Inertia, out: &mut Island) {
    let at = pattern(m);
    if is_whole(m, out) {
        copy(&mut out.iM_rownnz, at.rownnz);
        copy(&mut out.iM_rowadr, at.rowadr);
        out.iM_colind.copy_from_slice(at.colind);
        out.iM.copy_from_slice(&inertia.M);
        out.iLD.copy_from_slice(&inertia.qLD);
        copy(&mut out.iLDiagInv, &inertia.qLDiagInv);
        return;
    }
    let mut adr = 0;
    out.iM_rownnz.clear();
    out.iM_rowadr.clear();
    // dofs of a tree are contiguous, in island order too; trees outside all islands come last
    let trees = out.map_itree2tree.iter().map(|&tree| (tree as usize, out.tree_island[tree as usize]));
    for (tree, island) in trees.take_while(|(_, island)| *island >= 0) {
        let dofs = range(&m.tree_dofadr, &m.tree_dofnum, tree);
        let Some(last) = dofs.clone().next_back() else { continue };
        let from = at.range(dofs.start).start..at.range(last).end;
        let to = adr..adr + from.len();
        let moved = adr as i32 - from.start as i32;
        out.iM_rownnz.extend_from_slice(&at.rownnz[dofs.clone()]);
        out.iM_rowadr.extend(at.rowadr[dofs.clone()].iter().map(|a| a + moved));
        let moved = out.map_dof2idof[dofs.start] - dofs.start as i32 - out.island_idofadr[island as usize];
        let cols = out.iM_colind[to.clone()].iter_mut().zip(&at.colind[from.clone()]);
        cols.for_each(|(to, col)| *to = col + moved);
        out.iM[to.clone()].copy_from_slice(&inertia.M[from.clone()]);
        out.iLD[to.clone()].copy_from_slice(&inertia.qLD[from]);
        adr = to.end;
    }
    gather(&mut out.iLDiagInv, &inertia.qLDiagInv, &out.map_idof2dof[..out.nidof as usize]);
}

/// Copies all row data except the Jacobian.
pub(super) fn rows(efc: &Efc, out: &mut Island) {
    if out.nisland == 1 {
        copy(&mut out.iefc_type, &efc.efc_type);
        copy(&mut out.iefc_id, &efc.efc_id);
        copy(&mut out.iefc_frictionloss, &efc.efc_frictionloss);
        copy(&mut out.iefc_D, &efc.efc_D);
        copy(&mut out.iefc_R, &efc.efc_R);
        return;
    }
    let map = &out.map_iefc2efc;
    gather(&mut out.iefc_type, &efc.efc_type, map);
    gather(&mut out.iefc_id, &efc.efc_id, map);
    gather(&mut out.iefc_frictionloss, &efc.efc_frictionloss, map);
    gather(&mut out.iefc_D, &efc.efc_D, map);
    gather(&mut out.iefc_R, &efc.efc_R, map);
}

/// Copies the Jacobian, one block per island.
pub(super) fn jacobian(m: &Model, efc: &Efc, out: &mut Island) {
    if is_whole(m, out) {
        copy(&mut out.iefc_J, &efc.efc_J);
        copy(&mut out.iefc_J_colind, &efc.efc_J_colind);
        copy(&mut out.iefc_J_rownnz, &efc.efc_J_rownnz);
        copy(&mut out.iefc_J_rowadr, &efc.efc_J_rowadr);
        copy(&mut out.iefc_J_rowsuper, &efc.efc_J_rowsuper);
    } else if is_sparse(m) {
        sparse(efc, out);
    } else {
        for v in [&mut out.iefc_J_rownnz, &mut out.iefc_J_rowadr, &mut out.iefc_J_rowsuper] {
            v.resize(efc.nefc as usize, 0);
        }
        out.iefc_J.resize(efc.efc_J.len(), 0.0);
        dense(m.nv, efc, out);
    }
}

/// Dense blocks. Each starts at its first row times `nidof`, as if rows had all island dofs, and is packed from there.
fn dense(nv: usize, efc: &Efc, out: &mut Island) {
    for island in 0..out.nisland as usize {
        let rows = range(&out.island_iefcadr, &out.island_nefc, island);
        let dofs = &out.map_idof2dof[range(&out.island_idofadr, &out.island_nv, island)];
        let mut block = out.iefc_J[out.nidof as usize * rows.start..].chunks_exact_mut(dofs.len());
        for &row in &out.map_iefc2efc[rows] {
            let from = &efc.efc_J[row as usize * nv..][..nv];
            if let Some(to) = block.next() {
                to.iter_mut().zip(dofs).for_each(|(v, &dof)| *v = from[dof as usize]);
            }
        }
    }
}

/// Sparse rows, concatenated; column indices are relative to the first dof of the island. Rows with the same columns
/// are in the same island and stay adjacent.
fn sparse(efc: &Efc, out: &mut Island) {
    let from = Pattern { rownnz: &efc.efc_J_rownnz, rowadr: &efc.efc_J_rowadr, colind: &efc.efc_J_colind };
    for v in [&mut out.iefc_J_rownnz, &mut out.iefc_J_rowadr, &mut out.iefc_J_colind] {
        v.clear();
    }
    out.iefc_J.clear();
    let mut i = 0;
    while let Some(&row) = out.map_iefc2efc.get(i) {
        let row = row as usize;
        let (source, count, adr) = (from.range(row), efc.efc_J_rowsuper[row] as usize + 1, out.iefc_J.len());
        let (len, first) = (source.len(), out.island_idofadr[out.efc_island[row] as usize]);
        out.iefc_J.extend_from_slice(&efc.efc_J[source.start..source.start + count * len]);
        out.iefc_J_rownnz.extend((0..count).map(|_| len as i32));
        out.iefc_J_rowadr.extend((0..count).map(|k| (adr + k * len) as i32));
        out.iefc_J_colind.extend(from.cols(row).iter().map(|&col| out.map_dof2idof[col as usize] - first));
        repeat(&mut out.iefc_J_colind, adr, count * len);
        i += count;
    }
    out.iefc_J_rowsuper.resize(i, 0);
    for island in 0..out.nisland as usize {
        let rows = range(&out.island_iefcadr, &out.island_nefc, island);
        let part = Pattern {
            rownnz: &out.iefc_J_rownnz[rows.clone()],
            rowadr: &out.iefc_J_rowadr[rows.clone()],
            colind: &out.iefc_J_colind,
        };
        for (k, i) in rows.clone().enumerate().rev() {
            let alike = i + 1 < rows.end
                && (efc.efc_J_rowsuper[out.map_iefc2efc[i] as usize] > 0 || part.cols(k) == part.cols(k + 1));
            out.iefc_J_rowsuper[i] = if alike { out.iefc_J_rowsuper[i + 1] + 1 } else { 0 };
        }
    }
}

/// Repeats the entries from `start` on until there are `len` of them.
fn repeat(v: &mut Vec<i32>, start: usize, len: usize) {
    while v.len() < start + len {
        let more = (v.len() - start).min(start + len - v.len());
        v.extend_from_within(start..start + more);
    }
}
