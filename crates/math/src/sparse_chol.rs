//! Sparse Cholesky `H = LᵀL`, eliminating from the last row to the first.
//!
//! In that order a matrix whose sparsity is a tree (each row holds its ancestors) fills in nowhere, and one made
//! of a tree and a few couplings fills in little. Davis, Direct Methods for Sparse Linear Systems, 2006,
//! chapter 4, with rows and columns reversed.

use crate::MINVAL;
use crate::factor::{add_four, add_pair};
use crate::lanes::{self, LANES, Lane};
use crate::sparse::{self, Pattern};
use std::ops::Range;

/// A lower triangle in compressed rows, diagonal last: `H` while it is assembled, then its factor `L`.
#[derive(Clone, Debug, Default)]
pub struct SparseChol {
    /// First entry of each row; rows are stored from the last to the first.
    adr: Vec<usize>,
    /// Entries of each row.
    len: Vec<usize>,
    cols: Vec<i32>,
    values: Vec<f64>,
    /// Inverse diagonal of the factor.
    inv: Vec<f64>,
    /// Another factor with the same sparsity.
    other: Vec<f64>,
    /// Its inverse diagonal.
    other_inv: Vec<f64>,
    /// Rows whose fill goes to the same row, as linked lists.
    children: Lists,
    /// Couplings with the same last column, as linked lists.
    couplings: Lists,
    /// Row in which a column was last seen.
    seen: Vec<i32>,
    /// What the sparsity was found from.
    key: Vec<i32>,
    /// Sums of a row before they go to their columns.
    sums: Vec<f64>,
    /// Entries that couplings have.
    coupled: usize,
}

/// Linked lists of indices, −1 at the end.
#[derive(Clone, Debug, Default)]
struct Lists {
    first: Vec<i32>,
    next: Vec<i32>,
}

impl Lists {
    fn reset(&mut self, lists: usize, items: usize) {
        self.first.clear();
        self.first.resize(lists, -1);
        self.next.clear();
        self.next.resize(items, -1);
    }

    fn push(&mut self, list: usize, item: usize) {
        self.next[item] = self.first[list];
        self.first[list] = item as i32;
    }

    fn iter(&self, list: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = self.first[list];
        std::iter::from_fn(move || {
            let item = usize::try_from(at).ok()?;
            at = self.next[item];
            Some(item)
        })
    }
}

/// Factors nested rows, the first of length `len`, among themselves. Their inverse diagonals go to `inv`, in reverse.
/// Returns how many diagonals were raised.
fn factor_nested(rows: &mut [f64], len: usize, inv: &mut [f64]) -> usize {
    let count = inv.len();
    let mut raised = 0;
    let mut rest = rows;
    for (i, inv) in inv.iter_mut().rev().enumerate() {
        let (row, others) = rest.split_at_mut(len - i);
        let diag = row.len() - 1;
        if row[diag] < MINVAL {
            row[diag] = MINVAL;
            raised += 1;
        }
        let root = row[diag].sqrt();
        *inv = 1.0 / root;
        row[diag] = root;
        row[..diag].iter_mut().for_each(|v| *v *= *inv);
        let mut at = 0;
        for j in i + 1..count {
            let size = len - j;
            sparse::add_scaled(&mut others[at..at + size], &row[..size], -row[size - 1]);
            at += size;
        }
        rest = others;
    }
    raised
}

/// Nested rows that are factored: each is one shorter than the one before.
struct Nested<'a> {
    rows: &'a [f64],
    /// Columns of the first.
    cols: &'a [i32],
    len: usize,
    count: usize,
}

impl Nested<'_> {
    /// Subtracts `Σ v_k v` from `target`, the first `k + 1` entries of the row of column `k`.
    #[inline(always)]
    fn subtract(&self, k: usize, target: &mut [f64]) {
        let (v0, rest) = self.rows.split_at(self.len);
        match self.count {
            1 => {
                if v0[k] != 0.0 {
                    sparse::add_scaled(target, &v0[..=k], -v0[k]);
                }
            }
            2 => {
                if v0[k] != 0.0 || rest[k] != 0.0 {
                    add_pair(target, [v0, rest], [-v0[k], -rest[k]]);
                }
            }
            _ => {
                let (v1, rest) = rest.split_at(self.len - 1);
                let (v2, v3) = rest.split_at(self.len - 2);
                let s = [-v0[k], -v1[k], -v2[k], -v3[k]];
                if s != [0.0; 4] {
                    add_four(target, [v0, v1, v2, v3], s);
                }
            }
        }
    }
}

