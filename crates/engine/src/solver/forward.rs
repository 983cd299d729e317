//! The constraint stage of a step: from smooth accelerations to constrained ones.

use super::dual::DualProblem;
use super::islands::{self, Parts, Report};
use super::noslip::no_slip;
use super::pgs::pgs;
use super::primal::{Method, Problem, Unknowns, solve};
use super::warmstart::{warmstart, warmstart_dual};
use super::work::{Blocks, IslandSprings, SolverRoom, SolverWork};
use crate::data::multiplier::Multiplier;
use crate::data::rows::RowGroups;
use crate::data::solver::{ITERATIONS, SolverStat};
use crate::data::{Accel, Awake, Contact, Dual, Efc, Force, Inertia, Island, Pose, Solution, State};
use crate::model::Model;
use crate::model::enums::{ConstraintType, SolverType};
use crate::support::is_sparse;
use crate::support::row::Jacobian;
use sinew_math::sparse::Pattern;

/// Inputs of the constraint solver.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// The last acceleration and velocity.
    pub state: &'a State,
    /// Smooth forces.
    pub force: &'a Force,
    /// Which trees and dofs are awake.
    pub awake: &'a Awake,
    /// Tendon lengths and Jacobians; an integrator may have added tendon springs to the mass matrix.
    pub pose: &'a Pose,
    /// Mass matrix and its factor.
    pub inertia: &'a Inertia,
    /// Constraint rows.
    pub efc: &'a Efc,
    /// Columns of the constraint rows.
    pub groups: &'a RowGroups,
    /// The dual matrix, if the solver needs it.
    pub dual: &'a Dual,
    /// Islands.
    pub island: &'a Island,
    /// Multipliers that a solver kept from the last step.
    pub memory: &'a [Multiplier],
}

/// Outputs of the constraint solver.
pub struct Sought<'a> {
    /// Contacts; only `H` is written.
    pub contact: &'a mut [Contact],
    /// Forces and states of constraint rows.
    pub solution: &'a mut Solution,
    /// Accelerations.
    pub accel: &'a mut Accel,
    /// Statistics of each iteration.
    pub stats: &'a mut [SolverStat],
}

/// Computes constraint forces and the resulting acceleration, on as many threads as there are workspaces.
///
/// *Equation*: `M qacc = qfrc_smooth + Jᵀ efc_force`, with forces of minimal cost; separately for each island, if there
/// are any. `M` includes the springs and dampers that the integrator treats implicitly.
/// *Reads* `M`, `qLD`, the constraint rows, islands, `qfrc_smooth`, `qacc_smooth`, `qacc_warmstart`.
/// *Writes* `efc_b`, `efc_force`, `efc_state` (with islands, the one of the initial guess; `iefc_state` has the final
/// one), `qfrc_constraint`, `qacc`, `jnt_limit_frc`, `solver_niter`, and the same in island order.
#[doc(alias = "mj_fwdConstraint")]
pub fn fwd_constraint(m: &Model, x: Given, out: Sought, room: &mut SolverRoom, threads: usize) {
    let Sought { contact, solution, accel, stats } = out;
    let Accel { qacc_smooth, qacc, qfrc_constraint, solver_niter, solver_nnz, jnt_limit_frc, .. } = accel;
    qfrc_constraint.fill(0.0);
    jnt_limit_frc.fill(0.0);
    solver_niter.fill(0);
    let rows = x.efc.nefc as usize;
    if rows == 0 {
        qacc.copy_from_slice(qacc_smooth);
        return;
    }
    let SolverRoom { springs, by_island, works, .. } = room;
    let works = &mut works[..threads];
    let problem = Problem {
        springs: springs.all(),
        groups: Some(x.groups).filter(|groups| groups.rows() == rows),
        ..Problem::whole(
            m,
            [&x.inertia.M, &x.inertia.qLD, &x.inertia.qLDiagInv],
            [&x.force.qfrc_smooth, qacc_smooth],
            x.efc,
        )
    };
    let (parts, efc_b, efc_force, efc_state) = Parts::of(solution);
    let mut u = Unknowns { qacc, qfrc: qfrc_constraint, force: efc_force, state: efc_state, contact };
    let mut report = Report { niter: &mut solver_niter[..], nnz: solver_nnz, stats: &mut *stats };
    if m.opt.solver == SolverType::Pgs {
        unconstrained(&problem, efc_b, None);
        let dual = DualProblem { matrix: dual_matrix(m, x.dual, rows), b: efc_b };
        warmstart_dual(&m.opt, &problem, &dual, &x.state.qacc_warmstart, &mut u, &mut works[0]);
        report.take(|stats| pgs(&m.opt, &problem, &dual, &mut u, &mut works[0], stats));
    } else {
        minimise(m, &x, &problem, efc_b, parts, &mut u, (works, by_island), report);
    }
    if m.opt.noslip_iterations > 0 {
        let dual = DualProblem { matrix: dual_matrix(m, x.dual, rows), b: efc_b };
        let rest = stats.get_mut(solver_niter[0] as usize..ITERATIONS).unwrap_or_default();
        solver_niter[0] += no_slip(&m.opt, &problem, &dual, &mut u, &mut works[0], rest) as i32;
    }
    limit_forces(x.efc, u.force, jnt_limit_frc);
    for w in works {
        w.hessians.drain(..).for_each(|(id, hessian)| contact[id].H = hessian);
    }
}

