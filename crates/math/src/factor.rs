//! Factors and solves: LᵀDL of a matrix whose sparsity is a tree, and small dense Cholesky.
//!
//! A tree-sparse symmetric matrix stores, for each row, the ancestors of that row and then itself
//! (lower triangle, diagonal last). Its LᵀDL factor has the same pattern, so it is computed in place.
//! Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5.

use crate::MINVAL;
use crate::sparse::{self, Pattern, Subset};
use wide::f64x2;

/// Factors `mat = Lᵀ D L` in place: the unit lower triangle `L` below, `D` on the diagonal.
/// `diaginv` receives `1/D`.
#[doc(alias = "mj_factorI")]
pub fn factor_ldl(mat: &mut [f64], diaginv: &mut [f64], p: Pattern, rows: Subset) {
    match rows {
        Subset::All(n) => factor_rows(mat, diaginv, p, (0..n).rev()),
        Subset::Listed(list) => factor_rows(mat, diaginv, p, list.iter().rev().map(|&i| i as usize)),
    }
}

#[inline(always)]
fn factor_rows(mat: &mut [f64], diaginv: &mut [f64], p: Pattern, rows: impl Iterator<Item = usize>) {
    for k in rows {
        let start = p.rowadr[k] as usize;
        let diag = p.rownnz[k] as usize - 1;
        if diag == 0 {
            diaginv[k] = 1.0 / mat[start];
            continue;
        }
        let (above, rest) = mat.split_at_mut(start);
        let row = &mut rest[..=diag];
        let inv = 1.0 / row[diag];
        diaginv[k] = inv;
        // the row of the `a`-th ancestor has the first `a + 1` columns of this one; two at a time
        let cols = &p.colind[start..start + diag];
        let mut a = diag;
        while a >= 2 {
            a -= 2;
            let [far, near] = [cols[a], cols[a + 1]].map(|c| p.rowadr[c as usize] as usize);
            let scale = [-row[a + 1] * inv, -row[a] * inv];
            let (head, tail) = above.split_at_mut(near);
            let near_row = &mut tail[..a + 2];
            add_two(&mut near_row[..=a], &mut head[far..=far + a], &row[..=a], scale);
            near_row[a + 1] += row[a + 1] * scale[0];
        }
        if a == 1 {
            // as above: equal rows then cancel exactly, and a singular matrix shows as one
            above[p.rowadr[cols[0] as usize] as usize] -= row[0] * (row[0] * inv);
        }
        scale_by(&mut row[..diag], inv);
    }
}

/// `x += s₀ v`, `y += s₁ v`, all of the same length.
#[inline(always)]
fn add_two(x: &mut [f64], y: &mut [f64], v: &[f64], s: [f64; 2]) {
    let n = v.len();
    let ((x2, x1), (y2, y1)) = (x[..n].as_chunks_mut::<2>(), y[..n].as_chunks_mut::<2>());
    let (v2, v1) = v.as_chunks::<2>();
    let [sx, sy] = s.map(f64x2::splat);
    for ((x, y), v) in x2.iter_mut().zip(y2).zip(v2) {
        let v = f64x2::from(*v);
        *x = (f64x2::from(*x) + v * sx).to_array();
        *y = (f64x2::from(*y) + v * sy).to_array();
    }
    if let ([x], [y], [v]) = (x1, y1, v1) {
        *x += v * s[0];
        *y += v * s[1];
    }
}

/// `x *= s`.
#[inline(always)]
fn scale_by(x: &mut [f64], s: f64) {
    let (x2, x1) = x.as_chunks_mut::<2>();
    for x in x2 {
        *x = (f64x2::from(*x) * f64x2::splat(s)).to_array();
    }
    x1.iter_mut().for_each(|x| *x *= s);
}

/// Solves `Lᵀ D L x = x` in place.
#[doc(alias = "mj_solveLD")]
pub fn solve_ldl(x: &mut [f64], ld: &[f64], diaginv: &[f64], p: Pattern, rows: Subset) {
    if let Subset::All(n) = rows
        && p.single(n).is_some()
    {
        x[..n].iter_mut().zip(diaginv).for_each(|(x, inv)| *x *= inv);
        return;
    }
    solve_lt(x, ld, p, rows);
    match rows {
        Subset::All(n) => solve_l(x, ld, diaginv, p, 0..n),
        Subset::Listed(list) => solve_l(x, ld, diaginv, p, list.iter().map(|&i| i as usize)),
    }
}

/// Solves `D L x = x` in place: ancestors come before their descendants.
#[inline(always)]
fn solve_l(x: &mut [f64], ld: &[f64], diaginv: &[f64], p: Pattern, rows: impl Iterator<Item = usize>) {
    for i in rows {
        let start = p.rowadr[i] as usize;
        let end = start + p.rownnz[i] as usize - 1;
        let own = x[i] * diaginv[i];
        x[i] = if end > start { own - sparse::dot(&ld[start..end], &p.colind[start..end], x) } else { own };
    }
}

/// Solves `Lᵀ x = x` in place.
pub fn solve_lt(x: &mut [f64], ld: &[f64], p: Pattern, rows: Subset) {
    match rows {
        Subset::All(n) => solve_lt_rows(x, ld, p, (0..n).rev()),
        Subset::Listed(list) => solve_lt_rows(x, ld, p, list.iter().rev().map(|&i| i as usize)),
    }
}

#[inline(always)]
fn solve_lt_rows(x: &mut [f64], ld: &[f64], p: Pattern, rows: impl Iterator<Item = usize>) {
    for i in rows {
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

/// Dense Cholesky factor `U` of `UᵀU`, in the upper triangle of the row-major `n × n` matrix, in place; a
/// diagonal below `mindiag` is raised to it. Returns the rank, the number of diagonals that were not raised.
///
/// The upper triangle keeps every inner loop on contiguous memory.
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
        for (j, lower) in below.chunks_exact_mut(n).enumerate() {
            let scale = right[j];
            if scale != 0.0 {
                sparse::add_scaled(&mut lower[k + 1 + j..], &right[j..], -scale);
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

/// Factor of `UᵀU ± x xᵀ` in place, adding or subtracting; `x` is used up. Returns the rank as
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
