//! Solves the constraint problem island by island.

use super::primal::{Method, Outcome, Problem, Unknowns, solve};
use super::work::{IslandSprings, SolverWork};
use crate::data::solver::{ITERATIONS, SolverStat};
use crate::data::{Island, Solution};
use crate::model::enums::{DisableFlags, SolverType};
use crate::model::{Model, Options};
use crate::support::row::Jacobian;
use sinew_math::sparse::Pattern;
use std::ops::Range;

/// Minimum number of rows per task for another thread.
const ROWS_PER_TASK: usize = 64;

/// Whether islands are solved separately; they must match the current `rows`.
pub fn supported(m: &Model, island: &Island, rows: usize) -> bool {
    island.nisland > 0
        && island.efc_island.len() == rows
        && !m.opt.disabled(DisableFlags::ISLAND)
        && m.opt.noslip_iterations == 0
        && (m.opt.solver == SolverType::Cg || m.opt.solver == SolverType::Newton)
}

/// Sets dofs outside all islands to their unconstrained acceleration, regardless of the initial guess.
pub fn release(island: &Island, p: &Problem, qacc: &mut [f64]) {
    if island.nisland > 0 {
        for &dof in &island.map_idof2dof[island.nidof as usize..] {
            qacc[dof as usize] = p.acc_smooth[dof as usize];
        }
    }
}

/// Whether a single island contains all dofs, so that nothing is reordered.
pub fn is_whole(island: &Island, nv: usize) -> bool {
    island.nisland == 1 && island.nidof as usize == nv
}

/// Inputs and unknowns of all islands, in island order.
#[derive(Debug)]
pub struct Parts<'a> {
    frc_smooth: &'a mut [f64],
    acc_smooth: &'a mut [f64],
    aref: &'a mut [f64],
    qacc: &'a mut [f64],
    qfrc: &'a mut [f64],
    force: &'a mut [f64],
    state: &'a mut [i32],
}

impl<'a> Parts<'a> {
    /// The arrays in island order, followed by `efc_b`, `efc_force` and `efc_state`.
    pub fn of(solution: &'a mut Solution) -> (Self, &'a mut [f64], &'a mut [f64], &'a mut [i32]) {
        let parts = Parts {
            frc_smooth: &mut solution.ifrc_smooth,
            acc_smooth: &mut solution.iacc_smooth,
            aref: &mut solution.iefc_aref,
            qacc: &mut solution.iacc,
            qfrc: &mut solution.ifrc_constraint,
            force: &mut solution.iefc_force,
            state: &mut solution.iefc_state,
        };
        (parts, &mut solution.efc_b, &mut solution.efc_force, &mut solution.efc_state)
    }
}

/// Solves the single island that contains everything, without reordering. Its Jacobian is in the blocks of `w`; with
/// `begun`, the products with the initial guess are in `w` as well.
pub fn solve_whole(
    opt: &Options,
    method: Method,
    whole: &Problem,
    parts: Parts,
    u: &mut Unknowns,
    w: &mut SolverWork,
    begun: bool,
    mut report: Report,
) {
    let inertia: f64 = (0..u.qacc.len()).map(|k| whole.mass[whole.pattern.range(k).end - 1]).sum();
    let problem = Problem { scale: 1.0 / inertia, ..*whole };
    let Unknowns { qacc, qfrc, force, contact, .. } = u;
    let mut inner = Unknowns { qacc, qfrc, force, state: parts.state, contact };
    report.take(|stats| solve(opt, method, &problem, &mut inner, w, begun, stats));
    for (to, from) in [
        (parts.frc_smooth, whole.frc_smooth),
        (parts.acc_smooth, whole.acc_smooth),
        (parts.qacc, &*u.qacc),
        (parts.qfrc, &*u.qfrc),
        (parts.aref, whole.aref),
        (parts.force, &*u.force),
    ] {
        to.copy_from_slice(from);
    }
}

/// Solves every island from the initial guess in `u`, and scatters the results to model order.
pub fn solve_all(
    opt: &Options,
    method: Method,
    whole: &Problem,
    (island, springs): (&Island, &IslandSprings),
    parts: Parts,
    u: &mut Unknowns,
    works: &mut [SolverWork],
    report: Report,
) {
    let Parts { frc_smooth, acc_smooth, aref, qacc, qfrc, force, state } = parts;
    let dofs = &island.map_idof2dof[..island.nidof as usize];
    gather_into(frc_smooth, whole.frc_smooth, dofs);
    gather_into(acc_smooth, whole.acc_smooth, dofs);
    gather_into(qacc, u.qacc, dofs);
    gather_into(aref, whole.aref, &island.map_iefc2efc);
    let solver = Solver { opt, method, island, springs, whole, frc_smooth, acc_smooth, aref };
    let all = Unknowns { qacc: &mut *qacc, qfrc: &mut *qfrc, force: &mut *force, state, contact: u.contact };
    solver.range(0..island.nisland as usize, all, works, report);
    for (k, &dof) in dofs.iter().enumerate() {
        u.qacc[dof as usize] = qacc[k];
        u.qfrc[dof as usize] = qfrc[k];
    }
    u.force.iter_mut().zip(&island.map_efc2iefc).for_each(|(f, &at)| *f = force[at as usize]);
}

/// Gathers the values at the given indices.
fn gather_into(to: &mut [f64], from: &[f64], places: &[i32]) {
    to.iter_mut().zip(places).for_each(|(to, &at)| *to = from[at as usize]);
}

