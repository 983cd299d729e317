//! Sensors that depend on velocities.

use super::Inputs;
use crate::model::enums::{ConstraintType, SensorType as S};
use sinew_math::spatial::{Vec6, lin, rot, sub};
use sinew_math::{mat3, vec3};

/// Writes the value of velocity sensor `i`.
pub fn vel(x: &Inputs, i: usize, out: &mut [f64]) {
    let id = x.object(i);
    match x.kind(i) {
        Some(S::Velocimeter) => out.copy_from_slice(&lin(&own_velocity(x, i))),
        Some(S::Gyro) => out.copy_from_slice(&rot(&own_velocity(x, i))),
        Some(S::Jointvel) => out[0] = x.state.qvel[x.m.jnt_dofadr[id] as usize],
        Some(S::Tendonvel) => out[0] = x.motion.ten_velocity[id],
        Some(S::Actuatorvel) => out[0] = x.motion.actuator_velocity[id],
        Some(S::Ballangvel) => {
            let dof = x.m.jnt_dofadr[id] as usize;
            out.copy_from_slice(&x.state.qvel[dof..dof + 3]);
        }
        Some(S::Jointlimitvel) => out[0] = limit_vel(x, ConstraintType::LimitJoint, id),
        Some(S::Tendonlimitvel) => out[0] = limit_vel(x, ConstraintType::LimitTendon, id),
        Some(S::Framelinvel) => out.copy_from_slice(&lin(&frame_velocity(x, i))),
        Some(S::Frameangvel) => out.copy_from_slice(&rot(&frame_velocity(x, i))),
        Some(S::Subtreelinvel) => out.copy_from_slice(&x.motion.subtree_linvel[id]),
        Some(S::Subtreeangmom) => out.copy_from_slice(&x.motion.subtree_angmom[id]),
        _ => {}
    }
}

/// Velocity at an active limit; 0 if no limit is active.
fn limit_vel(x: &Inputs, kind: ConstraintType, id: usize) -> f64 {
    x.limit_row(kind, id).map_or(0.0, |r| x.efc.efc_vel[r])
}

/// Velocity of the sensor's object in its local frame.
fn own_velocity(x: &Inputs, i: usize) -> Vec6 {
    x.frame(i).map_or([0.0; 6], |at| at.velocity(x.m, x.pose, x.motion, true))
}

/// Velocity of the sensor's object in world axes, or relative to a moving reference frame and in its axes.
fn frame_velocity(x: &Inputs, i: usize) -> Vec6 {
    let Some(at) = x.frame(i) else { return [0.0; 6] };
    let v = at.velocity(x.m, x.pose, x.motion, false);
    let Some(r) = x.reference(i) else { return v };
    let reference = r.velocity(x.m, x.pose, x.motion, false);
    let dif = sub(&v, &reference);
    let swept = vec3::cross(vec3::sub(at.pos, r.pos), rot(&reference));
    let (w, v) = (mat3::mul_vec_t(r.mat, rot(&dif)), mat3::mul_vec_t(r.mat, vec3::add(lin(&dif), swept)));
    [w[0], w[1], w[2], v[0], v[1], v[2]]
}
