//! Points on an integer grid, and exact tests of the side of a plane on which they lie.

use super::HullError;
use sinew_math::{Vec3, vec3};

/// Coordinates are integers of at most this many bits plus sign. Determinants of three point differences then have less
/// than 127 bits and fit into `i128`.
const BITS: i32 = 40;

/// Points in cells of the grid.
pub(super) struct Cells {
    /// As they were given, times a power of two, which does not round.
    pub given: Vec<Vec3>,
    /// Rounded to integers, with the centre of their bounding box at the origin.
    pub grid: Vec<Vec3>,
}

/// Scales points to the grid and rounds them to it.
pub(super) fn snap(points: &[Vec3]) -> Result<Cells, HullError> {
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
    let given: Vec<Vec3> = points.iter().map(|p| p.map(|x| x * scale)).collect();
    let grid = given.iter().map(|p| [0, 1, 2].map(|k| p[k].round() - middle[k])).collect();
    Ok(Cells { given, grid })
}

/// The plane through three points of a grid, with an outer side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    corner: [Vec3; 3],
    normal: Vec3,
    /// Error bound of computed heights: the sign is certain if the magnitude exceeds this.
    doubt: f64,
    /// Outward unit normal and offset of the plane of the points as they were given, rounded.
    unit: Vec3,
    offset: f64,
}

impl Plane {
    /// Plane through three non-collinear corners, counter-clockwise seen from outside. `given` are the same corners as they
    /// were given, in an order that is `turned` if it is clockwise.
    pub fn new(corner: [Vec3; 3], given: [Vec3; 3], turned: bool) -> Plane {
        let [u, v] = [vec3::sub(corner[1], corner[0]), vec3::sub(corner[2], corner[0])];
        let cross = vec3::cross(u, v);
        let scale = 1.0 / vec3::norm(cross);
        // Differences of points are exact. With ε = 2⁻⁵³, the error of each component of the cross product is at most
        // 2ε times the magnitude of its two products; scale, dot product and sum add less than 8ε. A difference is at
        // most 2⁴¹ cells.
        let magnitude = |i: usize, j: usize| (u[i] * v[j]).abs() + (u[j] * v[i]).abs();
        let sum = magnitude(1, 2) + magnitude(2, 0) + magnitude(0, 1);
        let doubt = 16.0 * f64::EPSILON * 2f64.powi(BITS + 1) * sum * scale;
        let long = vec3::cross(vec3::sub(given[1], given[0]), vec3::sub(given[2], given[0]));
        let length = if turned { -vec3::norm(long) } else { vec3::norm(long) };
        let normal = vec3::scale(cross, scale);
        // points that the grid has moved out of a line
        let unit = if length == 0.0 { normal } else { long.map(|x| x / length) };
        Plane { corner, normal, doubt, unit, offset: -vec3::dot(given[0], unit) }
    }

    /// Outward unit normal, rounded.
    pub fn unit(&self) -> Vec3 {
        self.unit
    }

    /// Height of a point as it was given above the plane, rounded. Compared between points and planes it chooses the next
    /// point: equal heights, as in symmetric meshes, are told apart by rounding only, hence the sum in this order.
    #[inline]
    pub fn distance(&self, p: Vec3) -> f64 {
        self.offset + p[0] * self.unit[0] + p[1] * self.unit[1] + p[2] * self.unit[2]
    }

    /// Height of a point of the grid in cells, with an error of at most `doubt`.
    #[inline]
    fn rough(&self, p: Vec3) -> f64 {
        vec3::dot(self.normal, vec3::sub(p, self.corner[0]))
    }

    /// Whether a point of the grid is strictly above the plane, exactly.
    #[inline]
    pub fn sees(&self, p: Vec3) -> bool {
        let height = self.rough(p);
        height > self.doubt || (height >= -self.doubt && side(self.corner, p) > 0)
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
