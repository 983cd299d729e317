//! Mapping of forces on bodies to generalised forces.

use super::chain::{ancestors, column, offset};
use crate::data::{Pose, State};
use crate::model::Model;
use sinew_math::{Vec3, spatial, vec3};

/// Adds a force and a torque, applied to a body at a world point, to generalised forces: `qfrc += Jᵀ (f, τ)`.
#[doc(alias = "mj_applyFT")]
pub fn apply_ft(m: &Model, pose: &Pose, force: Vec3, torque: Vec3, point: Vec3, body: usize, qfrc: &mut [f64]) {
    let arm = offset(m, pose, body, point);
    for i in ancestors(m, body) {
        let axis = &pose.cdof[i];
        qfrc[i] += vec3::dot(column(axis, arm), force);
        qfrc[i] += vec3::dot(spatial::rot(axis), torque);
    }
}

/// Adds the user's forces and torques at the bodies' centres of mass.
#[doc(alias = "mj_xfrcAccumulate")]
pub fn xfrc_accumulate(m: &Model, state: &State, pose: &Pose, qfrc: &mut [f64]) {
    for (body, f) in state.xfrc_applied.iter().enumerate().skip(1) {
        if *f != [0.0; 6] {
            apply_ft(m, pose, [f[0], f[1], f[2]], [f[3], f[4], f[5]], pose.xipos[body], body, qfrc);
        }
    }
}
