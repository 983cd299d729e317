//! The dual matrix, which maps constraint forces to constraint accelerations.

use super::work::{DualWork, SolverRoom, SolverWork};
use crate::data::{Dual, Efc, Inertia};
use crate::model::Model;
use crate::model::enums::SolverType;
use crate::support::inertia::pattern;
use crate::support::is_sparse;
use crate::support::row::Jacobian;
use sinew_math::sparse::{self, Pattern};

/// Whether the dual matrix is needed.
#[doc(alias = "mj_isDual")]
pub fn is_dual(m: &Model) -> bool {
    m.opt.solver == SolverType::Pgs || m.opt.noslip_iterations > 0
}

/// Computes `J M⁻¹ Jᵀ + diag(R)`, with implicit springs included in `M`; both triangles are stored, dense or sparse
/// like the Jacobian.
///
/// *Equation*: `B = J L⁻¹ D^{−½}`, then `B Bᵀ`. *Reads* `efc_J`, `qLD`, `efc_R`.
/// *Writes* `nA`, `efc_AR`, `efc_AR_rownnz`, `efc_AR_rowadr`, `efc_AR_colind`.
/// Returns false if the matrix would not fit into `room`, the bytes left in the model's arena; the caller then drops
/// all rows.
#[doc(alias = "mj_projectConstraint")]
pub fn project_constraint(
    m: &Model,
    inertia: &Inertia,
    efc: &Efc,
    out: &mut Dual,
    work: &mut SolverRoom,
    room: usize,
) -> bool {
    if efc.nefc == 0 || !is_dual(m) {
        return true;
    }
    if !work.springs.all().is_empty() {
        return with_springs(m, inertia, efc, out, work, room);
    }
    let w = &mut work.works[0].dual;
    half_solve(m, inertia, efc, w);
    let fits = if is_sparse(m) {
        shared_trees(m, efc, out, w, room) && {
            fill_sparse(efc, out, w);
            true
        }
    } else {
        let n = efc.nefc as usize;
        n * n * 8 <= room && {
            fill_dense(efc, out, w);
            true
        }
    };
    out.nA = out.efc_AR.len() as i32;
    fits
}

/// Computes the matrix with springs in the mass matrix. Springs may couple any dofs, so all entries are stored.
fn with_springs(m: &Model, inertia: &Inertia, efc: &Efc, out: &mut Dual, work: &mut SolverRoom, room: usize) -> bool {
    let n = efc.nefc as usize;
    if n * n * 12 > room {
        return false;
    }
    let (jac, SolverWork { sparse: chol, row, .. }) = (Jacobian::efc(m, efc), &mut work.works[0]);
    work.springs.all().factor(pattern(m), &inertia.M, chol);
    out.efc_AR.clear();
    out.efc_AR.resize(n * n, 0.0);
    row.resize(m.nv, 0.0);
    for i in 0..n {
        row.fill(0.0);
        jac.row(i).add_to(row, 1.0);
        chol.solve(row);
        for j in i..n {
            let v = jac.row(j).dot(row);
            out.efc_AR[i * n + j] = v;
            out.efc_AR[j * n + i] = v;
        }
        out.efc_AR[i * n + i] += efc.efc_R[i];
    }
    // must be zero between uses
    row.fill(0.0);
    if is_sparse(m) {
        out.efc_AR_rownnz.clear();
        out.efc_AR_rownnz.resize(n, n as i32);
        out.efc_AR_rowadr.clear();
        out.efc_AR_rowadr.extend((0..n).map(|i| (i * n) as i32));
        out.efc_AR_colind.clear();
        (0..n).for_each(|_| out.efc_AR_colind.extend(0..n as i32));
    }
    out.nA = (n * n) as i32;
    true
}

/// `B`: rows of the Jacobian, extended to the roots, times `L⁻¹ D^{−½}`.
fn half_solve(m: &Model, inertia: &Inertia, efc: &Efc, w: &mut DualWork) {
    let (n, p) = (efc.nefc as usize, pattern(m));
    let jac = Jacobian::efc(m, efc);
    w.adr.clear();
    w.adr.push(0);
    w.cols.clear();
    w.values.clear();
    w.row.clear();
    w.row.resize(m.nv, 0.0);
    w.mark.clear();
    w.mark.resize(m.nv.max(n), -1);
    w.scale.clear();
    w.scale.extend((0..m.nv).map(|i| 1.0 / inertia.qLD[p.range(i).end - 1].sqrt()));
    for r in 0..n {
        let start = w.cols.len();
        for (dof, v) in jac.row(r).entries() {
            if v == 0.0 {
                continue;
            }
            w.row[dof] = v;
            let mut up = dof as i32;
            while let Ok(at) = usize::try_from(up)
                && w.mark[at] != r as i32
            {
                w.mark[at] = r as i32;
                w.cols.push(up);
                up = m.dof_parentid[at];
            }
        }
        let cols = &mut w.cols[start..];
        cols.sort_unstable();
        for &c in cols.iter().rev() {
            let x = w.row[c as usize];
            if x != 0.0 {
                let range = p.range(c as usize);
                for at in range.start..range.end - 1 {
                    w.row[p.colind[at] as usize] -= inertia.qLD[at] * x;
                }
            }
        }
        for &c in cols.iter() {
            w.values.push(std::mem::take(&mut w.row[c as usize]) * w.scale[c as usize]);
        }
        w.adr.push(w.cols.len());
    }
}

