//! Contacts of a face with the face of another box below it.

use super::{Line, Seen, Turn, corners};
use crate::collide::{Contact, Shape};
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// Axes of the other box whose cosine with the normal is below this span its face.
const FLAT: f64 = 0.5;

/// Part of the other box that is below the face: its lowest corner and up to two edges from there.
struct Below {
    corner: Vec3,
    edges: [Vec3; 2],
    count: usize,
}

/// Contacts of `b` with the face of `a` that `turn` brings to the top, with normals out of `a`: where edges below cross
/// the face's sides, then the face's corners, then corners below.
pub(super) fn collide(turn: &Turn, a: &Shape, b: &Shape, seen: Seen, margin: f64, out: &mut Vec<Contact>) {
    let size = turn.size(a.size);
    let mut pos = turn.vec(seen.pos);
    pos[2] -= size[2];
    let below = Below::new(pos, &turn.columns(&seen.rot), b.size);
    let frame = turn.frame(a.mat);
    let normal = mat3::col(&frame, 2);
    let mut add = |point: Vec3| {
        if point[2] > margin {
            return;
        }
        let half = [point[0], point[1], point[2] * 0.5 + size[2]];
        let pos = vec3::add(mat3::mul_vec(&frame, half), a.pos);
        out.push(Contact { dist: point[2], pos, normal, ..Default::default() });
    };
    for line in below.lines().into_iter().flatten() {
        for crossing in line.crossings(size) {
            add(vec3::add_scaled(line.start, line.along, crossing.t));
        }
    }
    if below.count == 2 {
        corners(size).into_iter().filter_map(|c| below.under(c)).for_each(&mut add);
    }
    let inside = |p: &Vec3| p[0] > -size[0] && p[0] < size[0] && p[1] > -size[1] && p[1] < size[1];
    add(below.corner);
    below.others().into_iter().flatten().filter(inside).for_each(&mut add);
}

impl Below {
    fn new(pos: Vec3, rot: &Mat3, size: Vec3) -> Self {
        let mut below = Below { corner: pos, edges: [[0.0; 3]; 2], count: 0 };
        for k in 0..3 {
            let side = if rot[6 + k] < 0.0 { 1.0 } else { -1.0 };
            let axis = mat3::col(rot, k);
            below.corner = vec3::add_scaled(below.corner, axis, size[k] * side);
            if rot[6 + k].abs() < FLAT && below.count < 2 {
                below.edges[below.count] = vec3::scale(axis, size[k] * (-2.0 * side));
                below.count += 1;
            }
        }
        below
    }

    /// Edges of the face below, or the single edge.
    fn lines(&self) -> [Option<Line>; 4] {
        let [first, second] = self.edges;
        let line = |start: Vec3, along: Vec3, needs: usize| (self.count >= needs).then_some(Line { start, along });
        [
            line(self.corner, first, 1),
            line(self.corner, second, 2),
            line(vec3::add(self.corner, first), second, 2),
            line(vec3::add(self.corner, second), first, 2),
        ]
    }

    /// Corners other than the lowest.
    fn others(&self) -> [Option<Vec3>; 3] {
        let [first, second] = self.edges;
        let one = vec3::add(self.corner, first);
        [
            (self.count >= 1).then_some(one),
            (self.count >= 2).then(|| vec3::add(self.corner, second)),
            (self.count >= 2).then(|| vec3::add(one, second)),
        ]
    }

    /// The point of the face below that lies under a corner of the upper face.
    fn under(&self, [x, y]: [f64; 2]) -> Option<Vec3> {
        let [[a, c, up1], [b, d, up2]] = self.edges;
        let inverse = 1.0 / (a * d - b * c);
        let (dx, dy) = (x - self.corner[0], y - self.corner[1]);
        let u = (dx * d - dy * b) * inverse;
        let v = (dy * a - dx * c) * inverse;
        let inside = u > 0.0 && v > 0.0 && u < 1.0 && v < 1.0;
        inside.then_some([x, y, self.corner[2] + u * up1 + v * up2])
    }
}
