//! Minimisation over constraint forces: projected Gauss–Seidel, and the friction-only pass that follows any solver.
//!
//! `min_f ½ fᵀ(A + R) f + bᵀf` over forces within their bounds, with `A = J M⁻¹ Jᵀ` and `b = J a0 − aref`.

use super::cone;
use super::primal::{CONE, LINEARNEG, LINEARPOS, Outcome, Problem, QUADRATIC, SATISFIED, Unknowns};
use super::qcqp;
use super::work::{Cone, SolverWork};
use crate::data::solver::SolverStat;
use crate::model::Options;
use crate::model::enums::ConstraintType;
use crate::support::row::{JacRow, Jacobian};
use sinew_math::factor::dot;
use sinew_math::sparse_chol::SparseChol;
use sinew_math::{MINVAL, clip};

/// A change of cost above this undoes the change of force.
const WORSE: f64 = 1e-10;
/// Smallest diagonal of a block without regularisation.
const MIN_DIAGONAL: f64 = 1e-10;
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
    fn diagonal(&self, i: usize) -> f64 {
        self.block::<1>(i)[0][0]
    }

    /// The square block from `start` on; rows of one contact are full there.
    fn block<const N: usize>(&self, start: usize) -> [[f64; N]; N] {
        std::array::from_fn(|j| {
            let (at, row) = match self.matrix.row(start + j) {
                JacRow::Dense(row) => (start, row),
                JacRow::Sparse(cols, row) => (cols.partition_point(|&c| (c as usize) < start), row),
            };
            row[at..].first_chunk().copied().unwrap_or([0.0; N])
        })
    }

    /// `res = b + (A + R) f`.
    fn residual(&self, res: &mut [f64], force: &[f64]) {
        res.copy_from_slice(self.b);
        for (i, &f) in force.iter().enumerate().filter(|(_, f)| **f != 0.0) {
            self.matrix.row(i).add_to(res, f);
        }
    }

    /// Adds to the residual what changes of the forces from row `start` on do, in one pass over their rows.
    #[inline(always)]
    fn add<const N: usize>(&self, res: &mut [f64], start: usize, change: &[f64; N]) {
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

/// The same at the given columns, which mostly come in runs: contacts of the same bodies follow each other.
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
fn form<const N: usize>(x: &[f64; N], a: &[[f64; N]; N], y: &[f64; N]) -> f64 {
    (0..N).map(|k| x[k] * dot(&a[k], y)).sum()
}

/// Puts new forces in place of the old, from row `start` on, unless they cost more. The cost changes by
/// `½ δᵀAδ + δᵀres`, which is returned.
#[inline(always)]
fn accept<const N: usize>(
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

/// `N` numbers from `start` on.
#[inline(always)]
fn part<const N: usize>(x: &[f64], start: usize) -> [f64; N] {
    x[start..].first_chunk().copied().unwrap_or([0.0; N])
}

/// States that forces imply. Returns the number of active rows.
fn update_state(p: &Problem, cones: &[Cone], force: &[f64], state: &mut [i32]) -> i32 {
    state[..p.ne].fill(QUADRATIC);
    let mut active = (p.ne + p.nf) as i32;
    for i in p.ne..p.ne + p.nf {
        let (f, loss) = (force[i], p.frictionloss[i]);
        // the force points against the motion
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

/// Friction of a contact with a fixed normal force: the minimum within the ellipsoid. `a` and `b` are those of the
/// friction forces alone.
#[inline(always)]
fn friction<const M: usize>(normal: f64, a: &[[f64; M]; M], b: &[f64; M], mu: &[f64; M]) -> [f64; M] {
    if normal < MINVAL {
        return [0.0; M];
    }
    let (x, bound) = qcqp::minimise(a, b, mu, normal);
    if !bound {
        return x;
    }
    // exactly onto the ellipsoid
    let size: f64 = x.iter().zip(mu).map(|(x, mu)| x * x / (mu * mu)).sum();
    let s = (normal * normal / MINVAL.max(size)).sqrt();
    x.map(|x| x * s)
}

/// New forces of an elliptic contact of `N = M + 1` rows: along the present force, then friction for that normal
/// force.
#[inline(always)]
fn cone_forces<const N: usize, const M: usize>(
    cone: &Cone,
    a: &[[f64; N]; N],
    old: &[f64; N],
    res: &[f64; N],
) -> [f64; N] {
    let mut normal = old[0];
    if normal < MINVAL {
        normal = (normal - res[0] / a[0][0]).max(0.0);
    } else {
        let denominator = form(old, a, old);
        if denominator >= MINVAL {
            let x = -dot(old, res) / denominator;
            // not beyond zero
            normal += if normal + x * normal < 0.0 { -normal } else { x * normal };
        }
    }
    let inner: [[f64; M]; M] = std::array::from_fn(|j| part(&a[j + 1], 1));
    let b: [f64; M] =
        std::array::from_fn(|j| res[j + 1] - dot(&inner[j], &part::<M>(old, 1)) + a[j + 1][0] * (normal - old[0]));
    let tangent: [f64; M] = friction(normal, &inner, &b, &part(&cone.scale, 1));
    std::array::from_fn(|k| if k == 0 { normal } else { tangent[k - 1] })
}

/// Improves the forces of an elliptic contact, whose block of the dual matrix is at the beginning of `block`.
/// Returns the reduction of cost.
fn sweep_cone<const N: usize, const M: usize>(
    dual: &DualProblem,
    cone: &Cone,
    block: &[f64; 36],
    force: &mut [f64],
    res: &mut [f64],
) -> f64 {
    let Some(a) = block.as_chunks().0.first_chunk() else { return 0.0 };
    let (old, slope) = (part::<N>(force, cone.row), part(res, cone.row));
    let new = cone_forces::<N, M>(cone, a, &old, &slope);
    -accept(dual, [force, res], cone.row, a, &slope, [&new, &old])
}

/// Keeps the block of the dual matrix that belongs to an elliptic contact.
fn store_block<const N: usize>(dual: &DualProblem, cone: &Cone, block: &mut [f64; 36]) {
    block[..N * N].copy_from_slice(dual.block::<N>(cone.row).as_flattened());
}

/// Joint-space force and acceleration of the forces found.
fn finish(p: &Problem, u: &mut Unknowns, chol: &mut SparseChol) {
    p.jac.mul_vec_t(u.qfrc, u.force);
    u.qacc.copy_from_slice(u.qfrc);
    p.factor_mass(chol);
    p.solve_mass(u.qacc, chol);
    u.qacc.iter_mut().zip(p.acc_smooth).for_each(|(a, a0)| *a += a0);
}

/// Projected Gauss–Seidel from the forces in `u`.
#[doc(alias = "mj_solPGS")]
pub fn pgs(
    opt: &Options,
    p: &Problem,
    dual: &DualProblem,
    u: &mut Unknowns,
    w: &mut SolverWork,
    stats: &mut [SolverStat],
) -> Outcome {
    let n = dual.b.len();
    w.fit(u.qacc.len(), n);
    cone::find(p, u.contact, &mut w.cones);
    let SolverWork { jaref: res, cones, curves: blocks, oldstate, jv: diagonal, sparse, .. } = w;
    (0..n).for_each(|i| diagonal[i] = dual.diagonal(i));
    blocks.resize(cones.len(), [0.0; 36]);
    for (cone, block) in cones.iter().zip(blocks.iter_mut()) {
        match cone.dim {
            3 => store_block::<3>(dual, cone, block),
            4 => store_block::<4>(dual, cone, block),
            _ => store_block::<6>(dual, cone, block),
        }
    }
    update_state(p, cones, u.force, u.state);
    let mut niter = 0;
    while niter < opt.iterations.max(0) as usize {
        if niter % REFRESH == 0 {
            dual.residual(res, u.force);
        }
        let mut gain = 0.0;
        let mut next = 0;
        for (cone, block) in cones.iter().zip(blocks.iter()) {
            gain += sweep(p, dual, diagonal, u.force, res, next..cone.row);
            next = cone.rows().end;
            gain += match cone.dim {
                3 => sweep_cone::<3, 2>(dual, cone, block, u.force, res),
                4 => sweep_cone::<4, 3>(dual, cone, block, u.force, res),
                _ => sweep_cone::<6, 5>(dual, cone, block, u.force, res),
            };
        }
        gain += sweep(p, dual, diagonal, u.force, res, next..n);
        oldstate.copy_from_slice(u.state);
        let improvement = gain * p.scale;
        record(p, cones, u, oldstate, improvement, stats.get_mut(niter));
        niter += 1;
        if improvement < opt.tolerance {
            break;
        }
    }
    finish(p, u, sparse);
    let nnz = match dual.matrix {
        Jacobian::Dense { .. } => n * n,
        Jacobian::Sparse(pattern, _) => pattern.rownnz.iter().sum::<i32>() as usize,
    };
    Outcome { niter, nnz }
}

/// One pass over rows whose forces have bounds of their own. Returns the reduction of cost.
fn sweep(
    p: &Problem,
    dual: &DualProblem,
    diagonal: &[f64],
    force: &mut [f64],
    res: &mut [f64],
    rows: std::ops::Range<usize>,
) -> f64 {
    let mut gain = 0.0;
    for i in rows {
        let old = force[i];
        let free = old - res[i] * (1.0 / diagonal[i]);
        let new = if i < p.ne {
            free
        } else if i < p.ne + p.nf {
            clip(free, -p.frictionloss[i], p.frictionloss[i])
        } else {
            free.max(0.0)
        };
        if new == old {
            continue;
        }
        let slope = res[i];
        gain -= accept(dual, [force, res], i, &[[diagonal[i]]], &[slope], [&[new], &[old]]);
    }
    gain
}

/// Brings states up to date and notes what an iteration did.
fn record(p: &Problem, cones: &[Cone], u: &mut Unknowns, old: &[i32], improvement: f64, stat: Option<&mut SolverStat>) {
    let nactive = update_state(p, cones, u.force, u.state);
    if let Some(stat) = stat {
        let nchange = u.state.iter().zip(old).map(|(a, b)| i32::from(a != b)).sum();
        *stat = SolverStat { improvement, nactive, nchange, ..SolverStat::default() };
    }
}

/// Removes slip: friction forces for the normal forces found so far, without regularisation. `stats` are those
/// after the solver's own. Returns the number of iterations.
#[doc(alias = "mj_solNoSlip")]
pub fn no_slip(
    opt: &Options,
    p: &Problem,
    dual: &DualProblem,
    u: &mut Unknowns,
    w: &mut SolverWork,
    stats: &mut [SolverStat],
) -> usize {
    let n = dual.b.len();
    w.fit(u.qacc.len(), n);
    cone::find(p, u.contact, &mut w.cones);
    let SolverWork { jaref: res, cones, oldstate, sparse, .. } = w;
    update_state(p, cones, u.force, u.state);
    let mut niter = 0;
    while niter < opt.noslip_iterations.max(0) as usize {
        let mut gain = 0.0;
        if niter == 0 {
            // the cost no longer has the regularisation
            gain += u.force.iter().zip(p.r).map(|(f, r)| 0.5 * f * f * r).sum::<f64>();
        }
        if niter % REFRESH == 0 {
            dual.residual(res, u.force);
        }
        gain += slip_rows(p, dual, u.force, res);
        gain += slip_contacts(p, dual, u, cones, res);
        oldstate.copy_from_slice(u.state);
        let improvement = gain * p.scale;
        record(p, cones, u, oldstate, improvement, stats.get_mut(niter));
        niter += 1;
        if improvement < opt.noslip_tolerance {
            break;
        }
    }
    finish(p, u, sparse);
    niter
}

/// Dry friction of joints and tendons.
fn slip_rows(p: &Problem, dual: &DualProblem, force: &mut [f64], res: &mut [f64]) -> f64 {
    let mut gain = 0.0;
    for i in p.ne..p.ne + p.nf {
        let old = force[i];
        let slip = res[i] - p.r[i] * old;
        let diagonal = MINVAL.max(dual.diagonal(i) - p.r[i]);
        let loss = p.frictionloss[i];
        force[i] = clip(old - slip * (1.0 / diagonal), -loss, loss);
        let delta = force[i] - old;
        gain -= 0.5 * delta * delta * diagonal + delta * slip;
        dual.add(res, i, &[delta]);
    }
    gain
}

/// Friction of contacts: pairs of opposite pyramid edges whose sum stays, or all friction of an elliptic contact.
fn slip_contacts(p: &Problem, dual: &DualProblem, u: &mut Unknowns, cones: &[Cone], res: &mut [f64]) -> f64 {
    let mut gain = 0.0;
    let mut cones = cones.iter();
    let mut i = p.ne + p.nf;
    while i < p.kind.len() {
        match ConstraintType::try_from(p.kind[i]) {
            Ok(ConstraintType::ContactPyramidal) => {
                let edges = 2 * (u.contact[p.id[i] as usize].dim as usize - 1);
                for j in (i..i + edges).step_by(2) {
                    gain -= slip_block(p, dual, u.force, res, j, edge_pair);
                }
                i += edges;
            }
            Ok(ConstraintType::ContactElliptic) => {
                let Some(cone) = cones.next() else { break };
                gain -= match cone.dim {
                    3 => slip_cone::<2>(p, dual, cone, u.force, res),
                    4 => slip_cone::<3>(p, dual, cone, u.force, res),
                    _ => slip_cone::<5>(p, dual, cone, u.force, res),
                };
                i += cone.dim;
            }
            _ => i += 1,
        }
    }
    gain
}

/// All friction of an elliptic contact with `N` directions of it.
fn slip_cone<const N: usize>(p: &Problem, dual: &DualProblem, cone: &Cone, force: &mut [f64], res: &mut [f64]) -> f64 {
    let normal = force[cone.row];
    slip_block(p, dual, force, res, cone.row + 1, |_, a, b| friction::<N>(normal, a, b, &part(&cone.scale, 1)))
}

/// Changes `N` forces from row `start` on to what `solve` finds from them and their own matrix and vector. Returns the
/// change of cost.
fn slip_block<const N: usize>(
    p: &Problem,
    dual: &DualProblem,
    force: &mut [f64],
    res: &mut [f64],
    start: usize,
    solve: impl Fn(&[f64; N], &[[f64; N]; N], &[f64; N]) -> [f64; N],
) -> f64 {
    let mut a = dual.block::<N>(start);
    let (old, r) = (part::<N>(force, start), part::<N>(p.r, start));
    let slip: [f64; N] = std::array::from_fn(|k| res[start + k] - r[k] * old[k]);
    (0..N).for_each(|k| a[k][k] = MIN_DIAGONAL.max(a[k][k] - r[k]));
    let b = std::array::from_fn(|k| slip[k] - dot(&a[k], &old));
    let new = solve(&old, &a, &b);
    accept(dual, [force, res], start, &a, &slip, [&new, &old])
}

/// Two opposite edges of a pyramid: `mid ± y`, `|y| ≤ mid`.
fn edge_pair(force: &[f64; 2], a: &[[f64; 2]; 2], b: &[f64; 2]) -> [f64; 2] {
    let mid = 0.5 * (force[0] + force[1]);
    let curvature = a[0][0] + a[1][1] - a[0][1] - a[1][0];
    let slope = mid * (a[0][0] - a[1][1]) + b[0] - b[1];
    if curvature < MINVAL {
        return [mid, mid];
    }
    let y = -slope / curvature;
    if y < -mid {
        [0.0, 2.0 * mid]
    } else if y > mid {
        [2.0 * mid, 0.0]
    } else {
        [mid + y, mid - y]
    }
}
