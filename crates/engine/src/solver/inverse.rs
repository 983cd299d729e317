//! The constraint stage of inverse dynamics: forces that go with given accelerations.

use super::cone;
use super::primal::{Problem, update_rows};
use crate::data::Data;
use crate::data::solver::SolverWork;
use crate::model::Model;
use crate::support::row::Jacobian;
use std::mem::take;

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
    let mut jar = take(&mut d.scratch.solver.jaref);
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
    // what is sought leaves the block while the rest of it is read
    let (mut efc_force, mut efc_state) = (take(&mut efc.efc_force), take(&mut efc.efc_state));
    let mass = [&inertia.M[..], &inertia.qLD, &inertia.qLDiagInv];
    let problem = Problem::whole(m, mass, [&force.qfrc_smooth, &accel.qacc_smooth], efc);
    let SolverWork { cones, curves, .. } = &mut scratch.solver;
    cone::find(&problem, contact, cones);
    curves.clear();
    curves.resize(if with_hessian { cones.len() } else { 0 }, [0.0; 36]);
    let cost = update_rows(&problem, cones, curves, jar, &mut efc_force, &mut efc_state);
    if !efc_force.is_empty() {
        problem.jac.mul_vec_t(&mut accel.qfrc_constraint, &efc_force);
    }
    (efc.efc_force, efc.efc_state) = (efc_force, efc_state);
    for (cone, curve) in cones.iter().zip(curves).filter(|(cone, _)| cone.curved) {
        contact[cone.contact].H = *curve;
    }
    cost
}
