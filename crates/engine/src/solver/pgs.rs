//! Projected Gauss–Seidel: minimises over each force in turn, with the others fixed.

use super::dual::{DualProblem, Sweeps, accept, finish, form, friction, part};
use super::primal::{Outcome, Problem, Unknowns};
use super::work::{Cone, SolverWork};
use crate::data::solver::SolverStat;
use crate::model::Options;
use crate::support::row::Jacobian;
use sinew_math::factor::dot;
use sinew_math::{MINVAL, clip};

/// Runs projected Gauss–Seidel from the forces in `u`.
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
    let sweeps = Sweeps { problem: p, dual, iterations: opt.iterations, tolerance: opt.tolerance };
    sweeps.begin(u, w);
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
    let niter = sweeps.run(u, cones, (res, oldstate), stats, |_, u, res| {
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
        gain + sweep(p, dual, diagonal, u.force, res, next..n)
    });
    finish(p, u, sparse);
    let nnz = match dual.matrix {
        Jacobian::Dense { .. } => n * n,
        Jacobian::Sparse(pattern, _) => pattern.rownnz.iter().sum::<i32>() as usize,
    };
    Outcome { niter, nnz }
}

/// One pass over rows whose forces have independent bounds. Returns the reduction of cost.
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

/// New forces of an elliptic contact of `N = M + 1` rows: first along the ray of the current force, then friction for
/// the resulting normal force.
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
            // keep the normal force non-negative
            normal += if normal + x * normal < 0.0 { -normal } else { x * normal };
        }
    }
    let inner: [[f64; M]; M] = std::array::from_fn(|j| part(&a[j + 1], 1));
    let b: [f64; M] =
        std::array::from_fn(|j| res[j + 1] - dot(&inner[j], &part::<M>(old, 1)) + a[j + 1][0] * (normal - old[0]));
    let tangent: [f64; M] = friction(normal, &inner, &b, &part(&cone.scale, 1));
    std::array::from_fn(|k| if k == 0 { normal } else { tangent[k - 1] })
}

/// Updates the forces of an elliptic contact, whose block of the dual matrix is at the start of `block`. Returns the
/// reduction of cost.
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

/// Stores the block of the dual matrix that belongs to an elliptic contact.
fn store_block<const N: usize>(dual: &DualProblem, cone: &Cone, block: &mut [f64; 36]) {
    block[..N * N].copy_from_slice(dual.block::<N>(cone.row).as_flattened());
}
