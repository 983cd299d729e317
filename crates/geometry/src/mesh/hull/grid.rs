//! Points on an integer grid, and exact tests of the side of a plane on which they lie.

use super::HullError;
use sinew_math::{Vec3, vec3};

/// Coordinates are integers of at most this many bits plus sign. Determinants of three point differences then have less
/// than 127 bits and fit into `i128`.
const BITS: i32 = 40;

/// Rounds points to integers, with the centre of their bounding box at the origin.
pub(super) fn snap(points: &[Vec3]) -> Result<Vec<Vec3>, HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFewPoints);
    }
    if points.as_flattened().iter().any(|x| !x.is_finite()) {
        return Err(HullError::NotFinite);
    }
    let low = points.iter().fold(points[0], |m, p| [0, 1, 2].map(|k| m[k].min(p[k])));
    let high = points.iter().fold(points[0], |m, p| [0, 1, 2].map(|k| m[k].max(p[k])));
    let half = [0, 1, 2].map(|k| 0.5 * high[k] - 0.5 * low[k]);
    let size = half[0].max(half[1]).max(half[2]);
    if size < 1e-280 {
        return Err(HullError::Flat);
    }
    // a power of two, so that scaling does not round
    let scale = 2f64.powi(BITS - size.log2().ceil() as i32);
    let middle = [0, 1, 2].map(|k| ((0.5 * high[k] + 0.5 * low[k]) * scale).round());
    Ok(points.iter().map(|p| [0, 1, 2].map(|k| (p[k] * scale).round() - middle[k])).collect())
}

/// The plane through three points of a grid, with an outer side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    corner: [Vec3; 3],
    normal: Vec3,
    /// Error bound of computed heights: the sign is certain if the magnitude exceeds this.
    doubt: f64,
}

impl Plane {
    /// Plane through three non-collinear corners, counter-clockwise seen from outside.
    pub fn new(corner: [Vec3; 3]) -> Plane {
        let [u, v] = [vec3::sub(corner[1], corner[0]), vec3::sub(corner[2], corner[0])];
        let cross = vec3::cross(u, v);
        let scale = 1.0 / vec3::norm(cross);
        // Differences of points are exact. With ε = 2⁻⁵³, the error of each component of the cross product is at most
        // 2ε times the magnitude of its two products; scale, dot product and sum add less than 8ε. A difference is at
        // most 2⁴¹ cells.
        let magnitude = |i: usize, j: usize| (u[i] * v[j]).abs() + (u[j] * v[i]).abs();
        let sum = magnitude(1, 2) + magnitude(2, 0) + magnitude(0, 1);
        let doubt = 16.0 * f64::EPSILON * 2f64.powi(BITS + 1) * sum * scale;
        Plane { corner, normal: vec3::scale(cross, scale), doubt }
    }

    /// Outward unit normal, rounded.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Height of a point above the plane in cells, with an error of at most `doubt`.
    #[inline]
    pub fn rough(&self, p: Vec3) -> f64 {
        vec3::dot(self.normal, vec3::sub(p, self.corner[0]))
    }

    /// Height of a point above the plane in cells; 0 unless the point is strictly above (decided exactly).
    #[inline]
    pub fn height(&self, p: Vec3) -> f64 {
        let height = self.rough(p);
        if height > self.doubt {
            height
        } else if height < -self.doubt || side(self.corner, p) <= 0 {
            0.0
        } else {
            height.max(f64::MIN_POSITIVE)
        }
    }

    /// Whether a point lies in the plane, exactly.
    pub fn contains(&self, p: Vec3) -> bool {
        self.rough(p).abs() <= self.doubt && side(self.corner, p) == 0
    }
}

/// Sign of the volume of the tetrahedron under `p` above three counter-clockwise points, exactly.
pub(super) fn side([a, b, c]: [Vec3; 3], p: Vec3) -> i128 {
    let integers = |p: Vec3| vec3::sub(p, a).map(|x| i128::from(x as i64));
    let [u, v, w] = [b, c, p].map(integers);
    let minor = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
    (minor(1, 2) * w[0] + minor(2, 0) * w[1] + minor(0, 1) * w[2]).signum()
}

/// Whether three points are collinear, exactly.
pub(super) fn in_line([a, b, c]: [Vec3; 3]) -> bool {
    let integers = |p: Vec3| vec3::sub(p, a).map(|x| i128::from(x as i64));
    let [u, v] = [b, c].map(integers);
    [(0, 1), (1, 2), (2, 0)].iter().all(|&(i, j)| u[i] * v[j] == u[j] * v[i])
}
