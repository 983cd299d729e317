//! The constraint stage of a step: from smooth accelerations to constrained ones.

use super::dual::{Dual, no_slip, pgs};
use super::islands::{self, Report};
use super::primal::{Method, Problem, Unknowns, solve};
use super::project::is_dual;
use super::warmstart::{warmstart, warmstart_dual};
use crate::data::solver::{Blocks, ITERATIONS};
use crate::data::{Data, Efc};
use crate::model::Model;
use crate::model::enums::{Integrator, SolverType};
use crate::support::is_sparse;
use crate::support::row::Jacobian;
use sinew_math::sparse::Pattern;
use std::mem::take;

/// Constraint forces and the acceleration they leave.
///
/// *Equation*: `M qacc = qfrc_smooth + Jᵀ efc_force`, with forces of minimal cost; each island by itself, if there are
/// any.
/// *Reads* `M`, `qLD`, the constraint rows, islands, `qfrc_smooth`, `qacc_smooth`, `qacc_warmstart`.
/// *Writes* `efc_b`, `efc_force`, `efc_state` (with islands that of the first guess; `iefc_state` has the final one),
/// `qfrc_constraint`, `qacc`, `solver_niter`, what islands left open.
#[doc(alias = "mj_fwdConstraint")]
pub fn fwd_constraint(m: &Model, d: &mut Data) {
    let Data { state, inertia, force, contact, efc, row_groups, island, accel, deriv, solver, scratch, .. } = d;
    accel.qfrc_constraint.fill(0.0);
    accel.solver_niter.fill(0);
    if efc.nefc == 0 {
        accel.qacc.copy_from_slice(&accel.qacc_smooth);
        return;
    }
    // what is sought leaves the block while the rest of it is read
    let (mut efc_b, mut efc_force, mut efc_state) =
        (take(&mut efc.efc_b), take(&mut efc.efc_force), take(&mut efc.efc_state));
    // an integrator may have put springs and dampers into the mass matrix
    let spring = take(&mut scratch.spring);
    let with_springs = m.opt.integrator == Integrator::Implicitspringdamper && !is_dual(m);
    let mass = if with_springs {
        [&spring.mass[..], &deriv.qH, &deriv.qHDiagInv]
    } else {
        [&inertia.M[..], &inertia.qLD, &inertia.qLDiagInv]
    };
    let problem = Problem {
        groups: Some(&*row_groups).filter(|groups| groups.rows() == efc_b.len()),
        ..Problem::whole(m, mass, [&force.qfrc_smooth, &accel.qacc_smooth], efc)
    };
    let by_islands = islands::supported(m, island, efc_b.len()) && !with_springs;
    // the whole Jacobian serves all, unless it is to be cut up
    let built = m.opt.solver != SolverType::Pgs && (!by_islands || islands::is_whole(island, m.nv));
    unconstrained(&problem, &mut efc_b, built.then_some(&mut scratch.solver.blocks));
    let mut unknowns = Unknowns {
        qacc: &mut accel.qacc,
        qfrc: &mut accel.qfrc_constraint,
        force: &mut efc_force,
        state: &mut efc_state,
        contact,
    };
    let (opt, last) = (&m.opt, &state.qacc_warmstart);
    let dual = Dual { matrix: dual_matrix(m, efc), b: &efc_b };
    let mut report = Report { niter: &mut accel.solver_niter, nnz: &mut accel.solver_nnz, stats: solver };
    if opt.solver == SolverType::Pgs {
        warmstart_dual(opt, &problem, &dual, last, &mut unknowns, &mut scratch.solver);
        report.take(|stats| pgs(opt, &problem, &dual, &mut unknowns, &mut scratch.solver, stats));
    } else {
        let method = if opt.solver == SolverType::Cg { Method::Cg } else { Method::Newton };
        warmstart(opt, &problem, last, &efc_b, &mut unknowns, &mut scratch.solver, built);
        islands::release(island, &problem, unknowns.qacc);
        if by_islands && built {
            islands::solve_whole(opt, method, &problem, island, &mut unknowns, &mut scratch.solver, report);
        } else if by_islands {
            islands::solve_all(opt, method, &problem, island, &mut unknowns, scratch, report);
        } else {
            report.take(|stats| solve(opt, method, &problem, &mut unknowns, &mut scratch.solver, stats));
        }
    }
    if opt.noslip_iterations > 0 {
        let rest = solver.get_mut(accel.solver_niter[0] as usize..ITERATIONS).unwrap_or_default();
        accel.solver_niter[0] += no_slip(opt, &problem, &dual, &mut unknowns, &mut scratch.solver, rest) as i32;
    }
    scratch.spring = spring;
    (efc.efc_b, efc.efc_force, efc.efc_state) = (efc_b, efc_force, efc_state);
    for w in scratch.workers.iter_mut().chain([&mut scratch.solver]) {
        w.hessians.drain(..).for_each(|(id, hessian)| contact[id].H = hessian);
    }
}

/// `b = J a0 − aref`, by blocks of the Jacobian if those are to be built.
fn unconstrained(p: &Problem, b: &mut [f64], blocks: Option<&mut Blocks>) {
    match blocks {
        Some(blocks) => {
            blocks.build(p);
            blocks.mul_vec(b, p.acc_smooth);
        }
        None => p.jac.mul_vec(b, p.acc_smooth),
    }
    b.iter_mut().zip(p.aref).for_each(|(b, a)| *b -= a);
}

/// The dual matrix, whichever way it is stored.
fn dual_matrix<'a>(m: &Model, efc: &'a Efc) -> Jacobian<'a> {
    let Efc { efc_AR_rownnz: rownnz, efc_AR_rowadr: rowadr, efc_AR_colind: colind, efc_AR: values, .. } = efc;
    if is_sparse(m) {
        Jacobian::Sparse(Pattern { rownnz, rowadr, colind }, values)
    } else {
        Jacobian::Dense { nv: efc.nefc as usize, values }
    }
}
