//! Lenses of cameras.

use crate::model::Model;
use std::f64::consts::PI;

/// Focal lengths of a camera in pixels, along the image's width and height: what is at unit depth and `x` aside is seen
/// `f x` pixels from the middle.
///
/// With a sensor of `s` and a lens of `l` metres, `f = l / s · n` in each direction of `n` pixels. Without a sensor, the
/// image's height is seen under the angle `fovy` in degrees, so `f = n / (2 tan(fovy / 2))` of the height, in both.
pub fn focal(m: &Model, cam: usize) -> [f64; 2] {
    let ([width, height], [sx, sy]) = (m.cam_resolution[cam], m.cam_sensorsize[cam]);
    if sx != 0.0 && sy != 0.0 {
        let [fx, fy, ..] = m.cam_intrinsic[cam];
        // in single precision, like the numbers it comes from
        [f64::from(fx / sx * width as f32), f64::from(fy / sy * height as f32)]
    } else {
        [0.5 / (m.cam_fovy[cam] * PI / 360.0).tan() * f64::from(height); 2]
    }
}
