//! Bounding-box test of convex shapes, to reject distant pairs before any search.

use crate::collide::{Kind, Shape};
use sinew_math::{Vec3, mat3, vec3};

/// Boxes are inflated by this fraction of their reach: mesh boxes were computed before the vertices were rounded to
/// single precision, and shapes that touch up to rounding must not be rejected.
const SLACK: f64 = 1e-6;

/// Centre and half-sizes in the shape's local axes. Primitive shapes compute them from `size`, which users may change.
fn bounds(shape: &Shape) -> (Vec3, Vec3) {
    let [r, h, _] = shape.size;
    let half = match shape.kind {
        Kind::Sphere => [r; 3],
        Kind::Capsule => [r, r, r + h],
        Kind::Cylinder => [r, r, h],
        Kind::Ellipsoid | Kind::Box => shape.size,
        _ => {
            let [x, y, z, a, b, c] = *shape.aabb;
            let wider = |center: f64, half: f64| half + SLACK * (center.abs() + half);
            return ([x, y, z], [wider(x, a), wider(y, b), wider(z, c)]);
        }
    };
    ([0.0; 3], vec3::scale(half, 1.0 + SLACK))
}

/// Whether a face of one shape's box has the other's box beyond a margin. Needs no vertices of meshes.
pub fn apart(a: &Shape, b: &Shape, margin: f64) -> bool {
    let ((center_a, half_a), (center_b, half_b)) = (bounds(a), bounds(b));
    let place = |s: &Shape, center: Vec3| vec3::add(mat3::mul_vec(s.mat, center), s.pos);
    let way = vec3::sub(place(b, center_b), place(a, center_a));
    // rotation between the axes of `a` and `b`, as absolute values
    let turn: [Vec3; 3] = std::array::from_fn(|i| mat3::mul_vec_t(b.mat, mat3::col(a.mat, i)).map(f64::abs));
    let (along_a, along_b) = (mat3::mul_vec_t(a.mat, way), mat3::mul_vec_t(b.mat, way));
    (0..3).any(|i| along_a[i].abs() > half_a[i] + vec3::dot(turn[i], half_b) + margin)
        || (0..3).any(|i| {
            let reach = turn[0][i] * half_a[0] + turn[1][i] * half_a[1] + turn[2][i] * half_a[2];
            along_b[i].abs() > half_b[i] + reach + margin
        })
}
