//! Focal lengths of cameras.

use crate::model::Model;
use std::f64::consts::PI;

/// Focal lengths of a camera in pixels, along the image's width and height: a point at unit depth and lateral offset
/// `x` projects `f x` pixels from the centre.
///
/// With sensor size `s` and focal length `l` in metres, `f = l / s · n` for each direction of `n` pixels. Without a
/// sensor size, `fovy` is the vertical field of view in degrees and `f = n / (2 tan(fovy / 2))` in both directions,
/// with `n` the height.
pub fn focal(m: &Model, cam: usize) -> [f64; 2] {
    let ([width, height], [sx, sy]) = (m.cam_resolution[cam], m.cam_sensorsize[cam]);
    if sx != 0.0 && sy != 0.0 {
        let [fx, fy, ..] = m.cam_intrinsic[cam];
        // single precision, like the values it is computed from
        [f64::from(fx / sx * width as f32), f64::from(fy / sy * height as f32)]
    } else {
        [0.5 / (m.cam_fovy[cam] * PI / 360.0).tan() * f64::from(height); 2]
    }
}
