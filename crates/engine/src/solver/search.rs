//! Exact line search on a piecewise polynomial.

use super::primal::Problem;
use crate::data::scratch::SolverWork;
use crate::model::Options;
use sinew_math::factor::dot;
use sinew_math::{MINVAL, sparse};

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

/// The cost restricted to a line.
struct Line<'a> {
    p: &'a Problem<'a>,
    w: &'a SolverWork,
    gauss: [f64; 3],
    evaluations: i32,
}

impl Line<'_> {
    fn at(&mut self, alpha: f64) -> Point {
        let (p, w) = (self.p, self.w);
        let mut quad = self.gauss;
        let mut add = |q: [f64; 3]| (0..3).for_each(|k| quad[k] += q[k]);
        w.quad[..p.ne].iter().for_each(|q| add(*q));
        for i in p.ne..p.ne + p.nf {
            let (start, dir, loss) = (w.jaref[i], w.jv[i], p.frictionloss[i]);
            let x = start + alpha * dir;
            let bound = p.r[i] * loss;
            if -bound < x && x < bound {
                add(w.quad[i]);
            } else if x <= -bound {
                add([loss * (-0.5 * bound - start), -loss * dir, 0.0]);
            } else {
                add([loss * (-0.5 * bound + start), loss * dir, 0.0]);
            }
        }
        for i in p.ne + p.nf..w.jaref.len() {
            if w.jaref[i] + alpha * w.jv[i] < 0.0 {
                add(w.quad[i]);
            }
        }
        self.evaluations += 1;
        let curvature = 2.0 * quad[2];
        Point {
            alpha,
            cost: alpha * alpha * quad[2] + alpha * quad[1] + quad[0],
            slope: 2.0 * alpha * quad[2] + quad[1],
            curvature: if curvature <= 0.0 { MINVAL } else { curvature },
        }
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

/// Step along `w.search` that minimises the cost, to within `tolerance · ls_tolerance`; zero if none helps.
/// Fills `w.mv`, `w.jv` and `w.quad`.
pub fn line_search(opt: &Options, p: &Problem, w: &mut SolverWork, gauss: f64) -> f64 {
    let norm = dot(&w.search, &w.search).sqrt();
    if norm < MINVAL {
        return 0.0;
    }
    let tolerance = opt.tolerance * opt.ls_tolerance * norm / p.scale;
    sparse::mul_sym_vec(&mut w.mv, p.mass, p.pattern, &w.search);
    p.jac.mul_vec(&mut w.jv, &w.search);
    for (i, quad) in w.quad.iter_mut().enumerate() {
        let (x, v, d) = (w.jaref[i], w.jv[i], p.d[i]);
        *quad = [0.5 * x * d * x, v * d * x, 0.5 * v * d * v];
    }
    let gauss = [gauss, dot(&w.search, &w.ma) - dot(p.frc_smooth, &w.search), 0.5 * dot(&w.search, &w.mv)];
    let mut line = Line { p, w, gauss, evaluations: 0 };
    minimise(&mut line, tolerance, opt.ls_iterations)
}

fn minimise(line: &mut Line, tolerance: f64, limit: i32) -> f64 {
    let start = line.at(0.0);
    let mut p1 = line.at(start.newton());
    if p1.slope.abs() < tolerance {
        return p1.alpha;
    }
    // one-sided: Newton steps until the slope changes sign
    let towards = if p1.slope < 0.0 { 1.0 } else { -1.0 };
    let mut p2 = start;
    while p1.slope * towards <= -tolerance && line.evaluations < limit {
        p2 = p1;
        p1 = line.at(p1.newton());
        if p1.slope.abs() < tolerance {
            return p1.alpha;
        }
    }
    if line.evaluations >= limit {
        return p1.alpha;
    }
    // bracketed: Newton points from both ends, and the midpoint
    let mut next2 = p1;
    let mut next1 = line.at(p1.newton());
    while line.evaluations < limit {
        let mid = line.at(0.5 * (p1.alpha + p2.alpha));
        let candidates = [next1, next2, mid];
        let good = candidates.iter().filter(|c| c.slope.abs() < tolerance);
        if let Some(best) = good.reduce(|a, b| if b.cost < a.cost { b } else { a }) {
            return best.alpha;
        }
        let moved1 = line.tighten(&mut p1, &candidates, &mut next1);
        let moved2 = line.tighten(&mut p2, &candidates, &mut next2);
        if !moved1 && !moved2 {
            return mid.alpha;
        }
    }
    if p1.cost <= p2.cost && p1.cost < start.cost {
        p1.alpha
    } else if p2.cost <= p1.cost && p2.cost < start.cost {
        p2.alpha
    } else {
        0.0
    }
}
