//! Checks whether a solution is within the tolerance.

use super::islands;
use super::work::SolverRoom;
use crate::data::solver::{ISLANDS, ITERATIONS, SolverStat};
use crate::data::{Accel, Force, Inertia, Island};
use crate::model::Model;
use crate::model::enums::SolverType;
use crate::support::inertia::{mul_m, pattern};
use std::ops::Range;

/// A solution and the data to check it.
#[derive(Clone, Copy)]
pub struct Solved<'a> {
    /// Mass matrix.
    pub inertia: &'a Inertia,
    /// Islands.
    pub island: &'a Island,
    /// Smooth forces.
    pub force: &'a Force,
    /// Accelerations and constraint forces.
    pub accel: &'a Accel,
}

/// The first island that used up all iterations without reaching the tolerance, and the number of iterations.
///
/// Statistics cover only the first [`ISLANDS`] islands and [`ITERATIONS`] iterations. Islands beyond are judged by the
/// gradient alone. An island that used up more iterations counts as unsolved if none of those covered reached the
/// tolerance.
pub fn unsolved(
    m: &Model,
    rows: usize,
    x: Solved,
    stats: &[SolverStat],
    room: &mut SolverRoom,
) -> Option<(usize, usize)> {
    if rows == 0 {
        return None;
    }
    let iterations = super::most_iterations(m.opt.iterations);
    let apart = islands::supported(m, x.island, rows);
    let count = if apart { x.island.nisland as usize } else { 1 };
    let dual = m.opt.solver == SolverType::Pgs;
    let failed = |island: &usize| {
        // no-slip iterations are counted after the solver's own
        let used = (x.accel.solver_niter[*island] as usize).min(iterations);
        let stats = &stats[island * ITERATIONS..][..used.min(ITERATIONS)];
        let tolerance = m.opt.tolerance;
        used == iterations && !stats.iter().any(|s| s.improvement < tolerance || !dual && s.gradient < tolerance)
    };
    let first = (0..count.min(ISLANDS)).find(failed).or_else(|| steep_island(m, x, ISLANDS..count, room));
    first.map(|island| (island, iterations))
}

/// The first of `islands` whose gradient is not within the tolerance.
fn steep_island(m: &Model, x: Solved, mut islands: Range<usize>, room: &mut SolverRoom) -> Option<usize> {
    let Solved { inertia, island, force, accel } = x;
    if islands.is_empty() {
        return None;
    }
    let ma = &mut room.works[0].ma;
    ma.resize(m.nv, 0.0);
    mul_m(m, inertia, ma, &accel.qacc);
    room.springs.all().add_product(ma, &accel.qacc);
    islands.find(|&i| {
        let first = island.island_idofadr[i] as usize;
        let dofs = &island.map_idof2dof[first..first + island.island_nv[i] as usize];
        let (mut square, mut inertias) = (0.0, 0.0);
        for dof in dofs.iter().map(|&dof| dof as usize) {
            let slope = ma[dof] - force.qfrc_smooth[dof] - accel.qfrc_constraint[dof];
            square += slope * slope;
            inertias += inertia.M[pattern(m).range(dof).end - 1];
        }
        f64::sqrt(square) >= m.opt.tolerance * inertias
    })
}
