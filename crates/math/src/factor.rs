//! Factors and solves: LᵀDL of a matrix whose sparsity is a tree, and small dense Cholesky.
//!
//! A tree-sparse symmetric matrix stores, for each row, the ancestors of that row and then itself
//! (lower triangle, diagonal last). Its LᵀDL factor has the same pattern, so it is computed in place.
//! Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5.

use crate::MINVAL;
use crate::sparse::{self, Pattern, Subset};

/// Factors `mat = Lᵀ D L` in place: the unit lower triangle `L` below, `D` on the diagonal.
/// `diaginv` receives `1/D`.
#[doc(alias = "mj_factorI")]
pub fn factor_ldl(mat: &mut [f64], diaginv: &mut [f64], p: Pattern, rows: Subset) {
    let mut left = rows.len();
    while left > 0 {
        left -= 1;
        let k = rows.at(left);
        // a row right above that is the parent goes along: half the visits to the rows of their ancestors
        let parent = left > 0 && rows.at(left - 1) + 1 == k && p.rownnz[k] > 1;
        if parent && p.colind[p.range(k).end - 2] as usize + 1 == k {
            left -= 1;
            eliminate_two(mat, diaginv, p, k);
        } else {
            eliminate_one(mat, diaginv, p, k);
        }
    }
}

/// Removes row `k` from the rows of its ancestors.
#[inline]
fn eliminate_one(mat: &mut [f64], diaginv: &mut [f64], p: Pattern, k: usize) {
    let start = p.rowadr[k] as usize;
    let n = p.rownnz[k] as usize - 1;
    let (above, rest) = mat.split_at_mut(start);
    let row = &mut rest[..=n];
    let inv = 1.0 / row[n];
    diaginv[k] = inv;
    for (a, &i) in p.colind[start..start + n].iter().enumerate().rev() {
        let adr = p.rowadr[i as usize] as usize;
        sparse::add_scaled(&mut above[adr..=adr + a], &row[..=a], -row[a] * inv);
    }
    row[..n].iter_mut().for_each(|v| *v *= inv);
}

/// Removes row `k` and the row of its parent, which is stored before it, from the rows of their ancestors.
#[inline]
fn eliminate_two(mat: &mut [f64], diaginv: &mut [f64], p: Pattern, k: usize) {
    let n = p.rownnz[k] as usize - 2;
    let (start0, start1) = (p.rowadr[k - 1] as usize, p.rowadr[k] as usize);
    let (above, rest) = mat.split_at_mut(start0);
    let (row0, row1) = rest.split_at_mut(start1 - start0);
    let (row0, row1) = (&mut row0[..=n], &mut row1[..n + 2]);
    let inv1 = 1.0 / row1[n + 1];
    sparse::add_scaled(row0, &row1[..=n], -row1[n] * inv1);
    let inv0 = 1.0 / row0[n];
    (diaginv[k - 1], diaginv[k]) = (inv0, inv1);
    for (a, &i) in p.colind[start0..start0 + n].iter().enumerate().rev() {
        let adr = p.rowadr[i as usize] as usize;
        let (f0, f1) = (-row0[a] * inv0, -row1[a] * inv1);
        // two at a time, so that what one row stores the next loads in the same pieces
        let (pairs, single) = above[adr..=adr + a].as_chunks_mut::<2>();
        let ((x0, last0), (x1, last1)) = (row0[..=a].as_chunks::<2>(), row1[..=a].as_chunks::<2>());
        for ((y, x0), x1) in pairs.iter_mut().zip(x0).zip(x1) {
            *y = [(y[0] + x1[0] * f1) + x0[0] * f0, (y[1] + x1[1] * f1) + x0[1] * f0];
        }
        if let ([y], [x0], [x1]) = (single, last0, last1) {
            *y = (*y + x1 * f1) + x0 * f0;
        }
    }
    row0[..n].iter_mut().for_each(|v| *v *= inv0);
    row1[..=n].iter_mut().for_each(|v| *v *= inv1);
}

/// Solves `Lᵀ D L x = x` in place.
#[doc(alias = "mj_solveLD")]
pub fn solve_ldl(x: &mut [f64], ld: &[f64], diaginv: &[f64], p: Pattern, rows: Subset) {
    solve_lt(x, ld, p, rows);
    for i in rows.iter() {
        x[i] *= diaginv[i];
    }
    for i in rows.iter() {
        let start = p.rowadr[i] as usize;
        let end = start + p.rownnz[i] as usize - 1;
        if end > start {
            x[i] -= sparse::dot(&ld[start..end], &p.colind[start..end], x);
        }
    }
}

