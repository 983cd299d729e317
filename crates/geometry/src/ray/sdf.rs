//! Rays against signed distance fields.

use super::boxes::faces;
use super::{Frame, Hit, Ray};
use crate::collide::Values;
use crate::field::Sample;
use sinew_math::{Vec3, mat3, vec3};

/// Sphere tracing: ray against the surface of a field within a box of half-sizes `size`, with steps as long as the
/// distance. As in MuJoCo the distance is in metres, regardless of the length of the direction.
pub fn sdf(frame: Frame, size: Vec3, values: &Values, ray: Ray) -> Option<Hit> {
    const STEPS: usize = 40;
    const NEAR: f64 = 1e-7;
    const FAR: f64 = 1e6;
    faces(frame, size, ray).first?;
    let local = ray.seen_from(frame);
    let local = Ray { dir: vec3::normalize(local.dir).0, ..local };
    let mut total = 0.0;
    for _ in 0..STEPS {
        let dist = Sample::new(values, local.at(total))?.dist().abs();
        total += dist;
        if dist < NEAR {
            let normal = vec3::normalize(Sample::new(values, local.at(total))?.gradient()?).0;
            return Some(Hit { dist: total, normal: mat3::mul_vec(frame.mat, normal) });
        }
        if dist > FAR {
            break;
        }
    }
    None
}
