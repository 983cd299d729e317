//! Depth of two convex shapes: the point of their difference's surface nearest to the origin.

use super::polytope::{Polytope, after};
use super::simplex::areas;
use super::support::Difference;
use sinew_math::{MINVAL, Vec3, vec3};

/// Depth, as a negative distance, and the deepest point of each shape within the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    pub dist: f64,
    pub points: [Vec3; 2],
    /// Face of the polytope.
    pub face: u32,
}

/// What a round of growth came to.
enum Round {
    /// The polytope grew.
    Grown,
    /// The nearest face is near enough.
    Done,
    /// The polytope broke for want of digits.
    Broken,
}

/// Bounds on the depth.
struct Bounds {
    /// Square of the distance of the nearest face.
    lower2: f64,
    upper: f64,
    upper2: f64,
}

/// Grows the polytope at its nearest face until a supporting plane is no farther than that face.
pub(super) fn depth(poly: &mut Polytope, diff: &mut Difference, iterations: usize, tolerance: f64) -> Option<Depth> {
    let tolerance = if diff.is_discrete() { MINVAL } else { tolerance };
    let mut bounds = Bounds { lower2: 0.0, upper: f64::MAX, upper2: f64::MAX };
    let mut face = None;
    for _ in 0..iterations {
        let before = face;
        bounds.lower2 = f64::MAX;
        for &(square, candidate) in &poly.candidates {
            if square < bounds.lower2 {
                (face, bounds.lower2) = (Some(candidate), square);
            }
        }
        let Some(nearest) = face else { break };
        if bounds.lower2 > bounds.upper2 {
            face = before;
            break;
        }
        if bounds.lower2 <= 0.0 {
            break;
        }
        match grow(poly, diff, nearest, &mut bounds, tolerance) {
            Round::Grown if poly.candidates.is_empty() => break,
            Round::Grown => {}
            Round::Done => break,
            Round::Broken => return None,
        }
    }
    face.map(|face| witness(poly, face))
}

/// Adds the farthest point along the nearest face's normal.
fn grow(poly: &mut Polytope, diff: &mut Difference, face: u32, bounds: &mut Bounds, tolerance: f64) -> Round {
    let lower = bounds.lower2.sqrt();
    let normal = poly.faces[face as usize].normal;
    let w = diff.support_along(normal, lower);
    let wi = poly.push(w);
    let upper = vec3::dot(normal, w.at) / lower;
    if upper < bounds.upper {
        (bounds.upper, bounds.upper2) = (upper, upper * upper);
    }
    if bounds.upper - lower < tolerance {
        return Round::Done;
    }
    if diff.is_discrete() && poly.ends[..wi as usize].iter().any(|v| v.corners == w.ends.corners) {
        return Round::Done;
    }
    poly.open(face, w.at);
    let (first, sides) = (poly.faces.len() as u32, poly.horizon.len() as u32);
    if sides < 3 {
        return Round::Broken;
    }
    if sides as usize > poly.room() {
        return Round::Done;
    }
    // a fan of faces from the new point to the horizon
    for i in 0..sides {
        let (beyond, side) = poly.horizon[i as usize];
        let f = &mut poly.faces[beyond as usize];
        let (v1, v2) = (f.verts[usize::from(side)], f.verts[after(side)]);
        f.adj[usize::from(side)] = first + i;
        let (previous, next) = (if i == 0 { sides - 1 } else { i - 1 }, if i + 1 == sides { 0 } else { i + 1 });
        let square = poly.attach([wi, v2, v1], [first + previous, beyond, first + next]);
        if square == 0.0 {
            return Round::Broken;
        }
        if square >= bounds.lower2 && square <= bounds.upper2 {
            poly.list((first + i) as usize);
        }
    }
    Round::Grown
}

/// The points of both shapes at the foot of the origin on a face.
fn witness(poly: &Polytope, face: u32) -> Depth {
    let f = &poly.faces[face as usize];
    let [v1, v2, v3] = f.verts.map(|i| poly.at(i));
    let (parts, total) = areas(v1, v2, v3, f.normal);
    let w = parts.map(|part| part / total);
    let ends = f.verts.map(|i| poly.ends[i as usize]);
    let sum = |p: [Vec3; 3]| -> Vec3 { std::array::from_fn(|i| w[0] * p[0][i] + w[1] * p[1][i] + w[2] * p[2][i]) };
    Depth { dist: -f.square.sqrt(), points: [sum(ends.map(|v| v.a)), sum(ends.map(|v| v.b))], face }
}
