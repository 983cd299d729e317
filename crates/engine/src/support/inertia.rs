//! Products and solves with the mass matrix.

use crate::data::Inertia;
use crate::model::Model;
use sinew_math::factor;
use sinew_math::sparse::{self, Pattern, Subset};

/// Sparsity pattern of the mass matrix: each row has the ancestors of a dof, then the dof itself.
#[inline]
pub fn pattern(m: &Model) -> Pattern<'_> {
    Pattern { rownnz: &m.M_rownnz, rowadr: &m.M_rowadr, colind: &m.M_colind }
}

/// `res = M x`.
#[doc(alias = "mj_mulM")]
pub fn mul_m(m: &Model, inertia: &Inertia, res: &mut [f64], x: &[f64]) {
    sparse::mul_sym_vec(res, &inertia.M, pattern(m), x);
}

/// `res = √D L x`, so that `res · res = x · M x`.
#[doc(alias = "mj_mulM2")]
pub fn mul_m2(m: &Model, inertia: &Inertia, res: &mut [f64], x: &[f64]) {
    let p = pattern(m);
    for (i, r) in res.iter_mut().enumerate() {
        let range = p.range(i);
        let diag = range.end - 1;
        let row = range.start..diag;
        *r = (x[i] + sparse::dot(&inertia.qLD[row.clone()], &p.colind[row], x)) * inertia.qLD[diag].sqrt();
    }
}

/// Solves `M x = x` in place, for each vector of length `nv` in `x`.
#[doc(alias = "mj_solveM")]
pub fn solve_m(m: &Model, inertia: &Inertia, x: &mut [f64]) {
    for x in x.chunks_exact_mut(m.nv.max(1)) {
        factor::solve_ldl(x, &inertia.qLD, &inertia.qLDiagInv, pattern(m), Subset::All(m.nv));
    }
}

/// Half of the solve, `x ← √D⁻¹ L⁻ᵀ x`, for each vector of length `nv` in `x`; `sqrt_inv_d` is `1/√D`.
#[doc(alias = "mj_solveM2")]
pub fn solve_m2(m: &Model, inertia: &Inertia, x: &mut [f64], sqrt_inv_d: &[f64]) {
    for x in x.chunks_exact_mut(m.nv.max(1)) {
        factor::solve_lt(x, &inertia.qLD, pattern(m), Subset::All(m.nv));
        x.iter_mut().zip(sqrt_inv_d).for_each(|(x, s)| *x *= s);
    }
}

/// Dense `nv × nv` matrix from values in the order of `qM`: each row from the diagonal to the root.
#[doc(alias = "mj_fullM")]
pub fn full_m(m: &Model, dst: &mut [f64], q_m: &[f64]) {
    let nv = m.nv;
    dst.fill(0.0);
    let mut values = q_m.iter();
    for i in 0..nv {
        let mut j = i as i32;
        while let Ok(col) = usize::try_from(j)
            && let Some(&v) = values.next()
        {
            dst[i * nv + col] = v;
            dst[col * nv + i] = v;
            j = m.dof_parentid[col];
        }
    }
}
