//! Exact line search on a piecewise polynomial.

use super::primal::Problem;
use super::work::SolverWork;
use crate::model::Options;
use sinew_math::factor::dot;
use sinew_math::{MINVAL, line};
use std::ops::Range;

/// Cost and derivatives along the search direction.
#[derive(Clone, Copy, Debug)]
struct Point {
    alpha: f64,
    cost: f64,
    slope: f64,
    curvature: f64,
}

impl Point {
    /// Where Newton's method goes from here.
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
    /// Polynomial of all that never changes its form.
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

    /// Adds the polynomials of active rows that push but do not pull.
    #[inline]
    fn add_bounds(&self, alpha: f64, rows: Range<usize>, quad: &mut [f64; 3]) {
        let (d, x, v) = (&self.p.d[rows.clone()], &self.w.jaref[rows.clone()], &self.w.jv[rows]);
        let sum = line::half_parabolas(d, x, v, alpha);
        (0..3).for_each(|k| quad[k] += sum[k]);
    }

    /// Moves a bracket end to the best candidate on its side; returns whether it moved, with the Newton
    /// point from there in `next`.
    fn tighten(&mut self, end: &mut Point, candidates: &[Point; 3], next: &mut Point) -> bool {
        let mut moved = false;
        for c in candidates {
            let closer = (end.slope < 0.0 && c.slope < 0.0 && end.slope < c.slope)
                || (end.slope > 0.0 && c.slope > 0.0 && end.slope > c.slope);
            if closer {
                *end = *c;
                moved = true;
            }
        }
        if moved {
            *next = self.at(end.newton());
        }
        moved
    }
}

/// Where a line search ended.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Step; zero if none helps.
    pub alpha: f64,
    /// Scaled slope there; 1 if it was not computed.
    pub slope: f64,
    /// Evaluations of the cost.
    pub evaluations: i32,
}

/// Step along `w.search` that minimises the cost, to within `tolerance · ls_tolerance`.
/// Fills `w.mv`, `w.jv` and the lines of cones.
pub fn line_search(opt: &Options, p: &Problem, w: &mut SolverWork, gauss: f64) -> Found {
    let norm = dot(&w.search, &w.search).sqrt();
    if norm < MINVAL {
        return Found { alpha: 0.0, slope: 1.0, evaluations: 0 };
    }
    let tolerance = opt.tolerance * opt.ls_tolerance * norm / p.scale;
    p.mul_mass(&mut w.mv, &w.search);
    w.blocks.mul_vec(&mut w.jv, &w.search);
    w.lines.clear();
    for cone in &w.cones {
        let r = cone.rows();
        w.lines.push(cone.line(&p.d[r.clone()], &w.jaref[r.clone()], &w.jv[r]));
    }
    let mut smooth = [gauss, dot(&w.search, &w.ma) - dot(p.frc_smooth, &w.search), 0.5 * dot(&w.search, &w.mv)];
    for i in 0..p.ne {
        let q = parabola(p.d[i], w.jaref[i], w.jv[i]);
        (0..3).for_each(|k| smooth[k] += q[k]);
    }
    let mut line = Line { p, w, smooth, evaluations: 0 };
    let (alpha, slope) = minimise(&mut line, tolerance, opt.ls_iterations);
    Found { alpha, slope: slope.map_or(1.0, |s| s.abs() * (p.scale / norm)), evaluations: line.evaluations }
}

/// Step and the slope there, if it is known.
fn minimise(line: &mut Line, tolerance: f64, limit: i32) -> (f64, Option<f64>) {
    let end = |p: Point| (p.alpha, Some(p.slope));
    let start = line.at(0.0);
    let mut p1 = line.at(start.newton());
    if p1.slope.abs() < tolerance {
        return end(p1);
    }
    // one-sided: Newton steps until the slope changes sign
    let towards = if p1.slope < 0.0 { 1.0 } else { -1.0 };
    let mut p2 = start;
    while p1.slope * towards <= -tolerance && line.evaluations < limit {
        p2 = p1;
        p1 = line.at(p1.newton());
        if p1.slope.abs() < tolerance {
            return end(p1);
        }
    }
    if line.evaluations >= limit {
        return end(p1);
    }
    // bracketed: Newton points from both ends, and the midpoint
    let mut next2 = p1;
    let mut next1 = line.at(p1.newton());
    while line.evaluations < limit {
        let mid = line.at(0.5 * (p1.alpha + p2.alpha));
        let candidates = [next1, next2, mid];
        let good = candidates.iter().filter(|c| c.slope.abs() < tolerance);
        if let Some(best) = good.reduce(|a, b| if b.cost < a.cost { b } else { a }) {
            return end(*best);
        }
        let moved1 = line.tighten(&mut p1, &candidates, &mut next1);
        let moved2 = line.tighten(&mut p2, &candidates, &mut next2);
        if !moved1 && !moved2 {
            return end(mid);
        }
    }
    if p1.cost <= p2.cost && p1.cost < start.cost {
        end(p1)
    } else if p2.cost <= p1.cost && p2.cost < start.cost {
        end(p2)
    } else {
        (0.0, None)
    }
}
