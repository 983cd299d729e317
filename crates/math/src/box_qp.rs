//! Quadratic programs with bounds, by a projected Newton method.
//!
//! Tassa, Mansard, Todorov, Control-limited differential dynamic programming, ICRA 2014.

use crate::MINVAL;
use crate::factor::{self, dot};

const ITERATIONS: usize = 100;
/// Squared gradient norm at which the search ends.
const MIN_GRADIENT: f64 = 1e-16;
const BACKTRACK: f64 = 0.5;
const MIN_STEP: f64 = 1e-22;
/// Fraction of the decrease predicted by the slope that a step must achieve.
const ARMIJO: f64 = 0.1;

/// The problem: minimise `½ xᵀ H x + gᵀ x`, with `H` row-major. The cost uses only the lower triangle of `H`.
#[derive(Clone, Copy, Debug)]
pub struct BoxQp<'a> {
    /// Symmetric positive definite matrix.
    pub h: &'a [f64],
    /// Linear term.
    pub g: &'a [f64],
    /// Lower bounds.
    pub lower: Option<&'a [f64]>,
    /// Upper bounds.
    pub upper: Option<&'a [f64]>,
}

/// The free dimensions at the solution, and the Cholesky factor of their block of `H`, lower triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Free {
    /// Dimensions that are not held at a bound.
    pub index: Vec<usize>,
    /// Factor, row-major.
    pub factor: Vec<f64>,
}

impl BoxQp<'_> {
    fn row(&self, i: usize) -> &[f64] {
        let n = self.g.len();
        &self.h[i * n..(i + 1) * n]
    }

    fn cost(&self, x: &[f64]) -> f64 {
        let quadratic: f64 =
            (0..x.len()).map(|i| x[i] * self.row(i)[i] * x[i] + 2.0 * x[i] * dot(&self.row(i)[..i], &x[..i])).sum();
        0.5 * quadratic + dot(x, self.g)
    }

    /// `H x + g`.
    fn slope(&self, x: &[f64]) -> Vec<f64> {
        (0..x.len()).map(|i| dot(self.row(i), x) + self.g[i]).collect()
    }

    fn clamp(&self, x: &mut [f64]) {
        for (i, x) in x.iter_mut().enumerate() {
            let low = self.lower.map_or(f64::NEG_INFINITY, |l| l[i]);
            let high = self.upper.map_or(f64::INFINITY, |u| u[i]);
            *x = crate::clip(*x, low, high);
        }
    }

    /// Cholesky factor of the block of `H` over `index`; `None` if it is not positive definite.
    fn factor(&self, index: &[usize]) -> Option<Vec<f64>> {
        let n = index.len();
        // transposed, since `chol_factor` works on the upper triangle
        let mut part = vec![0.0; n * n];
        for (i, &a) in index.iter().enumerate() {
            (0..=i).for_each(|j| part[j * n + i] = self.row(a)[index[j]]);
        }
        (factor::chol_factor(&mut part, n, MINVAL) == n).then_some(part)
    }

    /// Minimises from `x`; `None` if `H` is not positive definite or the search fails.
    #[doc(alias = "mju_boxQP")]
    pub fn solve(&self, x: &mut [f64]) -> Option<Free> {
        let n = x.len();
        if self.lower.is_none() && self.upper.is_none() {
            let index: Vec<usize> = (0..n).collect();
            let upper = self.factor(&index)?;
            x.iter_mut().zip(self.g).for_each(|(x, g)| *x = -g);
            factor::chol_solve(x, &upper, n);
            return Some(Free { index, factor: transposed(&upper, n) });
        }
        self.clamp(x);
        let (mut free, mut upper): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
        for iteration in 0..ITERATIONS {
            let cost = self.cost(x);
            let grad = self.slope(x);
            let held = |i: &usize| {
                self.lower.is_some_and(|l| x[*i] == l[*i]) && grad[*i] > 0.0
                    || self.upper.is_some_and(|u| x[*i] == u[*i]) && grad[*i] < 0.0
            };
            let now: Vec<usize> = (0..n).filter(|i| !held(i)).collect();
            if now.is_empty() {
                return Some(Free::default());
            }
            if iteration == 0 || now != free {
                upper = self.factor(&now)?;
            }
            free = now;
            if free.iter().map(|&i| grad[i] * grad[i]).sum::<f64>() < MIN_GRADIENT {
                let factor = transposed(&upper, free.len());
                return Some(Free { index: free, factor });
            }
            let search = self.direction(x, &free, &upper);
            let promised = dot(&search, &grad);
            if promised >= 0.0 {
                return None;
            }
            let next = self.line_search(x, &search, cost, promised)?;
            x.copy_from_slice(&next);
        }
        None
    }

    /// Step from `x` to the minimum over the free dimensions, with the others fixed.
    fn direction(&self, x: &[f64], free: &[usize], upper: &[f64]) -> Vec<f64> {
        let mut held = x.to_vec();
        free.iter().for_each(|&i| held[i] = 0.0);
        let slope = self.slope(&held);
        let mut step: Vec<f64> = free.iter().map(|&i| slope[i]).collect();
        factor::chol_solve(&mut step, upper, free.len());
        let mut search = vec![0.0; x.len()];
        free.iter().zip(&step).for_each(|(&i, s)| search[i] = -s - x[i]);
        search
    }

    fn line_search(&self, x: &[f64], search: &[f64], cost: f64, promised: f64) -> Option<Vec<f64>> {
        let mut step = 1.0;
        loop {
            let mut candidate: Vec<f64> = search.iter().zip(x).map(|(s, x)| s * step + x).collect();
            self.clamp(&mut candidate);
            let value = self.cost(&candidate);
            step *= BACKTRACK;
            if step < MIN_STEP {
                return None;
            }
            if (value - cost) / (step * promised) >= ARMIJO {
                return Some(candidate);
            }
        }
    }
}

fn transposed(mat: &[f64], n: usize) -> Vec<f64> {
    (0..n * n).map(|k| mat[k % n * n + k / n]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_of_optimality_hold() {
        let (h, g) = ([4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0], [-3.0, 4.0, 0.3]);
        let (lower, upper) = ([-0.5; 3], [0.5; 3]);
        let qp = BoxQp { h: &h, g: &g, lower: Some(&lower), upper: Some(&upper) };
        let mut x = [0.0; 3];
        let free = qp.solve(&mut x).expect("a minimum");
        let grad = qp.slope(&x);
        for i in 0..3 {
            if free.index.contains(&i) {
                assert!(grad[i].abs() < 1e-8);
            } else {
                assert!(x[i] == lower[i] && grad[i] > 0.0 || x[i] == upper[i] && grad[i] < 0.0);
            }
        }
        assert!(free.index.len() < 3 && !free.index.is_empty());
        let open = BoxQp { lower: None, upper: None, ..qp };
        assert_eq!(open.solve(&mut x).expect("a minimum").index, [0, 1, 2]);
        assert!(open.slope(&x).iter().all(|g| g.abs() < 1e-12));
        assert_eq!(BoxQp { h: &[-1.0], g: &[1.0], lower: None, upper: None }.solve(&mut [0.0]), None);
    }
}
