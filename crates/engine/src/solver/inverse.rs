//! The constraint stage of inverse dynamics: forces that go with given accelerations.

use super::cone;
use super::primal::{Problem, update_rows};
use crate::data::solver::SolverWork;
use crate::data::{Data, Efc};
use crate::model::Model;
use crate::support::inertia::pattern;
use crate::support::row::Jacobian;

/// Constraint forces at the acceleration `qacc`.
///
/// *Equation*: `efc_force = −∇s(J qacc − aref)`, `qfrc_constraint = Jᵀ efc_force`.
/// *Reads* the constraint rows, `qacc`. *Writes* `efc_force`, `efc_state`, `qfrc_constraint`.
#[doc(alias = "mj_invConstraint")]
pub fn inv_constraint(m: &Model, d: &mut Data) {
    let Data { inertia, force, contact, efc, accel, scratch, .. } = d;
    if efc.nefc == 0 {
        accel.qfrc_constraint.fill(0.0);
        return;
    }
    let Efc { efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_J, efc_aref, efc_force, efc_state, .. } = efc;
    let problem = Problem {
        pattern: pattern(m),
        mass: &inertia.M,
        factor: &inertia.qLD,
        diaginv: &inertia.qLDiagInv,
        frc_smooth: &force.qfrc_smooth,
        acc_smooth: &accel.qacc_smooth,
        jac: Jacobian::new(m, [efc_J_rownnz, efc_J_rowadr, efc_J_colind], efc_J),
        kind: &efc.efc_type,
        id: &efc.efc_id,
        ne: efc.ne as usize,
        nf: efc.nf as usize,
        d: &efc.efc_D,
        r: &efc.efc_R,
        frictionloss: &efc.efc_frictionloss,
        aref: efc_aref,
        scale: 1.0,
    };
    let SolverWork { jaref, cones, .. } = &mut scratch.solver;
    cone::find(&problem, contact, cones);
    jaref.resize(efc_aref.len(), 0.0);
    problem.jac.mul_vec(jaref, &accel.qacc);
    jaref.iter_mut().zip(efc_aref.iter()).for_each(|(x, a)| *x -= a);
    update_rows(&problem, cones, jaref, efc_force, efc_state, false);
    problem.jac.mul_vec_t(&mut accel.qfrc_constraint, efc_force);
}
