//! The direction of least overlap.

use super::Boxes;
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// What gives the direction of least overlap.
pub(super) enum Direction {
    /// A face; sides are +x, +y, +z, −x, −y, −z.
    Face { of_second: bool, side: usize },
    /// A pair of edges.
    Edges(Edges),
}

/// A pair of edges and their common normal.
pub(super) struct Edges {
    /// Axis of the edge on the first box.
    pub axis1: usize,
    /// Axis of the edge on the second box.
    pub axis2: usize,
    /// Across both, in the frame of the first box.
    pub normal: Vec3,
    /// Whether it points from the second box to the first.
    pub flip: bool,
    /// Bits of the positive coordinates of the edge on the first box.
    pub corner1: usize,
    /// The same on the second.
    pub corner2: usize,
}

/// An edge direction must be better than a face by this part of the overlap.
const BETTER: f64 = 1e-12;

/// The direction of least overlap; `None` where one separates the boxes by more than the margin. Among equals the
/// first wins, in the order x, y, z, faces of the first box before those of the second, edges last.
pub(super) fn least_overlap(boxes: &Boxes, margin: f64) -> Option<Direction> {
    let (face, mut least) = faces(boxes, margin)?;
    let mut best = None;
    for axis1 in 0..3 {
        for axis2 in 0..3 {
            let (normal, length) = vec3::normalize(cross_axis(axis1, mat3::row(&boxes.rot_t, axis2)));
            if length < MINVAL {
                continue;
            }
            let offset = vec3::dot(boxes.pos21, normal);
            let overlap = reach(boxes, axis1, axis2, normal, length) - offset.abs();
            if overlap < -margin {
                return None;
            }
            if overlap < least * (1.0 - BETTER) {
                least = overlap;
                best = Some((axis1, axis2, normal, offset < 0.0));
            }
        }
    }
    match best {
        Some((axis1, axis2, normal, flip)) => Some(Direction::Edges(edges(boxes, axis1, axis2, normal, flip))),
        None => face,
    }
}

fn faces(boxes: &Boxes, margin: f64) -> Option<(Option<Direction>, f64)> {
    let Boxes { size1, size2, pos21, pos12, abs, .. } = boxes;
    let reach2 = mat3::mul_vec(abs, *size2);
    let reach1 = mat3::mul_vec_t(abs, *size1);
    let mut least = (0..3).fold(margin, |sum, k| sum + (size1[k] * 3.0 + size2[k] * 3.0));
    let mut best = None;
    for k in 0..3 {
        let overlap1 = -pos21[k].abs() + size1[k] + reach2[k];
        let overlap2 = -pos12[k].abs() + size2[k] + reach1[k];
        if overlap1 < -margin || overlap2 < -margin {
            return None;
        }
        for (overlap, pos, of_second) in [(overlap1, pos21[k], false), (overlap2, pos12[k], true)] {
            if overlap < least {
                least = overlap;
                best = Some(Direction::Face { of_second, side: if pos < 0.0 { k + 3 } else { k } });
            }
        }
    }
    Some((best, least))
}

/// A unit vector along an axis, crossed with `v`.
fn cross_axis(axis: usize, v: Vec3) -> Vec3 {
    match axis {
        0 => [0.0, -v[2], v[1]],
        1 => [v[2], 0.0, -v[0]],
        _ => [-v[1], v[0], 0.0],
    }
}

/// Half of both boxes' extents along the normal of two edges; `length` is the sine of their angle.
fn reach(boxes: &Boxes, axis1: usize, axis2: usize, normal: Vec3, length: f64) -> f64 {
    let mut sum = 0.0;
    for k in (0..3).filter(|&k| k != axis1) {
        sum += boxes.size1[k] * normal[k].abs();
    }
    for k in (0..3).filter(|&k| k != axis2) {
        sum += boxes.size2[k] * boxes.abs[3 * axis1 + 3 - k - axis2] / length;
    }
    sum
}

fn edges(boxes: &Boxes, axis1: usize, axis2: usize, normal: Vec3, flip: bool) -> Edges {
    let (mut corner1, mut corner2) = (0, 0);
    for k in 0..3 {
        if k != axis1 && (normal[k] > 0.0) != flip {
            corner1 |= 1 << k;
        }
        // the other of the second box's axes, which turns the sign for one of the two
        if k != axis2 && (boxes.rot[3 * axis1 + 3 - k - axis2] > 0.0) != (flip != ((k + 3 - axis2) % 3 == 1)) {
            corner2 |= 1 << k;
        }
    }
    Edges { axis1, axis2, normal, flip, corner1, corner2 }
}
