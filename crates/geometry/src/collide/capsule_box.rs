//! Capsule against box.
//!
//! The point of the capsule's segment nearest to the box is the centre of a ball that gives the first contact. Where
//! the segment continues along a face or an edge, its last point above the box gives the second.

use super::{Contact, Shape, sphere_box};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// Up to two contacts.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let axis = mat3::mul_vec_t(b.mat, mat3::col(a.mat, 2));
    let segment = Segment {
        pos: mat3::mul_vec_t(b.mat, vec3::sub(a.pos, b.pos)),
        axis,
        half: vec3::scale(axis, a.size[1]),
        length: a.size[1],
        size: b.size,
    };
    if segment.is_beyond((a.size[0] + margin) * (1.0 + SLACK)) {
        return;
    }
    // squared distances are compared with this length, as in MuJoCo
    let bound = margin + 2.0 * (a.size[0] + a.size[1] + b.size[0] + b.size[1] + b.size[2]);
    let Some(nearest) = segment.nearest(bound) else { return };
    let second = match nearest.feature {
        Feature::Inside => None,
        Feature::Face(axis) => Some(segment.over_face(&nearest, axis)),
        Feature::Edge { corner, axis, along } => segment.over_edge(&nearest, corner, axis, along),
        Feature::Corner(corner) => segment.over_corner(&nearest, corner),
    };
    let mut touch = |at: f64| {
        let local = vec3::add_scaled(segment.pos, segment.half, at);
        let center = vec3::add(mat3::mul_vec(b.mat, local), b.pos);
        out.extend(sphere_box::ball(center, a.size[0], b, margin));
    };
    touch(nearest.at);
    if let Some(further) = second {
        touch(further + nearest.at);
    }
}

/// Relative slack of the early rejection test, so that rounding cannot drop a pair that the full test would keep.
const SLACK: f64 = 1e-6;

/// The axis of the capsule in the frame of the box.
struct Segment {
    pos: Vec3,
    axis: Vec3,
    half: Vec3,
    length: f64,
    /// Half-sizes of the box.
    size: Vec3,
}

/// The point of the segment nearest to the box.
struct Nearest {
    square: f64,
    /// Position on the segment, in half-lengths from its middle.
    at: f64,
    feature: Feature,
}

/// Feature of the box that is nearest. Corners are indexed by the bits of their positive coordinates.
enum Feature {
    Inside,
    /// The face normal to an axis.
    Face(usize),
    /// The interior of an edge along an axis, `along` half-sizes from its middle.
    Edge {
        corner: usize,
        axis: usize,
        along: f64,
    },
    Corner(usize),
}

impl Segment {
    /// Whether the segment is farther from the box than a distance, along an axis of the box or of the segment.
    fn is_beyond(&self, dist: f64) -> bool {
        let reach = |k: usize| self.axis[k].abs() * self.size[k];
        (0..3).any(|k| self.pos[k].abs() > (self.size[k] + self.half[k].abs()) * (1.0 + SLACK) + dist)
            || vec3::dot(self.pos, self.axis).abs()
                > (self.length + reach(0) + reach(1) + reach(2)) * (1.0 + SLACK) + dist
    }

