//! Exact line search on a piecewise smooth convex function.

use super::primal::Problem;
use super::work::SolverWork;
use crate::model::Options;
use sinew_math::factor::dot;
use sinew_math::{MINVAL, line};
use std::ops::Range;

/// Cost and derivatives along the search direction.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Position on the line.
    pub alpha: f64,
    /// Cost at this position.
    pub cost: f64,
    /// First derivative.
    pub slope: f64,
    /// Second derivative; at a kink of the slope, that of one side.
    pub curvature: f64,
}

impl Point {
    /// Zero of the slope by one Newton step, which assumes constant curvature.
    fn newton(&self) -> f64 {
        self.alpha - self.slope / self.curvature
    }
}

/// `½ d (x + α v)²` as a polynomial of `α`.
#[inline(always)]
fn parabola(d: f64, x: f64, v: f64) -> [f64; 3] {
    let force = d * x;
    [0.5 * (x * force), v * force, 0.5 * (v * d * v)]
}

/// The cost restricted to a line.
struct Line<'a> {
    p: &'a Problem<'a>,
    w: &'a SolverWork,
    /// Polynomial of the terms that are the same everywhere on the line.
    smooth: [f64; 3],
    evaluations: i32,
}

impl Line<'_> {
    fn at(&mut self, alpha: f64) -> Point {
        let (p, w) = (self.p, self.w);
        let mut quad = self.smooth;
        let mut add = |q: [f64; 3]| (0..3).for_each(|k| quad[k] += q[k]);
        for i in p.ne..p.ne + p.nf {
            let (start, dir, loss) = (w.jaref[i], w.jv[i], p.frictionloss[i]);
            let x = start + alpha * dir;
            let bound = p.r[i] * loss;
            if -bound < x && x < bound {
                add(parabola(p.d[i], start, dir));
            } else if x <= -bound {
                add([loss * (-0.5 * bound - start), -loss * dir, 0.0]);
            } else {
                add([loss * (-0.5 * bound + start), loss * dir, 0.0]);
            }
        }
        let mut next = p.ne + p.nf;
        let mut curved = [0.0; 3];
        for (cone, line) in w.cones.iter().zip(&w.lines) {
            if next < cone.row {
                self.add_bounds(alpha, next..cone.row, &mut quad);
            }
            line.at(alpha, &mut quad, &mut curved);
            next = cone.rows().end;
        }
        self.add_bounds(alpha, next..w.jaref.len(), &mut quad);
        self.evaluations += 1;
        let curvature = curved[2] + 2.0 * quad[2];
        Point {
            alpha,
            cost: curved[0] + (alpha * alpha * quad[2] + alpha * quad[1] + quad[0]),
            slope: curved[1] + (2.0 * alpha * quad[2] + quad[1]),
            curvature: if curvature <= 0.0 { MINVAL } else { curvature },
        }
    }

    /// Adds the polynomials of active unilateral rows.
    #[inline]
    fn add_bounds(&self, alpha: f64, rows: Range<usize>, quad: &mut [f64; 3]) {
        let (d, x, v) = (&self.p.d[rows.clone()], &self.w.jaref[rows.clone()], &self.w.jv[rows]);
        let sum = line::half_parabolas(d, x, v, alpha);
        (0..3).for_each(|k| quad[k] += sum[k]);
    }
}

/// Result of a line search.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Step; zero if no step reduces the cost.
    pub alpha: f64,
    /// Scaled slope at the step; 1 if it was not computed.
    pub slope: f64,
    /// Number of cost evaluations, including the one at the start even where it was already known.
    pub evaluations: i32,
}

/// Known quantities at the start of a line search.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Cost without constraints.
    pub gauss: f64,
    /// Cost.
    pub cost: f64,
    /// Curvature along the search direction, if the method knows it.
    pub curvature: Option<f64>,
}

/// Finds the step along `w.search` that minimises the cost, to within `tolerance · ls_tolerance`. Fills `w.mv`, `w.jv`
/// and `w.lines`.
pub fn line_search(opt: &Options, p: &Problem, w: &mut SolverWork, start: Start) -> Found {
    let norm = dot(&w.search, &w.search).sqrt();
    if norm < MINVAL {
        return Found { alpha: 0.0, slope: 1.0, evaluations: 0 };
    }
    let tolerance = opt.tolerance * opt.ls_tolerance * norm / p.scale;
    p.mul_mass(&mut w.mv, &w.search);
    w.blocks.mul_vec(p, &mut w.jv, &w.search);
    w.lines.clear();
    for cone in &w.cones {
        let r = cone.rows();
        w.lines.push(cone.line(&p.d[r.clone()], &w.jaref[r.clone()], &w.jv[r]));
    }
    let fall = dot(&w.search, &w.ma) - dot(p.frc_smooth, &w.search);
    let mut smooth = [start.gauss, fall, 0.5 * dot(&w.search, &w.mv)];
    let held = line::parabolas(&p.d[..p.ne], &w.jaref[..p.ne], &w.jv[..p.ne]);
    (0..3).for_each(|k| smooth[k] += held[k]);
    let slope = dot(&w.grad, &w.search);
    let mut line = Line { p, w, smooth, evaluations: i32::from(start.curvature.is_some()) };
    let begin = match start.curvature {
        Some(curvature) => Point { alpha: 0.0, cost: start.cost, slope, curvature },
        None => line.at(0.0),
    };
    let (alpha, slope) = minimise(|alpha| line.at(alpha), begin, tolerance, opt.ls_iterations);
    Found { alpha, slope: slope.map_or(1.0, |s| s.abs() * (p.scale / norm)), evaluations: line.evaluations }
}

