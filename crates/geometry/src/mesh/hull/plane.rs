//! Planes, distances and the rounding errors in them.

use super::state::Quickhull;

/// Bounds on rounding errors, from the extent of the points. Lengths are in the unit of the points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tolerance {
    /// Largest coordinate.
    pub max_abs: f64,
    /// Largest extent along an axis.
    pub width: f64,
    /// Pivots below these are nearly zero.
    pub near_zero: [f64; 3],
    /// Error of a distance to a plane.
    pub round: f64,
    /// A facet is convex to its neighbour if its centre is more than this below the neighbour's plane.
    pub centrum: f64,
    /// Width of a facet after one merge.
    pub one_merge: f64,
    /// Points this far inside are kept, as later merges may put them outside.
    pub near_inside: f64,
    /// A facet is visible if the point is more than this above it.
    pub visible: f64,
    /// A point is outside if it is this far above some facet.
    pub outside: f64,
    /// Facets wider than this keep their centres.
    pub wide: f64,
}

impl Tolerance {
    /// Bounds for points with these extremes: largest absolute coordinate, sum of them over the axes,
    /// and running sums.
    pub fn new(max_abs: f64, sums: [f64; 3], width: f64) -> Tolerance {
        let eps = f64::EPSILON;
        let reach = (3f64.sqrt() * max_abs).min(sums[2]);
        let round = eps * (3.0 * reach * 1.01 + max_abs);
        let centrum = 2.0 * round;
        let one_merge = 3.0 * centrum + round;
        let visible = centrum;
        let outside = 2.0 * visible;
        Tolerance {
            max_abs,
            width,
            near_zero: sums.map(|s| 80.0 * s * eps),
            round,
            centrum,
            one_merge,
            near_inside: one_merge * 5.0,
            visible,
            outside,
            wide: outside.max(6.0 * visible),
        }
    }
}

#[inline(always)]
fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

