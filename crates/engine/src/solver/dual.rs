//! Minimisation over constraint forces: projected Gauss–Seidel, and the friction-only pass that follows any solver.
//!
//! `min_f ½ fᵀ(A + R) f + bᵀf` over forces within their bounds, with `A = J M⁻¹ Jᵀ` and `b = J a0 − aref`.

use super::cone;
use super::primal::{CONE, LINEARNEG, LINEARPOS, Outcome, Problem, QUADRATIC, SATISFIED, Unknowns};
use super::qcqp;
use crate::data::solver::{Cone, SolverStat, SolverWork};
use crate::model::Options;
use crate::model::enums::ConstraintType;
use crate::support::row::{JacRow, Jacobian};
use sinew_math::factor::{self, dot};
use sinew_math::sparse::{Subset, add_scaled};
use sinew_math::{MINVAL, clip};

/// A change of cost above this undoes the change of force.
const WORSE: f64 = 1e-10;
/// Smallest diagonal of a block without regularisation.
const MIN_DIAGONAL: f64 = 1e-10;
/// Sweeps between exact computations of the residual.
const REFRESH: usize = 16;

/// The dual matrix and vector.
#[derive(Clone, Copy, Debug)]
pub struct Dual<'a> {
    /// `A + R`, symmetric.
    pub matrix: Jacobian<'a>,
    /// `J a0 − aref`.
    pub b: &'a [f64],
}

impl Dual<'_> {
    /// Entry at row and column `i`.
    fn diagonal(&self, i: usize) -> f64 {
        self.block::<1>(i, 1)[0]
    }

    /// The `n × n` block from `start` on; rows of one contact are full there.
    fn block<const N: usize>(&self, start: usize, n: usize) -> [f64; N] {
        let mut res = [0.0; N];
        for j in 0..n {
            let (at, row) = match self.matrix.row(start + j) {
                JacRow::Dense(row) => (start, row),
                JacRow::Sparse(cols, row) => (cols.partition_point(|&c| (c as usize) < start), row),
            };
            res[j * n..(j + 1) * n].copy_from_slice(&row[at..at + n]);
        }
        res
    }

    /// `res = b + (A + R) f`.
    fn residual(&self, res: &mut [f64], force: &[f64]) {
        res.copy_from_slice(self.b);
        self.add(res, 0, force, &[]);
    }

    /// Adds to the residual what a change of the forces from row `start` on does; `old` none means from zero.
    fn add(&self, res: &mut [f64], start: usize, new: &[f64], old: &[f64]) {
        if let ([n0, n1, n2], [o0, o1, o2]) = (new, old) {
            return self.add_three(res, start, [n0 - o0, n1 - o1, n2 - o2]);
        }
        for (k, f) in new.iter().enumerate() {
            let change = f - old.get(k).copied().unwrap_or(0.0);
            if change != 0.0 {
                self.matrix.row(start + k).add_to(res, change);
            }
        }
    }
}

impl Dual<'_> {
    /// Adds what changes of three forces of one contact do, in one pass over their rows.
    fn add_three(&self, res: &mut [f64], start: usize, s: [f64; 3]) {
        if s == [0.0; 3] {
            return;
        }
        let row = |k: usize| self.matrix.row(start + k);
        match (row(0), row(1), row(2)) {
            (JacRow::Dense(a), JacRow::Dense(b), JacRow::Dense(c)) => {
                for (((r, a), b), c) in res.iter_mut().zip(a).zip(b).zip(c) {
                    *r += a * s[0] + b * s[1] + c * s[2];
                }
            }
            (JacRow::Sparse(cols, a), JacRow::Sparse(_, b), JacRow::Sparse(_, c)) => {
                for (((&col, a), b), c) in cols.iter().zip(a).zip(b).zip(c) {
                    res[col as usize] += a * s[0] + b * s[1] + c * s[2];
                }
            }
            _ => {}
        }
    }
}

