//! Assembly of the matrix before factorisation.

use super::SparseChol;
use super::chunk::{self, padded};
use crate::rows::each;
use crate::sparse::{self, Pattern};
use std::ops::Range;
use wide::{f64x2, f64x4};

/// Columns of two free bodies: the maximum number of columns that are summed as one block.
const MOST: usize = 12;

/// Columns of two joints: up to this number, a single row is added directly, which is faster than as a block.
const FEW: usize = 6;

/// A lower triangle, row by row; entries above the diagonal are meaningless.
type Square<const N: usize> = [[f64; N]; N];

/// Computes `R` rows from `I` on and four columns from `J` on of `Σ w v vᵀ`, accumulating in registers.
#[inline(always)]
fn tile<const K: usize, const R: usize, const I: usize, const J: usize>(
    rows: &[[f64; K]],
    weights: &[f64],
    sums: &mut Square<K>,
) {
    let mut four = [f64x4::ZERO; R];
    for (v, w) in rows.iter().zip(weights) {
        let x = f64x4::from([v[J], v[J + 1], v[J + 2], v[J + 3]]);
        (0..R).for_each(|r| four[r] += x * f64x4::splat(w * v[I + r]));
    }
    (0..R).for_each(|r| sums[I + r][J..J + 4].copy_from_slice(&four[r].to_array()));
}

/// `Σ w v vᵀ` for vectors of six.
fn outer6(rows: &[f64], weights: &[f64]) -> Square<6> {
    let mut sums = [[0.0; 6]; 6];
    let rows = rows.as_chunks::<6>().0;
    tile::<6, 4, 0, 0>(rows, weights, &mut sums);
    tile::<6, 2, 4, 0>(rows, weights, &mut sums);
    let [mut a, mut b, mut c] = [0.0; 3];
    for (v, w) in rows.iter().zip(weights) {
        (a, b, c) = (a + w * v[4] * v[4], b + w * v[5] * v[4], c + w * v[5] * v[5]);
    }
    (sums[4][4], sums[5][4], sums[5][5]) = (a, b, c);
    sums
}

/// `Σ w v vᵀ` for vectors of twelve.
fn outer12(rows: &[f64], weights: &[f64]) -> Square<12> {
    let mut sums = [[0.0; 12]; 12];
    let rows = rows.as_chunks::<12>().0;
    tile::<12, 4, 0, 0>(rows, weights, &mut sums);
    tile::<12, 4, 4, 0>(rows, weights, &mut sums);
    tile::<12, 4, 4, 4>(rows, weights, &mut sums);
    tile::<12, 4, 8, 0>(rows, weights, &mut sums);
    tile::<12, 4, 8, 4>(rows, weights, &mut sums);
    tile::<12, 4, 8, 8>(rows, weights, &mut sums);
    sums
}

/// `t += v` for a few values, mostly six (of free bodies).
#[inline(always)]
fn add_few(t: &mut [f64], v: &[f64]) {
    if let (Ok(t), Ok(v)) = (<&mut [f64; 6]>::try_from(&mut *t), <&[f64; 6]>::try_from(v)) {
        return (0..6).for_each(|k| t[k] += v[k]);
    }
    let ((t2, t1), (v2, v1)) = (t.as_chunks_mut::<2>(), v.as_chunks::<2>());
    t2.iter_mut().zip(v2).for_each(|(t, v)| *t = (f64x2::from(*t) + f64x2::from(*v)).to_array());
    t1.iter_mut().zip(v1).for_each(|(t, v)| *t += v);
}

/// Positions of runs of consecutive columns in a row that contains all of them.
#[derive(Clone, Copy)]
struct Places {
    /// Index of the run's first column, and its position in the row.
    run: [(usize, usize); MOST],
    len: usize,
}

impl Places {
    /// Finds the positions of columns in the row of the last of them.
    #[inline(always)]
    fn new(cols: &[i32], row: &[i32]) -> Self {
        let mut places = Places { run: [(0, 0); MOST], len: 0 };
        let mut first = 0;
        for k in 1..cols.len() {
            if cols[k - 1] + 1 != cols[k] {
                places.push(first, row.partition_point(|&x| x < cols[first]));
                first = k;
            }
        }
        // the diagonal is the last entry of the row
        places.push(first, row.len() - (cols.len() - first));
        places
    }

    #[inline(always)]
    fn push(&mut self, first: usize, place: usize) {
        self.run[self.len] = (first, place);
        self.len += 1;
    }

