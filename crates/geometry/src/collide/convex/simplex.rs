//! The point of a simplex nearest to the origin, by signed volumes, as weights of its corners.

use super::support::{Ends, Vertex};
use sinew_math::{MINVAL, Vec3, vec3};

/// Up to four points of the difference of two shapes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    pub at: [Vec3; 4],
    pub ends: [Ends; 4],
    pub len: usize,
}

impl Simplex {
    /// Puts a point at a place.
    #[inline(always)]
    pub fn set(&mut self, i: usize, vertex: Vertex) {
        (self.at[i], self.ends[i]) = (vertex.at, vertex.ends);
    }

    /// Swaps two points.
    #[inline(always)]
    pub fn swap(&mut self, i: usize, j: usize) {
        self.at.swap(i, j);
        self.ends.swap(i, j);
    }

    /// Weights of the corners at the point nearest to the origin.
    #[inline(always)]
    pub fn weights(&self, len: usize) -> [f64; 4] {
        let [s1, s2, s3, s4] = &self.at;
        match len {
            4 => tetrahedron(*s1, *s2, *s3, *s4),
            3 => {
                let [a, b, c] = triangle(*s1, *s2, *s3);
                [a, b, c, 0.0]
            }
            2 => {
                let [a, b] = segment(*s1, *s2);
                [a, b, 0.0, 0.0]
            }
            _ => [1.0, 0.0, 0.0, 0.0],
        }
    }

    /// Keeps the corners that have a weight, and their weights.
    #[inline]
    pub fn reduce(&mut self, weights: &mut [f64; 4]) {
        self.len = 0;
        for i in 0..4 {
            if weights[i] != 0.0 {
                if self.len < i {
                    self.at[self.len] = self.at[i];
                    self.ends[self.len] = self.ends[i];
                    weights[self.len] = weights[i];
                }
                self.len += 1;
            }
        }
    }

    /// Weighted sum of the corners.
    #[inline(always)]
    pub fn point(&self, weights: &[f64; 4]) -> Option<Vec3> {
        combine(&self.at[..self.len], weights, |at| *at)
    }

    /// Weighted sums of the points of both shapes.
    #[inline]
    pub fn points(&self, weights: &[f64; 4]) -> Option<[Vec3; 2]> {
        let ends = &self.ends[..self.len];
        Some([combine(ends, weights, |v| v.a)?, combine(ends, weights, |v| v.b)?])
    }
}

#[inline(always)]
fn combine<T>(corners: &[T], weights: &[f64; 4], point: impl Fn(&T) -> Vec3) -> Option<Vec3> {
    let mut terms = corners.iter().zip(weights).map(|(v, &w)| vec3::scale(point(v), w));
    let first = terms.next()?;
    Some(terms.fold(first, vec3::add))
}

/// Whether both are positive or both are negative.
#[inline(always)]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

