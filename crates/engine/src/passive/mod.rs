//! Passive forces, functions of position and velocity only: springs, dampers, gravity compensation, fluid.

pub mod contact;
pub mod flex;
pub mod flex_law;
pub mod fluid;
pub mod gravcomp;
pub mod spring;

use crate::data::{Awake, Contact, Force, Motion, Pose, State};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::awake as subset;
use crate::support::bending::Bending;
use crate::support::elastic::Elasticity;
use crate::support::flex_spring::FlexLaws;
use sinew_math::sparse::Subset;

/// Passive forces, each in a separate field, and their sum.
///
/// *Equation*: `qfrc_passive = qfrc_spring + qfrc_damper + qfrc_fluid + qfrc_gravcomp`, without gravity compensation
/// at joints whose actuators provide it.
/// *Reads* `qpos`, `qvel`, poses, tendon lengths, velocities.
/// *Writes* `qfrc_spring`, `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid`, `qfrc_passive`.
/// With springs and dampers both disabled, all of them are zero.
#[doc(alias = "mj_passive")]
pub fn passive<B: Bending + ?Sized, E: Elasticity + ?Sized>(
    m: &Model,
    laws: &FlexLaws<'_, B, E>,
    awake: &Awake,
    state: &State,
    pose: &Pose,
    contact: &mut [Contact],
    motion: &Motion,
    force: &mut Force,
) {
    let dofs = subset::dofs(m, awake);
    let Force { qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_passive, .. } = force;
    for field in [qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_passive] {
        match dofs {
            Subset::All(_) => field.fill(0.0),
            Subset::Listed(_) => dofs.iter().for_each(|i| field[i] = 0.0),
        }
    }
    force.ten_force.fill(0.0);
    if m.opt.disabled(DisableFlags::SPRING) && m.opt.disabled(DisableFlags::DAMPER) {
        return;
    }
    spring::joints(m, awake, state, force);
    flex::flexes(m, laws, state, pose, motion, force);
    spring::tendons(m, awake, state, pose, motion, force);
    let has_gravcomp = gravcomp::gravcomp(m, awake, pose, &mut force.qfrc_gravcomp);
    let has_fluid = fluid::fluid(m, awake, pose, motion, &mut force.qfrc_fluid);
    contact::contacts(m, pose, contact, &mut force.qfrc_spring);

    for i in dofs.iter() {
        force.qfrc_passive[i] = force.qfrc_spring[i] + force.qfrc_damper[i];
    }
    if has_fluid {
        dofs.iter().for_each(|i| force.qfrc_passive[i] += force.qfrc_fluid[i]);
    }
    if has_gravcomp {
        let by_passive = |&i: &usize| m.jnt_actgravcomp[m.dof_jntid[i] as usize] == 0;
        dofs.iter().filter(by_passive).for_each(|i| force.qfrc_passive[i] += force.qfrc_gravcomp[i]);
    }
}
