//! Overlap test of oriented boxes, with the face normals as the only separating axes.

use sinew_math::{Mat3, Vec3, mat3, vec3};

/// A half-size from here on means unbounded.
const ENDLESS: f64 = 1e10;

/// Box: centre, half-sizes.
pub type Aabb = [f64; 6];

/// Projections of two frames on each other's axes, computed once for many boxes fixed in these frames.
pub struct Frames {
    /// `product[i][j][k][l]`: axis `l` of frame `i` along axis `k` of frame `j`.
    product: [[[[f64; 3]; 3]; 2]; 2],
    /// `offset[i][j][k]`: origin of frame `i` along axis `k` of frame `j`.
    offset: [[[f64; 3]; 2]; 2],
}

/// Whether two boxes, each in its frame, are within a margin of each other. Same result as [`Frames::overlap`], without
/// the setup, for when probably only one pair of boxes is tested.
pub fn overlap_once(boxes: [&Aabb; 2], pos: [Vec3; 2], mat: [&Mat3; 2], margin: f64) -> bool {
    !separated(boxes, |j, k| {
        let axis = mat3::col(mat[j], k);
        let along = |i: usize| extent(boxes[i], mat3::mul_vec_t(mat[i], axis), vec3::dot(pos[i], axis));
        apart(along(0), along(1), margin)
    })
}

/// Centre and half-extent of a box along an axis; `p` and `offset` are its frame's axes and origin projected on it.
#[inline(always)]
fn extent(b: &Aabb, p: Vec3, offset: f64) -> (f64, f64) {
    let center = b[0] * p[0] + b[1] * p[1] + b[2] * p[2] + offset;
    (center, (b[3] * p[0]).abs() + (b[4] * p[1]).abs() + (b[5] * p[2]).abs())
}

#[inline(always)]
fn apart(a: (f64, f64), b: (f64, f64), margin: f64) -> bool {
    a.1 + b.1 + margin < (b.0 - a.0).abs()
}

/// Whether `apart(j, k)` holds for axis `k` of frame `j`, for any of the axes that may separate the boxes.
#[inline(always)]
fn separated(boxes: [&Aabb; 2], apart: impl Fn(usize, usize) -> bool) -> bool {
    let endless = |b: &Aabb| [b[3] >= ENDLESS, b[4] >= ENDLESS, b[5] >= ENDLESS];
    let ends = [endless(boxes[0]), endless(boxes[1])];
    if ends[0] == [true; 3] || ends[1] == [true; 3] {
        return false;
    }
    // a box that is unbounded along an axis cannot be separated along it
    (0..2).any(|j| ends[1 - j] == [false; 3] && (0..3).any(|k| !ends[j][k] && apart(j, k)))
}

impl Frames {
    /// Projections of two frames, given as origins and matrices with the axes as columns.
    pub fn new(pos: [Vec3; 2], mat: [&Mat3; 2]) -> Self {
        let (mut product, mut offset) = ([[[[0.0; 3]; 3]; 2]; 2], [[[0.0; 3]; 2]; 2]);
        for (j, k) in (0..2).flat_map(|j| (0..3).map(move |k| (j, k))) {
            let axis = mat3::col(mat[j], k);
            for i in 0..2 {
                product[i][j][k] = mat3::mul_vec_t(mat[i], axis);
                offset[i][j][k] = vec3::dot(pos[i], axis);
            }
        }
        Frames { product, offset }
    }

    /// Whether two boxes, one in each frame, are within a margin of each other.
    #[doc(alias = "mj_collideOBB")]
    pub fn overlap(&self, boxes: [&Aabb; 2], margin: f64) -> bool {
        !separated(boxes, |j, k| {
            let along = |i: usize| extent(boxes[i], self.product[i][j][k], self.offset[i][j][k]);
            apart(along(0), along(1), margin)
        })
    }
}

/// Whether two boxes, each in its frame, are within a margin of each other. Their centres are transformed to the world
/// first, which rounds differently from [`Frames::overlap`].
#[doc(alias = "mj_collideOBB")]
pub fn overlap(boxes: [&Aabb; 2], pos: [Vec3; 2], mat: [&Mat3; 2], margin: f64) -> bool {
    let center = |i: usize| vec3::add(mat3::mul_vec(mat[i], [boxes[i][0], boxes[i][1], boxes[i][2]]), pos[i]);
    let centers = [center(0), center(1)];
    !separated(boxes, |j, k| {
        let axis = mat3::col(mat[j], k);
        let along = |i: usize| {
            let (_, radius) = extent(boxes[i], mat3::mul_vec_t(mat[i], axis), 0.0);
            (vec3::dot(centers[i], axis), radius)
        };
        apart(along(0), along(1), margin)
    })
}