/// Determinant of the matrix with the given columns.
#[inline(always)]
pub(super) fn det(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// The origin projected onto the plane of three points; `None` if they have none. Corners whose normal loses too many
/// digits are passed over for the next.
#[inline]
pub(super) fn project_on_plane(v1: Vec3, v2: Vec3, v3: Vec3) -> Option<Vec3> {
    let (d21, d32) = (vec3::sub(v2, v1), vec3::sub(v3, v2));
    let normal = vec3::cross(d32, d21);
    let (offset, square) = (vec3::dot(normal, v2), vec3::dot(normal, normal));
    if square == 0.0 {
        return None;
    }
    if offset != 0.0 && square > MINVAL {
        return Some(vec3::scale(normal, offset / square));
    }
    project_on_narrow(v1, v3, d21, d32)
}

/// [`project_on_plane`] from the other two corners.
#[cold]
fn project_on_narrow(v1: Vec3, v3: Vec3, d21: Vec3, d32: Vec3) -> Option<Vec3> {
    let d31 = vec3::sub(v3, v1);
    let normal = vec3::cross(d21, d31);
    let (offset, square) = (vec3::dot(normal, v1), vec3::dot(normal, normal));
    if square == 0.0 {
        return None;
    }
    if offset != 0.0 && square > MINVAL {
        return Some(vec3::scale(normal, offset / square));
    }
    let normal = vec3::cross(d31, d32);
    Some(vec3::scale(normal, vec3::dot(normal, v3) / vec3::dot(normal, normal)))
}

/// Areas that a point spans with the sides of a triangle, and the triangle's own, all seen along the axis that shows
/// the triangle largest.
#[inline]
pub(super) fn areas(v1: Vec3, v2: Vec3, v3: Vec3, p: Vec3) -> ([f64; 3], f64) {
    let minor = |x: usize, y: usize| {
        v2[x] * v3[y] - v2[y] * v3[x] - v1[x] * v3[y] + v1[y] * v3[x] + v1[x] * v2[y] - v1[y] * v2[x]
    };
    let (m1, m2, m3) = (minor(1, 2), minor(0, 2), minor(0, 1));
    let (total, x, y) = if m1.abs() >= m2.abs() && m1.abs() >= m3.abs() {
        (m1, 1, 2)
    } else if m2.abs() >= m3.abs() {
        (m2, 0, 2)
    } else {
        (m3, 0, 1)
    };
    let part = |a: Vec3, b: Vec3| p[x] * a[y] + p[y] * b[x] + a[x] * b[y] - p[x] * b[y] - p[y] * a[x] - b[x] * a[y];
    ([part(v2, v3), part(v3, v1), part(v1, v2)], total)
}

#[inline]
fn segment(s1: Vec3, s2: Vec3) -> [f64; 2] {
    let side = vec3::sub(s2, s1);
    let scale = -(vec3::dot(s2, side) / vec3::dot(side, side));
    let p = vec3::add_scaled(s2, side, scale);
    // along the axis that shows the segment longest, the last of equals
    let mut axis = 0;
    for i in 1..3 {
        if (s1[i] - s2[i]).abs() >= (s1[axis] - s2[axis]).abs() {
            axis = i;
        }
    }
    let (total, c1, c2) = (s1[axis] - s2[axis], p[axis] - s2[axis], s1[axis] - p[axis]);
    if same_sign(total, c1) && same_sign(total, c2) { [c1 / total, c2 / total] } else { [0.0, 1.0] }
}

#[inline]
fn triangle(s1: Vec3, s2: Vec3, s3: Vec3) -> [f64; 3] {
    let Some(p) = project_on_plane(s1, s2, s3) else {
        let [a, b] = segment(s1, s2);
        return [a, b, 0.0];
    };
    let (parts, total) = areas(s1, s2, s3, p);
    let inside = parts.map(|part| same_sign(total, part));
    if inside == [true; 3] {
        return parts.map(|part| part / total);
    }
    let mut best = Best::new();
    if !inside[0] {
        let [b, c] = segment(s2, s3);
        best.first([0.0, b, c], vec3::add(vec3::scale(s2, b), vec3::scale(s3, c)));
    }
    if !inside[1] {
        let [a, c] = segment(s1, s3);
        best.offer([a, 0.0, c], vec3::add(vec3::scale(s1, a), vec3::scale(s3, c)));
    }
    if !inside[2] {
        let [a, b] = segment(s1, s2);
        best.offer([a, b, 0.0], vec3::add(vec3::scale(s1, a), vec3::scale(s2, b)));
    }
    best.weights
}

#[inline]
fn tetrahedron(s1: Vec3, s2: Vec3, s3: Vec3, s4: Vec3) -> [f64; 4] {
    let parts = [-det(s2, s3, s4), det(s1, s3, s4), -det(s1, s2, s4), det(s1, s2, s3)];
    let total = parts[0] + parts[1] + parts[2] + parts[3];
    let inside = parts.map(|part| same_sign(total, part));
    if inside == [true; 4] {
        return parts.map(|part| part / total);
    }
    let sum = |w: [f64; 3], a: Vec3, b: Vec3, c: Vec3| {
        vec3::add(vec3::add(vec3::scale(a, w[0]), vec3::scale(b, w[1])), vec3::scale(c, w[2]))
    };
    let mut best = Best::new();
    if !inside[0] {
        let w = triangle(s2, s3, s4);
        best.first([0.0, w[0], w[1], w[2]], sum(w, s2, s3, s4));
    }
    if !inside[1] {
        let w = triangle(s1, s3, s4);
        best.offer([w[0], 0.0, w[1], w[2]], sum(w, s1, s3, s4));
    }
    if !inside[2] {
        let w = triangle(s1, s2, s4);
        best.offer([w[0], w[1], 0.0, w[2]], sum(w, s1, s2, s4));
    }
    if !inside[3] {
        let w = triangle(s1, s2, s3);
        // MuJoCo leaves the fourth weight of the face it prefers this one to, and its iterations go on from there
        best.offer([w[0], w[1], w[2], best.weights[3]], sum(w, s1, s2, s3));
    }
    best.weights
}

/// The nearest of some points, the first of equals.
struct Best<const N: usize> {
    weights: [f64; N],
    square: f64,
}

impl<const N: usize> Best<N> {
    #[inline(always)]
    fn new() -> Self {
        Best { weights: [0.0; N], square: f64::MAX }
    }

    /// Takes a point whatever its distance.
    #[inline(always)]
    fn first(&mut self, weights: [f64; N], at: Vec3) {
        *self = Best { weights, square: vec3::dot(at, at) };
    }

    #[inline(always)]
    fn offer(&mut self, weights: [f64; N], at: Vec3) {
        if vec3::dot(at, at) < self.square {
            self.first(weights, at);
        }
    }
}
