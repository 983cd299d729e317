//! Mouse motions applied to a camera, a perturbation or the model.

use crate::camera::{align_to_camera, frustum_height, in_model, in_room};
use crate::scene::Scene;
use crate::shape::single;
use crate::{Error, Result};
use sinew_engine::model::enums::{CameraType, Mouse};
use sinew_engine::view::{Camera, Perturb};
use sinew_engine::{Data, Model};
use sinew_math::{Vec3, mat3, quat, vec3};
use std::f64::consts::PI;

/// Scale factor of motions in orthographic projection, as in MuJoCo; it makes them shorter than they look.
pub(crate) const PARALLEL: f64 = 0.15;

/// A mouse motion as a vector in the world, with y along the camera's horizontal direction.
fn in_world(action: Mouse, dx: f64, dy: f64, forward: Vec3) -> Result<Vec3> {
    let v = match action {
        Mouse::RotateV => [dy, 0.0, dx],
        Mouse::RotateH => [dy, dx, 0.0],
        Mouse::MoveV | Mouse::MoveVRel => [dx, 0.0, -dy],
        Mouse::MoveH | Mouse::MoveHRel => [dx, -dy, 0.0],
        Mouse::Zoom => [0.0; 3],
        Mouse::None => return Err(Error::Action(action as i32)),
    };
    Ok(align_to_camera(v, forward))
}

/// Moves a camera; fixed cameras do not move, and tracking ones keep their target.
///
/// # Errors
/// No action, or a scene without a camera.
#[doc(alias = "mjv_moveCamera")]
pub fn move_camera(m: &Model, action: Mouse, dx: f64, dy: f64, scene: &Scene, cam: &mut Camera) -> Result<()> {
    if cam.r#type == CameraType::Fixed as i32 {
        return Ok(());
    }
    let (tracking, extent) = (cam.r#type == CameraType::Tracking as i32, m.stat.extent);
    match action {
        Mouse::RotateV | Mouse::RotateH => {
            cam.azimuth -= dx * 180.0;
            cam.elevation -= dy * 180.0;
        }
        Mouse::Zoom => cam.distance -= (cam.distance / extent / 3.0).ln_1p() * dy * 9.0 * extent,
        Mouse::None => return Err(Error::Action(action as i32)),
        _ if tracking => return Ok(()),
        Mouse::MoveV | Mouse::MoveH => {
            let eye = in_model(scene)?;
            let depth = vec3::dot(vec3::sub(cam.lookat, eye.pos), eye.forward);
            let per_height = if cam.orthographic != 0 { PARALLEL } else { 1.0 };
            let step = in_world(action, dx, dy, eye.forward)?;
            cam.lookat = vec3::add_scaled(cam.lookat, step, -frustum_height(scene)? * depth * per_height);
        }
        Mouse::MoveVRel | Mouse::MoveHRel => {
            let eye = in_model(scene)?;
            let ahead = if action == Mouse::MoveVRel { eye.up } else { eye.forward };
            cam.lookat = vec3::add_scaled(vec3::add_scaled(cam.lookat, ahead, dy), eye.right, dx);
        }
    }
    if cam.azimuth > 180.0 {
        cam.azimuth -= 360.0;
    } else if cam.azimuth < -180.0 {
        cam.azimuth += 360.0;
    }
    cam.elevation = cam.elevation.clamp(-89.0, 89.0);
    cam.distance = cam.distance.max(0.01 * extent).min(100.0 * extent);
    Ok(())
}

/// Moves or rotates the reference of a perturbation, by at most 90° away from its body.
///
/// # Errors
/// No action, or a scene without a camera.
#[doc(alias = "mjv_movePerturb")]
pub fn move_perturb(
    m: &Model,
    d: &Data,
    action: Mouse,
    dx: f64,
    dy: f64,
    scene: &Scene,
    pert: &mut Perturb,
) -> Result<()> {
    let body = usize::try_from(pert.select).ok().filter(|b| *b < m.nbody);
    let step = in_world(action, dx, dy, in_model(scene)?.forward)?;
    let mut shift = |by: Vec3| {
        pert.refpos = vec3::add_scaled(pert.refpos, by, pert.scale);
        pert.refselpos = vec3::add_scaled(pert.refselpos, by, pert.scale);
    };
    match action {
        Mouse::MoveV | Mouse::MoveH => shift(step),
        Mouse::MoveVRel | Mouse::MoveHRel => {
            let mat = body.map_or(mat3::IDENTITY, |b| d.pose.xmat[b]);
            let ahead = if action == Mouse::MoveHRel { 0 } else { 2 };
            shift(vec3::scale(mat3::col(&mat, ahead), dy));
            shift(vec3::scale(mat3::col(&mat, 1), dx));
        }
        Mouse::RotateV | Mouse::RotateH => {
            let (axis, share) = vec3::normalize(step);
            let turned = quat::mul(quat::from_axis_angle(axis, share * PI * 2.0), pert.refquat);
            pert.refquat = quat::normalize(turned).0;
            let Some(body) = body.filter(|b| *b > 0) else { return Ok(()) };
            let own = quat::mul(d.pose.xquat[body], m.body_iquat[body]);
            let (axis, angle) = vec3::normalize(quat::sub(pert.refquat, own));
            if angle > PI / 2.0 {
                pert.refquat = quat::mul(own, quat::from_axis_angle(axis, PI / 2.0));
            }
        }
        Mouse::Zoom | Mouse::None => {}
    }
    Ok(())
}

/// Moves, rotates or scales the model in its room, if the scene allows it.
///
/// # Errors
/// No action, or a scene without a camera.
#[doc(alias = "mjv_moveModel")]
pub fn move_model(m: &Model, action: Mouse, dx: f64, dy: f64, roomup: Vec3, scene: &mut Scene) -> Result<()> {
    if scene.enabletransform == 0 {
        return Ok(());
    }
    let gaze = in_room(scene)?.forward;
    let forward = vec3::normalize(vec3::add_scaled(gaze, roomup, -vec3::dot(gaze, roomup))).0;
    let right = vec3::normalize(vec3::cross(forward, roomup)).0;
    let combine = |a: Vec3, b: Vec3, by: f64| vec3::add_scaled(vec3::scale(a, dx), b, by);
    match action {
        Mouse::RotateV | Mouse::RotateH => {
            let about = if action == Mouse::RotateV { roomup } else { forward };
            let (axis, share) = vec3::normalize(combine(about, right, dy));
            let turn = quat::from_axis_angle(axis, share * PI);
            scene.rotate = single(&quat::normalize(quat::mul(turn, scene.rotate.map(f64::from))).0);
        }
        Mouse::Zoom => {
            let scale = f64::from(scene.scale);
            scene.scale = (scene.scale + ((scale / 3.0).ln_1p() * dy * 3.0) as f32).clamp(0.01, 100.0);
        }
        Mouse::None => return Err(Error::Action(action as i32)),
        _ => {
            let ahead = if matches!(action, Mouse::MoveV | Mouse::MoveVRel) { roomup } else { forward };
            let by = single(&vec3::scale(combine(right, ahead, -dy), m.stat.extent));
            scene.translate = std::array::from_fn(|k| scene.translate[k] + by[k]);
        }
    }
    Ok(())
}
