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
    if d.efc.nefc == 0 {
        d.accel.qfrc_constraint.fill(0.0);
        return;
    }
    let mut jar = std::mem::take(&mut d.scratch.solver.jaref);
    jar.resize(d.efc.efc_aref.len(), 0.0);
    Jacobian::efc(m, &d.efc).mul_vec(&mut jar, &d.accel.qacc);
    jar.iter_mut().zip(&d.efc.efc_aref).for_each(|(x, a)| *x -= a);
    constraint_update(m, d, &jar, false);
    d.scratch.solver.jaref = jar;
}

/// Forces, states and joint-space force of all rows where `J qacc − aref` is `jar`. Returns the cost. With
/// `with_hessian`, also sets `H` of contacts on the curved range of their cone.
#[doc(alias = "mj_constraintUpdate")]
pub fn constraint_update(m: &Model, d: &mut Data, jar: &[f64], with_hessian: bool) -> f64 {
    let Data { inertia, force, contact, efc, accel, scratch, .. } = d;
    let Efc { efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_J, efc_aref, efc_force, efc_state, .. } = efc;
    let problem = Problem {
        pattern: pattern(m),
        mass: &inertia.M,
        factor: &inertia.qLD,
        diaginv: &inertia.qLDiagInv,
        frc_smooth: &force.qfrc_smooth,
        acc_smooth: &accel.qacc_smooth,
        jac: Jacobian::new(m, [efc_J_rownnz, efc_J_rowadr, efc_J_colind], efc_J),
        groups: None,
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
    let SolverWork { cones, curves, .. } = &mut scratch.solver;
    cone::find(&problem, contact, cones);
    curves.clear();
    curves.resize(if with_hessian { cones.len() } else { 0 }, [0.0; 36]);
    let cost = update_rows(&problem, cones, curves, jar, efc_force, efc_state);
    if !efc_force.is_empty() {
        problem.jac.mul_vec_t(&mut accel.qfrc_constraint, efc_force);
    }
    for (cone, curve) in cones.iter().zip(curves).filter(|(cone, _)| cone.curved) {
        contact[cone.contact].H = *curve;
    }
    cost
}
