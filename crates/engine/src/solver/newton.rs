//! The Hessian of the cost and its Cholesky factor.

use super::primal::{CONE, Problem, QUADRATIC};
use crate::data::solver::{Cone, SolverWork};
use crate::support::row::{JacRow, Jacobian};
use sinew_math::{MINVAL, factor};

/// Prepares the sparsity of the Hessian, if it is kept sparse. Returns the number of stored entries.
pub fn prepare(p: &Problem, w: &mut SolverWork) -> usize {
    match p.jac {
        Jacobian::Dense { nv, .. } => {
            w.hessian.resize(nv * nv, 0.0);
            nv * nv
        }
        Jacobian::Sparse(rows, _) => {
            w.sparse.analyse(p.pattern, p.d.len(), |i| rows.cols(i));
            w.sparse.nnz()
        }
    }
}

/// Factors `H = M + Jᵀ diag(D) J`, over the rows in their quadratic range, then adds curved cones.
/// Returns the number of rows it went through.
pub fn factorize(p: &Problem, state: &[i32], w: &mut SolverWork) -> usize {
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
    state.len() + add_cones(p, state, w)
}

/// Brings the factor up to date with rows that entered or left their quadratic range since `w.oldstate`.
/// Returns the number of updates.
pub fn update(p: &Problem, state: &[i32], w: &mut SolverWork) -> usize {
    let nv = w.row.len();
    let mut updates = 0;
    for i in 0..state.len() {
        let (was, is) = (w.oldstate[i] == QUADRATIC, state[i] == QUADRATIC);
        if was == is {
            continue;
        }
        let row = p.jac.row(i);
        w.row.fill(0.0);
        row.add_to(&mut w.row, p.d[i].sqrt());
        updates += 1;
        let rank = match row {
            JacRow::Dense(_) => factor::chol_update(&mut w.hessian, &mut w.row, is),
            JacRow::Sparse(cols, _) => cols.last().map_or(nv, |&c| w.sparse.update(&mut w.row, c as usize, is)),
        };
        if rank < nv {
            // accuracy was lost
            return factorize(p, state, w);
        }
    }
    updates + add_cones(p, state, w)
}

/// Lower Cholesky factor of a cone's Hessian, row-major.
fn cone_factor(cone: &Cone) -> [f64; 36] {
    let n = cone.dim;
    let mut h = cone.hessian;
    // the upper factor of a symmetric matrix, read by columns
    factor::chol_factor(&mut h[..n * n], n, MINVAL);
    h
}

/// Factor of the Hessian with the curvature of cones. Returns the number of updates.
fn add_cones(p: &Problem, state: &[i32], w: &mut SolverWork) -> usize {
    w.curved = w.cones.iter().any(|c| state[c.row] == CONE);
    if !w.curved {
        return 0;
    }
    match p.jac {
        Jacobian::Dense { .. } => {
            w.hessian_cone.clear();
            w.hessian_cone.extend_from_slice(&w.hessian);
        }
        Jacobian::Sparse(..) => w.sparse.save(),
    }
    let mut updates = 0;
    for cone in w.cones.iter().filter(|c| state[c.row] == CONE) {
        let (n, upper) = (cone.dim, cone_factor(cone));
        for r in 0..n {
            w.row.fill(0.0);
            for c in r..n {
                p.jac.row(cone.row + c).add_to(&mut w.row, upper[r * n + c]);
            }
            match p.jac.row(cone.row) {
                JacRow::Dense(_) => {
                    factor::chol_update(&mut w.hessian_cone, &mut w.row, true);
                }
                JacRow::Sparse(cols, _) => {
                    if let Some(&c) = cols.last() {
                        w.sparse.update(&mut w.row, c as usize, true);
                    }
                }
            }
        }
        updates += n;
    }
    if let Jacobian::Sparse(..) = p.jac {
        w.sparse.swap();
    }
    updates
}

/// Solves `H x = x` in place for `w.mgrad`.
pub fn solve(p: &Problem, w: &mut SolverWork) {
    match p.jac {
        Jacobian::Dense { nv, .. } => {
            let h = if w.curved { &w.hessian_cone } else { &w.hessian };
            factor::chol_solve(&mut w.mgrad, h, nv);
        }
        Jacobian::Sparse(..) if w.curved => w.sparse.solve_other(&mut w.mgrad),
        Jacobian::Sparse(..) => w.sparse.solve(&mut w.mgrad),
    }
}
