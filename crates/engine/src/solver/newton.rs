//! The Hessian of the cost and its Cholesky factor.

use super::primal::{Problem, QUADRATIC};
use crate::data::scratch::SolverWork;
use crate::support::row::{JacRow, Jacobian};
use sinew_math::{MINVAL, factor};

/// Prepares the sparsity of the Hessian, if it is kept sparse.
pub fn prepare(p: &Problem, w: &mut SolverWork) {
    match p.jac {
        Jacobian::Dense { nv, .. } => w.hessian.resize(nv * nv, 0.0),
        Jacobian::Sparse(rows, _) => w.sparse.analyse(p.pattern, p.d.len(), |i| rows.cols(i)),
    }
}

/// Factors `H = M + Jᵀ diag(D) J`, over the rows in their quadratic range.
pub fn factorize(p: &Problem, state: &[i32], w: &mut SolverWork) {
    let quadratic = state.iter().enumerate().filter(|(_, s)| **s == QUADRATIC).map(|(i, _)| i);
    match p.jac {
        Jacobian::Dense { nv, .. } => {
            let SolverWork { hessian: h, nonzero, .. } = w;
            h.fill(0.0);
            for i in quadratic {
                nonzero.clear();
                nonzero.extend(p.jac.row(i).entries().filter(|e| e.1 != 0.0));
                for (k, &(a, va)) in nonzero.iter().enumerate() {
                    let (scaled, row) = (p.d[i] * va, &mut h[a * nv..(a + 1) * nv]);
                    nonzero[k..].iter().for_each(|&(b, vb)| row[b] += scaled * vb);
                }
            }
            for a in 0..nv {
                for adr in p.pattern.range(a) {
                    h[p.pattern.colind[adr] as usize * nv + a] += p.mass[adr];
                }
            }
            factor::chol_factor(h, nv, MINVAL);
        }
        Jacobian::Sparse(..) => {
            w.sparse.clear();
            w.sparse.add_tree(p.pattern, p.mass);
            for i in quadratic {
                if let JacRow::Sparse(cols, values) = p.jac.row(i) {
                    w.sparse.add_outer(cols, values, p.d[i]);
                }
            }
            w.sparse.factor();
        }
    }
}

/// Brings the factor up to date with rows that entered or left their quadratic range since `w.oldstate`.
pub fn update(p: &Problem, state: &[i32], w: &mut SolverWork) {
    let nv = w.row.len();
    for i in 0..state.len() {
        let (was, is) = (w.oldstate[i] == QUADRATIC, state[i] == QUADRATIC);
        if was == is {
            continue;
        }
        let row = p.jac.row(i);
        w.row.fill(0.0);
        row.add_to(&mut w.row, p.d[i].sqrt());
        let rank = match row {
            JacRow::Dense(_) => factor::chol_update(&mut w.hessian, &mut w.row, is),
            JacRow::Sparse(cols, _) => cols.last().map_or(nv, |&c| w.sparse.update(&mut w.row, c as usize, is)),
        };
        if rank < nv {
            // accuracy was lost
            return factorize(p, state, w);
        }
    }
}

/// Solves `H x = x` in place for `w.mgrad`.
pub fn solve(p: &Problem, w: &mut SolverWork) {
    match p.jac {
        Jacobian::Dense { nv, .. } => factor::chol_solve(&mut w.mgrad, &w.hessian, nv),
        Jacobian::Sparse(..) => w.sparse.solve(&mut w.mgrad),
    }
}