/// Data shared by all islands.
struct Solver<'a> {
    opt: &'a Options,
    method: Method,
    island: &'a Island,
    springs: &'a IslandSprings,
    whole: &'a Problem<'a>,
    frc_smooth: &'a [f64],
    acc_smooth: &'a [f64],
    aref: &'a [f64],
}

impl Solver<'_> {
    /// Solves a range of islands with unknowns `u`, on several threads if there are several workspaces.
    fn range(&self, islands: Range<usize>, mut u: Unknowns, works: &mut [SolverWork], mut report: Report) {
        if works.len() > 1 && islands.len() > 1 && u.force.len() >= 2 * ROWS_PER_TASK {
            let half = self.row_start(islands.start) + u.force.len() / 2;
            let middle = islands.clone().skip(1).find(|&i| self.row_start(i) >= half).unwrap_or(islands.end - 1);
            let rest = u.split(
                self.dof_start(middle) - self.dof_start(islands.start),
                self.row_start(middle) - self.row_start(islands.start),
            );
            let (here, there) = works.split_at_mut(works.len() / 2);
            let second = report.split(middle - islands.start);
            rayon::join(
                || self.range(islands.start..middle, u, here, report),
                || self.range(middle..islands.end, rest, there, second),
            );
            return;
        }
        for i in islands {
            let rest = u.split(self.island.island_nv[i] as usize, self.island.island_nefc[i] as usize);
            let problem = self.problem(i);
            works[0].blocks.build(&problem, self.method == Method::Cg);
            report.take(|stats| solve(self.opt, self.method, &problem, &mut u, &mut works[0], false, stats));
            u = rest;
        }
    }

    fn dof_start(&self, island: usize) -> usize {
        self.island.island_idofadr[island] as usize
    }

    fn row_start(&self, island: usize) -> usize {
        self.island.island_iefcadr[island] as usize
    }

    /// The problem of one island.
    fn problem(&self, i: usize) -> Problem<'_> {
        let x = self.island;
        let (dof, row) = (self.dof_start(i), self.row_start(i));
        let (nv, nefc) = (x.island_nv[i] as usize, x.island_nefc[i] as usize);
        let (dofs, rows) = (dof..dof + nv, row..row + nefc);
        let pattern =
            Pattern { rownnz: &x.iM_rownnz[dofs.clone()], rowadr: &x.iM_rowadr[dofs.clone()], colind: &x.iM_colind };
        let jac = match self.whole.jac {
            Jacobian::Dense { .. } => Jacobian::Dense { nv, values: &x.iefc_J[x.nidof as usize * row..][..nefc * nv] },
            Jacobian::Sparse(..) => {
                let (rownnz, rowadr) = (&x.iefc_J_rownnz[rows.clone()], &x.iefc_J_rowadr[rows.clone()]);
                Jacobian::Sparse(Pattern { rownnz, rowadr, colind: &x.iefc_J_colind }, &x.iefc_J)
            }
        };
        let inertia: f64 = (0..nv).map(|k| x.iM[pattern.range(k).end - 1]).sum();
        Problem {
            pattern,
            mass: &x.iM,
            springs: self.springs.of(i),
            factor: &x.iLD,
            diaginv: &x.iLDiagInv[dofs.clone()],
            frc_smooth: &self.frc_smooth[dofs.clone()],
            acc_smooth: &self.acc_smooth[dofs],
            jac,
            groups: None,
            alike: &x.iefc_J_rowsuper[rows.clone()],
            kind: &x.iefc_type[rows.clone()],
            id: &x.iefc_id[rows.clone()],
            ne: x.island_ne[i] as usize,
            nf: x.island_nf[i] as usize,
            d: &x.iefc_D[rows.clone()],
            r: &x.iefc_R[rows.clone()],
            frictionloss: &x.iefc_frictionloss[rows.clone()],
            aref: &self.aref[rows],
            scale: 1.0 / inertia,
        }
    }
}

/// Keeps up to `at` elements; returns the rest.
fn cut<'a, T>(v: &mut &'a mut [T], at: usize) -> &'a mut [T] {
    let at = at.min(v.len());
    v.split_off_mut(at..).unwrap_or_default()
}

/// Per-island statistics; written as far as the slices reach.
#[derive(Debug)]
pub struct Report<'a> {
    /// Iterations of each island.
    pub niter: &'a mut [i32],
    /// Entries of the matrices factored for each island.
    pub nnz: &'a mut [i32],
    /// Statistics of each iteration, [`ITERATIONS`] per island.
    pub stats: &'a mut [SolverStat],
}

impl<'a> Report<'a> {
    /// Keeps the first `islands`; returns the rest.
    fn split(&mut self, islands: usize) -> Report<'a> {
        Report {
            niter: cut(&mut self.niter, islands),
            nnz: cut(&mut self.nnz, islands),
            stats: cut(&mut self.stats, islands * ITERATIONS),
        }
    }

    /// Solves the next island and records its statistics.
    pub fn take(&mut self, solve: impl FnOnce(&mut [SolverStat]) -> Outcome) {
        let rest = self.split(1);
        let Outcome { niter, nnz } = solve(self.stats);
        self.niter.iter_mut().for_each(|n| *n = niter as i32);
        self.nnz.iter_mut().for_each(|n| *n = nnz as i32);
        *self = rest;
    }
}

impl<'a> Unknowns<'a> {
    /// Keeps the first `nv` dofs and `rows` rows; returns the rest.
    fn split(&mut self, nv: usize, rows: usize) -> Unknowns<'a> {
        Unknowns {
            qacc: cut(&mut self.qacc, nv),
            qfrc: cut(&mut self.qfrc, nv),
            force: cut(&mut self.force, rows),
            state: cut(&mut self.state, rows),
            contact: self.contact,
        }
    }
}
