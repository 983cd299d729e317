//! Contacts of two crossing edges, and of the faces next to them.
//!
//! Each edge has a face that is more parallel to the other edge. Projected along the common normal of the edges, the
//! second box's face is a parallelogram over the first box's rectangle. The two are clipped against each other: a point
//! of one face and the point it covers on the other make a contact halfway between them.

use super::axis::{Edge, EdgePair};
use super::{Boxes, Line, Turn, corners};
use crate::collide::{Contact, Shape};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// A parallelogram over a rectangle in the plane z = 0.
struct Cover {
    /// Half-sizes of the rectangle.
    size: Vec3,
    /// Corners of the parallelogram: both ends of the edge, then the corners across the face from these.
    corners: [Vec3; 4],
    /// Corners projected onto the rectangle's plane.
    shadow: [Vec3; 4],
    /// Distance along the normal per unit of height over the plane.
    slant: f64,
}

/// Contacts with the normal of the edges: where outlines of the two faces cross, then corners of the first face, then
/// corners of the second. If nothing crosses, a corner need be inside in only one direction.
pub(super) fn collide(edges: &EdgePair, a: &Shape, boxes: &Boxes, margin: f64, out: &mut Vec<Contact>) {
    let top = edges.first.face;
    let turn = Turn::to_top(if edges.first.side[top] > 0.0 { top } else { top + 3 });
    let normal = turn.vec(edges.normal);
    if normal[2].abs() < MINVAL {
        return;
    }
    let size = turn.size(boxes.size1);
    // relative to the centre of the face, so that heights over it are exact where boxes touch
    let mut center = boxes.pos21;
    center[top] -= edges.first.side[top] * boxes.size1[top];
    let corners = face_corners(&edges.second, center, boxes).map(|c| turn.vec(c));
    let slant = 1.0 / normal[2];
    let shadow = corners.map(|c| vec3::add_scaled(c, normal, -c[2] * slant));
    let cover = Cover { size, corners, shadow, slant };
    let first = out.len();
    cover.crossings(margin, out);
    let crossed = out.len() > first;
    cover.first_corners(margin, crossed, out);
    let any = out.len() > first;
    cover.second_corners(margin, crossed, any, out);

    let frame = turn.frame(a.mat);
    let normal = mat3::mul_vec(&frame, normal);
    for contact in &mut out[first..] {
        contact.pos[2] += size[2];
        contact.pos = vec3::add(mat3::mul_vec(&frame, contact.pos), a.pos);
        contact.normal = normal;
    }
}

/// Corners of the face next to an edge of the second box (centred at `center`) along the axes of the first: both ends
/// of the edge, then the corners across the face.
fn face_corners(edge: &Edge, center: Vec3, boxes: &Boxes) -> [Vec3; 4] {
    let arm = |k: usize, part: f64| vec3::scale(mat3::col(&boxes.rot, k), part * boxes.size2[k]);
    let inward = edge.inward();
    let face = arm(edge.face, edge.side[edge.face]);
    let corner = |along: f64, from_edge: f64| {
        let middle = vec3::add(vec3::add(center, arm(inward, from_edge * edge.side[inward])), face);
        vec3::add(middle, arm(edge.axis, along))
    };
    [corner(1.0, 1.0), corner(-1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0)]
}

impl Cover {
    /// Contacts where projected sides of the parallelogram cross those of the rectangle.
    fn crossings(&self, margin: f64, out: &mut Vec<Contact>) {
        for (shadow, real) in sides(&self.shadow).into_iter().zip(sides(&self.corners)) {
            for crossing in shadow.crossings(self.size) {
                let above = vec3::add_scaled(real.start, real.along, crossing.t);
                let mut below = [0.0; 3];
                below[crossing.axis] = crossing.wall;
                below[1 - crossing.axis] = crossing.other;
                let dist = above[2] * self.slant;
                if dist <= margin {
                    out.push(halfway(above, below, dist));
                }
            }
        }
    }

    /// Contacts at corners of the rectangle that the parallelogram covers.
    fn first_corners(&self, margin: f64, crossed: bool, out: &mut Vec<Contact>) {
        let [start, end1, end2, _] = self.shadow;
        let ([a, c, _], [b, d, _]) = (vec3::sub(end1, start), vec3::sub(end2, start));
        let mut divisor = a * d - b * c;
        for [x, y] in corners(self.size) {
            // position in the parallelogram by Cramer's rule
            let (dx, dy) = (x - start[0], y - start[1]);
            let place = [(dx * d - dy * b) * (1.0 / divisor), (dy * a - dx * c) * (1.0 / divisor)];
            let inside = place.map(|p| (0.0..=1.0).contains(&p));
            if place.iter().any(|p| p.is_nan()) || !is_covered(inside, crossed) {
                continue;
            }
            let [u, v] = place.map(|p| p.clamp(0.0, 1.0));
            let above = vec3::scale(self.corners[0], 1.0 - u - v);
            let above = vec3::add_scaled(above, self.corners[1], u);
            let above = vec3::add_scaled(above, self.corners[2], v);
            let below = [x, y, 0.0];
            let gap = vec3::sub(below, above);
            let square = vec3::dot(gap, gap);
            // MuJoCo overwrites the divisor here for the corners that follow; reproduced
            divisor = square;
            if above[2] <= 0.0 || square <= margin * margin {
                out.push(halfway(above, below, signed(square, above[2])));
            }
        }
    }

    /// Contacts at corners of the parallelogram over the rectangle; at all of them if nothing else was found.
    fn second_corners(&self, margin: f64, crossed: bool, any: bool, out: &mut Vec<Contact>) {
        for (&above, shadow) in self.corners.iter().zip(&self.shadow) {
            let inside = std::array::from_fn(|k| shadow[k].abs() <= self.size[k]);
            if any && !is_covered(inside, crossed) {
                continue;
            }
            let [x, y]: [f64; 2] = std::array::from_fn(|k| shadow[k].max(-self.size[k]).min(self.size[k]));
            let gap = [shadow[0] - x, shadow[1] - y, above[2] * self.slant];
            let square = vec3::dot(gap, gap);
            if above[2] <= 0.0 || square <= margin * margin {
                out.push(halfway(above, [x, y, 0.0], signed(square, above[2])));
            }
        }
    }
}

/// Whether a corner counts, given whether it is inside along each side of the other face. If the outlines do not cross,
/// one of the two suffices.
fn is_covered(inside: [bool; 2], crossed: bool) -> bool {
    if crossed { inside[0] && inside[1] } else { inside[0] || inside[1] }
}

fn halfway(above: Vec3, below: Vec3, dist: f64) -> Contact {
    Contact { dist, pos: vec3::scale(vec3::add(above, below), 0.5), ..Default::default() }
}

/// Sides of a face: the edge, the two adjacent to it, the opposite one.
fn sides(corners: &[Vec3; 4]) -> [Line; 4] {
    let start = corners[0];
    let first = vec3::sub(corners[1], start);
    let second = vec3::sub(corners[2], start);
    [
        Line { start, along: first },
        Line { start, along: second },
        Line { start: vec3::add(start, first), along: second },
        Line { start: vec3::add(start, second), along: first },
    ]
}

/// Signed distance from its square and the sign of a height.
fn signed(square: f64, height: f64) -> f64 {
    square.sqrt() * if height < 0.0 { -1.0 } else { 1.0 }
}
