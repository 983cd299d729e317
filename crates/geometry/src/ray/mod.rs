//! Where a ray first meets the surface of a shape.
//!
//! A ray is `origin + dist · dir` with `dist ≥ 0`; distances are in units of the length of `dir`, which need not be 1.
//! Normals are unit vectors in the world and point out of the shape, also when the ray starts inside it.

mod boxes;
mod height;
mod mesh;
mod round;
mod sdf;
mod triangle;

pub use boxes::cuboid;
pub use height::{HeightField, height_field};
pub use mesh::{MeshTree, mesh};
pub use round::{capsule, cylinder, ellipsoid, passes_sphere, sphere};
pub use sdf::sdf;
pub use triangle::triangle;

use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// A half-line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start point.
    pub origin: Vec3,
    /// Direction; distances are in units of its length.
    pub dir: Vec3,
}

/// Pose of a shape in the world.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Position.
    pub pos: Vec3,
    /// Axes as columns.
    pub mat: &'a Mat3,
}

/// The nearest intersection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance in units of the direction's length.
    pub dist: f64,
    /// Unit normal of the surface.
    pub normal: Vec3,
}

impl Ray {
    /// The point at a distance.
    #[inline]
    pub fn at(&self, dist: f64) -> Vec3 {
        vec3::add_scaled(self.origin, self.dir, dist)
    }

    /// The same ray in the local coordinates of a frame.
    #[inline]
    pub fn seen_from(&self, frame: Frame) -> Ray {
        let away = vec3::sub(self.origin, frame.pos);
        Ray { origin: mat3::mul_vec_t(frame.mat, away), dir: mat3::mul_vec_t(frame.mat, self.dir) }
    }
}

/// Ray against the front of a plane, or of a rectangle with half-sizes `size` where those are positive.
pub fn plane(frame: Frame, size: Vec3, ray: Ray) -> Option<Hit> {
    let local = ray.seen_from(frame);
    // front side only
    if local.dir[2] > -MINVAL {
        return None;
    }
    let dist = -local.origin[2] / local.dir[2];
    let within = |axis: usize| size[axis] <= 0.0 || (local.origin[axis] + dist * local.dir[axis]).abs() <= size[axis];
    (dist >= 0.0 && within(0) && within(1)).then(|| Hit { dist, normal: mat3::col(frame.mat, 2) })
}

/// Whether a new distance is nearer than the best so far.
#[inline(always)]
fn nearer(dist: f64, best: Option<f64>) -> bool {
    dist >= 0.0 && best.is_none_or(|b| dist < b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::quat;

    /// For every closed shape, a ray from outside hits where it says, and a ray from inside leaves there.
    #[test]
    fn hits_lie_on_the_surface() {
        let mat = quat::to_mat(quat::normalize([0.9, 0.1, -0.3, 0.2]).0);
        let frame = Frame { pos: [0.3, -0.2, 0.5], mat: &mat };
        let size = [0.4, 0.6, 0.3];
        type Shape = fn(Frame, Vec3, Ray) -> Option<Hit>;
        let inside = |p: Vec3| p[0].abs() <= size[0] && p[1].abs() <= size[1] && p[2].abs() <= size[2];
        let level = |p: Vec3| (p[0] / size[0]).powi(2) + (p[1] / size[1]).powi(2) + (p[2] / size[2]).powi(2) - 1.0;
        for (shape, name) in
            [(cuboid as Shape, "box"), (ellipsoid, "ellipsoid"), (capsule, "capsule"), (cylinder, "cylinder")]
        {
            for start in [[3.0, 1.0, 2.0], [-2.0, 3.0, 0.1], [0.1, -4.0, -1.0]] {
                let ray = Ray { origin: start, dir: vec3::scale(vec3::sub(frame.pos, start), 0.5) };
                let hit = shape(frame, size, ray).expect(name);
                assert!(hit.dist > 0.0 && hit.dist < 2.0, "{name}: before the centre");
                assert!(vec3::dot(hit.normal, ray.dir) < 0.0, "{name}: the normal faces the ray");
                assert!((vec3::norm(hit.normal) - 1.0).abs() < 1e-12);
                let local = mat3::mul_vec_t(&mat, vec3::sub(ray.at(hit.dist), frame.pos));
                match name {
                    "ellipsoid" => assert!(level(local).abs() < 1e-9),
                    "box" => assert!(inside(vec3::scale(local, 1.0 - 1e-9)) && !inside(vec3::scale(local, 1.0 + 1e-9))),
                    _ => {}
                }
                // the ray back from the centre leaves through the same point
                let back = shape(frame, size, Ray { origin: frame.pos, dir: vec3::scale(ray.dir, -1.0) }).expect(name);
                assert!((back.dist + hit.dist - 2.0).abs() < 1e-9, "{name}");
                assert!(shape(frame, size, Ray { origin: start, dir: vec3::scale(ray.dir, -1.0) }).is_none(), "{name}");
            }
        }
    }

    #[test]
    fn plane_from_the_front_only() {
        let frame = Frame { pos: [0.0; 3], mat: &mat3::IDENTITY };
        let down = Ray { origin: [0.5, 0.5, 2.0], dir: [0.0, 0.0, -4.0] };
        assert_eq!(plane(frame, [0.0; 3], down), Some(Hit { dist: 0.5, normal: [0.0, 0.0, 1.0] }));
        assert_eq!(plane(frame, [0.4, 0.0, 0.0], down), None);
        assert_eq!(plane(frame, [0.0; 3], Ray { origin: [0.0, 0.0, -1.0], dir: [0.0, 0.0, 1.0] }), None);
    }
}
