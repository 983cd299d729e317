//! The Hessian of the cost and its Cholesky factor.

use super::primal::{Problem, QUADRATIC};
use crate::data::scratch::SolverWork;
use sinew_math::factor;

/// `H = M + Jᵀ diag(D) J` over the rows in their quadratic range, kept as a dense Cholesky factor.
#[derive(Clone, Copy, Debug)]
pub struct Hessian {
    nv: usize,
}

impl Hessian {
    /// For `nv` dofs.
    pub fn new(nv: usize) -> Self {
        Hessian { nv }
    }

    /// Assembles and factors from scratch.
    pub fn factorize(&self, p: &Problem, state: &[i32], w: &mut SolverWork) {
        let nv = self.nv;
        let SolverWork { hessian, nonzero, .. } = w;
        let h = &mut hessian[..nv * nv];
        h.fill(0.0);
        for (i, _) in state.iter().enumerate().filter(|(_, s)| **s == QUADRATIC) {
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
        factor::chol_factor(h, nv, sinew_math::MINVAL);
    }

    /// Brings the factor up to date with rows that entered or left their quadratic range since `w.oldstate`.
    pub fn update(&self, p: &Problem, state: &[i32], w: &mut SolverWork) {
        for i in 0..state.len() {
            let (was, is) = (w.oldstate[i] == QUADRATIC, state[i] == QUADRATIC);
            if was == is {
                continue;
            }
            w.row.fill(0.0);
            p.jac.row(i).add_to(&mut w.row, p.d[i].sqrt());
            if factor::chol_update(&mut w.hessian[..self.nv * self.nv], &mut w.row, is) < self.nv {
                // accuracy was lost
                self.factorize(p, state, w);
                return;
            }
        }
    }

    /// Solves `H x = x` in place.
    pub fn solve(&self, h: &[f64], x: &mut [f64]) {
        factor::chol_solve(x, h, self.nv);
    }
}
