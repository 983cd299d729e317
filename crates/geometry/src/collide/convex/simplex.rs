//! Point nearest to the origin in the hull of up to four points, as barycentric weights of those points.
//!
//! The origin's projection onto the affine hull has barycentric weights. If all are positive, the projection lies in
//! the simplex. If not, the nearest point lies on a face that the origin sees; these are the faces opposite corners
//! with non-positive weight. Each of them is the same problem with one point fewer.

use super::support::{Ends, Vertex};
use sinew_math::{MINVAL, Vec3, vec3};

/// Up to four points of the Minkowski difference of two shapes, and the point of their hull nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    at: [Vec3; 4],
    ends: [Ends; 4],
    /// Weights of the corners at the nearest point: positive, with sum 1.
    weight: [f64; 4],
    len: usize,
}

impl Simplex {
    pub fn clear(&mut self) {
        (self.len, self.weight) = (0, [1.0, 0.0, 0.0, 0.0]);
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds a corner; the nearest point is valid again after [`Simplex::settle`].
    #[inline(always)]
    pub fn push(&mut self, vertex: Vertex) {
        (self.at[self.len], self.ends[self.len]) = (vertex.at, vertex.ends);
        self.len += 1;
    }

    /// Replaces all corners by the given four.
    pub fn replace(&mut self, corners: &[Vertex; 4]) {
        self.clear();
        corners.iter().for_each(|&c| self.push(c));
    }

    pub fn corner(&self, i: usize) -> Vertex {
        Vertex { at: self.at[i], ends: self.ends[i] }
    }

    /// Reduces to the smallest face that contains the point nearest to the origin, and returns that point.
    #[inline]
    pub fn settle(&mut self) -> Vec3 {
        let near = match self.len {
            4 => in_tetrahedron(&self.at),
            3 => in_triangle(&self.at, [0, 1, 2]),
            2 => in_segment(&self.at, [0, 1]),
            _ => Near { weight: [1.0, 0.0, 0.0, 0.0], square: 0.0 },
        };
        self.len = 0;
        for i in 0..4 {
            if near.weight[i] > 0.0 {
                (self.at[self.len], self.ends[self.len]) = (self.at[i], self.ends[i]);
                self.weight[self.len] = near.weight[i];
                self.len += 1;
            }
        }
        blend(&self.at[..self.len], &self.weight)
    }

    /// The points of the two shapes whose difference is the nearest point.
    pub fn points(&self) -> [Vec3; 2] {
        let pick = |side: fn(&Ends) -> Vec3| blend(&self.ends.each_ref().map(side)[..self.len], &self.weight);
        [pick(|e| e.a), pick(|e| e.b)]
    }
}

#[inline(always)]
fn blend(points: &[Vec3], weight: &[f64; 4]) -> Vec3 {
    points.iter().zip(weight).fold([0.0; 3], |sum, (&p, &w)| vec3::add_scaled(sum, p, w))
}

/// A point of a simplex.
#[derive(Clone, Copy)]
struct Near {
    /// Weights of the corners; 0 for corners that do not contribute.
    weight: [f64; 4],
    /// Squared distance to the origin.
    square: f64,
}

impl Near {
    #[inline(always)]
    fn new(at: &[Vec3; 4], weight: [f64; 4]) -> Self {
        let point = blend(at, &weight);
        Near { weight, square: vec3::dot(point, point) }
    }
}

/// The nearest of the points found on the faces that are not marked hidden.
#[inline(always)]
fn nearest_of<const N: usize>(hidden: [bool; N], face: impl Fn(usize) -> Near) -> Near {
    let mut best = Near { weight: [0.0; 4], square: f64::INFINITY };
    for i in (0..N).filter(|&i| !hidden[i]) {
        let near = face(i);
        if near.square < best.square {
            best = near;
        }
    }
    best
}

#[inline]
fn in_segment(at: &[Vec3; 4], [i, j]: [usize; 2]) -> Near {
    let (a, b) = (at[i], at[j]);
    let side = vec3::sub(b, a);
    let foot = vec3::add_scaled(b, side, -(vec3::dot(b, side) / vec3::dot(side, side)));
    // lengths are compared along the axis on which the segment's projection is longest
    let longest = |x: usize, y: usize| if side[y].abs() >= side[x].abs() { y } else { x };
    let axis = longest(longest(0, 1), 2);
    let length = a[axis] - b[axis];
    let part = [(foot[axis] - b[axis]) / length, (a[axis] - foot[axis]) / length];
    let mut weight = [0.0; 4];
    if part[0] > 0.0 && part[1] > 0.0 {
        (weight[i], weight[j]) = (part[0], part[1]);
    } else {
        // the search came from the older end, so the newer one is nearer
        weight[j] = 1.0;
    }
    Near::new(at, weight)
}

#[inline]
fn in_triangle(at: &[Vec3; 4], corners: [usize; 3]) -> Near {
    let [i, j, k] = corners;
    let [a, b, c] = corners.map(|n| at[n]);
    let Some(foot) = foot(c, b, a) else {
        // the newest of three collinear points is not nearer than the others
        return in_segment(at, [i, j]);
    };
    let part = shares(a, b, c, foot);
    let inside = part.map(|p| p > 0.0);
    if inside == [true; 3] {
        let mut weight = [0.0; 4];
        (weight[i], weight[j], weight[k]) = (part[0], part[1], part[2]);
        return Near::new(at, weight);
    }
    let sides = [[j, k], [i, k], [i, j]];
    nearest_of(inside, |n| in_segment(at, sides[n]))
}

#[inline]
fn in_tetrahedron(at: &[Vec3; 4]) -> Near {
    let [a, b, c, d] = *at;
    // signed volumes of the origin with each face; they add up to the tetrahedron's, for either orientation
    let part = [-volume(b, c, d), volume(a, c, d), -volume(a, b, d), volume(a, b, c)];
    let total = part[0] + part[1] + part[2] + part[3];
    let weight = part.map(|p| p / total);
    // if the volume is zero, all faces count as seen
    let inside = weight.map(|w| w > 0.0 && total != 0.0);
    if inside == [true; 4] {
        return Near { weight, square: 0.0 };
    }
    // the nearest face contains the newest corner, except by rounding
    let across = [[1, 2, 3], [0, 2, 3], [0, 1, 3]];
    let newest = nearest_of([inside[0], inside[1], inside[2]], |n| in_triangle(at, across[n]));
    if inside[3] {
        return newest;
    }
    let oldest = in_triangle(at, [0, 1, 2]);
    if oldest.square < newest.square {
        // MuJoCo keeps the newest corner's weight here: with four weights, the tetrahedron counts as enclosing the
        // origin, and the search ends
        let [a, b, c, _] = oldest.weight;
        return Near { weight: [a, b, c, newest.weight[3]], ..oldest };
    }
    newest
}

/// Signed volume of the parallelepiped spanned by three vectors.
#[inline(always)]
fn volume(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    vec3::dot(a, vec3::cross(b, c))
}

/// The origin projected onto the plane of three points; `None` if they are collinear. The normal comes from the sides
/// at `b`; if it is too inaccurate, from the sides at `c`, and then at `a`.
#[inline(always)]
pub(super) fn foot(a: Vec3, b: Vec3, c: Vec3) -> Option<Vec3> {
    let (ba, cb) = (vec3::sub(a, b), vec3::sub(b, c));
    match on_plane(vec3::cross(ba, cb), b) {
        Some((foot, true)) => Some(foot),
        Some(_) => foot_of_narrow(a, c, ba, cb),
        None => None,
    }
}

/// The origin projected onto a plane through a point, and whether the normal is long enough to be accurate.
#[inline(always)]
fn on_plane(normal: Vec3, at: Vec3) -> Option<(Vec3, bool)> {
    let (offset, square) = (vec3::dot(normal, at), vec3::dot(normal, normal));
    (square > 0.0).then(|| (vec3::scale(normal, offset / square), offset != 0.0 && square > MINVAL))
}

#[cold]
fn foot_of_narrow(a: Vec3, c: Vec3, ba: Vec3, cb: Vec3) -> Option<Vec3> {
    let ca = vec3::sub(a, c);
    match on_plane(vec3::cross(cb, ca), c) {
        Some((foot, true)) => Some(foot),
        Some(_) => on_plane(vec3::cross(ca, ba), a).map(|(foot, _)| foot),
        None => None,
    }
}

/// Barycentric weights of a point in the plane of a triangle, from areas projected along the axis that shows the
/// triangle largest; NaN for a triangle of zero area.
#[inline]
pub(super) fn shares(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> [f64; 3] {
    let area = |x: usize, y: usize| b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x];
    let views = [(1, 2), (0, 2), (0, 1)].map(|(x, y)| (area(x, y), x, y));
    let larger =
        |one: (f64, usize, usize), other: (f64, usize, usize)| if one.0.abs() >= other.0.abs() { one } else { other };
    let (total, x, y) = larger(views[0], larger(views[1], views[2]));
    let with = |q: Vec3, r: Vec3| p[x] * q[y] + p[y] * r[x] + q[x] * r[y] - p[x] * r[y] - p[y] * q[x] - r[x] * q[y];
    [with(b, c) / total, with(c, a) / total, with(a, b) / total]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simplex(points: &[Vec3]) -> Simplex {
        let mut s = Simplex::default();
        s.clear();
        points.iter().for_each(|&at| s.push(Vertex { at, ends: Ends { a: at, ..Ends::default() } }));
        s
    }

    /// Uniform numbers in [−1, 1) from a seed.
    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Optimality: the plane through the nearest point, normal to it, has the whole simplex beyond it. Corners are
    /// generated as in a search: each is nearer to the origin, along the direction of the nearest point so far, than
    /// that point.
    #[test]
    fn no_corner_is_on_this_side_of_the_nearest_point() {
        let mut seed = 1;
        let mut kept = [0; 5];
        for _ in 0..4000 {
            let shift: Vec3 = std::array::from_fn(|_| random(&mut seed));
            let mut s = simplex(&[]);
            let mut x = [f64::INFINITY; 3];
            while s.len() < 4 {
                let at = vec3::add_scaled(std::array::from_fn(|_| random(&mut seed)), shift, 0.6);
                if s.len() > 0 && vec3::dot(x, at) > 0.9 * vec3::dot(x, x) {
                    break;
                }
                s.push(Vertex { at, ends: Ends { a: at, ..Ends::default() } });
                let all: Vec<Vec3> = s.at[..s.len()].to_vec();
                x = s.settle();
                for p in all {
                    assert!(vec3::dot(x, p) > vec3::dot(x, x) - 1e-12, "{s:?} {x:?} {p:?}");
                }
                assert!((s.weight[..s.len()].iter().sum::<f64>() - 1.0).abs() < 1e-14);
                assert!(vec3::dist(s.points()[0], x) < 1e-15, "the points follow the weights");
            }
            kept[s.len()] += 1;
        }
        assert!(kept[1..].iter().all(|&n| n > 100), "{kept:?}");
    }

    #[test]
    fn flat_simplexes_have_a_nearest_point() {
        let line = [[1.0, 2.0, 0.0], [1.0, -1.0, 0.0], [1.0, -2.0, 0.0]];
        assert!(vec3::dist(simplex(&line).settle(), [1.0, 0.0, 0.0]) < 1e-15);
        assert_eq!(simplex(&[[0.5; 3]; 2]).settle(), [0.5; 3]);
    }
}