/// Minimises a convex function with a continuous slope. Returns the minimiser and the slope there, if known; a step of
/// zero if no point with a lower cost was found. `limit` is the number of evaluations, including that of `start`.
///
/// Newton's method until the slope changes sign, which brackets the minimum. Each following round evaluates the
/// bracket's midpoint and moves each end to the best candidate on its side, among the midpoint and the Newton steps
/// from both ends. Many models allow only four or five evaluations, so the choice and order of the points affect the
/// result.
fn minimise(at: impl FnMut(f64) -> Point, start: Point, tolerance: f64, limit: i32) -> (f64, Option<f64>) {
    // below this the slope is dominated by rounding
    let tolerance = tolerance.max(f64::EPSILON * start.slope.abs());
    let flat = |p: &Point| p.slope.abs() < tolerance;
    let found = |p: Point| (p.alpha, Some(p.slope));
    let mut search = Evaluations { at, left: limit.max(0) - 1 };
    let (mut last, mut point) = (start, search.after(&start));
    let falls = point.slope < 0.0;
    while !flat(&point) && (point.slope < 0.0) == falls && search.left > 0 {
        (last, point) = (point, search.after(&point));
    }
    if flat(&point) || search.left <= 0 {
        return found(point);
    }
    let mut ends = [End { at: point, ahead: search.after(&point) }, End { at: last, ahead: point }];
    while search.left > 0 {
        let middle = (search.at)(0.5 * (ends[0].at.alpha + ends[1].at.alpha));
        search.left -= 1;
        let points = [ends[0].ahead, ends[1].ahead, middle];
        if let Some(best) = points.into_iter().filter(flat).reduce(|a, b| if b.cost < a.cost { b } else { a }) {
            return found(best);
        }
        let moved = ends.each_mut().map(|end| end.advance(&points, &mut search));
        if moved == [false; 2] {
            // adjacent floats: no better point is representable
            return found(middle);
        }
    }
    let [a, b] = ends.map(|end| end.at);
    let best = if b.cost < a.cost { b } else { a };
    if best.cost < start.cost { found(best) } else { (0.0, None) }
}

/// A function with a limited number of evaluations.
struct Evaluations<F> {
    at: F,
    left: i32,
}

impl<F: FnMut(f64) -> Point> Evaluations<F> {
    /// Evaluates at the Newton step from a point.
    fn after(&mut self, point: &Point) -> Point {
        self.left -= 1;
        (self.at)(point.newton())
    }
}

/// One end of the bracket, and the Newton step from there.
struct End {
    at: Point,
    ahead: Point,
}

impl End {
    /// Moves to the candidate nearest the minimum on the same side. Returns whether there is one.
    fn advance<F: FnMut(f64) -> Point>(&mut self, points: &[Point], search: &mut Evaluations<F>) -> bool {
        let side = self.at.slope;
        let nearer = |best: Option<Point>, p: &Point| {
            let bound = best.map_or(side, |b| b.slope);
            if p.slope * side > 0.0 && p.slope.abs() < bound.abs() { Some(*p) } else { best }
        };
        let Some(best) = points.iter().fold(None, nearer) else { return false };
        (self.at, self.ahead) = (best, search.after(&best));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `½ (α − c)² + Σ ½ d max(0, b − α)²`, with slope and curvature.
    fn hinges(center: f64, hinges: &[[f64; 2]], alpha: f64) -> Point {
        let x = alpha - center;
        let mut p = Point { alpha, cost: 0.5 * x * x, slope: x, curvature: 1.0 };
        for [d, b] in hinges.iter().filter(|h| h[1] > alpha) {
            p.cost += 0.5 * d * (b - alpha) * (b - alpha);
            p.slope -= d * (b - alpha);
            p.curvature += d;
        }
        p
    }

    #[test]
    fn minima_have_no_slope() {
        let cases: [(f64, &[[f64; 2]]); 5] = [
            (1.0, &[]),
            (0.2, &[[10.0, 0.5]]),
            (0.1, &[[1e6, 0.3], [1e3, 0.31], [5.0, 2.0]]),
            (-3.0, &[[1e9, 1e-3], [1.0, 7.0], [1e4, 1e-2]]),
            (1e-6, &[[1e12, 1e-7], [1e-3, 1e3]]),
        ];
        for (center, list) in cases {
            let start = hinges(center, list, 0.0);
            let mut count = 0;
            let at = |alpha| {
                count += 1;
                hinges(center, list, alpha)
            };
            let (alpha, slope) = minimise(at, start, 1e-12 * start.slope.abs(), 50);
            let found = hinges(center, list, alpha);
            assert!(found.slope.abs() <= 1e-9 * start.slope.abs(), "{center} {list:?}: {alpha} {slope:?}");
            assert!(count <= 20, "{center} {list:?}: {count} evaluations");
        }
    }

    #[test]
    fn a_short_search_lowers_the_cost() {
        let list = [[1e4, 0.3], [1e3, 0.31], [5.0, 2.0]];
        for limit in 4..30 {
            let start = hinges(0.1, &list, 0.0);
            let mut count = 1;
            let at = |alpha| {
                count += 1;
                hinges(0.1, &list, alpha)
            };
            let (alpha, _) = minimise(at, start, 0.0, limit);
            assert!(hinges(0.1, &list, alpha).cost < start.cost, "{limit}: {alpha}");
            // the last round is always completed
            assert!(count <= limit + 2, "{limit}: {count}");
        }
    }

    #[test]
    fn a_limit_below_one_is_one_evaluation() {
        for limit in [i32::MIN, -1, 0, 1] {
            let mut count = 0;
            let at = |alpha| {
                count += 1;
                hinges(0.2, &[[10.0, 0.5]], alpha)
            };
            minimise(at, hinges(0.2, &[[10.0, 0.5]], 0.0), 0.0, limit);
            assert_eq!(count, 1, "{limit}");
        }
    }
}
