//! Rangefinder: distances along rays from a site or through the pixels of a camera.

use super::Inputs;
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::{ObjType, Projection, RayDataField as Field};
use crate::support::camera::focal;
use crate::support::check::MAXVAL;
use crate::support::ray::{self, BATCH, Filter, Ray};
use sinew_math::{Vec3, mat3, vec3};

/// Writes the requested fields, ray by ray: one ray along z of a site, or one through each pixel of a camera.
pub fn rangefinder(x: &Inputs, i: usize, out: &mut [f64]) {
    let (m, id) = (x.m, x.object(i));
    let mut sheet = Sheet { fields: m.sensor_intprm[i][0], eye: None, out, used: 0 };
    if m.sensor_objtype(i) == ObjType::Site {
        let along = Ray { origin: x.pose.site_xpos[id], dir: mat3::col(&x.pose.site_xmat[id], 2) };
        let hit = ray::ray(m, x.pose, along, Filter::without(m.site_bodyid[id]));
        sheet.write(along, hit.map(|h| (h.dist, h.normal)));
    } else {
        sheet.eye = Some((x.pose.cam_xpos[id], mat3::col(&x.pose.cam_xmat[id], 2)));
        image(x, id, sheet);
    }
}

/// Writer of the requested fields of each ray.
struct Sheet<'a> {
    /// Bits of [`Field`].
    fields: i32,
    /// Position and z axis of the camera.
    eye: Option<(Vec3, Vec3)>,
    out: &'a mut [f64],
    used: usize,
}

impl Sheet<'_> {
    fn put(&mut self, field: Field, values: &[f64]) {
        if self.fields >> field as i32 & 1 == 1 {
            self.out[self.used..self.used + values.len()].copy_from_slice(values);
            self.used += values.len();
        }
    }

    /// Writes the fields of one ray, given the distance and surface normal of its hit.
    fn write(&mut self, ray: Ray, hit: Option<(f64, Vec3)>) {
        let point = hit.map_or([0.0; 3], |(dist, _)| ray.at(dist));
        let depth = match (hit, self.eye) {
            (Some(_), Some((pos, z))) => -vec3::dot(vec3::sub(point, pos), z),
            (Some((dist, _)), None) => dist,
            (None, _) => -1.0,
        };
        self.put(Field::Dist, &[hit.map_or(-1.0, |h| h.0)]);
        self.put(Field::Dir, &hit.map_or([0.0; 3], |_| ray.dir));
        self.put(Field::Origin, &ray.origin);
        self.put(Field::Point, &point);
        self.put(Field::Normal, &hit.map_or([0.0; 3], |h| h.1));
        self.put(Field::Depth, &[depth]);
    }
}

/// Focal lengths and principal point in pixels.
struct Lens {
    focal: [f64; 2],
    center: [f64; 2],
}

impl Lens {
    /// A pixel's centre in the image plane at unit depth, y upwards.
    fn image_point(&self, pixel: usize, width: usize) -> [f64; 2] {
        let (col, row) = ((pixel % width) as f64, (pixel / width) as f64);
        [(col + 0.5 - self.center[0]) / self.focal[0], -(row + 0.5 - self.center[1]) / self.focal[1]]
    }
}

#[doc(alias = "mju_camIntrinsics")]
fn lens(m: &Model, cam: usize) -> Lens {
    let [width, height] = m.cam_resolution[cam];
    let ([sx, sy], [.., px, py]) = (m.cam_sensorsize[cam], m.cam_intrinsic[cam]);
    let middle = [f64::from(width) / 2.0, f64::from(height) / 2.0];
    if m.cam_projection(cam) == Projection::Orthographic {
        // converts pixels from the centre to fractions of half the image
        Lens { focal: middle, center: middle }
    } else if sx != 0.0 && sy != 0.0 {
        // in single precision, like its inputs
        let center = [f64::from(px / sx * width as f32), f64::from(py / sy * height as f32)];
        Lens { focal: focal(m, cam), center }
    } else {
        Lens { focal: focal(m, cam), center: middle }
    }
}

/// The ray through a pixel of a camera; pixels are in row-major order from the upper left.
#[doc(alias = "mju_camPixelRay")]
pub fn pixel_ray(m: &Model, pose: &Pose, cam: usize, pixel: usize) -> Ray {
    let (pos, mat) = (pose.cam_xpos[cam], &pose.cam_xmat[cam]);
    let [px, py] = lens(m, cam).image_point(pixel, m.cam_resolution[cam][0].max(0) as usize);
    if m.cam_projection(cam) == Projection::Orthographic {
        let half = m.cam_fovy[cam] / 2.0;
        let origin = vec3::add(pos, mat3::mul_vec(mat, [px * half, py * half, 0.0]));
        return Ray { origin, dir: vec3::scale(mat3::col(mat, 2), -1.0) };
    }
    Ray { origin: pos, dir: vec3::normalize(mat3::mul_vec(mat, [px, py, -1.0])).0 }
}

/// Casts a ray through every pixel, in row-major order from the upper left.
fn image(x: &Inputs, cam: usize, mut sheet: Sheet) {
    let m = x.m;
    let (pos, mat) = (x.pose.cam_xpos[cam], &x.pose.cam_xmat[cam]);
    let [width, height] = m.cam_resolution[cam].map(|n| n.max(0) as usize);
    let (lens, filter) = (lens(m, cam), Filter::without(m.cam_bodyid[cam]));
    let pixels = width * height;
    if m.cam_projection(cam) == Projection::Orthographic {
        for along in (0..pixels).map(|k| pixel_ray(m, x.pose, cam, k)) {
            sheet.write(along, ray::ray(m, x.pose, along, filter).map(|h| (h.dist, h.normal)));
        }
        return;
    }
    let mut dirs = [[0.0; 3]; BATCH];
    for start in (0..pixels).step_by(BATCH) {
        let dirs = &mut dirs[..BATCH.min(pixels - start)];
        for (k, dir) in dirs.iter_mut().enumerate() {
            let [px, py] = lens.image_point(start + k, width);
            *dir = vec3::normalize(mat3::mul_vec(mat, [px, py, -1.0])).0;
        }
        let hits = ray::multi_ray(m, x.pose, pos, dirs, filter, MAXVAL);
        for (dir, hit) in dirs.iter().zip(hits) {
            sheet.write(Ray { origin: pos, dir: *dir }, hit.map(|h| (h.dist, h.normal)));
        }
    }
}
