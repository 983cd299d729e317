//! Symmetric matrices with tree sparsity: products and LᵀDL factors.
//!
//! Each row of such a matrix stores the ancestors of that row, then the row itself (lower triangle, diagonal last). The
//! LᵀDL factor has the same pattern, so it is computed in place. Featherstone, Rigid Body Dynamics Algorithms, 2008,
//! section 6.5.
//!
//! Rows are in depth-first order and stored contiguously. Dofs of a chain, each the parent of the next, share their
//! ancestors: their rows, each one longer than the one before, are multiplied and solved together.

use crate::by_count::{MOST, by_count};
use crate::sparse::{Pattern, Subset};
use wide::f64x2;

/// Whether the parent of a row is the row before it. In depth-first order, only a child is one level deeper than the
/// row before.
#[inline(always)]
fn follows_parent(p: Pattern, row: usize) -> bool {
    row > 0 && p.rownnz[row] == p.rownnz[row - 1] + 1
}

/// Rows of a chain, starting at the root, with `len` entries in the last.
#[inline(always)]
fn rows<const N: usize>(values: &[f64], len: usize) -> [&[f64]; N] {
    let mut rest = values;
    std::array::from_fn(|i| {
        let (row, after) = rest.split_at(len + 1 + i - N);
        rest = after;
        row
    })
}

/// Calls a function with the last row of each chain and its number of rows, from the last chain to the first.
#[inline(always)]
fn chains_back(p: Pattern, rows: Subset, mut each: impl FnMut(usize, usize)) {
    // a list contains whole trees
    let mut end = rows.len();
    while let Some(at) = end.checked_sub(1) {
        let last = rows.at(at);
        let count = (0..MOST - 1).take_while(|&i| follows_parent(p, last - i)).count() + 1;
        each(last, count);
        end = end.saturating_sub(count);
    }
}

/// [`chains_back`] from the first chain to the last.
#[inline(always)]
fn chains_forth(p: Pattern, rows: Subset, mut each: impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < rows.len() {
        let first = rows.at(at);
        let rest = (rows.len() - at).min(MOST);
        let count = (1..rest).take_while(|&i| follows_parent(p, first + i)).count() + 1;
        each(first + count - 1, count);
        at += count;
    }
}

/// `res = (L + Lᵀ − diag L) · x` for a matrix stored by its lower triangle.
#[doc(alias = "mju_mulSymVecSparse")]
pub fn mul_sym_vec(res: &mut [f64], mat: &[f64], p: Pattern, x: &[f64]) {
    let n = res.len();
    let x = &x[..n];
    if let Some(start) = p.single(n) {
        res.iter_mut().zip(x).zip(&mat[start..start + n]).for_each(|((r, x), d)| *r = d * x);
        return;
    }
    chains_forth(p, Subset::All(n), |last, count| by_count!(count, multiply(res, mat, p, x, last)));
}

/// Multiplies with the rows of a chain, and adds their transposed part to the results of its ancestors.
#[inline(always)]
fn multiply<const N: usize>(res: &mut [f64], mat: &[f64], p: Pattern, x: &[f64], last: usize) {
    let first = last + 1 - N;
    let (start, len) = (p.rowadr[first] as usize, p.rownnz[last] as usize);
    let common = len - N;
    let chain = rows::<N>(&mat[start..], len);
    let own: [f64; N] = std::array::from_fn(|i| x[first + i]);
    let mut sum: [f64; N] = std::array::from_fn(|i| chain[i][common + i] * own[i]);
    for i in 1..N {
        for j in 0..i {
            let v = chain[i][common + j];
            sum[i] += v * own[j];
            sum[j] += v * own[i];
        }
    }
    let heads = chain.map(|row| &row[..common]);
    let from = p.rowadr[last] as usize;
    for (k, &c) in p.colind[from..from + common].iter().enumerate() {
        let (x, res) = (x[c as usize], &mut res[c as usize]);
        let mut total = *res;
        for i in 0..N {
            sum[i] += heads[i][k] * x;
            total += heads[i][k] * own[i];
        }
        *res = total;
    }
    res[first..=last].copy_from_slice(&sum);
}

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
        // the row of the `a`-th ancestor has the first `a + 1` columns of this one; two ancestors at a time
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
            // the unscaled values are no longer needed
            (row[a], row[a + 1]) = (-scale[1], -scale[0]);
        }
        if a == 1 {
            // same operations as above: equal rows then cancel exactly, and a singular matrix is detected
            let own = row[0] * inv;
            above[p.rowadr[cols[0] as usize] as usize] -= row[0] * own;
            row[0] = own;
        }
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
    chains_forth(p, rows, |last, count| by_count!(count, solve_forth(x, ld, diaginv, p, last)));
}

