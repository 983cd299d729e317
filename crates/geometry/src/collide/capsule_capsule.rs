//! Two capsules.

use super::sphere_round::{Ball, balls};
use super::{Contact, Shape};
use sinew_math::{MINVAL, mat3, vec3};

/// One contact, or two where the axes are parallel.
///
/// Points on the axes are `x1`, `x2` ∈ [−1, 1] half-lengths from the centres. The nearest pair solves
/// `[aa ab; ab bb] [x1; x2] = [u; v]` unless that lies outside the segments.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let axis1 = vec3::scale(mat3::col(a.mat, 2), a.size[1]);
    let axis2 = vec3::scale(mat3::col(b.mat, 2), b.size[1]);
    let between = vec3::sub(a.pos, b.pos);
    let aa = vec3::dot(axis1, axis1);
    let ab = -vec3::dot(axis1, axis2);
    let bb = vec3::dot(axis2, axis2);
    let u = -vec3::dot(axis1, between);
    let v = vec3::dot(axis2, between);
    let det = aa * bb - ab * ab;

    let touch = |x1: f64, x2: f64| {
        let first = vec3::add(vec3::scale(axis1, x1), a.pos);
        let second = vec3::add(vec3::scale(axis2, x2), b.pos);
        balls(Ball::of(a, first), Ball::of(b, second), margin)
    };
    if det.abs() >= MINVAL {
        let mut x1 = (bb * u - ab * v) / det;
        let mut x2 = (aa * v - ab * u) / det;
        if x1.abs() > 1.0 {
            x1 = x1.signum();
            x2 = (v - x1 * ab) / bb;
        }
        if x2.abs() > 1.0 {
            x2 = x2.signum();
            x1 = clip((u - x2 * ab) / aa);
        }
        out.extend(touch(x1, x2));
        return;
    }
    // parallel: try the ends of the first, then of the second, until there are two contacts
    let enough = out.len() + 2;
    for end in [1.0, -1.0] {
        out.extend(touch(end, clip((v - end * ab) / bb)));
    }
    for end in [1.0, -1.0] {
        if out.len() < enough {
            out.extend(touch(clip((u - end * ab) / aa), end));
        }
    }
}

/// Clamps to [−1, 1]. A capsule of zero length gives NaN; any value in the range is then right.
#[allow(clippy::manual_clamp)]
fn clip(x: f64) -> f64 {
    x.max(-1.0).min(1.0)
}
