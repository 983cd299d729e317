//! Integrators that are implicit in velocity.

use crate::data::{Accel, Awake, Deriv, Force, Inertia};
use crate::model::Model;
use crate::support::{awake as subset, inertia::pattern};
use sinew_math::factor;
use sinew_math::lu::{self, SmallPivot};
use sinew_math::sparse::Pattern;

/// Acceleration for the fully implicit method.
///
/// *Equation*: `(M − h D) a = qfrc_smooth + qfrc_constraint`, `D = ∂(forces)/∂qvel` including Coriolis terms.
/// *Reads* `M`, `qDeriv`, forces. *Writes* `qLU`, `a`.
///
/// # Errors
/// If a pivot of the factorisation is too small to divide by.
#[doc(alias = "mj_implicit")]
pub fn implicit(
    m: &Model,
    inertia: &Inertia,
    force: &Force,
    accel: &Accel,
    deriv: &mut Deriv,
    left: &mut [i32],
    a: &mut [f64],
) -> Result<(), SmallPivot> {
    let at = Pattern { rownnz: &m.D_rownnz, rowadr: &m.D_rowadr, colind: &m.D_colind };
    matrix(m, inertia, deriv);
    lu::factor(&mut deriv.qLU, at, left)?;
    solve(m, force, accel, deriv, a);
    Ok(())
}

/// [`implicit`] with the factor `qLU` of an earlier call.
pub fn solve(m: &Model, force: &Force, accel: &Accel, deriv: &Deriv, a: &mut [f64]) {
    let at = Pattern { rownnz: &m.D_rownnz, rowadr: &m.D_rowadr, colind: &m.D_colind };
    (0..m.nv).for_each(|i| a[i] = force.qfrc_smooth[i] + accel.qfrc_constraint[i]);
    lu::solve(a, &deriv.qLU, at, &m.D_diag);
}

/// Acceleration for the fast implicit method.
///
/// *Equation*: as [`implicit`], with `D` symmetric (no Coriolis terms) and restricted to the sparsity of `M`.
/// *Reads* `M`, `qDeriv`, forces. *Writes* `qH`, `qHDiagInv`, `a`.
#[doc(alias = "mj_implicit")]
pub fn implicit_fast(
    m: &Model,
    awake: &Awake,
    inertia: &Inertia,
    force: &Force,
    accel: &Accel,
    deriv: &mut Deriv,
    a: &mut [f64],
) {
    matrix_fast(m, inertia, deriv);
    factor::factor_ldl(&mut deriv.qH, &mut deriv.qHDiagInv, pattern(m), subset::dofs(m, awake));
    solve_fast(m, awake, force, accel, deriv, a);
}

/// [`implicit_fast`] with the factor `qH` of an earlier call.
pub fn solve_fast(m: &Model, awake: &Awake, force: &Force, accel: &Accel, deriv: &Deriv, a: &mut [f64]) {
    let dofs = subset::dofs(m, awake);
    dofs.iter().for_each(|i| a[i] = force.qfrc_smooth[i] + accel.qfrc_constraint[i]);
    factor::solve_ldl(a, &deriv.qH, &deriv.qHDiagInv, pattern(m), dofs);
}

/// Writes `M − h D`, in the sparsity pattern of `D`, to `qLU`.
pub fn matrix(m: &Model, inertia: &Inertia, deriv: &mut Deriv) {
    let Deriv { qLU, qDeriv, .. } = deriv;
    for ((lu, d), &from) in qLU.iter_mut().zip(qDeriv.iter()).zip(m.mapM2D.iter()) {
        let mass = usize::try_from(from).map_or(0.0, |k| inertia.M[k]);
        *lu = mass - m.opt.timestep * d;
    }
}

/// Writes `M − h D`, in the sparsity pattern of `M`, to `qH`.
pub fn matrix_fast(m: &Model, inertia: &Inertia, deriv: &mut Deriv) {
    let Deriv { qH, qDeriv, .. } = deriv;
    for ((h, mass), &from) in qH.iter_mut().zip(inertia.M.iter()).zip(m.mapD2M.iter()) {
        *h = mass - m.opt.timestep * qDeriv[from as usize];
    }
}
