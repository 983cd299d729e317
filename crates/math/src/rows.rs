//! Products with rows of one length, stored one after the other. Lengths of six and twelve, those of contacts of one or
//! two free bodies, have loops of their own that stay in registers.

use crate::sparse;

/// Product of each row with `x`, summed as `dot` does.
#[inline(always)]
pub fn mul(res: &mut [f64], rows: &[f64], x: &[f64], dot: impl Fn(&[f64], &[f64]) -> f64) {
    match x.len() {
        0 => res.fill(0.0),
        6 => mul_of::<6>(res, rows, x, dot),
        12 => mul_of::<12>(res, rows, x, dot),
        n => res.iter_mut().zip(rows.chunks_exact(n)).for_each(|(r, row)| *r = dot(row, x)),
    }
}

#[inline(always)]
fn mul_of<const N: usize>(res: &mut [f64], rows: &[f64], x: &[f64], dot: impl Fn(&[f64], &[f64]) -> f64) {
    let Some(x) = x.first_chunk::<N>() else { return };
    res.iter_mut().zip(rows.as_chunks::<N>().0).for_each(|(r, row)| *r = dot(row, x));
}

/// Sum of all rows, each times its factor.
#[inline(always)]
pub fn sum(res: &mut [f64], rows: &[f64], factors: &[f64]) {
    match res.len() {
        0 => {}
        6 => sum_of::<6>(res, rows, factors),
        12 => sum_of::<12>(res, rows, factors),
        n => {
            res.fill(0.0);
            let active = factors.iter().zip(rows.chunks_exact(n)).filter(|(f, _)| **f != 0.0);
            active.for_each(|(&f, row)| sparse::add_scaled(res, row, f));
        }
    }
}

#[inline(always)]
fn sum_of<const N: usize>(res: &mut [f64], rows: &[f64], factors: &[f64]) {
    let mut sum = [0.0; N];
    for (f, row) in factors.iter().zip(rows.as_chunks::<N>().0) {
        (0..N).for_each(|k| sum[k] += row[k] * f);
    }
    res.copy_from_slice(&sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor;

    #[test]
    fn every_length_agrees_with_plain_sums() {
        for n in [0, 1, 3, 6, 7, 12, 13] {
            let rows: Vec<f64> = (0..5 * n).map(|i| (1.7 * i as f64).sin()).collect();
            let x: Vec<f64> = (0..n).map(|i| (0.3 + i as f64).cos()).collect();
            let mut res = [f64::NAN; 5];
            mul(&mut res, &rows, &x, factor::dot);
            let mut back = vec![f64::NAN; n];
            let factors = [0.5, 0.0, -2.0, 1.0, 0.25];
            sum(&mut back, &rows, &factors);
            for r in 0..5 {
                let want: f64 = (0..n).map(|c| rows[r * n + c] * x[c]).sum();
                assert!((res[r] - want).abs() < 1e-14);
            }
            for c in 0..n {
                let want: f64 = (0..5).map(|r| rows[r * n + c] * factors[r]).sum();
                assert!((back[c] - want).abs() < 1e-14);
            }
        }
    }
}