/// Solves for the unknowns of a chain in `D L x = x`, after those of its ancestors.
#[inline(always)]
fn solve_forth<const N: usize>(x: &mut [f64], ld: &[f64], diaginv: &[f64], p: Pattern, last: usize) {
    let first = last + 1 - N;
    let (start, len) = (p.rowadr[first] as usize, p.rownnz[last] as usize);
    let common = len - N;
    let chain = rows::<N>(&ld[start..], len);
    let from = p.rowadr[last] as usize;
    let heads = chain.map(|row| &row[..common]);
    let mut sum = [0.0; N];
    for (k, &c) in p.colind[from..from + common].iter().enumerate() {
        let x = x[c as usize];
        for i in 0..N {
            sum[i] += heads[i][k] * x;
        }
    }
    let mut own: [f64; N] = std::array::from_fn(|i| x[first + i] * diaginv[first + i] - sum[i]);
    for i in 1..N {
        for j in 0..i {
            own[i] -= chain[i][common + j] * own[j];
        }
    }
    x[first..=last].copy_from_slice(&own);
}

/// Solves `Lᵀ x = x` in place.
pub fn solve_lt(x: &mut [f64], ld: &[f64], p: Pattern, rows: Subset) {
    chains_back(p, rows, |last, count| by_count!(count, solve_back(x, ld, p, last)));
}

/// Solves for the unknowns of a chain in `Lᵀ x = x`, after those of its descendants, and subtracts their contributions
/// from its ancestors.
#[inline(always)]
fn solve_back<const N: usize>(x: &mut [f64], ld: &[f64], p: Pattern, last: usize) {
    let first = last + 1 - N;
    let (start, len) = (p.rowadr[first] as usize, p.rownnz[last] as usize);
    let common = len - N;
    let chain = rows::<N>(&ld[start..], len);
    let mut own: [f64; N] = std::array::from_fn(|i| x[first + i]);
    if own == [0.0; N] {
        return;
    }
    for i in (0..N).rev() {
        for j in 0..i {
            own[j] -= chain[i][common + j] * own[i];
        }
        x[first + i] = own[i];
    }
    let heads = chain.map(|row| &row[..common]);
    let from = p.rowadr[last] as usize;
    for (k, &c) in p.colind[from..from + common].iter().enumerate() {
        let x = &mut x[c as usize];
        let mut sum = *x;
        for i in (0..N).rev() {
            sum -= heads[i][k] * own[i];
        }
        *x = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chains of one to seven rows: 0 ← … ← 6, 2 ← 7 ← 8 ← 9, 2 ← 10, and a second tree 11 ← 12.
    const PARENT: [Option<usize>; 13] = [
        None,
        Some(0),
        Some(1),
        Some(2),
        Some(3),
        Some(4),
        Some(5),
        Some(2),
        Some(7),
        Some(8),
        Some(2),
        None,
        Some(11),
    ];

    #[test]
    fn solutions_give_the_products_back() {
        let (mut rownnz, mut rowadr, mut colind, mut mat) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut dense = [[0.0; 13]; 13];
        for row in 0..13 {
            let mut cols: Vec<usize> = std::iter::successors(Some(row), |&r| PARENT[r]).collect();
            cols.reverse();
            rowadr.push(colind.len() as i32);
            rownnz.push(cols.len() as i32);
            for c in cols {
                let v = if c == row { 5.0 + 0.1 * row as f64 } else { (0.7 * (3 * row + c) as f64).sin() };
                (dense[row][c], dense[c][row]) = (v, v);
                colind.push(c as i32);
                mat.push(v);
            }
        }
        let p = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
        let x: [f64; 13] = std::array::from_fn(|i| (1.3 * i as f64).cos());
        let mut y = [0.0; 13];
        mul_sym_vec(&mut y, &mat, p, &x);
        for r in 0..13 {
            let want: f64 = (0..13).map(|c| dense[r][c] * x[c]).sum();
            assert!((y[r] - want).abs() < 1e-13, "row {r}");
        }
        let second = [11, 12];
        for rows in [Subset::All(13), Subset::Listed(&second)] {
            let (mut ld, mut inv, mut z) = (mat.clone(), [0.0; 13], y);
            factor_ldl(&mut ld, &mut inv, p, rows);
            solve_ldl(&mut z, &ld, &inv, p, rows);
            assert!(rows.iter().all(|i| (x[i] - z[i]).abs() < 1e-13), "{z:?}");
        }
    }
}
