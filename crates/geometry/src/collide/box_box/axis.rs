//! Separating-axis test: the direction of least overlap.
//!
//! Two boxes are disjoint exactly if a direction separates them, and it suffices to try the face normals of both and
//! the nine cross products of an edge of one with an edge of the other. Along a unit vector `n` a box extends
//! `Σ size |n · axis|` to either side of its centre; the overlap of two boxes is the sum of these minus the distance of
//! their centres along `n`.
//!
//! Directions often tie. The rules are:
//! - Faces are tried first, across x, y, z; for each axis the first box before the second. A later face must overlap
//!   less.
//! - Pairs of edges follow, in the order of the first box's axis, then the second's. A pair must overlap less than the
//!   best direction so far times 1 − 10⁻¹². While boxes overlap, a face therefore loses only to a pair that is better
//!   by more than rounding. Where the best direction already separates them (within the margin), the overlap is
//!   negative and the product is above it: among ties the last pair of edges wins.

use super::Boxes;
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// The feature that gives the direction of least overlap.
pub(super) enum Direction {
    /// A face; sides are +x, +y, +z, −x, −y, −z.
    Face { of_second: bool, side: usize },
    /// A pair of edges.
    Edges(EdgePair),
}

/// An edge of each box, facing each other.
pub(super) struct EdgePair {
    /// Unit vector perpendicular to both, from the first box to the second, in the frame of the first.
    pub normal: Vec3,
    pub first: Edge,
    pub second: Edge,
}

/// An edge of a box, in its frame.
pub(super) struct Edge {
    /// The axis it is parallel to.
    pub axis: usize,
    /// Position along the other axes: ±1 half-sizes.
    pub side: Vec3,
    /// Of the two faces that meet in the edge, the one more parallel to the other box's edge, by its axis.
    pub face: usize,
}

/// Relative margin by which a pair of edges must beat the least overlap so far.
const BETTER: f64 = 1e-12;

/// The direction of least overlap; `None` where one separates the boxes by more than the margin.
pub(super) fn least_overlap(boxes: &Boxes, margin: f64) -> Option<Direction> {
    let (face, mut least) = least_face(boxes, margin)?;
    let mut best = None;
    for axis1 in 0..3 {
        for axis2 in 0..3 {
            let Some(across) = Across::new(boxes, axis1, axis2) else { continue };
            let overlap = across.overlap(boxes);
            if overlap < -margin {
                return None;
            }
            if overlap < least * (1.0 - BETTER) {
                least = overlap;
                best = Some(across);
            }
        }
    }
    Some(best.map_or(face, |across| Direction::Edges(across.edges())))
}

fn least_face(boxes: &Boxes, margin: f64) -> Option<(Direction, f64)> {
    let Boxes { size1, size2, pos21, pos12, abs, .. } = boxes;
    let reach2 = mat3::mul_vec(abs, *size2);
    let reach1 = mat3::mul_vec_t(abs, *size1);
    let mut best = None;
    let mut least = f64::INFINITY;
    for k in 0..3 {
        let first = (false, size1[k], pos21[k], reach2[k]);
        let second = (true, size2[k], pos12[k], reach1[k]);
        for (of_second, size, other, reach) in [first, second] {
            // height of the other box's centre above the face
            let height = other.abs() - size;
            let overlap = reach - height;
            if overlap < -margin {
                return None;
            }
            if overlap < least {
                least = overlap;
                best = Some(Direction::Face { of_second, side: if other < 0.0 { k + 3 } else { k } });
            }
        }
    }
    Some((best?, least))
}

/// The direction perpendicular to an edge of each box.
struct Across {
    axis1: usize,
    axis2: usize,
    /// The second box's edge in the frame of the first.
    edge2: Vec3,
    /// The first box's edge in the frame of the second.
    edge1: Vec3,
    /// Cross product of the first edge with the second, normalised, in the frame of the first box.
    normal: Vec3,
    /// Length before normalisation: the sine of the angle between the edges.
    sine: f64,
    /// Position of the second box's centre along the normal.
    offset: f64,
}

impl Across {
    /// `None` for parallel edges.
    #[inline(always)]
    fn new(boxes: &Boxes, axis1: usize, axis2: usize) -> Option<Self> {
        let (edge1, edge2) = (mat3::row(&boxes.rot, axis1), mat3::row(&boxes.rot_t, axis2));
        let (normal, sine) = vec3::normalize(axis_cross(axis1, edge2));
        let offset = vec3::dot(boxes.pos21, normal);
        (sine >= MINVAL).then_some(Across { axis1, axis2, edge2, edge1, normal, sine, offset })
    }

    #[inline(always)]
    fn overlap(&self, boxes: &Boxes) -> f64 {
        let reach1 = vec3::dot(boxes.size1, self.normal.map(f64::abs));
        let across = axis_cross(self.axis2, self.edge1);
        let reach = (0..3).fold(reach1, |reach, k| reach + boxes.size2[k] * across[k].abs() / self.sine);
        reach - self.offset.abs()
    }

    /// The edge of the first box that is farthest in the direction of the second box, and the edge of the second that
    /// is farthest in the opposite direction.
    ///
    /// Where the normal is parallel to a face, both edges of that face are equally far. This happens for disjoint boxes
    /// with parallel axes; the signs as written here then decide, with 0 counted as negative.
    fn edges(&self) -> EdgePair {
        let way = if self.offset < 0.0 { -1.0 } else { 1.0 };
        let side1 = off_axis(self.axis1, signs(self.normal));
        let side2 = axis_cross(self.axis2, signs(self.edge1));
        EdgePair {
            normal: vec3::scale(self.normal, way),
            first: Edge::new(self.axis1, vec3::scale(side1, way), self.edge2),
            second: Edge::new(self.axis2, vec3::scale(side2, way), self.edge1),
        }
    }
}

