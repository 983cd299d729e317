//! Cameras: from angles or the model to the two eyes of a scene, and back to a single camera.

use crate::scene::Scene;
use crate::shape::single;
use crate::{Error, Result};
use sinew_engine::model::enums::{CameraType, Projection};
use sinew_engine::view::{Camera, GlCamera};
use sinew_engine::{Data, Model};
use sinew_math::{MINVAL, Quat, Vec3, mat3, quat, vec3};

/// Position and orientation of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position.
    pub pos: Vec3,
    /// Viewing direction.
    pub forward: Vec3,
    /// Up direction.
    pub up: Vec3,
    /// Right direction.
    pub right: Vec3,
}

/// Extents of the view at the near plane; for an orthographic camera, at any depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    /// Extents downwards and upwards.
    pub vertical: [f32; 2],
    /// Extents to the left and to the right; zero to derive them from the aspect ratio.
    pub horizontal: [f32; 2],
    /// Distances of the near and the far plane.
    pub clip: [f32; 2],
}

/// The default free camera of a model.
#[doc(alias = "mjv_defaultFreeCamera")]
pub fn free_camera(m: &Model) -> Camera {
    Camera {
        lookat: m.stat.center,
        distance: 1.5 * m.stat.extent,
        azimuth: m.vis.global.azimuth.into(),
        elevation: m.vis.global.elevation.into(),
        orthographic: m.vis.global.orthographic,
        ..Camera::default()
    }
}

