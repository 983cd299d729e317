//! The constraint stage of inverse dynamics: constraint forces for given accelerations.

use super::cone;
use super::primal::{Problem, update_rows};
use super::work::{Cone, SolverWork};
use crate::data::{Accel, Contact, Efc, Solution};
use crate::model::Model;
use crate::support::row::Jacobian;

/// Constraint forces at the acceleration `qacc`.
///
/// *Equation*: `efc_force = −∇s(J qacc − aref)`, `qfrc_constraint = Jᵀ efc_force`.
/// *Reads* the constraint rows, `qacc`. *Writes* `efc_force`, `efc_state`, `qfrc_constraint`.
#[doc(alias = "mj_invConstraint")]
pub fn inv_constraint(
    m: &Model,
    contact: &[Contact],
    efc: &Efc,
    solution: &mut Solution,
    accel: &mut Accel,
    work: &mut SolverWork,
) {
    let SolverWork { jaref, cones, .. } = work;
    jaref.resize(efc.efc_aref.len(), 0.0);
    Jacobian::efc(m, efc).mul_vec(jaref, &accel.qacc);
    jaref.iter_mut().zip(&efc.efc_aref).for_each(|(x, a)| *x -= a);
    forces(m, contact, efc, jaref, solution, accel, cones, &mut []);
}

/// Computes forces, states and the joint-space force of all rows at `J qacc − aref = jar`. Returns the cost. With
/// `with_hessian`, also sets `H` of contacts in the curved range of their cone.
#[doc(alias = "mj_constraintUpdate")]
pub fn constraint_update(
    m: &Model,
    contact: &mut [Contact],
    efc: &Efc,
    (jar, with_hessian): (&[f64], bool),
    solution: &mut Solution,
    accel: &mut Accel,
    work: &mut SolverWork,
) -> f64 {
    let SolverWork { cones, curves, .. } = work;
    curves.clear();
    curves.resize(if with_hessian { contact.len() } else { 0 }, [0.0; 36]);
    let cost = forces(m, contact, efc, jar, solution, accel, cones, curves);
    for (cone, curve) in cones.iter().zip(curves).filter(|(cone, _)| cone.curved) {
        contact[cone.contact].H = *curve;
    }
    cost
}

/// Forces of all rows, and their cost.
fn forces(
    m: &Model,
    contact: &[Contact],
    efc: &Efc,
    jar: &[f64],
    solution: &mut Solution,
    accel: &mut Accel,
    cones: &mut Vec<Cone>,
    curves: &mut [[f64; 36]],
) -> f64 {
    // the dynamics are not needed here
    let problem = Problem::whole(m, [&[]; 3], [&[]; 2], efc);
    cone::find(&problem, contact, cones);
    let Solution { efc_force, efc_state, .. } = solution;
    let cost = update_rows(&problem, cones, curves, jar, efc_force, efc_state);
    problem.jac.mul_vec_t(&mut accel.qfrc_constraint, efc_force);
    cost
}
