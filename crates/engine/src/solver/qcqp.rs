//! A quadratic function minimised within an ellipsoid.

use sinew_math::factor;
use sinew_math::factor::dot;

/// What the multiplier, its steps and the determinants are compared with.
const SMALL: f64 = 1e-10;

/// Minimum of `½ xᵀA x + bᵀx` subject to `Σ (x_k/d_k)² ≤ r²`, for up to five unknowns; `a` is row-major.
/// Also returns whether the bound is active. Zero if the matrix is singular.
///
/// Newton's method on the multiplier of the bound, after scaling the ellipsoid to a ball.
#[doc(alias = "mju_QCQP")]
pub fn minimise(a: &[f64], b: &[f64], d: &[f64], r: f64) -> ([f64; 5], bool) {
    let n = b.len();
    let (mut scaled, mut rhs) = ([0.0; 25], [0.0; 5]);
    for i in 0..n {
        rhs[i] = b[i] * d[i];
        for j in 0..n {
            scaled[i * n + j] = a[i * n + j] * d[i] * d[j];
        }
    }
    let mut multiplier = 0.0;
    let mut x = [0.0; 5];
    for _ in 0..20 {
        let Some((v, curvature)) = solve(&scaled, multiplier, &rhs, n) else { return ([0.0; 5], false) };
        x = v;
        let excess = dot(&x[..n], &x[..n]) - r * r;
        if excess < SMALL {
            break;
        }
        let step = excess / (2.0 * curvature);
        if step < SMALL {
            break;
        }
        multiplier += step;
    }
    (0..n).for_each(|i| x[i] *= d[i]);
    (x, multiplier != 0.0)
}

/// `v = −A⁻¹ b` and `vᵀA⁻¹v`, with `shift` added to the diagonal of `A`; none if that is singular.
#[inline(always)]
fn solve(a: &[f64; 25], shift: f64, b: &[f64; 5], n: usize) -> Option<([f64; 5], f64)> {
    let mut v = [0.0; 5];
    match n {
        2 => {
            let (a0, a3) = (a[0] + shift, a[3] + shift);
            let det = a0 * a3 - a[1] * a[1];
            let p = [a3, -a[1], a0].map(|x| x * (1.0 / det));
            (det >= SMALL).then(|| {
                v[0] = -p[0] * b[0] - p[1] * b[1];
                v[1] = -p[1] * b[0] - p[2] * b[1];
                (v, p[0] * v[0] * v[0] + 2.0 * p[1] * v[0] * v[1] + p[2] * v[1] * v[1])
            })
        }
        3 => {
            let a = [a[0] + shift, a[1], a[2], a[3], a[4] + shift, a[5], a[6], a[7], a[8] + shift];
            let minor = |i: usize, j: usize, k: usize, l: usize| a[i] * a[j] - a[k] * a[l];
            let [p11, p22, p33] = [minor(4, 8, 5, 5), minor(0, 8, 2, 2), minor(0, 4, 1, 1)];
            let [p12, p13, p23] = [minor(2, 5, 1, 8), minor(1, 5, 2, 4), minor(1, 2, 5, 0)];
            let det = a[0] * p11 + a[1] * p12 + a[2] * p13;
            let p = [p11, p12, p13, p12, p22, p23, p13, p23, p33].map(|x| x * (1.0 / det));
            (det >= SMALL).then(|| {
                (0..3).for_each(|i| v[i] = -p[3 * i] * b[0] - p[3 * i + 1] * b[1] - p[3 * i + 2] * b[2]);
                let pv = |i: usize| dot(&p[3 * i..3 * i + 3], &v[..3]);
                (v, v[0] * pv(0) + v[1] * pv(1) + v[2] * pv(2))
            })
        }
        _ => {
            let mut shifted = *a;
            (0..n).for_each(|i| shifted[i * (n + 1)] += shift);
            let a = &mut shifted[..n * n];
            (factor::chol_factor(a, n, SMALL) == n).then(|| {
                (0..n).for_each(|i| v[i] = -b[i]);
                factor::chol_solve(&mut v[..n], a, n);
                let mut pv = v;
                factor::chol_solve(&mut pv[..n], a, n);
                (v, dot(&v[..n], &pv[..n]))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Optimality: `A x + b = −λ x/d²` with `λ ≥ 0`, and on the boundary where `λ > 0`.
    #[test]
    fn minima_are_optimal() {
        let d = [0.7, 1.2, 0.4, 0.9, 1.1];
        for n in [2, 3, 5] {
            let a: Vec<f64> = (0..n * n)
                .map(|k| if k % (n + 1) == 0 { 3.0 + (k / n) as f64 } else { 0.3 / (1.0 + (k / n + k % n) as f64) })
                .collect();
            let b: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).cos()).collect();
            for r in [0.01, 0.1, 10.0] {
                let (x, active) = minimise(&a, &b, &d[..n], r);
                let size: f64 = (0..n).map(|i| (x[i] / d[i]).powi(2)).sum::<f64>().sqrt();
                assert_eq!(active, r < 1.0, "{n} {r}");
                assert!(!active || (size - r).abs() < 1e-6);
                let slope: Vec<f64> = (0..n).map(|i| dot(&a[i * n..(i + 1) * n], &x[..n]) + b[i]).collect();
                let multiplier = -slope[0] * d[0] * d[0] / x[0];
                assert!(multiplier > -1e-9);
                for i in 0..n {
                    assert!((slope[i] + multiplier * x[i] / (d[i] * d[i])).abs() < 1e-9, "{n} {r} {slope:?}");
                }
            }
        }
    }
}