fn camera_type(cam: &Camera) -> Result<CameraType> {
    CameraType::try_from(cam.r#type).map_err(|_| Error::CameraType(cam.r#type))
}

/// The id of the model camera that a fixed camera refers to.
fn fixed(ncam: usize, cam: &Camera) -> Result<usize> {
    let id = usize::try_from(cam.fixedcamid).ok().filter(|i| *i < ncam);
    id.ok_or(Error::FixedCamera(cam.fixedcamid, ncam))
}

/// Position and orientation of a camera.
///
/// # Errors
/// A camera that the model does not have, or one of the user type.
#[doc(alias = "mjv_cameraFrame")]
pub fn camera_frame(d: &Data, cam: &Camera) -> Result<Pose> {
    match camera_type(cam)? {
        CameraType::Free | CameraType::Tracking => {
            let (sa, ca) = cam.azimuth.to_radians().sin_cos();
            let (se, ce) = cam.elevation.to_radians().sin_cos();
            let forward = [ce * ca, ce * sa, se];
            Ok(Pose {
                pos: vec3::add_scaled(cam.lookat, forward, -cam.distance),
                forward,
                up: [-se * ca, -se * sa, ce],
                right: [sa, -ca, 0.0],
            })
        }
        CameraType::Fixed => {
            let id = fixed(d.pose.cam_xpos.len(), cam)?;
            let mat = &d.pose.cam_xmat[id];
            Ok(Pose {
                pos: d.pose.cam_xpos[id],
                forward: vec3::scale(mat3::col(mat, 2), -1.0),
                up: mat3::col(mat, 1),
                right: mat3::col(mat, 0),
            })
        }
        CameraType::User => Err(Error::CameraType(cam.r#type)),
    }
}

/// Extents of a model camera's view at a distance: below, above; left, right.
pub(crate) fn lens(m: &Model, id: usize, near: f32) -> [[f32; 2]; 2] {
    let ([fx, fy, cx, cy], [width, height]) = (m.cam_intrinsic[id], m.cam_sensorsize[id]);
    let at = |focal: f32, size: f32, centre: f32| [size / 2.0 - centre, size / 2.0 + centre].map(|x| near / focal * x);
    [at(fy, height, cy), at(fx, width, cx)]
}

/// View frustum of a camera.
///
/// # Errors
/// A camera that the model does not have, or one of the user type.
#[doc(alias = "mjv_cameraFrustum")]
pub fn camera_frustum(m: &Model, cam: &Camera) -> Result<Frustum> {
    let (orthographic, fovy, own) = match camera_type(cam)? {
        CameraType::Free | CameraType::Tracking => (m.vis.global.orthographic != 0, f64::from(m.vis.global.fovy), None),
        CameraType::Fixed => {
            let id = fixed(m.ncam, cam)?;
            let parallel = m.cam_projection(id) == Projection::Orthographic;
            (parallel, m.cam_fovy[id], (m.cam_sensorsize[id][1] != 0.0).then_some(id))
        }
        CameraType::User => return Err(Error::CameraType(cam.r#type)),
    };
    let near = (f64::from(m.vis.map.znear) * m.stat.extent) as f32;
    let [vertical, horizontal] = match own {
        _ if orthographic => [[(fovy / 2.0) as f32; 2], [0.0; 2]],
        Some(id) => lens(m, id, near),
        None => [[(f64::from(near) * (fovy.to_radians() / 2.0).tan()) as f32; 2], [0.0; 2]],
    };
    Ok(Frustum { vertical, horizontal, clip: [near, (f64::from(m.vis.map.zfar) * m.stat.extent) as f32] })
}

/// Sets the eyes of a scene; a tracking camera is first pointed at its body. A camera of the user type stays unchanged.
///
/// # Errors
/// A camera or a body that the model does not have.
#[doc(alias = "mjv_updateCamera")]
pub fn update_camera(m: &Model, d: &Data, cam: &mut Camera, scene: &mut Scene) -> Result<()> {
    let kind = camera_type(cam)?;
    if kind == CameraType::User {
        return Ok(());
    }
    if kind == CameraType::Tracking {
        let body = usize::try_from(cam.trackbodyid).ok().filter(|b| *b < m.nbody);
        let body = body.ok_or(Error::TrackBody(cam.trackbodyid, m.nbody))?;
        cam.lookat = d.pose.subtree_com[body];
    }
    let (pose, seen) = (camera_frame(d, cam)?, camera_frustum(m, cam)?);
    let (apart, orthographic) = match kind {
        CameraType::Fixed => {
            let id = fixed(m.ncam, cam)?;
            (m.cam_ipd[id], i32::from(m.cam_projection(id) == Projection::Orthographic))
        }
        _ => (m.vis.global.ipd.into(), m.vis.global.orthographic),
    };
    let ([down, up], [left, right]) = (seen.vertical, seen.horizontal);
    scene.camera = [-0.5, 0.5].map(|side| GlCamera {
        pos: single(&vec3::add_scaled(pose.pos, pose.right, side * apart)),
        forward: single(&pose.forward),
        up: single(&pose.up),
        frustum_center: (right - left) / 2.0,
        frustum_width: (right + left) / 2.0,
        frustum_bottom: -down,
        frustum_top: up,
        frustum_near: seen.clip[0],
        frustum_far: seen.clip[1],
        orthographic,
    });
    scene.enabletransform = 0;
    Ok(())
}

/// Converts a pose from the room to the model.
///
/// # Errors
/// The scene's scale is too small.
#[doc(alias = "mjv_room2model")]
pub fn room_to_model(scene: &Scene, pos: Vec3, turn: Quat) -> Result<(Vec3, Quat)> {
    let (shift, rotate, scale) = transform(scene)?;
    if scene.enabletransform == 0 {
        return Ok((pos, turn));
    }
    let back = quat::conj(rotate);
    let moved = quat::rotate(back, vec3::sub(pos, shift));
    Ok((vec3::scale(moved, 1.0 / scale), quat::mul(back, turn)))
}

/// Converts a pose from the model to the room.
///
/// # Errors
/// The scene's scale is too small.
#[doc(alias = "mjv_model2room")]
pub fn model_to_room(scene: &Scene, pos: Vec3, turn: Quat) -> Result<(Vec3, Quat)> {
    let (shift, rotate, scale) = transform(scene)?;
    if scene.enabletransform == 0 {
        return Ok((pos, turn));
    }
    let moved = vec3::add(quat::rotate(rotate, pos), shift);
    Ok((vec3::scale(moved, scale), quat::mul(rotate, turn)))
}

fn transform(scene: &Scene) -> Result<(Vec3, Quat, f64)> {
    let scale = f64::from(scene.scale);
    if scale < MINVAL {
        return Err(Error::Scale);
    }
    Ok((scene.translate.map(f64::from), scene.rotate.map(f64::from), scale))
}

/// The eyes of a scene, each with a valid frustum.
fn eyes(scene: &Scene) -> Result<&[GlCamera; 2]> {
    let near = scene.camera.iter().all(|c| f64::from(c.frustum_near) >= MINVAL);
    if near { Ok(&scene.camera) } else { Err(Error::NoFrustum) }
}

/// The mean of two poses; `right` is derived from the others.
fn mean(poses: [(Vec3, Vec3, Vec3); 2]) -> Pose {
    let [(p, f, u), (p2, f2, u2)] = poses;
    let middle = |a, b| vec3::scale(vec3::add(a, b), 0.5);
    let (forward, up) = (vec3::normalize(middle(f, f2)).0, vec3::normalize(middle(u, u2)).0);
    Pose { pos: middle(p, p2), forward, up, right: vec3::cross(forward, up) }
}

/// The camera of a scene in the model: the mean of its eyes.
///
/// # Errors
/// A scene without a camera, or too small.
#[doc(alias = "mjv_cameraInModel")]
pub fn in_model(scene: &Scene) -> Result<Pose> {
    let mut poses = [([0.0; 3], [0.0; 3], [0.0; 3]); 2];
    for (pose, eye) in poses.iter_mut().zip(eyes(scene)?) {
        let forward = vec3::normalize(eye.forward.map(f64::from)).0;
        let up = vec3::normalize(eye.up.map(f64::from)).0;
        let left = vec3::normalize(vec3::cross(up, forward)).0;
        let columns = [left, up, forward];
        let turn = quat::from_mat(&std::array::from_fn(|k| columns[k % 3][k / 3]));
        let (pos, turn) = room_to_model(scene, eye.pos.map(f64::from), turn)?;
        let mat = quat::to_mat(turn);
        *pose = (pos, mat3::col(&mat, 2), mat3::col(&mat, 1));
    }
    Ok(mean(poses))
}

/// The camera of a scene in the room: the mean of its eyes.
///
/// # Errors
/// A scene without a camera.
#[doc(alias = "mjv_cameraInRoom")]
pub fn in_room(scene: &Scene) -> Result<Pose> {
    let double = |v: [f32; 3]| v.map(f64::from);
    Ok(mean(eyes(scene)?.each_ref().map(|c| (double(c.pos), double(c.forward), double(c.up)))))
}

/// Averages two cameras: the mean pose, with `up` orthogonal to `forward`, and the mean frustum.
///
/// # Errors
/// One camera is perspective and the other orthographic.
#[doc(alias = "mjv_averageCamera")]
pub fn average(a: &GlCamera, b: &GlCamera) -> Result<GlCamera> {
    if a.orthographic != b.orthographic {
        return Err(Error::MixedCameras);
    }
    let sum = |x: [f32; 3], y: [f32; 3]| vec3::add(x.map(f64::from), y.map(f64::from));
    let half = |x: f32, y: f32| 0.5 * (x + y);
    let forward = vec3::normalize(sum(a.forward, b.forward)).0;
    let up = sum(a.up, b.up);
    let up = vec3::normalize(vec3::add_scaled(up, forward, -vec3::dot(up, forward))).0;
    Ok(GlCamera {
        pos: single(&vec3::scale(sum(a.pos, b.pos), 0.5)),
        forward: single(&forward),
        up: single(&up),
        frustum_center: half(a.frustum_center, b.frustum_center),
        frustum_width: half(a.frustum_width, b.frustum_width),
        frustum_bottom: half(a.frustum_bottom, b.frustum_bottom),
        frustum_top: half(a.frustum_top, b.frustum_top),
        frustum_near: half(a.frustum_near, b.frustum_near),
        frustum_far: half(a.frustum_far, b.frustum_far),
        orthographic: a.orthographic,
    })
}

/// Height of the view at unit distance; for an orthographic camera, at any distance.
///
/// # Errors
/// A scene without a camera, or with one perspective and one orthographic.
#[doc(alias = "mjv_frustumHeight")]
pub fn frustum_height(scene: &Scene) -> Result<f64> {
    let [a, b] = &scene.camera;
    if a.orthographic != b.orthographic {
        return Err(Error::MixedCameras);
    }
    let height = |c: &GlCamera| f64::from(c.frustum_top - c.frustum_bottom);
    if a.orthographic != 0 {
        return Ok(0.5 * (height(a) + height(b)));
    }
    let [a, b] = eyes(scene)?;
    Ok(0.5 * (height(a) / f64::from(a.frustum_near) + height(b) / f64::from(b.frustum_near)))
}

/// Rotates a vector about the vertical so that y becomes the horizontal direction of `forward`.
#[doc(alias = "mjv_alignToCamera")]
pub fn align_to_camera(v: Vec3, forward: Vec3) -> Vec3 {
    let length = (forward[0] * forward[0] + forward[1] * forward[1]).sqrt();
    let [x, y] = if length < MINVAL { [1.0, 0.0] } else { [forward[0] / length, forward[1] / length] };
    [v[0] * y + v[1] * x, v[1] * y - v[0] * x, v[2]]
}
