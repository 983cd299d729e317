//! Sparse Cholesky `H = LᵀL`, eliminating from the last row to the first.
//!
//! In that order a matrix with tree sparsity (each row holds its ancestors) has no fill-in, and the sum of a tree and a
//! few couplings has little. Davis, Direct Methods for Sparse Linear Systems, 2006, chapter 4, with rows and columns
//! reversed.

mod analyse;
mod assemble;
mod chunk;

use crate::MINVAL;
use crate::by_count::{MOST, by_count};
use crate::lanes::{self, LANES, Lane};
use crate::sparse::Pattern;
use analyse::Runs;
use chunk::padded;
use std::ops::Range;

/// A lower triangle in compressed rows, diagonal last: `H` while it is assembled, then its factor `L`.
#[derive(Clone, Debug, Default)]
pub struct SparseChol {
    /// First entry of each row; rows are stored from last to first, padded to whole chunks.
    adr: Vec<usize>,
    /// Number of entries of each row.
    len: Vec<usize>,
    cols: Vec<i32>,
    values: Vec<f64>,
    /// Inverse diagonal of the factor.
    inv: Vec<f64>,
    /// Another factor with the same sparsity.
    other: Vec<f64>,
    /// Its inverse diagonal.
    other_inv: Vec<f64>,
    /// Rows whose fill-in goes to the same row, as linked lists.
    children: Lists,
    /// Couplings with the same last column, as linked lists.
    couplings: Lists,
    /// Dofs that always occur together.
    runs: Runs,
    /// Runs of consecutive columns in the rows being eliminated.
    spans: Vec<Span>,
    /// Input that the sparsity was computed from.
    key: Vec<i32>,
    /// The last row of each group of nested rows, from the last row to the first, and the number of rows: each has the
    /// columns of the one before except its last.
    groups: Vec<(usize, usize)>,
    /// Sums of a row before they are scattered to its columns.
    sums: Vec<f64>,
    /// Rows of a block, padded to whole chunks.
    block: Vec<f64>,
    /// Total number of entries.
    nnz: usize,
    /// Number of entries in the sum of couplings.
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

/// Up to this many rows the whole triangle is stored: finding a sparsity takes longer than it saves.
pub const SMALL: usize = 16;

impl SparseChol {
    /// Capacity for `n` rows, for a number of couplings with a total number of columns, and for `nnz` entries in one
    /// factor or two, so that [`SparseChol::analyse`] does not allocate up to these sizes.
    pub fn with_capacity(n: usize, [couplings, columns]: [usize; 2], nnz: usize, two: bool) -> Self {
        let other = usize::from(two);
        let small = n.min(SMALL);
        let nnz = nnz.max(small * (small + 1) / 2);
        let places = nnz + n * (chunk::WIDTH - 1);
        let key = 4 + n + nnz + couplings + columns;
        let lists = |items| Lists { first: Vec::with_capacity(n), next: Vec::with_capacity(items) };
        SparseChol {
            adr: Vec::with_capacity(n),
            len: Vec::with_capacity(n),
            cols: Vec::with_capacity(places),
            values: Vec::with_capacity(places),
            inv: Vec::with_capacity(n),
            other: Vec::with_capacity(other * places),
            other_inv: Vec::with_capacity(other * n),
            children: lists(n),
            couplings: lists(couplings),
            runs: Runs::with_capacity(n),
            spans: Vec::with_capacity(n),
            key: Vec::with_capacity(key),
            groups: Vec::with_capacity(n),
            sums: Vec::with_capacity(padded(n)),
            block: Vec::with_capacity(columns + couplings * (chunk::WIDTH - 1)),
            nnz: 0,
            coupled: 0,
        }
    }

    /// Number of entries in the lower triangle of `Σ couplings`, if they were counted.
    pub fn coupled(&self) -> usize {
        self.coupled
    }

    /// Rough number of multiplications in [`SparseChol::factor`].
    pub fn work(&self) -> usize {
        self.len.iter().map(|&n| n * n / 2 + 16).sum()
    }

    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.nnz
    }

    fn range(&self, i: usize) -> Range<usize> {
        self.adr[i]..self.adr[i] + self.len[i]
    }