/// Change of cost `½ δᵀAδ + δᵀres` for new forces; if it is positive the old forces come back.
fn cost_change(a: &[f64], force: &mut [f64], old: &[f64], res: &[f64]) -> f64 {
    let n = force.len();
    let mut delta = [0.0; 6];
    (0..n).for_each(|k| delta[k] = force[k] - old[k]);
    let delta = &delta[..n];
    let square: f64 = (0..n).map(|k| delta[k] * dot(&a[k * n..(k + 1) * n], delta)).sum();
    let change = 0.5 * square + dot(delta, res);
    if change > WORSE {
        force.copy_from_slice(old);
        return 0.0;
    }
    change
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
fn friction(force: &mut [f64], normal: f64, a: &[f64], b: &[f64], mu: &[f64]) {
    if normal < MINVAL {
        force.fill(0.0);
        return;
    }
    let (mut x, bound) = qcqp::minimise(a, b, mu, normal);
    if bound {
        // exactly onto the ellipsoid
        let size: f64 = x.iter().zip(mu).map(|(x, mu)| x * x / (mu * mu)).sum();
        let s = (normal * normal / MINVAL.max(size)).sqrt();
        x.iter_mut().for_each(|x| *x *= s);
    }
    force.copy_from_slice(&x[..force.len()]);
}

/// New forces of an elliptic contact: along the present force, then friction for that normal force.
fn update_cone(cone: &Cone, a: &[f64], force: &mut [f64], old: &[f64], res: &[f64]) {
    let n = cone.dim;
    if force[0] < MINVAL {
        force[0] = (force[0] - res[0] / a[0]).max(0.0);
        force[1..].fill(0.0);
    } else {
        let denominator: f64 = (0..n).map(|k| old[k] * dot(&a[k * n..(k + 1) * n], old)).sum();
        if denominator >= MINVAL {
            let mut x = -dot(old, res) / denominator;
            if force[0] + x * old[0] < 0.0 {
                x = -old[0] / force[0];
            }
            add_scaled(force, old, x);
        }
    }
    let m = n - 1;
    let (mut inner, mut b) = ([0.0; 25], [0.0; 5]);
    for j in 0..m {
        let row = &a[(j + 1) * n..(j + 2) * n];
        inner[j * m..(j + 1) * m].copy_from_slice(&row[1..]);
        b[j] = res[j + 1] - dot(&row[1..], &old[1..]) + row[0] * (force[0] - old[0]);
    }
    let normal = force[0];
    friction(&mut force[1..], normal, &inner[..m * m], &b[..m], &cone.scale[1..n]);
}

/// Joint-space force and acceleration of the forces found.
fn finish(p: &Problem, u: &mut Unknowns) {
    p.jac.mul_vec_t(u.qfrc, u.force);
    u.qacc.copy_from_slice(u.qfrc);
    factor::solve_ldl(u.qacc, p.factor, p.diaginv, p.pattern, Subset::All(u.qfrc.len()));
    u.qacc.iter_mut().zip(p.acc_smooth).for_each(|(a, a0)| *a += a0);
}

/// Projected Gauss–Seidel from the forces in `u`.
#[doc(alias = "mj_solPGS")]
pub fn pgs(
    opt: &Options,
    p: &Problem,
    dual: &Dual,
    u: &mut Unknowns,
    w: &mut SolverWork,
    stats: &mut [SolverStat],
) -> Outcome {
    let n = dual.b.len();
    w.fit(u.qacc.len(), n);
    cone::find(p, u.contact, &mut w.cones);
    let SolverWork { jaref: res, cones, oldstate, jv: diagonal, .. } = w;
    (0..n).for_each(|i| diagonal[i] = dual.diagonal(i));
    update_state(p, cones, u.force, u.state);
    let mut niter = 0;
    while niter < opt.iterations.max(0) as usize {
        if niter % REFRESH == 0 {
            dual.residual(res, u.force);
        }
        let mut gain = 0.0;
        let mut next = 0;
        for cone in cones.iter() {
            gain += sweep(p, dual, diagonal, u.force, res, next..cone.row);
            let rows = cone.rows();
            next = rows.end;
            let mut old = [0.0; 6];
            let old = &mut old[..cone.dim];
            old.copy_from_slice(&u.force[rows.clone()]);
            let a: [f64; 36] = dual.block(cone.row, cone.dim);
            let force = &mut u.force[rows.clone()];
            update_cone(cone, &a, force, old, &res[rows.clone()]);
            gain -= cost_change(&a, force, old, &res[rows]);
            dual.add(res, cone.row, force, old);
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
    finish(p, u);
    let nnz = match dual.matrix {
        Jacobian::Dense { .. } => n * n,
        Jacobian::Sparse(pattern, _) => pattern.rownnz.iter().sum::<i32>() as usize,
    };
    Outcome { niter, nnz }
}

/// One pass over rows whose forces have bounds of their own. Returns the reduction of cost.
fn sweep(
    p: &Problem,
    dual: &Dual,
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
        force[i] = new;
        gain -= cost_change(&diagonal[i..=i], &mut force[i..=i], &[old], &res[i..=i]);
        dual.add(res, i, &force[i..=i], &[old]);
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
    dual: &Dual,
    u: &mut Unknowns,
    w: &mut SolverWork,
    stats: &mut [SolverStat],
) -> usize {
    let n = dual.b.len();
    w.fit(u.qacc.len(), n);
    cone::find(p, u.contact, &mut w.cones);
    let SolverWork { jaref: res, cones, oldstate, .. } = w;
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
    finish(p, u);
    niter
}

/// Dry friction of joints and tendons.
fn slip_rows(p: &Problem, dual: &Dual, force: &mut [f64], res: &mut [f64]) -> f64 {
    let mut gain = 0.0;
    for i in p.ne..p.ne + p.nf {
        let old = force[i];
        let slip = res[i] - p.r[i] * old;
        let diagonal = MINVAL.max(dual.diagonal(i) - p.r[i]);
        let loss = p.frictionloss[i];
        force[i] = clip(old - slip * (1.0 / diagonal), -loss, loss);
        let delta = force[i] - old;
        gain -= 0.5 * delta * delta * diagonal + delta * slip;
        dual.add(res, i, &force[i..=i], &[old]);
    }
    gain
}

/// Friction of contacts: pairs of opposite pyramid edges whose sum stays, or all friction of an elliptic contact.
fn slip_contacts(p: &Problem, dual: &Dual, u: &mut Unknowns, cones: &[Cone], res: &mut [f64]) -> f64 {
    let mut gain = 0.0;
    let mut cones = cones.iter();
    let mut i = p.ne + p.nf;
    while i < p.kind.len() {
        match ConstraintType::try_from(p.kind[i]) {
            Ok(ConstraintType::ContactPyramidal) => {
                let edges = 2 * (u.contact[p.id[i] as usize].dim as usize - 1);
                for j in (i..i + edges).step_by(2) {
                    gain -= slip_block(p, dual, u.force, res, j, 2, edge_pair);
                }
                i += edges;
            }
            Ok(ConstraintType::ContactElliptic) => {
                let Some(cone) = cones.next() else { break };
                let normal = u.force[i];
                gain -= slip_block(p, dual, u.force, res, i + 1, cone.dim - 1, |f, a, b| {
                    friction(f, normal, a, b, &cone.scale[1..cone.dim]);
                });
                i += cone.dim;
            }
            _ => i += 1,
        }
    }
    gain
}

/// Changes `n` forces from row `start` on with `solve`, which gets their own matrix and vector. Returns the change
/// of cost.
fn slip_block(
    p: &Problem,
    dual: &Dual,
    force: &mut [f64],
    res: &mut [f64],
    start: usize,
    n: usize,
    solve: impl Fn(&mut [f64], &[f64], &[f64]),
) -> f64 {
    let mut a: [f64; 25] = dual.block(start, n);
    let (mut old, mut slip, mut b) = ([0.0; 5], [0.0; 5], [0.0; 5]);
    old[..n].copy_from_slice(&force[start..start + n]);
    for k in 0..n {
        slip[k] = res[start + k] - p.r[start + k] * old[k];
        a[k * (n + 1)] = MIN_DIAGONAL.max(a[k * (n + 1)] - p.r[start + k]);
    }
    for k in 0..n {
        b[k] = slip[k] - dot(&a[k * n..(k + 1) * n], &old[..n]);
    }
    let part = &mut force[start..start + n];
    solve(part, &a[..n * n], &b[..n]);
    let change = cost_change(&a, part, &old[..n], &slip[..n]);
    dual.add(res, start, part, &old[..n]);
    change
}

/// Two opposite edges of a pyramid: `mid ± y`, `|y| ≤ mid`.
fn edge_pair(force: &mut [f64], a: &[f64], b: &[f64]) {
    let mid = 0.5 * (force[0] + force[1]);
    let curvature = a[0] + a[3] - a[1] - a[2];
    let slope = mid * (a[0] - a[3]) + b[0] - b[1];
    let [first, second] = if curvature < MINVAL {
        [mid, mid]
    } else {
        let y = -slope / curvature;
        if y < -mid {
            [0.0, 2.0 * mid]
        } else if y > mid {
            [2.0 * mid, 0.0]
        } else {
            [mid + y, mid - y]
        }
    };
    force.copy_from_slice(&[first, second]);
}
