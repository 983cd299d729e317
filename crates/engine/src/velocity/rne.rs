//! Recursive Newton–Euler: joint forces for given joint accelerations.

use super::work::BodyWork;
use crate::data::{Awake, Motion, Pose, State};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::awake as subset;
use sinew_math::pair;
use sinew_math::spatial::{Inertia10, Vec6, add, add_to, cross_force, dot, mul_dof, mul_inert};
use std::ops::Range;

/// Acceleration of the world body: minus gravity, so that weight appears as an inertial force.
pub(super) fn world_acc(m: &Model) -> Vec6 {
    let g = if m.opt.disabled(DisableFlags::GRAVITY) { [0.0; 3] } else { m.opt.gravity };
    [0.0, 0.0, 0.0, -g[0], -g[1], -g[2]]
}

/// Forces that give bodies the accelerations `acc` while they move with `cvel`; two bodies at a time (SIMD).
#[inline(always)]
pub(super) fn body_forces(
    mut bodies: impl Iterator<Item = usize>,
    cinert: &[Inertia10],
    acc: &[Vec6],
    cvel: &[Vec6],
    mut set: impl FnMut(usize, Vec6),
) {
    while let Some(a) = bodies.next() {
        let b = bodies.next().unwrap_or(a);
        let inert = pair::join(&cinert[a], &cinert[b]);
        let (acc, vel) = (pair::join(&acc[a], &acc[b]), pair::join(&cvel[a], &cvel[b]));
        let (needed, gyro) = (mul_inert(&inert, &acc), cross_force(&vel, &mul_inert(&inert, &vel)));
        let [first, second] = pair::split(std::array::from_fn(|k| needed[k] + gyro[k]));
        set(a, first);
        set(b, second);
    }
}

/// `Σ axes x` over some dofs, mostly one.
#[inline(always)]
pub(super) fn along(axes: &[Vec6], x: &[f64], dofs: Range<usize>) -> Vec6 {
    if dofs.len() == 1 {
        let dof = dofs.start;
        mul_dof(&axes[dof..=dof], &x[dof..=dof])
    } else {
        mul_dof(&axes[dofs.clone()], &x[dofs])
    }
}

/// Inverse dynamics of the tree without applied or constraint forces.
///
/// *Equation*: `res = M qacc + c`, with `c` Coriolis, centrifugal and gravity forces; without `qacc` only
/// `c`. `cacc_i = cacc_parent + cdof_dot qvel (+ cdof qacc)`, `cfrc_i = I cacc + cvel ×* I cvel` summed leaf
/// to root, `res_j = cdof_j · cfrc`.
/// *Reads* `qvel`, `cdof`, `cinert`, `cvel`, `cdof_dot`. *Writes* `res`.
/// *Source*: Featherstone 2008, table 5.1.
#[doc(alias = "mj_rne")]
pub fn rne(
    m: &Model,
    awake: &Awake,
    state: &State,
    pose: &Pose,
    motion: &Motion,
    qacc: Option<&[f64]>,
    work: &mut BodyWork,
    res: &mut [f64],
) {
    let n = m.nbody;
    let (acc, frc) = (&mut work.acc[..n], &mut work.frc[..n]);
    let (cinert, cvel, parents) = (&pose.cinert[..n], &motion.cvel[..n], &m.body_parentid[..n]);
    acc[0] = world_acc(m);
    frc[0] = [0.0; 6];
    let bodies = subset::bodies(m, awake);
    for i in bodies.iter().skip(1) {
        let dofs = m.body_dofs(i);
        let mut sum = add(&acc[parents[i] as usize], &along(&motion.cdof_dot, &state.qvel, dofs.clone()));
        if let Some(qacc) = qacc {
            add_to(&mut sum, &along(&pose.cdof, qacc, dofs));
        }
        acc[i] = sum;
    }
    body_forces(bodies.iter().skip(1), cinert, acc, cvel, |i, f| frc[i] = f);
    for i in subset::parents(m, awake).iter().rev() {
        let parent = parents[i] as usize;
        if parent != 0 {
            let f = frc[i];
            add_to(&mut frc[parent], &f);
        }
    }
    for j in subset::dofs(m, awake).iter() {
        res[j] = dot(&pose.cdof[j], &frc[m.dof_bodyid[j] as usize]);
    }
}
