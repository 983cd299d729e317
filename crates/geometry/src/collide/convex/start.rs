//! The first polytope, from the simplex that the search for the distance ended with.

use super::polytope::Polytope;
use super::simplex::{Simplex, areas, det};
use super::support::{Difference, Vertex};
use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// Below this square the origin lies on a face.
const MINVAL2: f64 = MINVAL * MINVAL;

/// Builds the polytope; `false` if the origin is on its surface or it would be flat.
pub(super) fn start(poly: &mut Polytope, simplex: &Simplex, diff: &mut Difference) -> bool {
    let [s1, s2, s3, s4] = std::array::from_fn(|i| Vertex { at: simplex.at[i], ends: simplex.ends[i] });
    match simplex.len {
        2 => from_segment(poly, s1, s2, diff),
        3 => from_triangle(poly, [s1, s2, s3], diff),
        _ => from_tetrahedron(poly, &[s1, s2, s3, s4], diff),
    }
}

/// Farthest point along a direction of known length. Polytopes seldom start with other than four points.
#[inline(never)]
fn support_along(diff: &mut Difference, dir: Vec3, length: f64) -> Vertex {
    diff.support_along(dir, length)
}

/// Attaches faces and makes them candidates. Gives back the first face that the origin lies on.
fn attach_all(poly: &mut Polytope, faces: &[([u32; 3], [u32; 3])]) -> Result<(), [u32; 3]> {
    for &(verts, adj) in faces {
        if poly.attach(verts, adj) < MINVAL2 {
            return Err(verts);
        }
    }
    Ok(())
}

fn list_all(poly: &mut Polytope) -> bool {
    for face in 0..poly.faces.len() {
        poly.list(face);
    }
    true
}

/// Starts over from one face.
fn restart(poly: &mut Polytope, face: [u32; 3], diff: &mut Difference) -> bool {
    let verts = face.map(|v| poly.vertex(v));
    from_triangle(poly, verts, diff)
}

/// Two tetrahedra on three points around the segment.
fn from_segment(poly: &mut Polytope, s1: Vertex, s2: Vertex, diff: &mut Difference) -> bool {
    let axis = vec3::sub(s2.at, s1.at);
    // across the segment, as far from it as a coordinate axis leads
    let mut least = 0;
    for i in 1..3 {
        if axis[i].abs() < axis[least].abs() {
            least = i;
        }
    }
    let mut unit = [0.0; 3];
    unit[least] = 1.0;
    let turn = third_of_turn(axis);
    let d1 = vec3::cross(unit, axis);
    let d2 = mat3::mul_vec(&turn, d1);
    let d3 = mat3::mul_vec(&turn, d2);
    poly.clear();
    let (v1, v2) = (poly.push(s1), poly.push(s2));
    let [v3, v4, v5] = [d1, d2, d3].map(|d| poly.push(support_along(diff, d, vec3::norm(d))));
    let faces = [
        ([v1, v3, v4], [1, 3, 2]),
        ([v1, v5, v3], [2, 4, 0]),
        ([v1, v4, v5], [0, 5, 1]),
        ([v2, v4, v3], [5, 0, 4]),
        ([v2, v3, v5], [3, 1, 5]),
        ([v2, v5, v4], [4, 2, 3]),
    ];
    if let Err(face) = attach_all(poly, &faces) {
        return restart(poly, face, diff);
    }
    let crosses = pierces(s1.at, s2.at, [v3, v4, v5].map(|v| poly.at(v)));
    crosses && list_all(poly)
}

/// Two tetrahedra on the two sides of the triangle.
fn from_triangle(poly: &mut Polytope, s: [Vertex; 3], diff: &mut Difference) -> bool {
    let [a, b, c] = s.map(|v| v.at);
    let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    let length = vec3::norm(normal);
    if length < MINVAL {
        return false;
    }
    poly.clear();
    let [v1, v2, v3] = s.map(|v| poly.push(v));
    let v5 = poly.push(support_along(diff, vec3::scale(normal, -1.0), length));
    let v4 = poly.push(support_along(diff, normal, length));
    if on_triangle([a, b, c], poly.at(v4)) || on_triangle([a, b, c], poly.at(v5)) {
        return false;
    }
    let faces = [
        ([v4, v1, v2], [1, 3, 2]),
        ([v4, v3, v1], [2, 4, 0]),
        ([v4, v2, v3], [0, 5, 1]),
        ([v5, v2, v1], [5, 0, 4]),
        ([v5, v1, v3], [3, 1, 5]),
        ([v5, v3, v2], [4, 2, 3]),
    ];
    attach_all(poly, &faces).is_ok() && list_all(poly)
}

/// The tetrahedron itself.
fn from_tetrahedron(poly: &mut Polytope, s: &[Vertex; 4], diff: &mut Difference) -> bool {
    poly.clear();
    let [v1, v2, v3, v4] = s.map(|v| poly.push(v));
    let faces =
        [([v1, v2, v3], [1, 3, 2]), ([v1, v4, v2], [2, 3, 0]), ([v1, v3, v4], [0, 3, 1]), ([v4, v3, v2], [2, 0, 1])];
    if let Err(face) = attach_all(poly, &faces) {
        return restart(poly, face, diff);
    }
    let [p0, p1, p2, p3] = s.map(|v| v.at);
    let inside = same_side([p0, p1, p2], p3)
        && same_side([p1, p2, p3], p0)
        && same_side([p2, p3, p0], p1)
        && same_side([p3, p0, p1], p2);
    inside && list_all(poly)
}

/// Rotation by a third of a turn about an axis.
fn third_of_turn(axis: Vec3) -> Mat3 {
    /// Sine of 120 degrees with the digits MuJoCo gives it.
    const SIN: f64 = 0.86602540378;
    const COS: f64 = -0.5;
    let norm = vec3::norm(axis);
    let [x, y, z] = axis.map(|u| u / norm);
    let c = 1.0 - COS;
    [
        COS + x * x * c,
        x * y * c - z * SIN,
        x * z * c + y * SIN,
        y * x * c + z * SIN,
        COS + y * y * c,
        y * z * c - x * SIN,
        x * z * c - y * SIN,
        y * z * c + x * SIN,
        COS + z * z * c,
    ]
}

/// Whether the line from `from` to `to` passes through a triangle.
fn pierces(from: Vec3, to: Vec3, tri: [Vec3; 3]) -> bool {
    let way = vec3::sub(to, from);
    let [a, b, c] = tri.map(|v| vec3::sub(v, from));
    let volumes = [det(a, b, way), det(b, c, way), det(c, a, way)];
    volumes.iter().all(|&v| v >= 0.0) || volumes.iter().all(|&v| v <= 0.0)
}

/// Whether the origin and a point are on the same side of a plane.
fn same_side([p0, p1, p2]: [Vec3; 3], p: Vec3) -> bool {
    let normal = vec3::cross(vec3::sub(p1, p0), vec3::sub(p2, p0));
    let (a, b) = (vec3::dot(normal, vec3::sub(p, p0)), vec3::dot(normal, vec3::scale(p0, -1.0)));
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

/// Whether a point lies on a triangle.
fn on_triangle([a, b, c]: [Vec3; 3], p: Vec3) -> bool {
    let (parts, total) = areas(a, b, c, p);
    let w = parts.map(|part| part / total);
    if w.iter().any(|&w| w < 0.0) {
        return false;
    }
    let at: Vec3 = std::array::from_fn(|i| a[i] * w[0] + b[i] * w[1] + c[i] * w[2]);
    vec3::dist(at, p) < MINVAL
}