    /// Whether the current sparsity was computed from these parts.
    fn is_of<'a>(&self, mut parts: impl Iterator<Item = &'a [i32]>) -> bool {
        let mut rest = &self.key[..];
        let same = parts.all(|part| match rest.split_first() {
            Some((&len, after)) if len as usize == part.len() && after.starts_with(part) => {
                rest = &after[part.len()..];
                true
            }
            _ => false,
        });
        same && rest.is_empty() && !self.key.is_empty()
    }

    /// Finds the sparsity of the factor of `tree + Σ couplings`; each of the `count` couplings is a full block over its
    /// `columns`, in increasing order. Does nothing if the input is the same as in the previous call. With `counted`,
    /// also computes [`SparseChol::coupled`], whose input changes more often than the sparsity; without it, a few rows
    /// are stored as a whole.
    pub fn analyse<'a>(
        &mut self,
        tree: Pattern<'a>,
        count: usize,
        columns: impl Fn(usize) -> &'a [i32],
        counted: bool,
    ) {
        let n = tree.rows();
        if n <= SMALL && !counted {
            return self.store_all(n);
        }
        let stored = n.checked_sub(1).map_or(0..0, |last| tree.range(0).start..tree.range(last).end);
        // contacts with the world only couple dofs that the tree couples already
        let known = |cols: &[i32], last: i32| cols.len() == 1 || cols == tree.cols(last as usize);
        let adds = |cols: &&[i32]| counted || cols.last().is_some_and(|&last| !known(cols, last));
        let kind: &[i32] = if counted { &[1] } else { &[0] };
        let tree_parts = [kind, tree.rownnz, &tree.colind[stored]];
        let parts = || tree_parts.into_iter().chain((0..count).map(&columns).filter(adds));
        if self.is_of(parts()) {
            return;
        }
        self.key.clear();
        for part in parts() {
            self.key.push(part.len() as i32);
            self.key.extend_from_slice(part);
        }
        self.find_entries(tree, count, columns);
        self.nnz = self.len.iter().sum();
        self.find_groups();
    }

    /// Stores all entries of a lower triangle.
    fn store_all(&mut self, n: usize) {
        // no other key begins with a negative number
        let key = [-1, n as i32];
        if self.key == key {
            return;
        }
        self.key.clear();
        self.key.extend(key);
        self.cols.clear();
        self.adr.resize(n, 0);
        self.len.resize(n, 0);
        for r in (0..n).rev() {
            (self.adr[r], self.len[r]) = (self.cols.len(), r + 1);
            self.cols.extend(0..=r as i32);
            self.cols.resize(self.adr[r] + padded(r + 1), r as i32);
        }
        self.inv.resize(n, 0.0);
        self.values.resize(self.cols.len(), 0.0);
        self.nnz = n * (n + 1) / 2;
        self.coupled = 0;
        self.find_groups();
    }

    /// Number of nested rows from `r` downwards: each has the columns of the one before except its last. They are
    /// stored contiguously and update other rows together.
    fn nested(&self, r: usize) -> usize {
        let follows = |count: usize| {
            let same = self.len[r - count] + count == self.len[r];
            same && self.cols[self.adr[r] + self.len[r] - 1 - count] as usize == r - count
        };
        (1..MOST).take_while(|&count| count <= r && follows(count)).count() + 1
    }

    fn find_groups(&mut self) {
        self.groups.clear();
        let mut end = self.adr.len();
        while let Some(last) = end.checked_sub(1) {
            let count = self.nested(last);
            self.groups.push((last, count));
            end -= count;
        }
    }

    /// Replaces the assembled matrix by its factor. Returns the rank: the number of diagonals that did not have to be
    /// raised to [`MINVAL`].
    #[doc(alias = "mju_cholFactorNumeric")]
    pub fn factor(&mut self) -> usize {
        let mut raised = 0;
        for g in 0..self.groups.len() {
            let (last, count) = self.groups[g];
            raised += by_count!(count, eliminate(self, last));
        }
        self.adr.len() - raised
    }

    /// Stores a second factor, equal to the current one.
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
        for &(last, count) in &self.groups {
            by_count!(count, solve_back(self, last, values, inv, x));
        }
        for &(last, count) in self.groups.iter().rev() {
            by_count!(count, solve_forth(self, last, values, inv, x));
        }
    }

    /// Updates (`add`) or downdates the factor to that of `LᵀL ± x xᵀ`, for an `x` within the sparsity of a coupling
    /// whose last column is `last`. Sets `x` to zero. Returns the rank as [`SparseChol::factor`] does.
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

/// A run of consecutive columns of some rows, and its position in another row.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    end: usize,
    place: usize,
}