/// Finds the columns of the sparse matrix: rows that touch a common tree. Returns false if they do not fit into `room`.
fn shared_trees(m: &Model, efc: &Efc, out: &mut Dual, w: &mut DualWork, room: usize) -> bool {
    let Dual { efc_AR_rownnz, efc_AR_rowadr, efc_AR_colind, .. } = out;
    let p = Pattern { rownnz: &efc.efc_J_rownnz, rowadr: &efc.efc_J_rowadr, colind: &efc.efc_J_colind };
    let n = p.rows();
    let tree = |c: i32| m.dof_treeid[c as usize] as usize;
    w.trees.iter_mut().for_each(Vec::clear);
    w.trees.resize_with(m.ntree, Vec::new);
    for r in 0..n {
        for &c in p.cols(r) {
            let rows = &mut w.trees[tree(c)];
            if rows.last() != Some(&(r as i32)) {
                rows.push(r as i32);
            }
        }
    }
    efc_AR_rownnz.clear();
    efc_AR_rowadr.clear();
    efc_AR_colind.clear();
    w.mark.fill(-1);
    for r in 0..n {
        let start = efc_AR_colind.len();
        let mut last = usize::MAX;
        for &c in p.cols(r) {
            if tree(c) == last {
                continue;
            }
            last = tree(c);
            for &other in &w.trees[last] {
                if w.mark[other as usize] != r as i32 {
                    w.mark[other as usize] = r as i32;
                    efc_AR_colind.push(other);
                }
            }
        }
        efc_AR_colind[start..].sort_unstable();
        efc_AR_rowadr.push(start as i32);
        efc_AR_rownnz.push((efc_AR_colind.len() - start) as i32);
        if efc_AR_colind.len() * 12 + n * 8 > room {
            return false;
        }
    }
    true
}

/// Product of rows `i` and `j` of `B`, with row `i` expanded in `w.row`.
#[inline]
fn product(w: &DualWork, j: usize) -> f64 {
    let range = w.adr[j]..w.adr[j + 1];
    sparse::dot(&w.values[range.clone()], &w.cols[range], &w.row)
}

fn open_row(w: &mut DualWork, i: usize) {
    for at in w.adr[i]..w.adr[i + 1] {
        w.row[w.cols[at] as usize] = w.values[at];
    }
}

fn close_row(w: &mut DualWork, i: usize) {
    for at in w.adr[i]..w.adr[i + 1] {
        w.row[w.cols[at] as usize] = 0.0;
    }
}

fn fill_sparse(efc: &Efc, out: &mut Dual, w: &mut DualWork) {
    let n = efc.nefc as usize;
    out.efc_AR.clear();
    out.efc_AR.resize(out.efc_AR_colind.len(), 0.0);
    // number of leading entries of each row that have been filled by symmetry
    w.mark.fill(0);
    for i in 0..n {
        open_row(w, i);
        let start = out.efc_AR_rowadr[i] as usize;
        let end = start + out.efc_AR_rownnz[i] as usize;
        for at in start + w.mark[i] as usize..end {
            let j = out.efc_AR_colind[at] as usize;
            let v = product(w, j);
            out.efc_AR[at] = if i == j { v + efc.efc_R[i] } else { v };
            if i != j {
                // all columns of row j before i have been filled
                out.efc_AR[out.efc_AR_rowadr[j] as usize + w.mark[j] as usize] = v;
                w.mark[j] += 1;
            }
        }
        close_row(w, i);
    }
}

fn fill_dense(efc: &Efc, out: &mut Dual, w: &mut DualWork) {
    let n = efc.nefc as usize;
    out.efc_AR.clear();
    out.efc_AR.resize(n * n, 0.0);
    for i in 0..n {
        open_row(w, i);
        for j in i..n {
            let v = product(w, j);
            out.efc_AR[i * n + j] = v;
            out.efc_AR[j * n + i] = v;
        }
        out.efc_AR[i * n + i] += efc.efc_R[i];
        close_row(w, i);
    }
}
