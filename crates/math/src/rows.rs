//! Products with rows of equal length, stored contiguously; up to four rows at a time. The lengths six and twelve, of
//! contacts of one or two free bodies, have separate loops that stay in registers.

use crate::by_count::{MOST, by_count};
use wide::f64x4;

/// Iterates over rows of `n` values. Unlike `chunks_exact`, it needs no division, which would take as long as a short
/// row.
#[inline(always)]
pub fn each<T>(values: &[T], n: usize) -> impl Iterator<Item = &[T]> {
    let mut rest = values;
    std::iter::from_fn(move || {
        let (row, after) = rest.split_at_checked(n).filter(|(row, _)| !row.is_empty())?;
        rest = after;
        Some(row)
    })
}

/// Product of each row with `x`, in four partial sums; `end` adds the products of the last up to three entries.
#[inline(always)]
pub fn mul(res: &mut [f64], rows: &[f64], x: &[f64], end: impl Fn(f64, &[f64], &[f64]) -> f64 + Copy) {
    match x.len() {
        0 => res.fill(0.0),
        6 => mul_of::<6>(res, rows, x, end),
        12 => mul_of::<12>(res, rows, x, end),
        _ => mul_all(res, rows, x, end),
    }
}

#[inline(always)]
fn mul_of<const N: usize>(res: &mut [f64], rows: &[f64], x: &[f64], end: impl Fn(f64, &[f64], &[f64]) -> f64 + Copy) {
    if let Some(x) = x.first_chunk::<N>() {
        mul_all(res, rows, x, end);
    }
}

#[inline(always)]
fn mul_all(res: &mut [f64], rows: &[f64], x: &[f64], end: impl Fn(f64, &[f64], &[f64]) -> f64 + Copy) {
    let mut rest = rows;
    // `chunks` with a non-constant length would need a division
    for res in res.chunks_mut(MOST) {
        let (rows, after) = rest.split_at(res.len() * x.len());
        rest = after;
        by_count!(res.len(), mul_some(res, rows, x, end));
    }
}

#[inline(always)]
fn mul_some<const R: usize>(res: &mut [f64], rows: &[f64], x: &[f64], end: impl Fn(f64, &[f64], &[f64]) -> f64) {
    let (x4, x1) = x.as_chunks::<4>();
    let rows: [_; R] = std::array::from_fn(|i| rows[i * x.len()..(i + 1) * x.len()].as_chunks::<4>());
    let heads = rows.map(|row| &row.0[..x4.len()]);
    let mut sum = [f64x4::ZERO; R];
    for (k, x) in x4.iter().enumerate() {
        let x = f64x4::from(*x);
        for i in 0..R {
            sum[i] += f64x4::from(heads[i][k]) * x;
        }
    }
    for i in 0..R {
        let [a, b, c, d] = sum[i].to_array();
        res[i] = end((a + c) + (b + d), rows[i].1, x1);
    }
}

/// Linear combination of rows: `Σ factor · row`.
#[inline(always)]
pub fn sum(res: &mut [f64], rows: &[f64], factors: &[f64]) {
    match res.len() {
        0 => {}
        6 => sum_of::<6>(res, rows, factors),
        12 => sum_of::<12>(res, rows, factors),
        n => {
            res.fill(0.0);
            let mut rest = rows;
            for factors in factors.chunks(MOST) {
                let (rows, after) = rest.split_at(factors.len() * n);
                rest = after;
                by_count!(factors.len(), add_some(res, rows, factors));
            }
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

/// `res += Σ f v` over `R` rows `v`.
#[inline(always)]
fn add_some<const R: usize>(res: &mut [f64], rows: &[f64], factors: &[f64]) {
    let n = res.len();
    let f: [f64; R] = std::array::from_fn(|i| factors[i]);
    if f == [0.0; R] {
        return;
    }
    let rows: [_; R] = std::array::from_fn(|i| rows[i * n..(i + 1) * n].as_chunks::<4>());
    let (res4, res1) = res.as_chunks_mut::<4>();
    let heads = rows.map(|row| &row.0[..res4.len()]);
    for (k, res) in res4.iter_mut().enumerate() {
        let mut sum = f64x4::from(*res);
        for i in 0..R {
            sum += f64x4::from(heads[i][k]) * f64x4::splat(f[i]);
        }
        *res = sum.to_array();
    }
    let tails = rows.map(|row| &row.1[..res1.len()]);
    for (k, res) in res1.iter_mut().enumerate() {
        for i in 0..R {
            *res += tails[i][k] * f[i];
        }
    }
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
            mul(&mut res, &rows, &x, factor::add_tail);
            let each: Vec<f64> = (0..5).map(|r| factor::dot(&rows[r * n..(r + 1) * n], &x)).collect();
            assert_eq!(res[..], each);
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
