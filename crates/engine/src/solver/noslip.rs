//! No-slip pass: recomputes friction forces without regularisation, for fixed normal forces.

use super::dual::{DualProblem, Sweeps, accept, finish, friction, part};
use super::primal::{Problem, Unknowns};
use super::work::{Cone, SolverWork};
use crate::data::solver::SolverStat;
use crate::model::Options;
use crate::model::enums::ConstraintType;
use sinew_math::factor::dot;
use sinew_math::{MINVAL, clip};

/// Smallest diagonal entry of a block without regularisation.
const MIN_DIAGONAL: f64 = 1e-10;

/// Removes slip by recomputing the friction forces without regularisation, for the normal forces found so far. `stats`
/// starts after the solver's own entries. Returns the number of iterations.
#[doc(alias = "mj_solNoSlip")]
pub fn no_slip(
    opt: &Options,
    p: &Problem,
    dual: &DualProblem,
    u: &mut Unknowns,
    w: &mut SolverWork,
    stats: &mut [SolverStat],
) -> usize {
    let sweeps = Sweeps { problem: p, dual, iterations: opt.noslip_iterations, tolerance: opt.noslip_tolerance };
    sweeps.begin(u, w);
    let SolverWork { jaref: res, cones, oldstate, sparse, .. } = w;
    let niter = sweeps.run(u, cones, (res, oldstate), stats, |niter, u, res| {
        // the cost no longer includes the regularisation
        let lost = |(f, r): (&f64, &f64)| 0.5 * f * f * r;
        let gain = if niter == 0 { u.force.iter().zip(p.r).map(lost).sum::<f64>() } else { 0.0 };
        gain + slip_rows(p, dual, u.force, res) + slip_contacts(p, dual, u, cones, res)
    });
    finish(p, u, sparse);
    niter
}

/// Updates the dry friction of joints and tendons. Returns the reduction of cost.
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

/// Updates the friction of contacts: pairs of opposite pyramid edges with a fixed sum, or all friction of an elliptic
/// contact.
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

/// Updates all friction forces of an elliptic contact with `N` friction directions.
fn slip_cone<const N: usize>(p: &Problem, dual: &DualProblem, cone: &Cone, force: &mut [f64], res: &mut [f64]) -> f64 {
    let normal = force[cone.row];
    slip_block(p, dual, force, res, cone.row + 1, |_, a, b| friction::<N>(normal, a, b, &part(&cone.scale, 1)))
}

/// Replaces the `N` forces from row `start` on by the result of `solve`, given the old forces and their block of the
/// matrix and vector. Returns the change of cost.
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

/// Minimises over two opposite edges of a pyramid: `mid ± y`, `|y| ≤ mid`.
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
