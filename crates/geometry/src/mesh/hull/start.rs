//! The first simplex, and the points outside of it.

use super::HullError;
use super::plane::Tolerance;
use super::state::{NIL, Quickhull, Step, TAIL};

/// Two facets of the simplex at a sharper angle than this (as the cosine between normals) make it narrow.
const NARROW: f64 = -0.99999999;

/// A corner is looked for among all points if the extreme ones span less than this part of the possible.
const FLAT_RATIO: f64 = 1e-3;

impl<'a> Quickhull<'a> {
    /// Simplex of four far points, with all points assigned to its facets.
    pub fn start(points: &'a [[f64; 3]]) -> Step<Quickhull<'a>> {
        let (extremes, tol) = extremes(points)?;
        let corners = simplex(points, &extremes, &tol)?;
        let mut hull = Quickhull {
            points,
            tol,
            interior: [0.0; 3],
            facets: Vec::new(),
            vertices: Vec::new(),
            ridges: Vec::new(),
            first_facet: TAIL,
            first_vertex: TAIL,
            next_facet: NIL,
            visible: NIL,
            fresh: TAIL,
            fresh_vertex: TAIL,
            first_made: 0,
            n_facets: 0,
            n_vertices: 0,
            n_visible: 0,
            visit: 0,
            vertex_visit: 0,
            neighbored: false,
            narrow: false,
            search_all: false,
            not_sharp: false,
            total_merges: 0,
            max_outside: 0.0,
            min_vertex: -tol.round,
            outside_bound: (tol.one_merge + tol.round).max(tol.outside),
            repartitioned: 0,
            facet_merges: Vec::new(),
            degenerate_merges: Vec::new(),
            vertex_merges: Vec::new(),
            dead_vertices: Vec::new(),
            pending: Vec::new(),
        };
        // the ends of the lists
        hull.make_facet();
        hull.make_vertex(usize::MAX);
        let mut vertices: Vec<usize> = corners.iter().map(|&p| hull.make_vertex(p)).collect();
        vertices.reverse();
        hull.make_simplex(&vertices)?;
        hull.partition_all(&corners)?;
        hull.reset_lists(true);
        hull.next_facet = hull.first_facet;
        hull.put_furthest_first();
        Ok(hull)
    }

    fn make_simplex(&mut self, vertices: &[usize]) -> Step<()> {
        let mut top = true;
        let mut facets = [0; 4];
        for (i, &v) in vertices.iter().enumerate() {
            let f = self.make_facet();
            self.facets[f].vertices = vertices.iter().copied().filter(|&w| w != v).collect();
            self.facets[f].top = top;
            self.append_facet(f);
            self.append_vertex(v);
            facets[i] = f;
            top = !top;
        }
        for f in facets {
            self.facets[f].neighbors = facets.iter().copied().filter(|&g| g != f).collect();
        }
        self.reset_lists(true);
        self.next_facet = self.first_facet;
        self.interior = self.mean(vertices);
        self.orient_simplex(facets)?;
        let normal = |f: usize| self.facets[f].normal.unwrap_or_default();
        let cosine = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        for f in facets {
            for g in facets {
                self.narrow |= f != g && cosine(normal(f), normal(g)) < NARROW;
            }
        }
        Ok(())
    }

    /// Makes all normals point away from the interior; an error if the simplex is flat.
    fn orient_simplex(&mut self, facets: [usize; 4]) -> Step<()> {
        self.set_plane(facets[0]);
        self.facets[facets[0]].flipped = false;
        if self.height(self.interior, facets[0]) > self.tol.round {
            facets.iter().for_each(|&f| self.facets[f].top ^= true);
            self.set_plane(facets[0]);
        }
        for &f in &facets[1..] {
            self.set_plane(f);
        }
        for f in facets {
            self.facets[f].flipped = false;
            if self.height(self.interior, f) > self.tol.round {
                for g in facets {
                    self.facets[g].flipped = false;
                    self.facets[g].top ^= true;
                    self.orient_outside(g);
                }
                break;
            }
        }
        for f in facets {
            if !self.check_flipped(f) {
                return Err(HullError::Flat);
            }
        }
        for f in facets {
            for i in 0..3 {
                let (v, g) = (self.facets[f].vertices[i], self.facets[f].neighbors[i]);
                if self.height(self.place(v), g) >= -self.tol.round {
                    return Err(HullError::Flat);
                }
            }
        }
        Ok(())
    }

    /// Gives every point to the first facet it is clearly above, or else to the facet it is highest above.
    fn partition_all(&mut self, corners: &[usize]) -> Step<()> {
        let mut rest: Vec<usize> = (0..self.points.len()).filter(|p| !corners.contains(p)).collect();
        let enough = self.clearly_outside();
        let mut f = self.first_facet;
        while self.has_facet(f) {
            let mut outside = Vec::new();
            let mut best: Option<(usize, f64)> = None;
            rest.retain(|&p| {
                let height = self.height(self.points[p], f);
                if height < enough {
                    return true;
                }
                match best {
                    Some((_, highest)) if height <= highest => outside.push(p),
                    _ => outside.extend(best.replace((p, height)).map(|(p, _)| p)),
                }
                false
            });
            if let Some((p, height)) = best {
                outside.push(p);
                self.facets[f].furthest = height;
            }
            self.facets[f].outside = outside;
            f = self.facets[f].next;
        }
        self.search_all = true;
        for p in rest {
            self.partition(p, self.first_facet)?;
        }
        self.search_all = false;
        Ok(())
    }

    /// Moves the facet with the furthest point to the front.
    fn put_furthest_first(&mut self) {
        let (mut best, mut highest) = (NIL, -f64::MAX);
        let mut f = self.first_facet;
        while self.has_facet(f) {
            if !self.facets[f].outside.is_empty() && self.facets[f].furthest > highest {
                (best, highest) = (f, self.facets[f].furthest);
            }
            f = self.facets[f].next;
        }
        if best != NIL {
            self.remove_facet(best);
            self.insert_facet(best, self.next_facet);
            self.next_facet = best;
        }
    }
}

/// Points with the smallest and largest coordinate on each axis, and the tolerances that follow.
fn extremes(points: &[[f64; 3]]) -> Step<([usize; 6], Tolerance)> {
    let mut list = [0; 6];
    let mut sums = [0.0; 3];
    let (mut max_abs, mut width, mut sum) = (0f64, -f64::MAX, 0.0);
    for k in 0..3 {
        let (mut low, mut high) = (0, 0);
        for (i, p) in points.iter().enumerate() {
            if points[high][k] < p[k] {
                high = i;
            } else if points[low][k] > p[k] {
                low = i;
            }
        }
        let largest = points[high][k].max(-points[low][k]);
        max_abs = max_abs.max(largest);
        width = width.max(points[high][k] - points[low][k]);
        sum += largest;
        sums[k] = sum;
        (list[2 * k], list[2 * k + 1]) = (low, high);
    }
    // points that coincide or are not finite span nothing
    if width > 0.0 && max_abs.is_finite() {
        Ok((list, Tolerance::new(max_abs, sums, width)))
    } else {
        Err(HullError::Flat)
    }
}

/// Corners of a simplex: the two extreme points along x, then the points that span the largest area in the
/// x-y plane and the largest volume with the former.
fn simplex(points: &[[f64; 3]], extremes: &[usize; 6], tol: &Tolerance) -> Step<Vec<usize>> {
    let x = |p: usize| points[p][0];
    let first = |better: &dyn Fn(f64, f64) -> bool| {
        extremes.iter().fold(extremes[0], |best, &p| if better(x(p), x(best)) { p } else { best })
    };
    let (low, high) = (first(&|a, b| a < b), first(&|a, b| a > b));
    if low == high {
        return Err(HullError::Flat);
    }
    let mut corners = vec![low, high];
    let mut size = x(high) - x(low);
    for n in 2..4 {
        let target = size * tol.width;
        let (mut best, mut largest, mut doubtful) = (NIL, -1.0, false);
        for &p in extremes {
            if corners.contains(&p) || p == best {
                continue;
            }
            let (det, near_zero) = determinant(points, &corners, p, n, tol);
            if det > largest {
                (best, largest, doubtful) = (p, det, near_zero);
            }
        }
        let small = largest > 0.0 && largest / target < FLAT_RATIO;
        if best == NIL || doubtful || small {
            for p in 0..points.len() {
                if extremes.contains(&p) || corners.contains(&p) {
                    continue;
                }
                let (det, near_zero) = determinant(points, &corners, p, n, tol);
                if det > largest {
                    (best, largest, doubtful) = (p, det, near_zero);
                    if !doubtful && largest > 10.0 * FLAT_RATIO * target {
                        break;
                    }
                }
            }
        }
        if best == NIL {
            return Err(HullError::Flat);
        }
        corners.push(best);
        size = largest;
    }
    Ok(corners)
}

/// Size of the determinant of the edges from `apex` to the first `n` corners in the first `n` coordinates,
/// and whether it is nearly zero.
fn determinant(points: &[[f64; 3]], corners: &[usize], apex: usize, n: usize, tol: &Tolerance) -> (f64, bool) {
    let a = points[apex];
    let row = |i: usize| {
        let p = points[corners[i]];
        [p[0] - a[0], p[1] - a[1], p[2] - a[2]]
    };
    let det2 = |a: f64, b: f64, c: f64, d: f64| a * d - b * c;
    let det = if n == 2 {
        let (r, s) = (row(0), row(1));
        det2(r[0], r[1], s[0], s[1])
    } else {
        let (r, s, t) = (row(0), row(1), row(2));
        r[0] * det2(s[1], s[2], t[1], t[2]) - s[0] * det2(r[1], r[2], t[1], t[2]) + t[0] * det2(r[1], r[2], s[1], s[2])
    };
    (det.abs(), det.abs() < 10.0 * tol.near_zero[n - 1])
}
