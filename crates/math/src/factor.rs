//! Factorisations and solves: LᵀDL of matrices with tree sparsity, and small dense Cholesky.

use crate::MINVAL;
use crate::sparse;
pub use crate::tree::{factor_ldl, solve_ldl, solve_lt};

/// Dense Cholesky factor `U` of `UᵀU`, in place in the upper triangle of the row-major `n × n` matrix; a diagonal below
/// `mindiag` is raised to it. Returns the rank: the number of diagonals that were not raised.
///
/// With the upper triangle, every inner loop runs over contiguous memory.
#[doc(alias = "mju_cholFactor")]
#[inline(always)]
pub fn chol_factor(mat: &mut [f64], n: usize, mindiag: f64) -> usize {
    let mut rank = n;
    for k in 0..n {
        let (head, below) = mat.split_at_mut((k + 1) * n);
        let row = &mut head[k * n + k..];
        if row[0] < mindiag {
            row[0] = mindiag;
            rank -= 1;
        }
        let root = row[0].sqrt();
        let inv = 1.0 / root;
        row[0] = root;
        let right = &mut row[1..];
        right.iter_mut().for_each(|v| *v *= inv);
        for (j, &scale) in right.iter().enumerate() {
            if scale != 0.0 {
                sparse::add_scaled(&mut below[j * n + k + 1 + j..(j + 1) * n], &right[j..], -scale);
            }
        }
    }
    rank
}

/// Solves `UᵀU x = x` in place with the factor of [`chol_factor`].
#[doc(alias = "mju_cholSolve")]
#[inline(always)]
pub fn chol_solve(x: &mut [f64], mat: &[f64], n: usize) {
    for i in 0..n {
        let row = &mat[i * n + i..(i + 1) * n];
        let (head, tail) = x.split_at_mut(i + 1);
        head[i] /= row[0];
        sparse::add_scaled(tail, &row[1..], -head[i]);
    }
    for i in (0..n).rev() {
        let row = &mat[i * n + i..(i + 1) * n];
        let (head, tail) = x.split_at_mut(i + 1);
        head[i] = (head[i] - dot(&row[1..], tail)) / row[0];
    }
}

/// Updates (`add`) or downdates the factor in place to that of `UᵀU ± x xᵀ`; overwrites `x`. Returns the rank as
/// [`chol_factor`] does.
#[doc(alias = "mju_cholUpdate")]
pub fn chol_update(mat: &mut [f64], x: &mut [f64], add: bool) -> usize {
    let n = x.len();
    let mut rank = n;
    let sign = if add { 1.0 } else { -1.0 };
    for k in 0..n {
        if x[k] == 0.0 {
            continue;
        }
        let row = &mut mat[k * n + k..(k + 1) * n];
        let diag = row[0];
        let mut square = diag * diag + sign * x[k] * x[k];
        if square < MINVAL {
            square = MINVAL;
            rank -= 1;
        }
        row[0] = square.sqrt();
        let (c, s) = (row[0] / diag, x[k] / diag);
        let (inv, change) = (1.0 / c, sign * s);
        for (v, x) in row[1..].iter_mut().zip(&mut x[k + 1..]) {
            *v = (*v + change * *x) * inv;
            *x = c * *x - s * *v;
        }
    }
    rank
}

/// Dense dot product with four partial sums, in the order of MuJoCo's SIMD code.
#[doc(alias = "mju_dot")]
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let ((a4, ar), (b4, br)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sum = [0.0; 4];
    for (x, y) in a4.iter().zip(b4) {
        for k in 0..4 {
            sum[k] += x[k] * y[k];
        }
    }
    add_tail((sum[0] + sum[2]) + (sum[1] + sum[3]), ar, br)
}

/// Adds the products of the up to three entries left after groups of four, as in [`dot`].
#[inline(always)]
pub fn add_tail(sum: f64, a: &[f64], b: &[f64]) -> f64 {
    match (a, b) {
        ([a0, a1, a2], [b0, b1, b2]) => sum + (a0 * b0 + a1 * b1 + a2 * b2),
        ([a0, a1], [b0, b1]) => sum + (a0 * b0 + a1 * b1),
        ([a0], [b0]) => sum + a0 * b0,
        _ => sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updated_factor_is_the_factor_of_the_sum() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let x = [0.0, -0.7, 0.4];
        let mut sum: [f64; 9] = std::array::from_fn(|k| a[k] + x[k / 3] * x[k % 3]);
        let mut l = a;
        chol_factor(&mut l, 3, MINVAL);
        assert_eq!(chol_update(&mut l, &mut x.clone(), true), 3);
        chol_factor(&mut sum, 3, MINVAL);
        for (r, c) in [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)] {
            assert!((l[3 * r + c] - sum[3 * r + c]).abs() < 1e-14);
        }
        assert_eq!(chol_update(&mut l, &mut x.clone(), false), 3);
        let mut first = a;
        chol_factor(&mut first, 3, MINVAL);
        for (r, c) in [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)] {
            assert!((l[3 * r + c] - first[3 * r + c]).abs() < 1e-14);
        }
    }

    #[test]
    fn cholesky_solves_and_counts_rank() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let x = [1.0, -2.0, 0.5];
        let mut y: [f64; 3] = std::array::from_fn(|i| (0..3).map(|j| a[3 * i + j] * x[j]).sum());
        let mut l = a;
        assert_eq!(chol_factor(&mut l, 3, MINVAL), 3);
        chol_solve(&mut y, &l, 3);
        for i in 0..3 {
            assert!((x[i] - y[i]).abs() < 1e-14);
        }
        let mut singular = [1.0, 1.0, 1.0, 1.0];
        assert_eq!(chol_factor(&mut singular, 2, MINVAL), 1);
    }
}
