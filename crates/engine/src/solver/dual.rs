//! Minimisation over constraint forces, shared by projected Gauss–Seidel and the no-slip pass.
//!
//! `min_f ½ fᵀ(A + R) f + bᵀf` over forces within their bounds, with `A = J M⁻¹ Jᵀ` and `b = J a0 − aref`.

use super::primal::{CONE, LINEARNEG, LINEARPOS, Problem, QUADRATIC, SATISFIED, Unknowns};
use super::work::{Cone, SolverWork};
use super::{cone, qcqp};
use crate::data::solver::SolverStat;
use crate::support::row::{JacRow, Jacobian};
use sinew_math::MINVAL;
use sinew_math::factor::dot;
use sinew_math::sparse_chol::SparseChol;

/// A force update that increases the cost by more than this is rejected.
const WORSE: f64 = 1e-10;
/// Sweeps between exact computations of the residual.
const REFRESH: usize = 16;

/// The dual matrix and vector.
#[derive(Clone, Copy, Debug)]
pub struct DualProblem<'a> {
    /// `A + R`, symmetric.
    pub matrix: Jacobian<'a>,
    /// `J a0 − aref`.
    pub b: &'a [f64],
}

impl DualProblem<'_> {
    /// Entry at row and column `i`.
    pub(super) fn diagonal(&self, i: usize) -> f64 {
        self.block::<1>(i)[0][0]
    }

    /// The square block from `start` on; the rows of one contact have all entries there.
    pub(super) fn block<const N: usize>(&self, start: usize) -> [[f64; N]; N] {
        std::array::from_fn(|j| {
            let (at, row) = match self.matrix.row(start + j) {
                JacRow::Dense(row) => (start, row),
                JacRow::Sparse(cols, row) => (cols.partition_point(|&c| (c as usize) < start), row),
            };
            row[at..].first_chunk().copied().unwrap_or([0.0; N])
        })
    }

    /// `res = b + (A + R) f`.
    pub(super) fn residual(&self, res: &mut [f64], force: &[f64]) {
        res.copy_from_slice(self.b);
        for (i, &f) in force.iter().enumerate().filter(|(_, f)| **f != 0.0) {
            self.matrix.row(i).add_to(res, f);
        }
    }

    /// Updates the residual for changes of the `N` forces from row `start` on, in one pass over their rows.
    #[inline(always)]
    pub(super) fn add<const N: usize>(&self, res: &mut [f64], start: usize, change: &[f64; N]) {
        if *change == [0.0; N] {
            return;
        }
        match self.matrix {
            Jacobian::Dense { nv: n, values } => {
                let rows: [&[f64]; N] = std::array::from_fn(|k| &values[(start + k) * n..][..n]);
                add_rows(&mut res[..n], rows, change);
            }
            Jacobian::Sparse(pattern, values) => {
                let cols = pattern.cols(start);
                let rows = std::array::from_fn(|k| &values[pattern.range(start + k).start..][..cols.len()]);
                add_rows_at(res, cols, rows, change);
            }
        }
    }
}

/// `res += Σ s_k rows_k`.
#[inline(always)]
fn add_rows<const N: usize>(res: &mut [f64], rows: [&[f64]; N], s: &[f64; N]) {
    let n = res.len();
    let rows = rows.map(|row| &row[..n]);
    for (i, r) in res.iter_mut().enumerate() {
        let mut sum = rows[0][i] * s[0];
        for k in 1..N {
            sum += rows[k][i] * s[k];
        }
        *r += sum;
    }
}

/// [`add_rows`] at the given columns, which are mostly consecutive, since contacts of the same bodies follow each
/// other.
#[inline(always)]
fn add_rows_at<const N: usize>(res: &mut [f64], cols: &[i32], rows: [&[f64]; N], s: &[f64; N]) {
    let (fours, rest) = cols.as_chunks::<4>();
    let sum = |i: usize| (1..N).fold(rows[0][i] * s[0], |sum, k| sum + rows[k][i] * s[k]);
    for (i, four) in fours.iter().enumerate() {
        let at = four[0] as usize;
        if four[3] == four[0] + 3 {
            add_rows(&mut res[at..at + 4], rows.map(|row| &row[4 * i..4 * i + 4]), s);
        } else {
            (0..4).for_each(|k| res[four[k] as usize] += sum(4 * i + k));
        }
    }
    rest.iter().enumerate().for_each(|(k, &c)| res[c as usize] += sum(4 * fours.len() + k));
}

/// `x A y`.
#[inline(always)]
pub(super) fn form<const N: usize>(x: &[f64; N], a: &[[f64; N]; N], y: &[f64; N]) -> f64 {
    (0..N).map(|k| x[k] * dot(&a[k], y)).sum()
}

/// Replaces the forces from row `start` on, unless that increases the cost. Returns the change of cost,
/// `½ δᵀAδ + δᵀres`.
#[inline(always)]
pub(super) fn accept<const N: usize>(
    dual: &DualProblem,
    [force, res]: [&mut [f64]; 2],
    start: usize,
    a: &[[f64; N]; N],
    slope: &[f64; N],
    [new, old]: [&[f64; N]; 2],
) -> f64 {
    let delta: [f64; N] = std::array::from_fn(|k| new[k] - old[k]);
    let change = 0.5 * form(&delta, a, &delta) + dot(&delta, slope);
    if change > WORSE {
        return 0.0;
    }
    force[start..start + N].copy_from_slice(new);
    dual.add(res, start, &delta);
    change
}