/// Solves `Lᵀ x = x` in place.
pub fn solve_lt(x: &mut [f64], ld: &[f64], p: Pattern, rows: Subset) {
    for i in rows.iter().rev() {
        let start = p.rowadr[i] as usize;
        let end = start + p.rownnz[i] as usize - 1;
        let xi = x[i];
        if end > start && xi != 0.0 {
            for (&v, &c) in ld[start..end].iter().zip(&p.colind[start..end]) {
                x[c as usize] -= v * xi;
            }
        }
    }
}

/// Dense Cholesky factor `L` in the lower triangle of the row-major `n × n` matrix, in place; a diagonal
/// below `mindiag` is raised to it. Returns the rank, the number of diagonals that were not raised.
#[doc(alias = "mju_cholFactor")]
pub fn chol_factor(mat: &mut [f64], n: usize, mindiag: f64) -> usize {
    let mut rank = n;
    for j in 0..n {
        let (above, below) = mat.split_at_mut((j + 1) * n);
        let row = &mut above[j * n..j * n + j + 1];
        let mut diag = row[j];
        if j > 0 {
            diag -= dot(&row[..j], &row[..j]);
        }
        if diag < mindiag {
            diag = mindiag;
            rank -= 1;
        }
        row[j] = diag.sqrt();
        let inv = 1.0 / row[j];
        for lower in below.chunks_exact_mut(n) {
            lower[j] = (lower[j] - dot(&row[..j], &lower[..j])) * inv;
        }
    }
    rank
}

/// Solves `L Lᵀ x = x` in place with the factor of [`chol_factor`].
#[doc(alias = "mju_cholSolve")]
pub fn chol_solve(x: &mut [f64], mat: &[f64], n: usize) {
    for i in 0..n {
        let row = &mat[i * n..i * n + i + 1];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
    for i in (0..n).rev() {
        let mut v = x[i];
        for j in i + 1..n {
            v -= mat[j * n + i] * x[j];
        }
        x[i] = v / mat[i * n + i];
    }
}

/// Factor of `L Lᵀ ± x xᵀ` in place, adding or subtracting; `x` is used up. Returns the rank as
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
        let diag = mat[k * n + k];
        let mut square = diag * diag + sign * x[k] * x[k];
        if square < MINVAL {
            square = MINVAL;
            rank -= 1;
        }
        let root = square.sqrt();
        let (c, s) = (root / diag, x[k] / diag);
        let inv = 1.0 / c;
        mat[k * n + k] = root;
        for i in k + 1..n {
            let v = &mut mat[i * n + k];
            *v = (*v + sign * s * x[i]) * inv;
            x[i] = c * x[i] - s * *v;
        }
    }
    rank
}

/// Dense dot product with four running sums, in the order MuJoCo's vector units use.
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
    let res = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    match (ar, br) {
        ([a0, a1, a2], [b0, b1, b2]) => res + (a0 * b0 + a1 * b1 + a2 * b2),
        ([a0, a1], [b0, b1]) => res + (a0 * b0 + a1 * b1),
        ([a0], [b0]) => res + a0 * b0,
        _ => res,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tree 0 ← 1 ← 2, 1 ← 3, and 4 alone.
    const P: Pattern =
        Pattern { rownnz: &[1, 2, 3, 3, 1], rowadr: &[0, 1, 3, 6, 9], colind: &[0, 0, 1, 0, 1, 2, 0, 1, 3, 4] };

    #[test]
    fn tree_solve_inverts_the_product() {
        let mat = [4.0, 1.0, 5.0, 0.5, -0.3, 3.0, 0.2, 0.7, 2.0, 1.5];
        let x = [1.0, -2.0, 0.5, 3.0, 0.25];
        let mut y = [0.0; 5];
        sparse::mul_sym_vec(&mut y, &mat, P, &x);
        let (mut ld, mut inv) = (mat, [0.0; 5]);
        factor_ldl(&mut ld, &mut inv, P, Subset::All(5));
        solve_ldl(&mut y, &ld, &inv, P, Subset::All(5));
        for i in 0..5 {
            assert!((x[i] - y[i]).abs() < 1e-14, "{y:?}");
        }
    }

    #[test]
    fn updated_factor_is_the_factor_of_the_sum() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let x = [0.0, -0.7, 0.4];
        let mut sum: [f64; 9] = std::array::from_fn(|k| a[k] + x[k / 3] * x[k % 3]);
        let mut l = a;
        chol_factor(&mut l, 3, MINVAL);
        assert_eq!(chol_update(&mut l, &mut x.clone(), true), 3);
        chol_factor(&mut sum, 3, MINVAL);
        for (r, c) in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)] {
            assert!((l[3 * r + c] - sum[3 * r + c]).abs() < 1e-14);
        }
        assert_eq!(chol_update(&mut l, &mut x.clone(), false), 3);
        let mut first = a;
        chol_factor(&mut first, 3, MINVAL);
        for (r, c) in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)] {
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
