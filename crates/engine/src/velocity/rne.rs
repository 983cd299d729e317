//! Recursive Newton–Euler: the joint forces that go with given joint accelerations.

use super::work::BodyWork;
use crate::data::{Awake, Motion, Pose, State};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::awake as subset;
use sinew_math::spatial::{Vec6, add, add_to, cross_force, dot, mul_dof, mul_inert};

/// Acceleration of the world: minus gravity, so that weight appears as inertia.
pub(super) fn world_acc(m: &Model) -> Vec6 {
    let g = if m.opt.disabled(DisableFlags::GRAVITY) { [0.0; 3] } else { m.opt.gravity };
    [0.0, 0.0, 0.0, -g[0], -g[1], -g[2]]
}

/// Force that gives body `i` the acceleration `acc` while it moves with `vel`.
#[inline(always)]
pub(super) fn body_force(inert: &[f64; 10], acc: &Vec6, vel: &Vec6) -> Vec6 {
    add(&mul_inert(inert, acc), &cross_force(vel, &mul_inert(inert, vel)))
}

/// Inverse dynamics of the tree without applied or constraint forces.
///
/// *Equation*: `res = M qacc + c`, with `c` Coriolis, centrifugal and gravity forces; without `qacc` just
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
    let BodyWork { acc, frc } = work;
    acc[0] = world_acc(m);
    frc[0] = [0.0; 6];
    for i in subset::bodies(m, awake).iter().skip(1) {
        let dofs = m.body_dofs(i);
        let rate = mul_dof(&motion.cdof_dot[dofs.clone()], &state.qvel[dofs.clone()]);
        acc[i] = add(&acc[m.body_parentid[i] as usize], &rate);
        if let Some(qacc) = qacc {
            add_to(&mut acc[i], &mul_dof(&pose.cdof[dofs.clone()], &qacc[dofs]));
        }
        frc[i] = body_force(&pose.cinert[i], &acc[i], &motion.cvel[i]);
    }
    for i in subset::parents(m, awake).iter().rev() {
        let parent = m.body_parentid[i] as usize;
        if parent != 0 {
            let f = frc[i];
            add_to(&mut frc[parent], &f);
        }
    }
    for j in subset::dofs(m, awake).iter() {
        res[j] = dot(&pose.cdof[j], &frc[m.dof_bodyid[j] as usize]);
    }
}
