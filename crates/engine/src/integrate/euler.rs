//! Semi-implicit Euler, with joint damping treated implicitly.

use crate::data::{Accel, Awake, Deriv, Force, Inertia};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::{awake as subset, inertia::pattern};
use sinew_math::factor;
use sinew_math::sparse::Subset;

/// Acceleration for the semi-implicit Euler step.
///
/// *Equation*: `(M + h B) a = qfrc_smooth + qfrc_constraint` with `B` the joint damping; `a = qacc` if there is
/// none, or if `eulerdamp` or `damper` is disabled.
/// *Reads* `M`, forces, `qacc`. *Writes* `qH`, `qHDiagInv`, `a`.
#[doc(alias = "mj_Euler")]
pub fn euler(
    m: &Model,
    awake: &Awake,
    inertia: &Inertia,
    force: &Force,
    accel: &Accel,
    deriv: &mut Deriv,
    a: &mut [f64],
) {
    let dofs = subset::dofs(m, awake);
    let implicit = !m.opt.disabled(DisableFlags::EULERDAMP) && !m.opt.disabled(DisableFlags::DAMPER);
    if !implicit || !dofs.iter().any(|i| m.dof_damping[i] > 0.0) {
        dofs.iter().for_each(|i| a[i] = accel.qacc[i]);
        return;
    }
    let at = pattern(m);
    match dofs {
        Subset::All(_) => deriv.qH.copy_from_slice(&inertia.M),
        Subset::Listed(_) => {
            dofs.iter().for_each(|i| deriv.qH[at.range(i)].copy_from_slice(&inertia.M[at.range(i)]));
        }
    }
    for i in dofs.iter() {
        deriv.qH[at.range(i).end - 1] += m.opt.timestep * m.dof_damping[i];
    }
    factor::factor_ldl(&mut deriv.qH, &mut deriv.qHDiagInv, at, dofs);
    dofs.iter().for_each(|i| a[i] = force.qfrc_smooth[i] + accel.qfrc_constraint[i]);
    factor::solve_ldl(a, &deriv.qH, &deriv.qHDiagInv, at, dofs);
}