impl Edge {
    /// The edge at a side; `other` is the direction of the other box's edge. Among faces equally parallel to it, z
    /// wins, then x.
    fn new(axis: usize, side: Vec3, other: Vec3) -> Self {
        let faces = [2, 0, 1].into_iter().filter(|&k| k != axis);
        let face = faces.min_by(|&a, &b| other[a].abs().total_cmp(&other[b].abs())).unwrap_or(0);
        Edge { axis, side, face }
    }

    /// The axis along which the face extends from the edge.
    pub fn inward(&self) -> usize {
        3 - self.axis - self.face
    }
}

/// Cross product of a unit vector along an axis with `v`.
#[inline(always)]
fn axis_cross(axis: usize, v: Vec3) -> Vec3 {
    match axis {
        0 => [0.0, -v[2], v[1]],
        1 => [v[2], 0.0, -v[0]],
        _ => [-v[1], v[0], 0.0],
    }
}

/// A vector without its component along an axis.
fn off_axis(axis: usize, mut v: Vec3) -> Vec3 {
    v[axis] = 0.0;
    v
}

fn signs(v: Vec3) -> Vec3 {
    v.map(|x| if x > 0.0 { 1.0 } else { -1.0 })
}

#[cfg(test)]
mod tests {
    use super::super::Boxes;
    use super::*;
    use crate::collide::{Kind, Shape};
    use sinew_math::quat;

    /// Calls `check` with boxes at random poses.
    fn each(mut check: impl FnMut(&Boxes)) {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for _ in 0..200 {
            let mats: [_; 2] = std::array::from_fn(|_| quat::to_mat(quat::normalize([(); 4].map(|()| random())).0));
            let shape = |mat, pos, size: Vec3| Shape {
                mat,
                pos,
                size: size.map(|s| s.abs() + 0.1),
                rbound: 1.0,
                aabb: &[0.0; 6],
                kind: Kind::Box,
            };
            let a = shape(&mats[0], [(); 3].map(|()| random()), [(); 3].map(|()| random()));
            let b = shape(&mats[1], [(); 3].map(|()| random()), [(); 3].map(|()| random()));
            check(&Boxes::new(&a, &b));
        }
    }

    /// Heights of the corners of both boxes along a direction, in the frame of the first.
    fn heights(boxes: &Boxes, dir: Vec3) -> [[f64; 8]; 2] {
        let corner = |i: usize, size: Vec3| std::array::from_fn(|k| if i >> k & 1 == 1 { size[k] } else { -size[k] });
        let second = |i| vec3::add(boxes.pos21, mat3::mul_vec(&boxes.rot, corner(i, boxes.size2)));
        [
            std::array::from_fn(|i| vec3::dot(dir, corner(i, boxes.size1))),
            std::array::from_fn(|i| vec3::dot(dir, second(i))),
        ]
    }

    #[test]
    fn edges_are_where_corners_are_farthest() {
        each(|boxes| {
            for (axis1, axis2) in (0..9).map(|i| (i / 3, i % 3)) {
                let Some(across) = Across::new(boxes, axis1, axis2) else { continue };
                let pair = across.edges();
                let [first, second] = heights(boxes, pair.normal);
                let top = first.into_iter().fold(f64::MIN, f64::max);
                let bottom = second.into_iter().fold(f64::MAX, f64::min);
                assert!((across.overlap(boxes) - (top - bottom)).abs() < 1e-12);

                let at = |edge: &Edge, size: Vec3| std::array::from_fn(|k| edge.side[k] * size[k]);
                let edge1 = vec3::dot(pair.normal, at(&pair.first, boxes.size1));
                let middle = mat3::mul_vec(&boxes.rot, at(&pair.second, boxes.size2));
                let edge2 = vec3::dot(pair.normal, vec3::add(boxes.pos21, middle));
                assert!((edge1 - top).abs() < 1e-12 && (edge2 - bottom).abs() < 1e-12);
            }
        });
    }

    #[test]
    fn no_direction_overlaps_less() {
        let mut apart = 0;
        each(|boxes| {
            let normal = match least_overlap(boxes, 0.0) {
                None => return apart += 1,
                Some(Direction::Edges(pair)) => pair.normal,
                Some(Direction::Face { of_second, side }) => {
                    let mut unit = [0.0; 3];
                    unit[side % 3] = if (side < 3) == of_second { -1.0 } else { 1.0 };
                    if of_second { mat3::mul_vec(&boxes.rot, unit) } else { unit }
                }
            };
            let overlap = |dir: Vec3| {
                let [first, second] = heights(boxes, dir);
                first.into_iter().fold(f64::MIN, f64::max) - second.into_iter().fold(f64::MAX, f64::min)
            };
            let least = overlap(normal);
            assert!(least >= 0.0);
            for i in 0..1000 {
                // a spiral over the sphere
                let (z, turn) = (f64::from(i) / 499.5 - 1.0, 2.4 * f64::from(i));
                let flat = (1.0 - z * z).sqrt();
                assert!(overlap([flat * turn.cos(), flat * turn.sin(), z]) > least - 1e-12);
            }
        });
        assert!((20..180).contains(&apart), "{apart}");
    }
}