/// Runs a primal solver from the last acceleration or the smooth one, whichever has the lower cost.
fn minimise(
    m: &Model,
    x: &Given,
    problem: &Problem,
    efc_b: &mut [f64],
    parts: Parts,
    u: &mut Unknowns,
    (works, springs): (&mut [SolverWork], &mut IslandSprings),
    mut report: Report,
) {
    let opt = &m.opt;
    let method = if opt.solver == SolverType::Cg { Method::Cg } else { Method::Newton };
    let by_islands = islands::supported(m, x.island, efc_b.len());
    // build the blocks of the whole Jacobian unless the islands split it
    let built = !by_islands || islands::is_whole(x.island, m.nv);
    unconstrained(problem, efc_b, built.then_some((&mut works[0].blocks, method == Method::Cg)));
    let begun = warmstart(opt, problem, &x.state.qacc_warmstart, efc_b, u, &mut works[0], built);
    // dofs outside all islands are reset below, which would invalidate the products
    let begun = begun && (by_islands || x.island.nisland == 0);
    islands::release(x.island, problem, u.qacc);
    if by_islands && built {
        islands::solve_whole(opt, method, problem, parts, u, &mut works[0], begun, report);
    } else if by_islands {
        springs.gather(problem.springs, x.island);
        islands::solve_all(opt, method, problem, (x.island, springs), parts, u, works, report);
    } else {
        report.take(|stats| solve(opt, method, problem, u, &mut works[0], begun, stats));
    }
}

/// Force of each joint's limit. A joint at both ends of its range has two rows that push against each other.
pub(super) fn limit_forces(efc: &Efc, force: &[f64], jnt_limit_frc: &mut [f64]) {
    let limits = (efc.ne + efc.nf) as usize..(efc.ne + efc.nf + efc.nl) as usize;
    for row in limits.filter(|&row| efc.efc_type(row) == ConstraintType::LimitJoint) {
        jnt_limit_frc[efc.efc_id[row] as usize] += force[row];
    }
}

/// `b = J a0 − aref`. If blocks are given, builds them first and multiplies with them; the flag says whether they are
/// for products only.
fn unconstrained(p: &Problem, b: &mut [f64], blocks: Option<(&mut Blocks, bool)>) {
    match blocks {
        Some((blocks, products)) => {
            blocks.build(p, products);
            blocks.mul_vec(p, b, p.acc_smooth);
        }
        None => p.mul_jac(b, p.acc_smooth),
    }
    b.iter_mut().zip(p.aref).for_each(|(b, a)| *b -= a);
}

/// The dual matrix, dense or sparse as stored.
fn dual_matrix<'a>(m: &Model, dual: &'a Dual, rows: usize) -> Jacobian<'a> {
    let Dual { efc_AR_rownnz: rownnz, efc_AR_rowadr: rowadr, efc_AR_colind: colind, efc_AR: values, .. } = dual;
    if is_sparse(m) {
        Jacobian::Sparse(Pattern { rownnz, rowadr, colind }, values)
    } else {
        Jacobian::Dense { nv: rows, values }
    }
}
