//! Cameras and lights in all tracking modes.

use crate::data::{Awake, Pose};
use crate::model::Model;
use crate::model::enums::{CamLight, SleepState};
use crate::support::awake as subset;
use crate::support::frame::{self, OWN_FRAME};
use sinew_math::{Vec3, mat3, quat, vec3};

/// Camera and light frames.
///
/// *Reads* body frames, `subtree_com`, reference poses at `qpos0`. *Writes* `cam_xpos`, `cam_xmat`,
/// `light_xpos`, `light_xdir`.
#[doc(alias = "mj_camlight")]
pub fn camlight(m: &Model, awake: &Awake, pose: &mut Pose) {
    let skips = subset::skips_bodies(m, awake);
    let is_awake = |body: i32| body >= 0 && awake.body_awake(body as usize) == SleepState::Awake;
    for i in 0..m.ncam {
        if !skips || is_awake(m.cam_bodyid[i]) || is_awake(m.cam_targetbodyid[i]) {
            camera(m, pose, i);
        }
    }
    for i in 0..m.nlight {
        if !skips || is_awake(m.light_bodyid[i]) || is_awake(m.light_targetbodyid[i]) {
            light(m, pose, i);
        }
    }
}

/// Point that a target mode looks at; `None` for other modes and without a target body.
fn target(pose: &Pose, mode: CamLight, body: i32) -> Option<Vec3> {
    let body = usize::try_from(body).ok()?;
    match mode {
        CamLight::Targetbody => Some(pose.xpos[body]),
        CamLight::Targetbodycom => Some(pose.subtree_com[body]),
        _ => None,
    }
}

fn camera(m: &Model, pose: &mut Pose, i: usize) {
    let body = m.cam_bodyid[i] as usize;
    let mode = m.cam_mode(i);
    match mode {
        CamLight::Track => {
            pose.cam_xmat[i] = m.cam_mat0[i];
            pose.cam_xpos[i] = vec3::add(pose.xpos[body], m.cam_pos0[i]);
            return;
        }
        CamLight::Trackcom => {
            pose.cam_xmat[i] = m.cam_mat0[i];
            pose.cam_xpos[i] = vec3::add(pose.subtree_com[body], m.cam_poscom0[i]);
            return;
        }
        _ => {}
    }
    pose.cam_xpos[i] = frame::local_to_global_pos(pose, body, &m.cam_pos[i], OWN_FRAME);
    pose.cam_xmat[i] = match target(pose, mode, m.cam_targetbodyid[i]) {
        None => frame::local_to_global_mat(pose, body, &m.cam_quat[i], OWN_FRAME),
        Some(at) => {
            // cameras look along −z, with a horizontal x axis
            let z = vec3::normalize(vec3::sub(pose.cam_xpos[i], at)).0;
            let x = vec3::normalize(vec3::cross([0.0, 0.0, 1.0], z)).0;
            let y = vec3::normalize(vec3::cross(z, x)).0;
            mat3::transpose(&[x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]])
        }
    };
}

fn light(m: &Model, pose: &mut Pose, i: usize) {
    let body = m.light_bodyid[i] as usize;
    let mode = m.light_mode(i);
    let (pos, dir) = match mode {
        CamLight::Track => (vec3::add(pose.xpos[body], m.light_pos0[i]), m.light_dir0[i]),
        CamLight::Trackcom => (vec3::add(pose.subtree_com[body], m.light_poscom0[i]), m.light_dir0[i]),
        _ => {
            let pos = frame::local_to_global_pos(pose, body, &m.light_pos[i], OWN_FRAME);
            let dir = match target(pose, mode, m.light_targetbodyid[i]) {
                None => quat::rotate(pose.xquat[body], m.light_dir[i]),
                Some(at) => vec3::sub(at, pos),
            };
            (pos, dir)
        }
    };
    pose.light_xpos[i] = pos;
    pose.light_xdir[i] = vec3::normalize(dir).0;
}
