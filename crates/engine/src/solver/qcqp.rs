//! Minimises a quadratic function within an ellipsoid.

use sinew_math::factor;
use sinew_math::factor::dot;
use std::array::from_fn;

/// Threshold for the violation of the bound, steps of the multiplier and determinants.
const SMALL: f64 = 1e-10;

/// Minimum of `½ xᵀA x + bᵀx` subject to `Σ (x_k/d_k)² ≤ r²`.
/// Also returns whether the bound is active. Zero if the matrix is singular.
///
/// Newton's method on the multiplier of the bound, after scaling the ellipsoid to a ball.
#[doc(alias = "mju_QCQP")]
#[inline]
pub fn minimise<const N: usize>(a: &[[f64; N]; N], b: &[f64; N], d: &[f64; N], r: f64) -> ([f64; N], bool) {
    let scaled: [[f64; N]; N] = from_fn(|i| from_fn(|j| a[i][j] * d[i] * d[j]));
    let rhs: [f64; N] = from_fn(|i| b[i] * d[i]);
    let mut multiplier = 0.0;
    let mut x = [0.0; N];
    for _ in 0..20 {
        let Some(solved) = Solved::new(&scaled, multiplier, &rhs) else { return ([0.0; N], false) };
        x = solved.v;
        let excess = dot(&x, &x) - r * r;
        if excess < SMALL {
            break;
        }
        let step = excess / (2.0 * solved.curvature());
        if step < SMALL {
            break;
        }
        multiplier += step;
    }
    (from_fn(|i| x[i] * d[i]), multiplier != 0.0)
}

/// `v = −A⁻¹ b`, with the inverse of `A` or, above three unknowns, its Cholesky factor.
struct Solved<const N: usize> {
    v: [f64; N],
    inverse: [[f64; N]; N],
}

impl<const N: usize> Solved<N> {
    /// Solves with `shift` added to the diagonal of `A`; `None` if that is singular.
    #[inline(always)]
    fn new(a: &[[f64; N]; N], shift: f64, b: &[f64; N]) -> Option<Self> {
        let mut inverse = *a;
        (0..N).for_each(|i| inverse[i][i] += shift);
        let regular = match inverse.as_flattened_mut() {
            [a, b, c, d] => {
                let det = *a * *d - *b * *b;
                let p = [*d, -*b, *a].map(|x| x * (1.0 / det));
                [*a, *b, *c, *d] = [p[0], p[1], p[1], p[2]];
                det >= SMALL
            }
            a if N == 3 => {
                let minor = |i: usize, j: usize, k: usize, l: usize| a[i] * a[j] - a[k] * a[l];
                let [p11, p22, p33] = [minor(4, 8, 5, 5), minor(0, 8, 2, 2), minor(0, 4, 1, 1)];
                let [p12, p13, p23] = [minor(2, 5, 1, 8), minor(1, 5, 2, 4), minor(1, 2, 5, 0)];
                let det = a[0] * p11 + a[1] * p12 + a[2] * p13;
                a.copy_from_slice(&[p11, p12, p13, p12, p22, p23, p13, p23, p33].map(|x| x * (1.0 / det)));
                det >= SMALL
            }
            a => factor::chol_factor(a, N, SMALL) == N,
        };
        let mut v = b.map(|b| -b);
        if regular && N > 3 {
            factor::chol_solve(&mut v, inverse.as_flattened(), N);
        } else {
            v = from_fn(|i| (1..N).fold(-inverse[i][0] * b[0], |sum, j| sum - inverse[i][j] * b[j]));
        }
        regular.then_some(Solved { v, inverse })
    }

    /// `vᵀA⁻¹v`.
    #[inline(always)]
    fn curvature(&self) -> f64 {
        let Solved { v, inverse: p } = self;
        if N == 2 {
            return p[0][0] * v[0] * v[0] + 2.0 * p[0][1] * v[0] * v[1] + p[1][1] * v[1] * v[1];
        }
        let mut pv = *v;
        if N > 3 {
            factor::chol_solve(&mut pv, p.as_flattened(), N);
        } else {
            pv = from_fn(|i| dot(&p[i], v));
        }
        dot(v, &pv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks optimality: `A x + b = −λ x/d²` with `λ ≥ 0`, and on the boundary where `λ > 0`.
    fn is_optimal<const N: usize>() {
        let d: [f64; N] = from_fn(|i| [0.7, 1.2, 0.4, 0.9, 1.1][i]);
        let a: [[f64; N]; N] =
            from_fn(|i| from_fn(|j| if i == j { 3.0 + i as f64 } else { 0.3 / (1.0 + (i + j) as f64) }));
        let b: [f64; N] = from_fn(|i| (1.0 + i as f64).cos());
        for r in [0.01, 0.1, 10.0] {
            let (x, active) = minimise(&a, &b, &d, r);
            let size: f64 = (0..N).map(|i| (x[i] / d[i]).powi(2)).sum::<f64>().sqrt();
            assert_eq!(active, r < 1.0, "{N} {r}");
            assert!(!active || (size - r).abs() < 1e-6);
            let slope: [f64; N] = from_fn(|i| dot(&a[i], &x) + b[i]);
            let multiplier = -slope[0] * d[0] * d[0] / x[0];
            assert!(multiplier > -1e-9);
            for i in 0..N {
                assert!((slope[i] + multiplier * x[i] / (d[i] * d[i])).abs() < 1e-9, "{N} {r} {slope:?}");
            }
        }
    }

    #[test]
    fn minima_are_optimal() {
        is_optimal::<2>();
        is_optimal::<3>();
        is_optimal::<5>();
    }
}