    /// Tests ends above faces first, then all edges; a later candidate must be strictly better.
    fn nearest(&self, bound: f64) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let mut least = bound;
        for end in [-1.0, 1.0] {
            if let Some(near) = self.end_over_face(end).filter(|n| n.square < least) {
                least = near.square;
                best = Some(near);
            }
        }
        for axis in 0..3 {
            let Some(edges) = self.edges(axis) else { continue };
            for corner in (0..8).filter(|c| c >> axis & 1 == 0) {
                let near = edges.nearest(self, corner);
                // an edge must be nearer by more than rounding, because a segment parallel to it ties with the
                // segment's own ends
                if near.square < least - MINVAL {
                    least = near.square;
                    best = Some(near);
                }
            }
        }
        best
    }

    /// An end of the segment, unless it is beyond more than one face.
    fn end_over_face(&self, end: f64) -> Option<Nearest> {
        let point = vec3::add_scaled(self.pos, self.half, end);
        let clamped: Vec3 = std::array::from_fn(|k| match point[k] {
            x if x < -self.size[k] => -self.size[k],
            x if x > self.size[k] => self.size[k],
            x => x,
        });
        let mut beyond = (0..3).filter(|&k| point[k] < -self.size[k] || point[k] > self.size[k]);
        let feature = match (beyond.next(), beyond.next()) {
            (None, _) => Feature::Inside,
            (Some(axis), None) => Feature::Face(axis),
            _ => return None,
        };
        let gap = vec3::sub(clamped, point);
        Some(Nearest { square: vec3::dot(gap, gap), at: end, feature })
    }

    /// Quantities shared by all edges along an axis; `None` where the segment is parallel to them.
    fn edges(&self, axis: usize) -> Option<Edges> {
        let size = self.size[axis];
        let aa = size * size;
        let ab = -size * self.half[axis];
        let bb = self.length * self.length;
        let det = aa * bb - ab * ab;
        if det.abs() < MINVAL {
            return None;
        }
        let u = -size * (0.0 - self.pos[axis]);
        Some(Edges { axis, aa, ab, bb, u, inverse: 1.0 / det, inverse_aa: 1.0 / aa, inverse_bb: 1.0 / bb })
    }

    #[inline]
    fn corner(&self, corner: usize) -> Vec3 {
        std::array::from_fn(|k| if corner >> k & 1 == 1 { self.size[k] } else { -self.size[k] })
    }

    /// Bit mask of axes; the bit is clear where the segment and the direction to a corner have the same sign.
    fn against(&self, corner: usize) -> usize {
        (0..3).filter(|&k| self.half[k] > 0.0).map(|k| 1 << k).sum::<usize>() ^ corner
    }

    /// How far the segment must move along an axis to cross `reach` half-sizes of the box.
    fn across(&self, axis: usize, reach: f64) -> f64 {
        reach * self.size[axis] / self.half[axis].abs()
    }

    /// Step from an end above a face to the far end, or to where the segment leaves the face.
    fn over_face(&self, nearest: &Nearest, face: usize) -> f64 {
        let way = -nearest.at;
        let start = vec3::add_scaled(self.pos, self.half, -way);
        let mut step = 2.0;
        for k in (0..3).filter(|&k| k != face) {
            for wall in [self.size[k], -self.size[k]] {
                let leave = (wall - start[k]) / self.half[k] * way;
                if leave > 0.0 {
                    step = less(leave, step);
                }
            }
        }
        step * way
    }

    /// Step from the interior of an edge over the face that is more parallel to the segment; `None` where it points
    /// away.
    fn over_edge(&self, nearest: &Nearest, corner: usize, edge: usize, along: f64) -> Option<f64> {
        let against = self.against(corner) & !(1 << edge);
        if !against.is_power_of_two() {
            return None;
        }
        let (first, second) = ((edge + 1) % 3, (edge + 2) % 3);
        let over = if self.axis[first].abs() > self.axis[second].abs() { first } else { second };
        let forward = against >> over & 1 == 1;
        let way = if forward { 1.0 } else { -1.0 };
        let step = less(self.across(over, 2.0), 1.0 - way * nearest.at);
        let left = if (self.half[edge] > 0.0) == forward { 1.0 - along } else { 1.0 + along };
        Some(less(self.across(edge, left), step) * way)
    }

    /// Step from a corner along the edge or over the face that the segment follows; `None` where it points at the
    /// corner or away from it.
    fn over_corner(&self, nearest: &Nearest, corner: usize) -> Option<f64> {
        let against = self.against(corner);
        if against == 0 || against == 7 {
            return None;
        }
        let (axis, way) = if against.is_power_of_two() {
            (against.trailing_zeros() as usize, 1.0)
        } else {
            ((7 - against).trailing_zeros() as usize, -1.0)
        };
        let edge = self.axis[axis] * self.axis[axis] > 0.5;
        Some(if edge {
            less(self.across(axis, 2.0), 1.0 - way * nearest.at) * way
        } else {
            let step = less(self.across((axis + 1) % 3, 2.0), 1.0 + way * nearest.at);
            less(self.across((axis + 2) % 3, 2.0), step) * -way
        })
    }
}

/// The four edges along an axis. Points on an edge and on the segment are `x1`, `x2` ∈ [−1, 1] half-lengths from the
/// middle; the nearest pair solves `[aa ab; ab bb] [x1; x2] = [u; v]` unless that lies outside edge or segment.
struct Edges {
    axis: usize,
    aa: f64,
    ab: f64,
    bb: f64,
    u: f64,
    /// Inverse of the determinant.
    inverse: f64,
    inverse_aa: f64,
    inverse_bb: f64,
}

impl Edges {
    /// The segment's point nearest to the edge that leaves a corner.
    #[inline]
    fn nearest(&self, segment: &Segment, corner: usize) -> Nearest {
        let Edges { axis, aa, ab, bb, u, .. } = *self;
        let mut middle = segment.corner(corner);
        middle[axis] = 0.0;
        let between = vec3::sub(middle, segment.pos);
        let v = vec3::dot(segment.half, between);
        let mut x1 = (bb * u - ab * v) * self.inverse;
        let mut x2 = (aa * v - ab * u) * self.inverse;
        let mut end = 0.0;
        if x1.abs() > 1.0 {
            end = x1.signum();
            x1 = end;
            x2 = (v - x1 * ab) * self.inverse_bb;
        }
        if x2.abs() > 1.0 {
            x2 = x2.signum();
            x1 = (u - x2 * ab) * self.inverse_aa;
            if x1.abs() > 1.0 {
                end = x1.signum();
                x1 = end;
            }
        }
        let mut gap = vec3::add_scaled(between, segment.half, -x2);
        gap[axis] += segment.size[axis] * x1;
        let corner = if end > 0.0 { corner | 1 << axis } else { corner };
        let feature = if end == 0.0 { Feature::Edge { corner, axis, along: x1 } } else { Feature::Corner(corner) };
        Nearest { square: vec3::dot(gap, gap), at: x2, feature }
    }
}

/// The smaller of a candidate and a bound; NaN loses.
fn less(candidate: f64, bound: f64) -> f64 {
    if candidate < bound { candidate } else { bound }
}
