//! Normals of round shapes at a point near their surface. They replace the normal from a portal, whose error grows with
//! the width of the portal.

use super::support::{Convex, Form};
use crate::collide::Contact;
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// Iteration limit and convergence tolerance for ellipsoids.
const ITERATIONS: usize = 30;
const TOLERANCE: f64 = 1e-6;
/// Points beyond this fraction of a cylinder's half-length may touch the flat side.
const ROUND_PART: f64 = 0.95;
/// A point on a cylinder must be nearer to the round side than to the flat one by this factor.
const NEARER: f64 = 0.25;

/// The contact with its normal replaced by the normal of the shape that is round there, or the mean of both.
pub(in crate::collide) fn straighten(a: &Convex, b: &Convex, contact: Contact) -> Contact {
    let of_a = outward(a, contact.pos, contact.normal);
    let of_b = outward(b, contact.pos, vec3::scale(contact.normal, -1.0));
    let normal = match (of_a, of_b) {
        (Some(a), Some(b)) => vec3::normalize(vec3::sub(a, b)).0,
        (Some(a), None) => a,
        (None, Some(b)) => vec3::scale(b, -1.0),
        (None, None) => contact.normal,
    };
    Contact { normal, ..contact }
}

/// Outward normal of a shape near a point, if the shape is round there.
fn outward(shape: &Convex, at: Vec3, normal: Vec3) -> Option<Vec3> {
    let p = mat3::mul_vec_t(shape.mat, vec3::sub(at, shape.pos));
    let [r, h, _] = shape.size;
    let local = match shape.form {
        Form::Sphere => p,
        Form::Capsule => [p[0], p[1], p[2] - p[2].clamp(-h.abs(), h.abs())],
        Form::Ellipsoid => ellipsoid(p, mat3::mul_vec_t(shape.mat, normal), shape.size)?,
        Form::Cylinder => {
            let (flat, round) = ((h - p[2].abs()).abs(), (r - p[0].hypot(p[1])).abs());
            if p[2].abs() > ROUND_PART * h || flat < NEARER * round {
                return None;
            }
            [p[0], p[1], 0.0]
        }
        _ => return None,
    };
    Some(mat3::mul_vec(shape.mat, vec3::normalize(local).0))
}

fn ellipsoid(p: Vec3, normal: Vec3, size: Vec3) -> Option<Vec3> {
    if size.iter().any(|&s| s < MINVAL) {
        return None;
    }
    let square = size.map(|s| s * s);
    let level: f64 = (0..3).map(|i| p[i] * p[i] / square[i]).sum();
    if level <= 1.0 { ellipsoid_inside(p, normal, square) } else { Some(ellipsoid_outside(p, square)) }
}

/// Fixed-point iteration: from a point inside, the normal leads to a surface point, which gives a new normal, and so
/// on.
fn ellipsoid_inside(p: Vec3, normal: Vec3, square: Vec3) -> Option<Vec3> {
    let form = |u: Vec3, v: Vec3| -> f64 { (0..3).map(|i| u[i] * v[i] / square[i]).sum() };
    let mut normal = vec3::normalize(normal).0;
    for i in 0..ITERATIONS {
        let (a, b, c) = (form(normal, normal), form(p, normal), form(p, p) - 1.0);
        let discriminant = b * b - a * c;
        let reach = (discriminant.sqrt() - b) / a;
        if !(discriminant >= MINVAL && a >= MINVAL && reach >= 0.0) {
            return (i > 0).then_some(normal);
        }
        let at = vec3::add_scaled(p, normal, reach);
        let next = vec3::normalize(std::array::from_fn(|i| at[i] / square[i])).0;
        let change = vec3::dist(normal, next);
        normal = next;
        if change < TOLERANCE {
            break;
        }
    }
    Some(normal)
}

/// Normal at the nearest surface point, which is `s²/(s² + λ) p` along each axis; Newton's method finds the multiplier
/// λ that puts it on the surface.
fn ellipsoid_outside(p: Vec3, square: Vec3) -> Vec3 {
    let mut multiplier = 0.0;
    for _ in 0..ITERATIONS {
        let power =
            |n: i32| -> f64 { (0..3).map(|i| p[i] * p[i] * square[i] / (square[i] + multiplier).powi(n)).sum() };
        let (excess, slope) = (power(2) - 1.0, -2.0 * power(3));
        if excess < TOLERANCE || slope > -MINVAL || -excess / slope < TOLERANCE {
            break;
        }
        multiplier -= excess / slope;
    }
    vec3::normalize(std::array::from_fn(|i| p[i] / (square[i] + multiplier))).0
}