/// Lists the runs of consecutive columns.
fn spans(cols: &[i32], out: &mut Vec<Span>) {
    out.clear();
    for (k, &c) in cols.iter().enumerate() {
        match out.last_mut() {
            Some(last) if cols[k - 1] + 1 == c => last.end = k + 1,
            _ => out.push(Span { first: k, end: k + 1, place: 0 }),
        }
    }
}

/// Finds the positions of the columns up to `k` in a row that contains all of them.
fn place(spans: &mut [Span], k: usize, cols: &[i32], row: &[i32]) {
    let mut at = 0;
    for span in spans.iter_mut().take_while(|s| s.first <= k) {
        at += row[at..].partition_point(|&c| c < cols[span.first]);
        span.place = at;
    }
}

/// Factors the nested rows from `last` downwards and updates the rows of their columns. Returns the number of diagonals
/// that were raised.
fn eliminate<const N: usize>(h: &mut SparseChol, last: usize) -> usize {
    let SparseChol { adr, len: sizes, cols, values, inv, spans: parts, .. } = h;
    let (start, len, first) = (adr[last], sizes[last], last + 1 - N);
    let end = adr[first] + padded(sizes[first]);
    let (done, rest) = values.split_at_mut(end);
    let raised = chunk::factor::<N>(chunk::nested_mut(&mut done[start..], len), len, &mut inv[first..=last]);
    let rows = chunk::nested::<N>(&done[start..], len);
    let own = &cols[start..start + len - N];
    spans(own, parts);
    // the previously handled row; spans have the same positions in the row before it if that has the same columns
    // except the last
    let mut placed = usize::MAX;
    for k in (0..own.len()).rev() {
        let (s, c) = (rows.map(|v| v[k]), own[k] as usize);
        let (at, size) = (adr[c], sizes[c]);
        if size == k + 1 {
            if s != [0.0; N] {
                chunk::subtract(&mut rest[at - end..at - end + padded(size)], rows, s);
            }
            continue;
        }
        if placed != c + 1 || sizes[c + 1] != size + 1 {
            place(parts, k, own, &cols[at..at + size]);
        }
        placed = c;
        if s == [0.0; N] {
            continue;
        }
        let target = &mut rest[at - end..at - end + size];
        for part in parts.iter().take_while(|part| part.first <= k) {
            let (first, n) = (part.first, part.end.min(k + 1) - part.first);
            chunk::subtract_part(&mut target[part.place..part.place + n], rows.map(|v| &v[first..first + n]), s);
        }
    }
    raised
}

/// Solves for the unknowns of nested rows from `last` downwards in `Lᵀ x = x`, after those of later rows, and subtracts
/// their contributions from the others.
#[inline(always)]
fn solve_back<const N: usize>(h: &SparseChol, last: usize, values: &[f64], inv: &[f64], x: &mut [f64]) {
    let (start, len) = (h.adr[last], h.len[last]);
    let rows = chunk::nested::<N>(&values[start..], len);
    let mut own: [f64; N] = std::array::from_fn(|i| x[last - i]);
    if own == [0.0; N] {
        return;
    }
    for i in 0..N {
        own[i] *= inv[last - i];
        for j in i + 1..N {
            own[j] -= rows[i][len - 1 - j] * own[i];
        }
        x[last - i] = own[i];
    }
    let (cols, rows) = (&h.cols[start..start + len - N], rows.map(|v| &v[..len - N]));
    for (k, &c) in cols.iter().enumerate() {
        let x = &mut x[c as usize];
        let mut sum = *x;
        for i in 0..N {
            sum -= rows[i][k] * own[i];
        }
        *x = sum;
    }
}

/// Solves for the unknowns of nested rows from `last` downwards in `L x = x`, after those of earlier rows.
#[inline(always)]
fn solve_forth<const N: usize>(h: &SparseChol, last: usize, values: &[f64], inv: &[f64], x: &mut [f64]) {
    let (start, len) = (h.adr[last], h.len[last]);
    let all = chunk::nested::<N>(&values[start..], len);
    let (cols, rows) = (&h.cols[start..start + len - N], all.map(|v| &v[..len - N]));
    let mut sum = [0.0; N];
    for (k, &c) in cols.iter().enumerate() {
        let x = x[c as usize];
        for i in 0..N {
            sum[i] += rows[i][k] * x;
        }
    }
    for i in (0..N).rev() {
        let mut own = x[last - i] - sum[i];
        for j in (i + 1..N).rev() {
            own -= all[i][len - 1 - j] * x[last - j];
        }
        x[last - i] = own * inv[last - i];
    }
}

#[cfg(test)]
mod tests;
