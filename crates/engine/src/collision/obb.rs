//! Overlap of boxes with their own orientations, by their faces' normals only.

use sinew_math::{Mat3, Vec3, mat3, vec3};

/// From here on a half-size means no bound.
const ENDLESS: f64 = 1e10;

/// Box: centre, half-sizes.
pub type Aabb = [f64; 6];

/// Projections of two frames on each other's axes, for many boxes that are fixed in them.
pub struct Frames {
    /// `product[i][j][k][l]`: axis `l` of frame `i` along axis `k` of frame `j`.
    product: [[[[f64; 3]; 3]; 2]; 2],
    /// `offset[i][j][k]`: origin of frame `i` along axis `k` of frame `j`.
    offset: [[[f64; 3]; 2]; 2],
}

impl Frames {
    /// Two frames: origins, axes in columns.
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
    pub fn overlap(&self, boxes: [&Aabb; 2], margin: f64) -> bool {
        separable(boxes).is_none_or(|tested| {
            !tested.into_iter().enumerate().any(|(j, tested)| {
                tested
                    && (0..3).any(|k| {
                        let [a, b] = std::array::from_fn(|i| {
                            let (at, p) = (boxes[i], self.product[i][j][k]);
                            let center = at[0] * p[0] + at[1] * p[1] + at[2] * p[2] + self.offset[i][j][k];
                            (center, (at[3] * p[0]).abs() + (at[4] * p[1]).abs() + (at[5] * p[2]).abs())
                        });
                        a.1 + b.1 + margin < (b.0 - a.0).abs()
                    })
            })
        })
    }
}

/// Whether two boxes in frames of their own are within a margin of each other.
#[doc(alias = "mj_collideOBB")]
pub fn overlap(boxes: [&Aabb; 2], pos: [Vec3; 2], mat: [&Mat3; 2], margin: f64) -> bool {
    let Some(tested) = separable(boxes) else { return true };
    let center: [Vec3; 2] =
        std::array::from_fn(|i| vec3::add(mat3::mul_vec(mat[i], [boxes[i][0], boxes[i][1], boxes[i][2]]), pos[i]));
    !tested.into_iter().enumerate().any(|(j, tested)| {
        tested
            && (0..3).any(|k| {
                let normal = mat3::col(mat[j], k);
                let radius = |i: usize| {
                    let p = mat3::mul_vec_t(mat[i], normal);
                    (boxes[i][3] * p[0]).abs() + (boxes[i][4] * p[1]).abs() + (boxes[i][5] * p[2]).abs()
                };
                let apart = (vec3::dot(center[1], normal) - vec3::dot(center[0], normal)).abs();
                radius(0) + radius(1) + margin < apart
            })
    })
}

/// Which boxes' normals can separate the two; `None` if one of the boxes is everywhere.
fn separable(boxes: [&Aabb; 2]) -> Option<[bool; 2]> {
    let endless = boxes.map(|b| [b[3], b[4], b[5]].map(|h| h >= ENDLESS));
    if endless.iter().any(|e| e.iter().all(|&x| x)) {
        return None;
    }
    let [a, b] = endless.map(|e| e.iter().any(|&x| x));
    Some([!b, !a])
}
