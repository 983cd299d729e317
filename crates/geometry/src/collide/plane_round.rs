//! Plane against sphere, capsule ends or ellipsoid.

use super::{Contact, Shape};
use sinew_math::{Vec3, mat3, vec3};

/// Contact of a sphere with the half-space below `origin`.
#[inline]
pub(super) fn ball(origin: Vec3, normal: Vec3, center: Vec3, radius: f64, margin: f64) -> Option<Contact> {
    let height = vec3::dot(vec3::sub(center, origin), normal);
    if height > margin + radius {
        return None;
    }
    let dist = height - radius;
    let pos = vec3::add_scaled(center, normal, -dist / 2.0 - radius);
    Some(Contact { dist, pos, normal, ..Default::default() })
}

/// Plane and sphere: one contact.
pub(super) fn sphere(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    out.extend(ball(a.pos, mat3::col(a.mat, 2), b.pos, b.size[0], margin));
}

/// Plane and capsule: one contact per end, the upper one first, with tangents along the capsule.
pub(super) fn capsule(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let normal = mat3::col(a.mat, 2);
    let tangent = mat3::col(b.mat, 2);
    let half = vec3::scale(tangent, b.size[1]);
    for end in [vec3::add(b.pos, half), vec3::sub(b.pos, half)] {
        out.extend(ball(a.pos, normal, end, b.size[0], margin).map(|c| Contact { tangent, ..c }));
    }
}

/// Plane and ellipsoid: one contact, at the ellipsoid's lowest point.
pub(super) fn ellipsoid(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let normal = mat3::col(a.mat, 2);
    let down = mat3::mul_vec_t(b.mat, vec3::scale(normal, -1.0));
    let scaled = |v: Vec3| [v[0] * b.size[0], v[1] * b.size[1], v[2] * b.size[2]];
    let (unit, _) = vec3::normalize(scaled(down));
    let lowest = vec3::add(mat3::mul_vec(b.mat, scaled(unit)), b.pos);
    out.extend(point(a.pos, normal, lowest, margin));
}

/// Contact of a single point with the half-space below `origin`.
#[inline]
pub(super) fn point(origin: Vec3, normal: Vec3, point: Vec3, margin: f64) -> Option<Contact> {
    let dist = vec3::dot(normal, vec3::sub(point, origin));
    let pos = vec3::add_scaled(point, normal, -0.5 * dist);
    (dist <= margin).then_some(Contact { dist, pos, normal, ..Default::default() })
}

/// Contact of a point of a shape at offset `arm` from its centre, which is at `height` above the half-space. Heights
/// are added, so that shapes placed exactly on the plane touch it.
#[inline]
pub(super) fn corner(shape: &Shape, height: f64, normal: Vec3, arm: Vec3, margin: f64) -> Option<Contact> {
    let dist = height + vec3::dot(normal, arm);
    let pos = vec3::add_scaled(vec3::add(shape.pos, arm), normal, -0.5 * dist);
    (dist <= margin).then_some(Contact { dist, pos, normal, ..Default::default() })
}