impl SparseChol {
    /// Room for `n` rows, a number of couplings with a sum of columns, and `nnz` entries of the factor or of two, so
    /// that [`SparseChol::analyse`] need not allocate up to there.
    pub fn with_capacity(n: usize, [couplings, columns]: [usize; 2], nnz: usize, two: bool) -> Self {
        let other = usize::from(two);
        let key = 1 + n + nnz + couplings + columns;
        let lists = |items| Lists { first: Vec::with_capacity(n), next: Vec::with_capacity(items) };
        SparseChol {
            adr: Vec::with_capacity(n),
            len: Vec::with_capacity(n),
            cols: Vec::with_capacity(nnz),
            values: Vec::with_capacity(nnz),
            inv: Vec::with_capacity(n),
            other: Vec::with_capacity(other * nnz),
            other_inv: Vec::with_capacity(other * n),
            children: lists(n),
            couplings: lists(couplings),
            seen: Vec::with_capacity(n),
            key: Vec::with_capacity(key),
            sums: Vec::with_capacity(n),
            coupled: 0,
        }
    }

    /// Number of entries of the lower triangle of `Σ couplings`.
    pub fn coupled(&self) -> usize {
        self.coupled
    }

    /// Rough number of multiplications of [`SparseChol::factor`].
    pub fn work(&self) -> usize {
        self.len.iter().map(|&n| n * n / 2 + 16).sum()
    }

    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.cols.len()
    }

    fn range(&self, i: usize) -> Range<usize> {
        self.adr[i]..self.adr[i] + self.len[i]
    }

    /// Whether the sparsity was found for `n` rows and these columns.
    fn is_of<'a>(&self, n: usize, mut columns: impl Iterator<Item = &'a [i32]>) -> bool {
        let [size, rest @ ..] = &self.key[..] else { return false };
        let mut rest = rest;
        let same = columns.all(|cols| match rest.split_first() {
            Some((&len, after)) if len as usize == cols.len() && after.starts_with(cols) => {
                rest = &after[cols.len()..];
                true
            }
            _ => false,
        });
        same && *size == n as i32 && rest.is_empty()
    }

    /// Finds the sparsity of the factor of `tree + Σ couplings`; a coupling is a full block over `columns`, given
    /// in increasing order, of which there are `count`. What was found for the same matrix before is kept.
    pub fn analyse<'a>(&mut self, tree: Pattern<'a>, count: usize, columns: impl Fn(usize) -> &'a [i32]) {
        let n = tree.rows();
        let all = || (0..n).map(|r| tree.cols(r)).chain((0..count).map(&columns));
        if self.is_of(n, all()) {
            return;
        }
        self.key.clear();
        self.key.push(n as i32);
        for cols in all() {
            self.key.push(cols.len() as i32);
            self.key.extend_from_slice(cols);
        }
        self.adr.clear();
        self.adr.resize(n, 0);
        self.len.clear();
        self.len.resize(n, 0);
        self.seen.clear();
        self.seen.resize(n, -1);
        self.cols.clear();
        self.children.reset(n, n);
        self.couplings.reset(n, count);
        for k in 0..count {
            // rows of one contact come together and couple the same columns
            let repeats = k > 0 && columns(k) == columns(k - 1);
            if let (Some(&last), false) = (columns(k).last(), repeats) {
                self.couplings.push(last as usize, k);
            }
        }
        for r in (0..n).rev() {
            let start = self.cols.len();
            let (seen, cols) = (&mut self.seen, &mut self.cols);
            let mut add = |cols: &mut Vec<i32>, c: i32| {
                if seen[c as usize] != r as i32 {
                    seen[c as usize] = r as i32;
                    cols.push(c);
                }
            };
            tree.cols(r).iter().for_each(|&c| add(cols, c));
            self.couplings.iter(r).for_each(|k| columns(k).iter().for_each(|&c| add(cols, c)));
            for child in self.children.iter(r) {
                // all columns of the child but its own, which is last
                for at in self.adr[child]..self.adr[child] + self.len[child] - 1 {
                    add(cols, cols[at]);
                }
            }
            let row = &mut cols[start..];
            row.sort_unstable();
            if let [.., parent, _] = row {
                self.children.push(*parent as usize, r);
            }
            self.adr[r] = start;
            self.len[r] = row.len();
        }
        self.inv.clear();
        self.inv.resize(n, 0.0);
        self.values.clear();
        self.values.resize(self.cols.len(), 0.0);
        // entries of couplings are marked in the values, which are assembled later
        for k in 0..count {
            let cols = columns(k);
            for (a, &c) in cols.iter().enumerate() {
                let range = self.range(c as usize);
                let row = self.values[range.clone()].iter_mut().zip(&self.cols[range]);
                let mut next = cols[..=a].iter().peekable();
                row.for_each(|(v, c)| *v = if next.next_if_eq(&c).is_some() { 1.0 } else { *v });
            }
        }
        self.coupled = self.values.iter().filter(|v| **v != 0.0).count();
    }

    /// Sets all values to zero, to assemble anew.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds a symmetric matrix stored by its lower triangle.
    pub fn add_tree(&mut self, tree: Pattern, values: &[f64]) {
        for r in 0..tree.rows() {
            self.add_row(r, tree.cols(r), &values[tree.range(r)], 1.0);
        }
    }

    /// Adds `Σ w v vᵀ` for vectors `v` over the same `cols`, one after the other in `rows`, with `weights` `w`.
    pub fn add_block(&mut self, cols: &[i32], rows: &[f64], weights: &[f64]) {
        let k = cols.len();
        if weights.is_empty() || k == 0 {
            return;
        }
        let (rows4, rows1) = rows.split_at(weights.len() / 4 * 4 * k);
        let (weights4, weights1) = weights.as_chunks::<4>();
        for (a, &c) in cols.iter().enumerate() {
            let range = self.range(c as usize);
            let complete = range.len() == a + 1;
            let target = if complete {
                &mut self.values[range.clone()]
            } else {
                self.sums.clear();
                self.sums.resize(a + 1, 0.0);
                &mut self.sums[..]
            };
            for (v, w) in rows4.chunks_exact(4 * k).zip(weights4) {
                let (v0, v) = v.split_at(k);
                let (v1, v) = v.split_at(k);
                let (v2, v3) = v.split_at(k);
                add_four(target, [v0, v1, v2, v3], [w[0] * v0[a], w[1] * v1[a], w[2] * v2[a], w[3] * v3[a]]);
            }
            for (v, w) in rows1.chunks_exact(k).zip(weights1) {
                sparse::add_scaled(target, &v[..=a], w * v[a]);
            }
            if !complete {
                sparse::add_common(&mut self.values[range.clone()], &self.cols[range], &self.sums, &cols[..=a], 1.0);
            }
        }
    }

    /// Adds `s v` to row `r`, which has all columns of `v`.
    fn add_row(&mut self, r: usize, cols: &[i32], v: &[f64], s: f64) {
        let range = self.range(r);
        let row = &mut self.values[range.clone()];
        if row.len() == v.len() {
            sparse::add_scaled(row, v, s);
        } else {
            sparse::add_common(row, &self.cols[range], v, cols, s);
        }
    }

    /// Number of rows from `r` downwards, one, two or four, of which each has the columns of the one before but its
    /// last: they are stored one after the other and change other rows together.
    fn nested(&self, r: usize) -> usize {
        let mut count = 1;
        while count < 4 && r >= count && self.len[r - count] + count == self.len[r] {
            let at = self.adr[r] + self.len[r] - 1 - count;
            if self.cols[at] as usize != r - count {
                break;
            }
            count += 1;
        }
        if count == 3 { 2 } else { count }
    }

    /// Replaces the assembled matrix by its factor. Returns the rank, the number of diagonals that did not have
    /// to be raised to [`MINVAL`].
    #[doc(alias = "mju_cholFactorNumeric")]
    pub fn factor(&mut self) -> usize {
        let n = self.adr.len();
        let mut rank = n;
        let mut end = n;
        while let Some(r) = end.checked_sub(1) {
            let count = self.nested(r);
            end -= count;
            let (start, len) = (self.adr[r], self.len[r]);
            let (done, rest) = self.values.split_at_mut(self.adr[end] + self.len[end]);
            rank -= factor_nested(&mut done[start..], len, &mut self.inv[end..=r]);
            let rows = Nested { rows: &done[start..], cols: &self.cols[start..start + len], len, count };
            for k in (0..len - count).rev() {
                let c = rows.cols[k] as usize;
                let (at, size) = (self.adr[c], self.len[c]);
                let target = &mut rest[at - done.len()..at - done.len() + size];
                if size == k + 1 {
                    rows.subtract(k, target);
                } else {
                    self.sums.clear();
                    self.sums.resize(k + 1, 0.0);
                    rows.subtract(k, &mut self.sums);
                    sparse::add_common(target, &self.cols[at..at + size], &self.sums, &rows.cols[..=k], 1.0);
                }
            }
        }
        rank
    }

    /// Keeps a second factor, equal to the present one.
    pub fn save(&mut self) {
        self.other.clone_from(&self.values);
        self.other_inv.clone_from(&self.inv);
    }

    /// Exchanges the two factors.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.values, &mut self.other);
        std::mem::swap(&mut self.inv, &mut self.other_inv);
    }

    /// Solves `LᵀL x = x` in place.
    #[doc(alias = "mju_cholSolveSparse")]
    pub fn solve(&self, x: &mut [f64]) {
        self.solve_with(&self.values, &self.inv, x);
    }

    /// [`SparseChol::solve`] for several vectors.
    pub fn solve_lanes(&self, x: &mut [Lane]) {
        let n = self.adr.len();
        for r in (0..n).rev() {
            if x[r] == [0.0; LANES] {
                continue;
            }
            let range = self.range(r);
            let row = range.start..range.end - 1;
            let own = x[r].map(|v| v * self.inv[r]);
            x[r] = own;
            lanes::scatter(x, &self.values[row.clone()], &self.cols[row], &own);
        }
        for r in 0..n {
            let range = self.range(r);
            let row = range.start..range.end - 1;
            x[r] = lanes::gather(x, &self.values[row.clone()], &self.cols[row], x[r]).map(|v| v * self.inv[r]);
        }
    }

    /// [`SparseChol::solve`] with the second factor.
    pub fn solve_other(&self, x: &mut [f64]) {
        self.solve_with(&self.other, &self.other_inv, x);
    }

    fn solve_with(&self, values: &[f64], inv: &[f64], x: &mut [f64]) {
        let n = self.adr.len();
        for r in (0..n).rev() {
            if x[r] == 0.0 {
                continue;
            }
            let range = self.range(r);
            let last = range.end - 1;
            let xr = x[r] * inv[r];
            x[r] = xr;
            for (&v, &c) in values[range.start..last].iter().zip(&self.cols[range.start..last]) {
                x[c as usize] -= v * xr;
            }
        }
        for r in 0..n {
            let range = self.range(r);
            let last = range.end - 1;
            let row = range.start..last;
            x[r] = (x[r] - sparse::dot(&values[row.clone()], &self.cols[row], x)) * inv[r];
        }
    }

    /// Factor of `LᵀL ± x xᵀ`, adding or subtracting, for an `x` within the sparsity of a coupling whose last
    /// column is `last`; `x` is used up and left zero. Returns the rank as [`SparseChol::factor`] does.
    #[doc(alias = "mju_cholUpdateSparse")]
    pub fn update(&mut self, x: &mut [f64], last: usize, add: bool) -> usize {
        let mut rank = self.adr.len();
        let sign = if add { 1.0 } else { -1.0 };
        let mut next = Some(last);
        while let Some(k) = next {
            let range = self.range(k);
            let cols = &self.cols[range.clone()];
            let row = &mut self.values[range];
            let diag = row.len() - 1;
            next = diag.checked_sub(1).map(|p| cols[p] as usize);
            let xk = std::mem::take(&mut x[k]);
            if xk == 0.0 {
                continue;
            }
            let old = row[diag];
            let mut square = old * old + sign * xk * xk;
            if square < MINVAL {
                square = MINVAL;
                rank -= 1;
            }
            let root = square.sqrt();
            row[diag] = root;
            let scale = std::mem::replace(&mut self.inv[k], 1.0 / root);
            let (c, s) = (root * scale, xk * scale);
            let (inv, change) = (old * self.inv[k], sign * s);
            for (v, &col) in row[..diag].iter_mut().zip(cols) {
                let x = &mut x[col as usize];
                *v = (*v + change * *x) * inv;
                *x = c * *x - s * *v;
            }
        }
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor;

    /// Two trees, 0 ← 1 ← 2, 1 ← 3 and 4 ← 5, and a lone 6.
    const TREE: Pattern = Pattern {
        rownnz: &[1, 2, 3, 3, 1, 2, 1],
        rowadr: &[0, 1, 3, 6, 9, 10, 12],
        colind: &[0, 0, 1, 0, 1, 2, 0, 1, 3, 4, 4, 5, 6],
    };
    const MASS: [f64; 13] = [4.0, 1.0, 5.0, 0.5, -0.3, 3.0, 0.2, 0.7, 2.0, 1.5, 0.4, 2.5, 1.0];
    const COUPLINGS: [(&[i32], &[f64]); 3] =
        [(&[0, 1, 3, 4, 5], &[0.5, -1.0, 0.3, 0.8, -0.2]), (&[2, 3], &[1.0, -1.0]), (&[0, 6], &[0.3, 2.0])];

    fn dense(scale: [f64; 3]) -> Vec<f64> {
        let mut h = vec![0.0; 49];
        for r in 0..7 {
            for at in TREE.range(r) {
                let c = TREE.colind[at] as usize;
                h[7 * r + c] = MASS[at];
                h[7 * c + r] = MASS[at];
            }
        }
        for ((cols, v), s) in COUPLINGS.iter().zip(scale) {
            for (&a, x) in cols.iter().zip(*v) {
                for (&b, y) in cols.iter().zip(*v) {
                    h[7 * a as usize + b as usize] += s * x * y;
                }
            }
        }
        h
    }

    fn sparse_factor(scale: [f64; 3]) -> SparseChol {
        let mut chol = SparseChol::default();
        chol.analyse(TREE, COUPLINGS.len(), |k| COUPLINGS[k].0);
        chol.clear();
        chol.add_tree(TREE, &MASS);
        for ((cols, v), s) in COUPLINGS.iter().zip(scale) {
            // in five parts, four of them together
            chol.add_block(cols, &v.repeat(5), &[0.1 * s, 0.2 * s, 0.3 * s, 0.15 * s, 0.25 * s]);
        }
        assert_eq!(chol.factor(), 7);
        chol
    }

    fn assert_solves(chol: &SparseChol, scale: [f64; 3]) {
        let b: Vec<f64> = (0..7).map(|i| (1.3 * i as f64).sin()).collect();
        let (mut x, mut want) = (b.clone(), b);
        chol.solve(&mut x);
        let mut h = dense(scale);
        factor::chol_factor(&mut h, 7, MINVAL);
        factor::chol_solve(&mut want, &h, 7);
        assert!(x.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-13), "{x:?} {want:?}");
    }

    #[test]
    fn solves_like_the_dense_factor() {
        assert_solves(&sparse_factor([2.0, 0.7, 1.1]), [2.0, 0.7, 1.1]);
        assert_solves(&sparse_factor([0.0, 0.0, 0.0]), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn rows_with_all_columns_go_four_at_a_time() {
        let (cols, v): ([i32; 7], [f64; 7]) = ([0, 1, 2, 3, 4, 5, 6], [0.3, -1.0, 0.5, 0.8, -0.2, 0.6, 1.1]);
        let mut chol = SparseChol::default();
        chol.analyse(TREE, 1, |_| &cols);
        assert_eq!(chol.nnz(), 28);
        assert_eq!([6, 5, 3, 2, 0].map(|r| chol.nested(r)), [4, 4, 4, 2, 1]);
        chol.clear();
        chol.add_tree(TREE, &MASS);
        chol.add_block(&cols, &v, &[1.5]);
        assert_eq!(chol.factor(), 7);
        let mut h = dense([0.0; 3]);
        (0..49).for_each(|k| h[k] += 1.5 * v[k / 7] * v[k % 7]);
        factor::chol_factor(&mut h, 7, MINVAL);
        let (mut x, mut want) = (v, v);
        chol.solve(&mut x);
        factor::chol_solve(&mut want, &h, 7);
        assert!(x.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-13), "{x:?} {want:?}");
    }

    #[test]
    fn entries_of_couplings_are_counted_once() {
        // 15 of the first, and (2, 2), (3, 2), (6, 0), (6, 6); (0, 0) and (3, 3) are there already
        assert_eq!(sparse_factor([1.0; 3]).coupled(), 19);
    }

    #[test]
    fn a_tree_fills_in_nowhere() {
        let mut chol = SparseChol::default();
        chol.analyse(TREE, 0, |_| &[]);
        assert_eq!(chol.nnz(), MASS.len());
    }

    #[test]
    fn updates_follow_the_couplings() {
        let mut chol = sparse_factor([2.0, 0.0, 1.1]);
        for (k, s, add) in [(1, 0.7, true), (0, 2.0, false)] {
            let (cols, v) = COUPLINGS[k];
            let mut x = vec![0.0; 7];
            cols.iter().zip(v).for_each(|(&c, v)| x[c as usize] = v * f64::sqrt(s));
            assert_eq!(chol.update(&mut x, *cols.last().expect("not empty") as usize, add), 7);
            assert!(x.iter().all(|x| *x == 0.0));
        }
        assert_solves(&chol, [0.0, 0.7, 1.1]);
    }
}