/// `N` values from `start` on.
#[inline(always)]
pub(super) fn part<const N: usize>(x: &[f64], start: usize) -> [f64; N] {
    x[start..].first_chunk().copied().unwrap_or([0.0; N])
}

/// Sets the states implied by the forces. Returns the number of active rows.
pub(super) fn update_state(p: &Problem, cones: &[Cone], force: &[f64], state: &mut [i32]) -> i32 {
    state[..p.ne].fill(QUADRATIC);
    let mut active = (p.ne + p.nf) as i32;
    for i in p.ne..p.ne + p.nf {
        let (f, loss) = (force[i], p.frictionloss[i]);
        // the force opposes the motion
        state[i] = if f <= -loss {
            LINEARPOS
        } else if f >= loss {
            LINEARNEG
        } else {
            QUADRATIC
        };
    }
    let mut next = p.ne + p.nf;
    let mut bounds = |rows: std::ops::Range<usize>, state: &mut [i32]| {
        for i in rows {
            state[i] = if force[i] <= 0.0 { SATISFIED } else { QUADRATIC };
            active += i32::from(force[i] > 0.0);
        }
    };
    let mut curved = 0;
    for cone in cones {
        bounds(next..cone.row, state);
        let rows = cone.rows();
        next = rows.end;
        let s = cone_state(cone, &force[rows.clone()]);
        state[rows].fill(s);
        curved += if s == SATISFIED { 0 } else { cone.dim as i32 };
    }
    bounds(next..force.len(), state);
    active + curved
}

fn cone_state(cone: &Cone, force: &[f64]) -> i32 {
    let mut f = [0.0; 6];
    (0..cone.dim).for_each(|k| f[k] = force[k] / cone.scale[k]);
    let (mu, normal, tangent) = (cone.scale[0], f[0], dot(&f[1..cone.dim], &f[1..cone.dim]).sqrt());
    if mu * normal >= tangent {
        SATISFIED
    } else if normal + mu * tangent <= 0.0 {
        QUADRATIC
    } else {
        CONE
    }
}

/// Friction of a contact with a fixed normal force: the minimum within the friction ellipsoid. `a` and `b` are the
/// matrix and vector of the friction forces alone.
#[inline(always)]
pub(super) fn friction<const M: usize>(normal: f64, a: &[[f64; M]; M], b: &[f64; M], mu: &[f64; M]) -> [f64; M] {
    if normal < MINVAL {
        return [0.0; M];
    }
    let (x, bound) = qcqp::minimise(a, b, mu, normal);
    if !bound {
        return x;
    }
    // rescale exactly onto the ellipsoid
    let size: f64 = x.iter().zip(mu).map(|(x, mu)| x * x / (mu * mu)).sum();
    let s = (normal * normal / MINVAL.max(size)).sqrt();
    x.map(|x| x * s)
}

/// Computes the joint-space force and the acceleration from the constraint forces.
pub(super) fn finish(p: &Problem, u: &mut Unknowns, chol: &mut SparseChol) {
    p.jac.mul_vec_t(u.qfrc, u.force);
    u.qacc.copy_from_slice(u.qfrc);
    p.factor_mass(chol);
    p.solve_mass(u.qacc, chol);
    u.qacc.iter_mut().zip(p.acc_smooth).for_each(|(a, a0)| *a += a0);
}

/// Repeated sweeps over all forces.
pub(super) struct Sweeps<'a> {
    pub problem: &'a Problem<'a>,
    pub dual: &'a DualProblem<'a>,
    /// Maximum number of sweeps.
    pub iterations: i32,
    /// Stop once a sweep reduces the scaled cost by less than this.
    pub tolerance: f64,
}

impl Sweeps<'_> {
    /// Resizes the workspace for the problem and finds the cones.
    pub fn begin(&self, u: &Unknowns, w: &mut SolverWork) {
        w.fit(u.qacc.len(), self.dual.b.len());
        cone::find(self.problem, u.contact, &mut w.cones);
    }

    /// Repeats `sweep`, which gets its index, the forces and the residual, and returns the reduction of cost. Returns
    /// the number of sweeps.
    pub fn run(
        &self,
        u: &mut Unknowns,
        cones: &[Cone],
        (res, oldstate): (&mut [f64], &mut [i32]),
        stats: &mut [SolverStat],
        mut sweep: impl FnMut(usize, &mut Unknowns, &mut [f64]) -> f64,
    ) -> usize {
        update_state(self.problem, cones, u.force, u.state);
        let most = super::most_iterations(self.iterations);
        for niter in 0..most {
            if niter % REFRESH == 0 {
                self.dual.residual(res, u.force);
            }
            let improvement = sweep(niter, u, res) * self.problem.scale;
            oldstate.copy_from_slice(u.state);
            record(self.problem, cones, u, oldstate, improvement, stats.get_mut(niter));
            if improvement.is_nan() || improvement < self.tolerance {
                return niter + 1;
            }
        }
        most
    }
}

/// Updates the states and records the statistics of an iteration.
fn record(p: &Problem, cones: &[Cone], u: &mut Unknowns, old: &[i32], improvement: f64, stat: Option<&mut SolverStat>) {
    let nactive = update_state(p, cones, u.force, u.state);
    if let Some(stat) = stat {
        let nchange = u.state.iter().zip(old).map(|(a, b)| i32::from(a != b)).sum();
        *stat = SolverStat { improvement, nactive, nchange, ..SolverStat::default() };
    }
}
