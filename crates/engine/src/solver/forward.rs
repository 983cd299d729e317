//! The constraint stage of a step: from smooth accelerations to constrained ones.

use super::dual::{Dual, no_slip, pgs};
use super::islands::{self, Report};
use super::primal::{Method, Problem, Unknowns, solve};
use super::project::is_dual;
use super::warmstart::{warmstart, warmstart_dual};
use crate::data::solver::ITERATIONS;
use crate::data::{Data, Efc};
use crate::model::Model;
use crate::model::enums::{Integrator, SolverType};
use crate::support::inertia::pattern;
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
    let Data { state, inertia, force, contact, efc, island, accel, deriv, solver, scratch, .. } = d;
    accel.qfrc_constraint.fill(0.0);
    accel.solver_niter.fill(0);
    if efc.nefc == 0 {
        accel.qacc.copy_from_slice(&accel.qacc_smooth);
        return;
    }
    let Efc { efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_J, efc_aref, efc_b, efc_force, efc_state, .. } = efc;
    let jac = Jacobian::new(m, [efc_J_rownnz, efc_J_rowadr, efc_J_colind], efc_J);
    // an integrator may have put springs and dampers into the mass matrix
    let (spring, groups) = (take(&mut scratch.spring), take(&mut scratch.groups));
    let with_springs = m.opt.integrator == Integrator::Implicitspringdamper as i32 && !is_dual(m);
    let (mass, factor, diaginv) = if with_springs {
        (&spring.mass[..], &deriv.qH[..], &deriv.qHDiagInv[..])
    } else {
        (&inertia.M[..], &inertia.qLD[..], &inertia.qLDiagInv[..])
    };
    let problem = Problem {
        pattern: pattern(m),
        mass,
        factor,
        diaginv,
        frc_smooth: &force.qfrc_smooth,
        acc_smooth: &accel.qacc_smooth,
        jac,
        groups: Some(&groups).filter(|groups| groups.rows() == efc_aref.len()),
        kind: &efc.efc_type,
        id: &efc.efc_id,
        ne: efc.ne as usize,
        nf: efc.nf as usize,
        d: &efc.efc_D,
        r: &efc.efc_R,
        frictionloss: &efc.efc_frictionloss,
        aref: efc_aref,
        scale: 1.0 / (m.stat.meaninertia * m.nv.max(1) as f64),
    };
    let by_islands = islands::supported(m, island, efc_aref.len()) && !with_springs;
    // the whole Jacobian serves all, unless it is to be cut up
    let built = m.opt.solver != SolverType::Pgs as i32 && (!by_islands || islands::is_whole(island, m.nv));
    if built {
        scratch.solver.blocks.build(&problem);
        scratch.solver.blocks.mul_vec(efc_b, &accel.qacc_smooth);
    } else {
        jac.mul_vec(efc_b, &accel.qacc_smooth);
    }
    efc_b.iter_mut().zip(efc_aref.iter()).for_each(|(b, a)| *b -= a);
    let mut unknowns = Unknowns {
        qacc: &mut accel.qacc,
        qfrc: &mut accel.qfrc_constraint,
        force: efc_force,
        state: efc_state,
        contact,
    };
    let (opt, last) = (&m.opt, &state.qacc_warmstart);
    let rows = [&efc.efc_AR_rownnz[..], &efc.efc_AR_rowadr, &efc.efc_AR_colind];
    let dual = Dual { matrix: matrix(m, rows, &efc.efc_AR, efc_b.len()), b: efc_b };
    let mut report = Report { niter: &mut accel.solver_niter, nnz: &mut accel.solver_nnz, stats: solver };
    if opt.solver == SolverType::Pgs as i32 {
        warmstart_dual(opt, &problem, &dual, last, &mut unknowns, &mut scratch.solver);
        report.take(|stats| pgs(opt, &problem, &dual, &mut unknowns, &mut scratch.solver, stats));
    } else {
        let method = if opt.solver == SolverType::Cg as i32 { Method::Cg } else { Method::Newton };
        warmstart(opt, &problem, last, efc_b, &mut unknowns, &mut scratch.solver, built);
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
    (scratch.spring, scratch.groups) = (spring, groups);
    for w in scratch.workers.iter_mut().chain([&mut scratch.solver]) {
        w.hessians.drain(..).for_each(|(id, hessian)| contact[id].H = hessian);
    }
}

/// The dual matrix, whichever way it is stored.
fn matrix<'a>(m: &Model, [rownnz, rowadr, colind]: [&'a [i32]; 3], values: &'a [f64], n: usize) -> Jacobian<'a> {
    if is_sparse(m) {
        Jacobian::Sparse(Pattern { rownnz, rowadr, colind }, values)
    } else {
        Jacobian::Dense { nv: n, values }
    }
}
