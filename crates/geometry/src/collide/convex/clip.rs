//! Overlap of two nearly coplanar convex polygons, projected along the normal of one of them.
//!
//! The polygon that gives the normal is the window: an intersection of half-spaces, one per side. The other polygon, or
//! a segment, is clipped by one half-space after the other (Sutherland and Hodgman); the clipped polygon still lies on
//! its own face.

use super::feature::Features;
use crate::collide::MAX_CONTACTS;
use sinew_math::{MINVAL, Vec3, vec3};

/// Corners of faces beyond this many are ignored.
pub(super) const MAX_SIDES: usize = 150;
/// Corners no farther apart than this along each axis are one, and corners no farther outside than this are inside.
const SAME: f64 = MINVAL;

/// Buffers of polygons.
#[derive(Clone, Debug, Default)]
pub(super) struct Clip {
    /// Faces or edges that may touch, of both shapes.
    pub a: Features,
    pub b: Features,
    /// Corners of the window, clockwise seen from outside.
    pub window: Vec<Vec3>,
    /// Corners of the polygon to be clipped, and then of the clipped polygon.
    pub polygon: Vec<Vec3>,
    left: Vec<Vec3>,
}

/// The half-space inside a side of the window.
struct HalfSpace {
    from: Vec3,
    inward: Vec3,
}

impl HalfSpace {
    fn holds(&self, p: Vec3) -> bool {
        vec3::dot(vec3::sub(p, self.from), self.inward) > -SAME
    }

    /// Where a segment crosses the plane.
    fn crossing(&self, p: Vec3, q: Vec3) -> Option<Vec3> {
        let way = vec3::sub(q, p);
        let t = (vec3::dot(self.inward, self.from) - vec3::dot(self.inward, p)) / vec3::dot(self.inward, way);
        (0.0..=1.0).contains(&t).then(|| vec3::add_scaled(p, way, t))
    }
}

impl Clip {
    pub fn new() -> Self {
        Clip {
            a: Features::new(),
            b: Features::new(),
            window: Vec::with_capacity(MAX_SIDES),
            polygon: Vec::with_capacity(2 * MAX_SIDES),
            left: Vec::with_capacity(2 * MAX_SIDES),
        }
    }

    /// Replaces the points by the corners of the overlap, each paired with its counterpart offset by `shift`, at most
    /// `most` of them; leaves the points unchanged if nothing overlaps.
    pub fn overlap(&mut self, normal: Vec3, shift: Vec3, most: usize, points: &mut Vec<[Vec3; 2]>) {
        if self.window.len() < 3 {
            return;
        }
        for i in 0..self.window.len() {
            let (from, to) = (self.window[i], self.window[(i + 1) % self.window.len()]);
            let raised = vec3::add(from, normal);
            self.cut(&HalfSpace { from, inward: vec3::cross(vec3::sub(to, from), vec3::sub(raised, from)) });
        }
        if self.polygon.is_empty() {
            return;
        }
        points.clear();
        let pair = |&at: &Vec3| [vec3::sub(at, shift), at];
        if most < 5 && self.polygon.len() > 4 {
            points.extend(spread_out(&self.polygon).map(|i| pair(&self.polygon[i])));
            return;
        }
        for at in self.polygon.iter().take(MAX_CONTACTS) {
            let same = |p: &[Vec3; 2]| (0..3).all(|i| (p[1][i] - at[i]).abs() < SAME);
            if !points.iter().any(same) {
                points.push(pair(at));
            }
        }
    }

