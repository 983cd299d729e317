//! Depth of two convex shapes by van den Bergen's expanding polytope algorithm (EPA): the point on the surface of the
//! Minkowski difference nearest to the origin.
//!
//! The polytope lies inside the difference, so its nearest face bounds the depth from below; the supporting plane along
//! that face's normal bounds it from above. Adding the support point closes the gap.

use super::polytope::Polytope;
use super::simplex::shares;
use super::support::Difference;
use sinew_math::{MINVAL, Vec3, vec3};

/// Depth, as a negative distance, and the deepest point of each shape inside the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    pub dist: f64,
    pub points: [Vec3; 2],
    /// Face of the polytope.
    pub face: u32,
}

/// Expands the polytope at its nearest face until the bounds on the depth meet within the tolerance. For shapes with
/// corners only the search ends exactly, at a corner that the polytope already has.
pub(super) fn depth(poly: &mut Polytope, diff: &mut Difference, iterations: usize, tolerance: f64) -> Option<Depth> {
    let discrete = diff.is_discrete();
    let tolerance = if discrete { MINVAL } else { tolerance };
    let mut upper = f64::INFINITY;
    let mut best = None;
    for _ in 0..iterations {
        let Some(face) = poly.nearest() else { break };
        let (foot, square) = (poly.face(face).foot, poly.face(face).square);
        let lower = square.sqrt();
        if lower > upper {
            break;
        }
        best = Some(face);
        let w = diff.support_along(foot, lower);
        upper = upper.min(vec3::dot(foot, w.at) / lower);
        if upper - lower < tolerance || (discrete && poly.has(w.ends.corners)) {
            break;
        }
        let fan = poly.take_in(face, w)?;
        if fan.is_empty() {
            break;
        }
        // except by rounding, an expanded polytope has no nearer faces than before
        let useful = square..=upper * upper;
        for face in fan {
            if useful.contains(&poly.face(face).square) {
                poly.offer(face);
            }
        }
    }
    best.map(|face| witness(poly, face))
}

/// The points of both shapes at the projection of the origin onto a face.
fn witness(poly: &Polytope, face: u32) -> Depth {
    let [a, b, c] = poly.at(face);
    let part = shares(a, b, c, poly.face(face).foot);
    let ends = poly.ends(face);
    let blend =
        |p: [Vec3; 3]| -> Vec3 { std::array::from_fn(|i| part[0] * p[0][i] + part[1] * p[1][i] + part[2] * p[2][i]) };
    let points = [blend(ends.map(|e| e.a)), blend(ends.map(|e| e.b))];
    Depth { dist: -poly.face(face).square.sqrt(), points, face }
}