    /// Calls `add` for each run of the first `count` columns, with the matching part of the row and the range of
    /// columns.
    #[inline(always)]
    fn each(&self, row: &mut [f64], count: usize, mut add: impl FnMut(&mut [f64], Range<usize>)) {
        for i in 0..self.len {
            let (first, place) = self.run[i];
            let end = if i + 1 < self.len { self.run[i + 1].0 } else { count };
            add(&mut row[place..place + end - first], first..end);
        }
    }
}

impl SparseChol {
    /// Sets all values to zero before assembly.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds a symmetric matrix stored by its lower triangle.
    pub fn add_tree(&mut self, tree: Pattern, values: &[f64]) {
        for r in 0..tree.rows() {
            let (cols, v) = (tree.cols(r), &values[tree.range(r)]);
            let range = self.range(r);
            let row = &mut self.values[range.clone()];
            if cols.first().is_some_and(|&c| c as usize + cols.len() == r + 1) {
                // consecutive columns up to the diagonal are the last in the row
                let at = row.len() - v.len();
                sparse::add_scaled(&mut row[at..], v, 1.0);
            } else if row.len() == v.len() {
                sparse::add_scaled(row, v, 1.0);
            } else {
                sparse::add_common(row, &self.cols[range], v, cols, 1.0);
            }
        }
    }

    /// Adds `Σ w v vᵀ` for vectors `v` over the same `cols`, stored contiguously in `rows`, with `weights` `w`.
    pub fn add_block(&mut self, cols: &[i32], rows: &[f64], weights: &[f64]) {
        match cols.len() {
            _ if weights.is_empty() => {}
            0 => {}
            1..=FEW if weights.len() == 1 => self.add_one(cols, rows, weights[0]),
            6 => self.add_square(cols, &outer6(rows, weights)),
            12 => self.add_square(cols, &outer12(rows, weights)),
            _ => self.add_rows(cols, rows, weights),
        }
    }

    /// Adds a lower triangle over the given columns.
    #[inline(always)]
    fn add_square<const N: usize>(&mut self, cols: &[i32], sums: &Square<N>) {
        self.each_row(cols, |a, part, columns| add_few(part, &sums[a][columns]));
    }

    /// Adds `w v vᵀ`.
    #[inline(never)]
    fn add_one(&mut self, cols: &[i32], v: &[f64], w: f64) {
        self.each_row(cols, |a, part, columns| {
            let s = w * v[a];
            part.iter_mut().zip(&v[columns]).for_each(|(t, v)| *t += v * s);
        });
    }

    /// Calls `add` for the rows of up to [`MOST`] columns: with the column's index, and the parts of its row at the
    /// columns up to it.
    #[inline(always)]
    fn each_row(&mut self, cols: &[i32], mut add: impl FnMut(usize, &mut [f64], Range<usize>)) {
        let mut places = Places { run: [(0, 0); MOST], len: 0 };
        for (a, &c) in cols.iter().enumerate() {
            let range = self.range(c as usize);
            // the next row of the same run has the same columns plus one
            let follows = a > 0 && cols[a - 1] + 1 == c && self.len[c as usize - 1] + 1 == range.len();
            if !follows {
                places = Places::new(&cols[..=a], &self.cols[range.clone()]);
            }
            places.each(&mut self.values[range], a + 1, |part, columns| add(a, part, columns));
        }
    }

    fn add_rows(&mut self, cols: &[i32], rows: &[f64], weights: &[f64]) {
        let k = cols.len();
        let stride = padded(k);
        let Self { adr, len, cols: all, values, sums, block, .. } = self;
        block.clear();
        block.resize(stride * weights.len(), 0.0);
        let places = (0..block.len()).step_by(stride);
        places.zip(each(rows, k)).for_each(|(at, row)| block[at..at + k].copy_from_slice(row));
        for (a, &c) in cols.iter().enumerate() {
            let (start, size) = (adr[c as usize], len[c as usize]);
            let complete = size == a + 1;
            let target = if complete {
                &mut values[start..start + padded(size)]
            } else {
                sums.clear();
                sums.resize(padded(a + 1), 0.0);
                &mut sums[..]
            };
            chunk::accumulate(target, block, stride / chunk::WIDTH, a, weights);
            if !complete {
                let range = start..start + size;
                sparse::add_common(&mut values[range.clone()], &all[range], &sums[..=a], &cols[..=a], 1.0);
            }
        }
    }
}
