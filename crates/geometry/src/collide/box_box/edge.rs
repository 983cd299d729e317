//! Contacts of two edges that cross, and of the faces beside them.

use super::axis::Edges;
use super::{Boxes, Line, Turn, corners};
use crate::collide::{Contact, Shape};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// A face of the second box over a face of the first, which is on top of its box.
struct Above {
    /// Half-sizes of the first box.
    size: Vec3,
    /// Across both edges; the faces are compared as seen along it.
    normal: Vec3,
    /// Corners of the second face relative to the first: the two of the edge, then the two across.
    corners: [Vec3; 4],
    /// Where these meet the plane of the first face along the normal.
    shadow: [Vec3; 4],
    /// Distance along the outward normal for a height over the face.
    slant: f64,
}

/// Contacts with the normal of the edges: where sides of the two faces cross, then corners of the first face, then
/// corners of the second. Without crossings, corners need to be inside in one direction only.
pub(super) fn collide(edges: &Edges, a: &Shape, boxes: &Boxes, margin: f64, out: &mut Vec<Contact>) {
    let (_, across1) = by_slope(edges.axis1, mat3::col(&boxes.abs, edges.axis2));
    let side = if edges.corner1 >> across1 & 1 == 1 { across1 } else { across1 + 3 };
    let turn = Turn::to_top(side);
    let Some(above) = Above::new(edges, &turn, boxes) else { return };
    let first = out.len();
    above.crossings(margin, out);
    let crossed = out.len() > first;
    above.first_corners(margin, crossed, out);
    let any = out.len() > first;
    above.second_corners(margin, crossed, any, out);

    let frame = turn.frame(a.mat);
    let normal = vec3::scale(mat3::mul_vec(&frame, above.normal), if edges.flip { -1.0 } else { 1.0 });
    for contact in &mut out[first..] {
        contact.pos[2] += above.size[2];
        contact.pos = vec3::add(mat3::mul_vec(&frame, contact.pos), a.pos);
        contact.normal = normal;
    }
}

/// The two other axes, the steeper first.
fn by_slope(axis: usize, slope: Vec3) -> (usize, usize) {
    let (one, two) = [(1, 2), (0, 2), (1, 0)][axis];
    if slope[one] < slope[two] { (two, one) } else { (one, two) }
}

impl Above {
    fn new(edges: &Edges, turn: &Turn, boxes: &Boxes) -> Option<Self> {
        let size = turn.size(boxes.size1);
        let normal = turn.vec(edges.normal);
        if normal[2].abs() < MINVAL {
            return None;
        }
        let rot = turn.columns(&boxes.rot);
        let mut center = turn.vec(boxes.pos21);
        center[2] -= size[2];

        let (across, up) = by_slope(edges.axis2, mat3::row(&boxes.abs, edges.axis1));
        let axis = |k: usize| mat3::col(&rot, k);
        let reach = |k: usize| boxes.size2[k] * if edges.corner2 >> k & 1 == 1 { 1.0 } else { -1.0 };
        let middle = |side: f64| {
            let point = vec3::add_scaled(center, axis(across), side * reach(across));
            vec3::add_scaled(point, axis(up), reach(up))
        };
        let ends =
            |middle: Vec3, side: f64| vec3::add_scaled(middle, axis(edges.axis2), side * boxes.size2[edges.axis2]);
        let (near, far) = (middle(1.0), middle(-1.0));
        let corners = [ends(near, 1.0), ends(near, -1.0), ends(far, 1.0), ends(far, -1.0)];
        let inverse = 1.0 / normal[2];
        Some(Above {
            size,
            normal,
            corners,
            shadow: corners.map(|c| vec3::add_scaled(c, normal, -c[2] * inverse)),
            slant: inverse * if edges.flip { -1.0 } else { 1.0 },
        })
    }

    /// Where the second face's sides cross the first's.
    fn crossings(&self, margin: f64, out: &mut Vec<Contact>) {
        for (shadow, real) in sides(&self.shadow).into_iter().zip(sides(&self.corners)) {
            for crossing in shadow.crossings(self.size) {
                if (real.start[2] + real.along[2] * crossing.t) * self.slant > margin {
                    continue;
                }
                let mut pos = vec3::add_scaled(vec3::scale(real.start, 0.5), real.along, 0.5 * crossing.t);
                pos[crossing.axis] += 0.5 * crossing.wall;
                pos[1 - crossing.axis] += 0.5 * crossing.other;
                out.push(Contact { dist: pos[2] * self.slant * 2.0, pos, ..Default::default() });
            }
        }
    }

    /// Corners of the first face within the second.
    fn first_corners(&self, margin: f64, crossed: bool, out: &mut Vec<Contact>) {
        let [start, one, two] = [self.shadow[0], self.shadow[1], self.shadow[2]];
        let ([a, c, _], [b, d, _]) = (vec3::sub(one, start), vec3::sub(two, start));
        let mut divisor = a * d - b * c;
        for [x, y] in corners(self.size) {
            let (dx, dy) = (x - start[0], y - start[1]);
            let u = (dx * d - dy * b) * (1.0 / divisor);
            let v = (dy * a - dx * c) * (1.0 / divisor);
            let (out1, out2) = (!(0.0..=1.0).contains(&u), !(0.0..=1.0).contains(&v));
            if u.is_nan() || v.is_nan() || if crossed { out1 || out2 } else { out1 && out2 } {
                continue;
            }
            let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
            let point = vec3::scale(self.corners[0], 1.0 - u - v);
            let point = vec3::add_scaled(point, self.corners[1], u);
            let point = vec3::add_scaled(point, self.corners[2], v);
            let corner = [x, y, 0.0];
            let gap = vec3::sub(corner, point);
            let square = vec3::dot(gap, gap);
            // MuJoCo divides by this for the corners that follow, and so do they here
            divisor = square;
            if point[2] > 0.0 && square > margin * margin {
                continue;
            }
            let pos = vec3::scale(vec3::add(corner, point), 0.5);
            out.push(Contact { dist: signed(square, point[2]), pos, ..Default::default() });
        }
    }

    /// Corners of the second face within the first; all where nothing else was found.
    fn second_corners(&self, margin: f64, crossed: bool, any: bool, out: &mut Vec<Contact>) {
        for (corner, shadow) in self.corners.iter().zip(&self.shadow) {
            let outside: [bool; 2] = std::array::from_fn(|k| shadow[k] < -self.size[k] || shadow[k] > self.size[k]);
            let skip = match (crossed, any) {
                (true, _) => outside[0] || outside[1],
                (false, true) => outside[0] && outside[1],
                (false, false) => false,
            };
            if skip {
                continue;
            }
            let nearest: [f64; 2] = std::array::from_fn(|k| shadow[k].max(-self.size[k]).min(self.size[k]));
            let (dx, dy) = (shadow[0] - nearest[0], shadow[1] - nearest[1]);
            let square = dx * dx + dy * dy + corner[2] * self.slant * corner[2] * self.slant;
            if corner[2] > 0.0 && square > margin * margin {
                continue;
            }
            let pos = vec3::add_scaled([nearest[0] * 0.5, nearest[1] * 0.5, 0.0], *corner, 0.5);
            out.push(Contact { dist: signed(square, corner[2]), pos, ..Default::default() });
        }
    }
}

/// Sides of a face: the edge, the two next to it, the one across.
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

/// A distance from its square, with the sign of a height.
fn signed(square: f64, height: f64) -> f64 {
    square.sqrt() * if height < 0.0 { -1.0 } else { 1.0 }
}
