//! Sphere against sphere, and sphere against capsule.

use super::{Contact, Shape};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// A ball, with an axis that gives the normal where centres coincide.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    pub center: Vec3,
    pub radius: f64,
    pub axis: Vec3,
}

impl Ball {
    /// A ball of a shape's radius, centred at a point of the shape's axis.
    #[inline]
    pub fn of(shape: &Shape, center: Vec3) -> Self {
        Ball { center, radius: shape.size[0], axis: mat3::col(shape.mat, 2) }
    }
}

/// Contact of two balls.
#[inline]
pub(super) fn balls(a: Ball, b: Ball, margin: f64) -> Option<Contact> {
    let between = vec3::sub(b.center, a.center);
    let square = vec3::dot(between, between);
    let reach = margin + a.radius + b.radius;
    if square > reach * reach {
        return None;
    }
    let dist = square.sqrt() - a.radius - b.radius;
    let (mut normal, length) = vec3::normalize(between);
    if length < MINVAL {
        normal = vec3::normalize(vec3::cross(a.axis, b.axis)).0;
    }
    let pos = vec3::add(vec3::scale(normal, a.radius + dist / 2.0), a.center);
    Some(Contact { dist, pos, normal, ..Default::default() })
}

/// Two spheres: one contact.
pub(super) fn sphere(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    out.extend(balls(Ball::of(a, a.pos), Ball::of(b, b.pos), margin));
}

/// Sphere and capsule: one contact, with the ball inside the capsule that is nearest to the sphere.
pub(super) fn capsule(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let axis = mat3::col(b.mat, 2);
    let along = vec3::dot(axis, vec3::sub(a.pos, b.pos)).max(-b.size[1]).min(b.size[1]);
    let nearest = vec3::add(vec3::scale(axis, along), b.pos);
    out.extend(balls(Ball::of(a, a.pos), Ball::of(b, nearest), margin));
}
