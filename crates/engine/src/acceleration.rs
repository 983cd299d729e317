//! Sum of all forces except constraint forces, and the acceleration they cause.

use crate::data::{Accel, Awake, Force, Inertia, Pose, State};
use crate::model::Model;
use crate::support::force::xfrc_accumulate;
use crate::support::{awake as subset, inertia::pattern};
use sinew_math::factor;

/// Total smooth force and acceleration. `more` is a force to be added to those in `force`.
///
/// *Equation*: `qfrc_smooth = qfrc_passive − qfrc_bias + qfrc_applied + qfrc_actuator + Jᵀ xfrc_applied`,
/// `M qacc_smooth = qfrc_smooth`.
/// *Reads* forces, `qLD`. *Writes* `qfrc_smooth`, `qacc_smooth`.
#[doc(alias = "mj_fwdAcceleration")]
pub fn smooth(
    m: &Model,
    awake: &Awake,
    state: &State,
    pose: &Pose,
    inertia: &Inertia,
    more: Option<&[f64]>,
    (force, accel): (&mut Force, &mut Accel),
) {
    let dofs = subset::dofs(m, awake);
    for i in dofs.iter() {
        force.qfrc_smooth[i] =
            force.qfrc_passive[i] - force.qfrc_bias[i] + state.qfrc_applied[i] + force.qfrc_actuator[i];
    }
    if let Some(more) = more {
        dofs.iter().for_each(|i| force.qfrc_smooth[i] += more[i]);
    }
    xfrc_accumulate(m, state, pose, &mut force.qfrc_smooth);
    dofs.iter().for_each(|i| accel.qacc_smooth[i] = force.qfrc_smooth[i]);
    factor::solve_ldl(&mut accel.qacc_smooth, &inertia.qLD, &inertia.qLDiagInv, pattern(m), dofs);
}
