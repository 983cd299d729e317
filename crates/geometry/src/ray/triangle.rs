//! Rays against triangles.

use super::Ray;
use sinew_math::{MINVAL, Vec3, vec3};

/// A ray with two axes across it, to look at many triangles along it.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    ray: Ray,
    across: [Vec3; 2],
}

impl Sight {
    /// Axes across a ray.
    pub fn new(ray: Ray) -> Self {
        let [x, y, z] = ray.dir.map(f64::abs);
        // the axis that the ray follows most
        let along = if x >= y && x >= z {
            0
        } else if y >= z {
            1
        } else {
            2
        };
        let mut rough = [1.0; 3];
        rough[along] = 0.0;
        let apart = -vec3::dot(ray.dir, rough) / vec3::dot(ray.dir, ray.dir);
        let second = vec3::normalize(vec3::add_scaled(rough, ray.dir, apart)).0;
        let first = vec3::normalize(vec3::cross(second, ray.dir)).0;
        Sight { ray, across: [first, second] }
    }

    /// Signed distance to the plane of a triangle that the line goes through, and the triangle's normal, which
    /// is not of unit length.
    #[inline]
    pub fn triangle(&self, v: &[Vec3; 3]) -> Option<(f64, Vec3)> {
        // corners in the plane across the ray, which is the origin there
        let flat = |corner: Vec3| {
            let away = vec3::sub(corner, self.ray.origin);
            [vec3::dot(self.across[0], away), vec3::dot(self.across[1], away)]
        };
        let (p, q, r) = (flat(v[0]), flat(v[1]), flat(v[2]));
        let aside = |k: usize| p[k] > 0.0 && q[k] > 0.0 && r[k] > 0.0 || p[k] < 0.0 && q[k] < 0.0 && r[k] < 0.0;
        if aside(0) || aside(1) {
            return None;
        }
        let (a, b) = ([p[0] - r[0], p[1] - r[1]], [q[0] - r[0], q[1] - r[1]]);
        let det = a[0] * b[1] - b[0] * a[1];
        if det.abs() < MINVAL {
            return None;
        }
        let s = (b[1] * -r[0] - b[0] * -r[1]) / det;
        let t = (-a[1] * -r[0] + a[0] * -r[1]) / det;
        if s < 0.0 || t < 0.0 || s + t > 1.0 {
            return None;
        }
        let normal = vec3::cross(vec3::sub(v[0], v[2]), vec3::sub(v[1], v[2]));
        let speed = vec3::dot(self.ray.dir, normal);
        if speed.abs() < MINVAL {
            return None;
        }
        Some((-vec3::dot(vec3::sub(self.ray.origin, v[2]), normal) / speed, normal))
    }
}
