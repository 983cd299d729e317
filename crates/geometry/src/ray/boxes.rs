//! Rays against boxes.

use super::round::passes_sphere;
use super::{Frame, Hit, Ray, nearer};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// Where a ray crosses the faces of a box, in the order −x, +x, −y, +y, −z, +z.
pub(super) struct Faces {
    /// Distance to each face; −1 where the ray misses it.
    pub dist: [f64; 6],
    /// The first face hit.
    pub first: Option<usize>,
}

/// Outward normal of a face in the box's local axes.
pub(super) fn face_normal(face: usize) -> Vec3 {
    let mut normal = [0.0; 3];
    normal[face / 2] = if face.is_multiple_of(2) { -1.0 } else { 1.0 };
    normal
}

/// Intersections with all faces of a box of half-sizes `size`.
pub(super) fn faces(frame: Frame, size: Vec3, ray: Ray) -> Faces {
    let mut found = Faces { dist: [-1.0; 6], first: None };
    if !passes_sphere(frame.pos, vec3::dot(size, size), ray) {
        return found;
    }
    let Ray { origin: p, dir: v } = ray.seen_from(frame);
    for face in 0..6 {
        let axis = face / 2;
        if v[axis].abs() <= MINVAL {
            continue;
        }
        let side = face_normal(face)[axis];
        let dist = (side * size[axis] - p[axis]) / v[axis];
        let within = |k: usize| k == axis || (p[k] + dist * v[k]).abs() <= size[k];
        if dist >= 0.0 && (0..3).all(within) {
            found.dist[face] = dist;
            if nearer(dist, found.first.map(|f| found.dist[f])) {
                found.first = Some(face);
            }
        }
    }
    found
}

/// Ray against a box of half-sizes `size`.
pub fn cuboid(frame: Frame, size: Vec3, ray: Ray) -> Option<Hit> {
    let faces = faces(frame, size, ray);
    let face = faces.first?;
    Some(Hit { dist: faces.dist[face], normal: mat3::mul_vec(frame.mat, face_normal(face)) })
}