impl Quickhull<'_> {
    /// Height of a point above a facet.
    #[inline(always)]
    pub fn height(&self, p: [f64; 3], f: usize) -> f64 {
        let facet = &self.facets[f];
        let n = facet.normal.unwrap_or_default();
        facet.offset + p[0] * n[0] + p[1] * n[1] + p[2] * n[2]
    }

    /// Position of a vertex.
    #[inline(always)]
    pub fn place(&self, v: usize) -> [f64; 3] {
        self.points[self.vertices[v].point]
    }

    /// Computes the plane of a triangle and notices if the interior lies above it.
    pub fn set_plane(&mut self, f: usize) {
        let vertices = [0, 1, 2].map(|i| self.facets[f].vertices[i]);
        let [a, b, c] = vertices.map(|v| self.place(v));
        let top = self.facets[f].top;
        let (u, w) = (sub(b, a), sub(c, a));
        let cross = [w[1] * u[2] - w[2] * u[1], u[0] * w[2] - u[2] * w[0], w[0] * u[1] - w[1] * u[0]];
        let normal = self.unit(cross, top);
        let offset = -(a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]);
        self.facets[f].normal = Some(normal);
        self.facets[f].offset = offset;
        let error = |p: [f64; 3]| offset + (p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]);
        if [c, b].into_iter().any(|p| error(p).abs() > self.tol.round) {
            self.set_plane_by_elimination(f, a, [u, w]);
        }
        self.check_flipped(f);
    }

    /// Plane of a nearly degenerate triangle through `a` with edges `rows`, by Gaussian elimination.
    fn set_plane_by_elimination(&mut self, f: usize, a: [f64; 3], mut rows: [[f64; 3]; 2]) {
        let mut negative = self.facets[f].top;
        let mut near_zero = false;
        if rows[1][0].abs() > rows[0][0].abs() {
            rows.swap(0, 1);
            negative = !negative;
        }
        near_zero |= rows[0][0].abs() <= self.tol.near_zero[0];
        if rows[0][0] != 0.0 {
            let ratio = rows[1][0] / rows[0][0];
            rows[1][1] -= ratio * rows[0][1];
            rows[1][2] -= ratio * rows[0][2];
        }
        near_zero |= rows[1][1].abs() <= self.tol.near_zero[1];
        for k in [1, 0] {
            negative ^= rows[k][k] < 0.0;
        }

        let last = if negative { -1.0 } else { 1.0 };
        let mut normal = [0.0, 0.0, last];
        let smallest = (f64::MIN_POSITIVE * 3.0).sqrt();
        for i in [1, 0] {
            normal[i] = 0.0;
            for j in i + 1..3 {
                normal[i] -= rows[i][j] * normal[j];
            }
            let diagonal = rows[i][i];
            let quotient = if diagonal.abs() > smallest * self.tol.max_abs {
                Some(normal[i] / diagonal)
            } else {
                divide(normal[i], diagonal, smallest)
            };
            match quotient {
                Some(x) => normal[i] = x,
                None => {
                    normal[i] = last;
                    normal[i + 1..].fill(0.0);
                    near_zero = true;
                }
            }
        }
        let normal = self.unit(normal, true);
        let offset = -(a[0] * normal[0]) - a[1] * normal[1] - a[2] * normal[2];
        self.facets[f].normal = Some(normal);
        self.facets[f].offset = offset;
        if near_zero {
            self.orient_outside(f);
        }
    }

    /// Unit vector; reversed unless `top`.
    fn unit(&self, v: [f64; 3], top: bool) -> [f64; 3] {
        let norm = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        let signed = if top { norm } else { -norm };
        if norm > f64::MIN_POSITIVE * self.tol.max_abs {
            return v.map(|x| x / signed);
        }
        if norm == 0.0 {
            return [(1.0f64 / 3.0).sqrt(); 3];
        }
        let parts = v.map(|x| divide(x, signed, f64::MIN_POSITIVE));
        if let [Some(x), Some(y), Some(z)] = parts {
            return [x, y, z];
        }
        let largest = (0..3).fold(0, |best, k| if v[k].abs() > v[best].abs() { k } else { best });
        let mut axis = [0.0; 3];
        axis[largest] = if v[largest] * signed >= 0.0 { 1.0 } else { -1.0 };
        axis
    }

    /// Turns the plane if the interior is above it.
    pub fn orient_outside(&mut self, f: usize) {
        if self.height(self.interior, f) > 0.0 {
            let facet = &mut self.facets[f];
            facet.normal = facet.normal.map(|n| n.map(|x| -x));
            facet.offset = -facet.offset;
        }
    }

    /// Marks a facet whose plane the interior is not clearly below; whether it is fine.
    pub fn check_flipped(&mut self, f: usize) -> bool {
        if self.facets[f].flipped {
            return false;
        }
        let flipped = self.height(self.interior, f) >= -self.tol.round;
        self.facets[f].flipped = flipped;
        !flipped
    }

    /// Mean of some vertices.
    pub fn mean(&self, vertices: &[usize]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for &v in vertices {
            let p = self.place(v);
            for k in 0..3 {
                sum[k] += p[k];
            }
        }
        sum.map(|x| x / vertices.len() as f64)
    }

    /// Centre of a facet: the mean of its vertices, projected to its plane.
    pub fn center(&mut self, f: usize) -> [f64; 3] {
        if let Some(center) = self.facets[f].center {
            return center;
        }
        let mean = self.mean(&self.facets[f].vertices);
        let height = self.height(mean, f);
        let n = self.facets[f].normal.unwrap_or_default();
        let center = [0, 1, 2].map(|k| mean[k] - height * n[k]);
        self.facets[f].center = Some(center);
        center
    }

    /// Lowest and highest vertex of `f` (not shared with `neighbor`) over the plane of `neighbor`, and the
    /// larger of the two distances.
    pub fn spread(&mut self, f: usize, neighbor: usize) -> (f64, [f64; 2]) {
        for i in 0..self.facets[f].vertices.len() {
            let v = self.facets[f].vertices[i];
            self.vertices[v].seen = false;
        }
        for i in 0..self.facets[neighbor].vertices.len() {
            let v = self.facets[neighbor].vertices[i];
            self.vertices[v].seen = true;
        }
        let (mut low, mut high) = (0.0, 0.0);
        for &v in self.facets[f].vertices.iter().filter(|&&v| !self.vertices[v].seen) {
            let height = self.height(self.place(v), neighbor);
            if height < low {
                low = height;
            } else if height > high {
                high = height;
            }
        }
        (if high > -low { high } else { -low }, [low, high])
    }

    /// Nearest two of some vertices and their distance.
    pub fn nearest_pair(&self, vertices: &[usize]) -> (f64, [usize; 2]) {
        let (mut best, mut pair) = (f64::MAX, [vertices[0]; 2]);
        for (i, &v) in vertices.iter().enumerate() {
            for &w in &vertices[i + 1..] {
                let d = sub(self.place(v), self.place(w));
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                if square < best {
                    (best, pair) = (square, [v, w]);
                }
            }
        }
        (best.sqrt(), pair)
    }
}

/// Quotient unless it would overflow.
fn divide(a: f64, b: f64, smallest: f64) -> Option<f64> {
    let fine = if a.abs() < smallest { a.abs() < b.abs() } else { (b / a).abs() > smallest };
    fine.then(|| a / b)
}