    /// Clips the polygon by a half-space.
    fn cut(&mut self, half: &HalfSpace) {
        self.left.clear();
        for (i, &p) in self.polygon.iter().enumerate() {
            let q = self.polygon[(i + 1) % self.polygon.len()];
            if half.holds(p) != half.holds(q) {
                self.left.extend(half.crossing(p, q));
            }
            if half.holds(q) {
                self.left.push(q);
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.left);
    }
}

/// Four spread-out corners of a convex polygon: the ends of one diagonal of a quadrilateral, then of the other.
///
/// The quadrilateral of largest area would be best, but contacts must be where MuJoCo has them, and its search may stop
/// earlier. Four indices move around the polygon; one advances only where the area is larger than ever before. The last
/// index advances by one; then the third advances as far as it can, then the second, which may pass the third, and then
/// it is the last one's turn again. Where the last cannot advance, the first does, regardless of the area. The search
/// ends when the first reaches the second, because that diagonal has zero length.
fn spread_out(polygon: &[Vec3]) -> [usize; 4] {
    let mut at = [0, 1, 2, LAST];
    let (mut best, mut most, mut turn) = (at, twice_area(polygon, at), LAST);
    while at[0] < polygon.len() && at[0] != at[1] {
        let mut moved = at;
        moved[turn] = (moved[turn] + 1) % polygon.len();
        let now = twice_area(polygon, moved);
        if now > most {
            (at, best, most) = (moved, moved, now);
            turn = turn.min(LAST - 1);
        } else if turn == LAST {
            at[0] += 1;
        } else {
            turn = if turn == 1 { LAST } else { turn - 1 };
        }
    }
    best
}

/// The last of the four indices.
const LAST: usize = 3;

/// Twice the area of a quadrilateral with diagonals ab and cd, |(b − a) × (d − c)|, as triangles on both sides of the
/// first. Where the diagonals do not cross, the triangles have opposite orientation and cancel. In regular polygons
/// rounding decides between equal areas, so the terms are those of MuJoCo.
fn twice_area(polygon: &[Vec3], corners: [usize; 4]) -> f64 {
    let [a, b, c, d] = corners.map(|i| polygon[i]);
    let triangle = |p, q, r| vec3::cross(vec3::sub(q, p), vec3::sub(r, q));
    vec3::norm(vec3::add(triangle(a, d, b), triangle(b, c, a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Vec3 = [0.0, 0.0, 1.0];

    /// Corners of a rectangle, clockwise seen from above.
    fn rectangle(x: [f64; 2], y: [f64; 2], z: f64) -> Vec<Vec3> {
        vec![[x[0], y[0], z], [x[0], y[1], z], [x[1], y[1], z], [x[1], y[0], z]]
    }

    fn overlap(window: Vec<Vec3>, polygon: Vec<Vec3>, most: usize) -> Vec<[Vec3; 2]> {
        let mut clip = Clip { window, polygon, ..Clip::new() };
        let mut points = vec![[[9.0; 3]; 2]];
        clip.overlap(UP, [0.0, 0.0, -0.1], most, &mut points);
        points
    }

    #[test]
    fn rectangles_overlap_in_a_rectangle() {
        let found = overlap(rectangle([0.0, 2.0], [0.0, 2.0], 0.0), rectangle([1.0, 3.0], [-1.0, 1.0], 0.5), 8);
        let mut at: Vec<Vec3> = found.iter().map(|p| p[1]).collect();
        at.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(at, [[1.0, 0.0, 0.5], [1.0, 1.0, 0.5], [2.0, 0.0, 0.5], [2.0, 1.0, 0.5]]);
        assert!(found.iter().all(|[a, b]| vec3::dist(vec3::sub(*a, *b), [0.0, 0.0, 0.1]) < 1e-15));
    }

    #[test]
    fn segments_are_cut_at_the_window() {
        let found = overlap(rectangle([0.0, 2.0], [0.0, 2.0], 0.0), vec![[-1.0, 1.0, 0.0], [1.0, 1.0, 0.2]], 8);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().any(|p| vec3::dist(p[1], [0.0, 1.0, 0.1]) < 1e-15), "{found:?}");
    }

    #[test]
    fn polygons_apart_leave_the_points_alone() {
        let found = overlap(rectangle([0.0, 2.0], [0.0, 2.0], 0.0), rectangle([3.0, 4.0], [0.0, 1.0], 0.0), 8);
        assert_eq!(found, [[[9.0; 3]; 2]]);
    }

    #[test]
    fn many_corners_become_four_of_them() {
        let turn = |i: usize| (i as f64 * -0.7).sin_cos();
        let round: Vec<Vec3> = (0..9).map(|i| [turn(i).1, turn(i).0 * (1.0 + 0.1 * i as f64), 0.0]).collect();
        let found = overlap(rectangle([-9.0, 9.0], [-9.0, 9.0], 0.0), round.clone(), 4);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|p| round.contains(&p[1])), "{found:?}");
    }

    /// Expected: the result of MuJoCo's search; for the first polygon and the last, these have the largest area.
    #[test]
    fn corners_left_are_those_of_mujoco() {
        let cases: [(&[[f64; 2]], [usize; 4]); 4] = [
            (&[[4., 0.], [0., 1.], [-1., 4.], [2., 8.], [7., 9.], [9., 5.]], [0, 4, 2, 5]),
            (&[[0., 0.], [-1., 2.], [0., 5.], [3., 7.], [7., 6.], [8., 2.], [4., -1.]], [0, 4, 2, 5]),
            (&[[0., 0.], [0., 1.], [1., 3.], [4., 5.], [8., 6.], [10., 5.], [11., 3.], [9., 0.]], [0, 4, 2, 7]),
            (
                &[[0., 0.], [0., 4.], [1., 6.], [3., 7.], [6., 7.], [8., 6.], [9., 3.], [8., 1.], [5., -1.], [2., -1.]],
                [0, 5, 2, 7],
            ),
        ];
        for (corners, expected) in cases {
            let polygon: Vec<Vec3> = corners.iter().map(|&[x, y]| [x, y, 0.0]).collect();
            assert_eq!(spread_out(&polygon), expected, "{polygon:?}");
        }
    }
}
