//! Sums over rows along a search line.

use wide::f64x4;

/// The sum of four lanes, in the same order on every target; the order of `reduce_add` depends on the target.
#[inline(always)]
fn total(v: f64x4) -> f64 {
    let [a, b, c, d] = v.to_array();
    (a + b) + (c + d)
}

/// `Σ ½ d (x + α v)²` over the rows where `x + α v < 0` at the given `α`, as a polynomial of `α`.
#[inline]
pub fn half_parabolas(d: &[f64], x: &[f64], v: &[f64], alpha: f64) -> [f64; 3] {
    let ((d4, d1), (x4, x1), (v4, v1)) = (d.as_chunks::<4>(), x.as_chunks::<4>(), v.as_chunks::<4>());
    let (mut square, mut slope, mut curve) = (f64x4::ZERO, f64x4::ZERO, f64x4::ZERO);
    let step = f64x4::splat(alpha);
    for ((d, x), v) in d4.iter().zip(x4).zip(v4) {
        let (x, v) = (f64x4::from(*x), f64x4::from(*v));
        let d = f64x4::from(*d) & (v * step + x).simd_lt(f64x4::ZERO);
        let (dx, dv) = (d * x, d * v);
        square += dx * x;
        slope += dx * v;
        curve += dv * v;
    }
    let mut sum = [square, slope, curve].map(total);
    for ((d, x), v) in d1.iter().zip(x1).zip(v1) {
        if x + alpha * v < 0.0 {
            sum[0] += d * x * x;
            sum[1] += d * x * v;
            sum[2] += d * v * v;
        }
    }
    [0.5 * sum[0], sum[1], 0.5 * sum[2]]
}

/// `Σ ½ d (x + α v)²` over all rows, as a polynomial of `α`.
#[inline]
pub fn parabolas(d: &[f64], x: &[f64], v: &[f64]) -> [f64; 3] {
    let ((d4, d1), (x4, x1), (v4, v1)) = (d.as_chunks::<4>(), x.as_chunks::<4>(), v.as_chunks::<4>());
    let (mut square, mut slope, mut curve) = (f64x4::ZERO, f64x4::ZERO, f64x4::ZERO);
    for ((d, x), v) in d4.iter().zip(x4).zip(v4) {
        let (d, x, v) = (f64x4::from(*d), f64x4::from(*x), f64x4::from(*v));
        let (dx, dv) = (d * x, d * v);
        square += dx * x;
        slope += dx * v;
        curve += dv * v;
    }
    let mut sum = [square, slope, curve].map(total);
    for ((d, x), v) in d1.iter().zip(x1).zip(v1) {
        sum[0] += d * x * x;
        sum[1] += d * x * v;
        sum[2] += d * v * v;
    }
    [0.5 * sum[0], sum[1], 0.5 * sum[2]]
}

/// Force `−d x` of each row where `x` is negative, zero elsewhere; returns the sum of `½ d x²` over these rows.
#[inline]
pub fn half_forces(d: &[f64], x: &[f64], force: &mut [f64]) -> f64 {
    let ((d4, d1), (x4, x1)) = (d.as_chunks::<4>(), x.as_chunks::<4>());
    let (f4, f1) = force.as_chunks_mut::<4>();
    let mut square = f64x4::ZERO;
    for ((d, x), f) in d4.iter().zip(x4).zip(f4) {
        let x = f64x4::from(*x);
        // NaN counts as violated, so that it propagates
        let pull = (f64x4::from(*d) * x) & !x.simd_ge(f64x4::ZERO);
        *f = (f64x4::ZERO - pull).to_array();
        square += pull * x;
    }
    let mut sum = total(square);
    for ((d, x), f) in d1.iter().zip(x1).zip(f1) {
        let pull = if *x >= 0.0 { 0.0 } else { d * x };
        *f = 0.0 - pull;
        sum += pull * x;
    }
    0.5 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_push_but_do_not_pull() {
        let at = |k: f64, i: usize| (k * i as f64 + 0.3).sin();
        let (d, x): (Vec<f64>, Vec<f64>) = (0..11).map(|i| (1.5 + at(0.7, i), at(2.1, i))).unzip();
        let mut force = [f64::NAN; 11];
        let cost = half_forces(&d, &x, &mut force);
        assert!((0..11).all(|i| force[i] == -d[i] * x[i].min(0.0)), "{force:?}");
        let want: f64 = (0..11).map(|i| 0.5 * d[i] * x[i].min(0.0).powi(2)).sum();
        assert!((cost - want).abs() < 1e-14, "{cost} {want}");
        assert!(half_forces(&[1.0; 5], &[f64::NAN; 5], &mut force).is_nan());
    }

    #[test]
    fn only_active_rows_count() {
        let at = |k: f64, i: usize| (k * i as f64 + 0.3).sin();
        let (d, x, v): (Vec<f64>, Vec<f64>, Vec<f64>) =
            (0..11).map(|i| (1.0 + at(0.7, i), at(2.1, i), at(1.3, i))).collect();
        for alpha in [0.0, 0.5, -2.0] {
            let got = half_parabolas(&d, &x, &v, alpha);
            let cost = got[0] + alpha * got[1] + alpha * alpha * got[2];
            let want: f64 = (0..11).map(|i| 0.5 * d[i] * (x[i] + alpha * v[i]).min(0.0).powi(2)).sum();
            assert!((cost - want).abs() < 1e-14, "{cost} {want}");
        }
    }

    #[test]
    fn all_rows_count() {
        let at = |k: f64, i: usize| (k * i as f64 + 0.3).sin();
        let [d, x, v] = [0.7, 2.1, 1.3].map(|k| (0..11).map(|i| at(k, i)).collect::<Vec<f64>>());
        let got = parabolas(&d, &x, &v);
        for alpha in [0.0, 0.5, -2.0] {
            let cost = got[0] + alpha * got[1] + alpha * alpha * got[2];
            let want: f64 = (0..11).map(|i| 0.5 * d[i] * (x[i] + alpha * v[i]).powi(2)).sum();
            assert!((cost - want).abs() < 1e-14, "{cost} {want}");
        }
    }
}
