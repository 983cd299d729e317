//! Cameras: pose and optics; camera arrays.

use super::flat::{Flat, FlatCamera, Names};
use super::frames::{Pose, orientation, unit};
use super::shared::{check_user, fill_user, id_or_none};
use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::{Camera, Spec};
use sinew_engine::Model;
use sinew_engine::model::enums::ObjType;
use std::f64::consts::PI;

/// Compiles one camera; its target body is looked up later, by [`bind`].
pub(crate) fn resolve(camera: &Camera, body: usize, frames: &[Pose], spec: &Spec, nuser: usize) -> Result<FlatCamera> {
    convert(camera, body, frames, spec, nuser).map_err(|e| e.at(camera.meta.loc).element("camera"))
}

fn convert(camera: &Camera, body: usize, frames: &[Pose], spec: &Spec, nuser: usize) -> Result<FlatCamera> {
    check_user(camera.userdata.len(), nuser, "nuser_cam")?;
    let mut c = camera.clone();
    let mut pose = Pose::new(c.pos, orientation(c.quat, &c.alt, &spec.compilers[c.meta.compiler])?);
    if let Some(frame) = c.frame {
        pose = frames[frame].then(&pose);
    }
    unit(&mut pose.quat);
    (c.pos, c.quat) = (pose.pos, pose.quat);
    if c.fovy >= 180.0 {
        return Err(Error::invalid("the field of view must be below 180 degrees").attribute(attr::FOVY));
    }
    let znear = spec.visual.map.znear;
    let mut intrinsic = [znear, znear, 0.0, 0.0];
    let lens = [c.focal_length, c.focal_pixel, c.principal_length, c.principal_pixel];
    if c.sensor_size[0] > 0.0 && c.sensor_size[1] > 0.0 {
        if c.resolution[0] <= 0 || c.resolution[1] <= 0 {
            return Err(Error::invalid("a sensor size needs a positive resolution").attribute(attr::RESOLUTION));
        }
        // pixels take precedence over lengths
        let length = |pixel: [f32; 2], length: [f32; 2], i: usize| {
            let density = c.resolution[i] as f32 / c.sensor_size[i];
            if pixel[i] != 0.0 { pixel[i] / density } else { length[i] }
        };
        for i in 0..2 {
            intrinsic[i] = length(c.focal_pixel, c.focal_length, i);
            intrinsic[2 + i] = length(c.principal_pixel, c.principal_length, i);
        }
        c.fovy = f64::from((c.sensor_size[1] / 2.0).atan2(intrinsic[1])) * 360.0 / PI;
    } else if lens.iter().flatten().any(|&x| x != 0.0) {
        return Err(Error::invalid("focal length and principal point need a sensor size").attribute(attr::SENSORSIZE));
    }
    Ok(FlatCamera { spec: c, body, target: None, intrinsic })
}

/// Looks up the target body.
pub(crate) fn bind(camera: &mut FlatCamera, names: &Names) -> Result<()> {
    let c = &camera.spec;
    if !c.targetbody.is_empty() {
        let place = |e: Error| e.element("camera").attribute(attr::TARGET);
        camera.target = Some(names.require(ObjType::Body, &c.targetbody, c.meta.loc).map_err(place)?);
    }
    Ok(())
}

/// Writes the camera arrays.
pub(crate) fn fill(flat: &Flat, m: &mut Model) {
    for (i, camera) in flat.cameras.iter().enumerate() {
        let c = &camera.spec;
        m.cam_bodyid[i] = camera.body as i32;
        m.cam_mode[i] = c.mode.into();
        m.cam_targetbodyid[i] = id_or_none(camera.target);
        m.cam_pos[i] = c.pos;
        m.cam_quat[i] = c.quat;
        m.cam_projection[i] = c.proj.into();
        m.cam_fovy[i] = c.fovy;
        m.cam_ipd[i] = c.ipd;
        m.cam_resolution[i] = c.resolution;
        m.cam_output[i] = c.output;
        m.cam_sensorsize[i] = c.sensor_size;
        m.cam_intrinsic[i] = camera.intrinsic;
    }
    let width = m.nuser_cam;
    fill_user(&mut m.cam_user, width, flat.cameras.iter().map(|c| &c.spec.userdata[..]));
}
