//! Forces and torques at points of bodies with fixed world direction: gravity compensation and `xfrc_applied`.
//!
//! ```text
//! τ_i = f · c_i + t · ω_i             c_i = v_i + ω_i × x
//! ∂c_i/∂q_j = ω_j × c_i if axis i turns with j, else ω_i × c_j        ∂ω_i/∂q_j = ω_j × ω_i, else 0
//! ```

use super::partials::Partials;
use super::path::group;
use crate::data::{Pose, State};
use crate::model::Model;
use crate::support::chain::{ancestors, column, offset};
use sinew_math::spatial::rot;
use sinew_math::{Vec3, vec3};

/// A force and a torque at a point of a body.
#[derive(Clone, Copy, Debug)]
struct Wrench {
    body: usize,
    point: Vec3,
    force: Vec3,
    torque: Vec3,
}

/// Adds the derivative of gravity compensation; `held` dofs receive no force.
pub(super) fn gravcomp(m: &Model, pose: &Pose, held: impl Fn(usize) -> bool, out: &mut Partials) {
    for body in (1..m.nbody).filter(|&b| m.body_gravcomp[b] != 0.0) {
        let force = vec3::scale(m.opt.gravity, -(m.body_mass[body] * m.body_gravcomp[body]));
        add(m, pose, Wrench { body, point: pose.xipos[body], force, torque: [0.0; 3] }, &held, out);
    }
}

/// Adds the derivative of applied forces on bodies.
pub(super) fn applied(m: &Model, state: &State, pose: &Pose, out: &mut Partials) {
    for body in (1..m.nbody).filter(|&b| state.xfrc_applied[b] != [0.0; 6]) {
        let f = &state.xfrc_applied[body];
        let (force, torque) = ([f[0], f[1], f[2]], [f[3], f[4], f[5]]);
        add(m, pose, Wrench { body, point: pose.xipos[body], force, torque }, &|_| false, out);
    }
}

fn add(m: &Model, pose: &Pose, w: Wrench, held: &impl Fn(usize) -> bool, out: &mut Partials) {
    let arm = offset(m, pose, w.body, w.point);
    for j in ancestors(m, w.body) {
        let (wj, cj) = (rot(&pose.cdof[j]), column(&pose.cdof[j], arm));
        for i in ancestors(m, w.body).filter(|&i| !held(i)) {
            let (wi, ci) = (rot(&pose.cdof[i]), column(&pose.cdof[i], arm));
            *out.q(j, i) += if j < i || group(m, i) == group(m, j) {
                vec3::dot(w.force, vec3::cross(wj, ci)) + vec3::dot(w.torque, vec3::cross(wj, wi))
            } else {
                vec3::dot(w.force, vec3::cross(wi, cj))
            };
        }
    }
}
