//! The initial polytope around the origin, built from the final simplex of the distance search.
//!
//! A tetrahedron is used as it is. A triangle that contains the origin becomes the waist of a double pyramid, a segment
//! its axis; the other corners are support points.

use super::polytope::Polytope;
use super::simplex::Simplex;
use super::support::{Difference, Vertex};
use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// Squared distance below which the origin counts as lying on a face.
const ON_FACE: f64 = MINVAL * MINVAL;

/// Builds the polytope; `false` if the origin is on its surface or it would be flat.
pub(super) fn start(poly: &mut Polytope, simplex: &Simplex, diff: &mut Difference) -> bool {
    let corners: [Vertex; 4] = std::array::from_fn(|i| simplex.corner(i));
    let [a, b, c, _] = corners;
    match simplex.len() {
        2 => around_segment(poly, [a, b], diff),
        3 => on_both_sides(poly, [a, b, c], diff),
        _ => tetrahedron(poly, corners, diff),
    }
}

/// Builds the surface from triangles and makes them candidates; if the origin lies on one, returns that as the error.
fn close(poly: &mut Polytope, faces: &[[u32; 3]]) -> Result<(), [u32; 3]> {
    for &face in faces {
        if poly.add_face(face, [0; 3]) < ON_FACE {
            return Err(face);
        }
    }
    poly.sew_all();
    poly.offer_all();
    Ok(())
}

/// The tetrahedron itself, if the origin is inside; otherwise a double pyramid on the face that contains the origin.
fn tetrahedron(poly: &mut Polytope, corners: [Vertex; 4], diff: &mut Difference) -> bool {
    poly.clear();
    let [a, b, c, d] = corners.map(|v| poly.add_corner(v));
    if let Err(face) = close(poly, &[[a, b, c], [a, d, b], [a, c, d], [d, c, b]]) {
        return restart(poly, face, diff);
    }
    (0..4).all(|i| {
        let [p, q, r, top] = [1, 2, 3, 0].map(|k| corners[(i + k) % 4].at);
        let normal = vec3::cross(vec3::sub(q, p), vec3::sub(r, p));
        // the origin is on the same side as the fourth corner
        -vec3::dot(normal, p) * vec3::dot(normal, vec3::sub(top, p)) > 0.0
    })
}

/// A double pyramid with the segment as its axis. The corners of its waist are support points in three directions
/// perpendicular to the segment, 120° apart.
fn around_segment(poly: &mut Polytope, [top, bottom]: [Vertex; 2], diff: &mut Difference) -> bool {
    let way = vec3::sub(bottom.at, top.at);
    let length = vec3::norm(way);
    if length < MINVAL {
        return false;
    }
    let axis = way.map(|x| x / length);
    let least = (0..3).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs())).unwrap_or(0);
    let mut unit = [0.0; 3];
    unit[least] = 1.0;
    let first = vec3::cross(unit, way);
    let turn = third_of_turn(axis);
    let second = mat3::mul_vec(&turn, first);
    let waist = [first, second, mat3::mul_vec(&turn, second)].map(|dir| support(diff, dir, vec3::norm(dir)));
    if !pierces(top.at, bottom.at, waist.map(|v| v.at)) {
        return false;
    }
    match double_pyramid(poly, waist, [top, bottom]) {
        Ok(()) => true,
        Err(face) => restart(poly, face, diff),
    }
}

/// Starts over from a triangle that contains the origin.
fn restart(poly: &mut Polytope, face: [u32; 3], diff: &mut Difference) -> bool {
    let waist = face.map(|corner| poly.corner(corner));
    on_both_sides(poly, waist, diff)
}

/// A double pyramid with the triangle as its waist.
fn on_both_sides(poly: &mut Polytope, waist: [Vertex; 3], diff: &mut Difference) -> bool {
    let [a, b, c] = waist.map(|v| v.at);
    let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    let length = vec3::norm(normal);
    if length < MINVAL {
        return false;
    }
    let bottom = support(diff, vec3::scale(normal, -1.0), length);
    let top = support(diff, normal, length);
    let height = |v: Vertex| vec3::dot(normal, vec3::sub(v.at, a)).abs() / length;
    height(top) > MINVAL && height(bottom) > MINVAL && double_pyramid(poly, waist, [top, bottom]).is_ok()
}

/// Builds six triangles: the sides of the waist with the top, and with the bottom.
fn double_pyramid(poly: &mut Polytope, waist: [Vertex; 3], tips: [Vertex; 2]) -> Result<(), [u32; 3]> {
    poly.clear();
    let [a, b, c] = waist.map(|v| poly.add_corner(v));
    let [bottom, top] = [tips[1], tips[0]].map(|v| poly.add_corner(v));
    close(poly, &[[top, a, b], [top, c, a], [top, b, c], [bottom, b, a], [bottom, a, c], [bottom, c, b]])
}

/// Support point along a direction of known length. Out of line because polytopes seldom start from fewer than four
/// points.
#[inline(never)]
fn support(diff: &mut Difference, dir: Vec3, length: f64) -> Vertex {
    diff.support_along(dir, length)
}

/// Whether the line through two points passes through a triangle: all sides are on the same hand.
fn pierces(from: Vec3, to: Vec3, tri: [Vec3; 3]) -> bool {
    let way = vec3::sub(to, from);
    let [a, b, c] = tri.map(|v| vec3::sub(v, from));
    let hand = [(a, b), (b, c), (c, a)].map(|(p, q)| vec3::dot(way, vec3::cross(p, q)));
    hand.iter().all(|&v| v >= 0.0) || hand.iter().all(|&v| v <= 0.0)
}

/// Rotation by 120° about a unit axis, by Rodrigues' formula.
fn third_of_turn(axis: Vec3) -> Mat3 {
    /// Sine of 120° with MuJoCo's digits, which can decide among directions of equal depth.
    const SIN: f64 = 0.86602540378;
    const COS: f64 = -0.5;
    let across = [[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]];
    std::array::from_fn(|i| {
        let (row, col) = (i / 3, i % 3);
        let along = axis[row] * axis[col] * (1.0 - COS);
        if row == col { COS + along } else { along + across[row][col] * SIN }
    })
}
