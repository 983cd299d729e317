//! The Jacobian as blocks of rows with common columns, without gaps: what the solvers multiply with.

use super::primal::Problem;
use super::work::{Blocks, RowBlock};
use crate::data::rows::RowGroups;
use crate::support::row::Jacobian;
use sinew_math::factor::dot;
use sinew_math::sparse::{self, add_scaled};
use std::ops::Range;

/// Appends `rows` to the last block if the columns from `at` on equal that block's, otherwise starts a new block with
/// them. `end` is where the values of all rows end.
fn extend_or_begin(list: &mut Vec<RowBlock>, cols: &mut Vec<i32>, at: usize, end: usize, rows: Range<usize>) {
    let (before, new) = cols.split_at(at);
    match list.last_mut() {
        Some(last) if before[last.cols..] == *new => {
            last.end = rows.end;
            cols.truncate(at);
        }
        _ => {
            let (start, len) = (rows.start, new.len());
            list.push(RowBlock { start, end: rows.end, cols: at, len, values: end - len * rows.len() });
        }
    }
}

impl Blocks {
    /// Takes over the Jacobian of a problem.
    pub(super) fn build(&mut self, p: &Problem) {
        self.list.clear();
        self.cols.clear();
        self.values.clear();
        let n = p.d.len();
        match (p.jac, p.groups) {
            (jac, Some(groups)) => self.add_groups(jac, groups),
            (Jacobian::Sparse(rows, values), None) => {
                for r in 0..n {
                    let at = self.cols.len();
                    self.cols.extend_from_slice(rows.cols(r));
                    self.values.extend_from_slice(&values[rows.range(r)]);
                    extend_or_begin(&mut self.list, &mut self.cols, at, self.values.len(), r..r + 1);
                }
            }
            (Jacobian::Dense { nv, values }, None) => {
                let mut r = 0;
                while r < n {
                    // rows of one constraint share their columns
                    let same = (r..n).take_while(|&i| p.id[i] == p.id[r] && p.kind[i] == p.kind[r]).count();
                    self.add_dense(r, nv, &values[r * nv..(r + same) * nv]);
                    r += same;
                }
            }
        }
        self.local.resize(self.list.iter().map(|b| b.len).max().unwrap_or(0), 0.0);
    }

    /// Adds rows whose columns are known.
    fn add_groups(&mut self, jac: Jacobian, groups: &RowGroups) {
        let Blocks { list, cols, values, .. } = self;
        for (rows, own) in groups.iter() {
            match jac {
                Jacobian::Sparse(p, all) => {
                    let Some(last) = rows.clone().next_back() else { continue };
                    values.extend_from_slice(&all[p.range(rows.start).start..p.range(last).end]);
                }
                Jacobian::Dense { nv, values: all } => {
                    for row in all[rows.start * nv..rows.end * nv].chunks_exact(nv) {
                        values.extend(own.iter().map(|&c| row[c as usize]));
                    }
                }
            }
            let at = cols.len();
            cols.extend_from_slice(own);
            extend_or_begin(list, cols, at, values.len(), rows);
        }
    }

    /// Adds rows from `start` on, given in full, without the columns that none of them has.
    fn add_dense(&mut self, start: usize, nv: usize, rows: &[f64]) {
        self.mark.clear();
        self.mark.resize(nv, false);
        for row in rows.chunks_exact(nv) {
            self.mark.iter_mut().zip(row).for_each(|(m, v)| *m |= *v != 0.0);
        }
        let Blocks { mark, list, cols, values, .. } = self;
        let at = cols.len();
        cols.extend(mark.iter().enumerate().filter(|(_, m)| **m).map(|(c, _)| c as i32));
        for row in rows.chunks_exact(nv) {
            values.extend(cols[at..].iter().map(|&c| row[c as usize]));
        }
        extend_or_begin(list, cols, at, values.len(), start..start + rows.len() / nv);
    }

    /// Columns of a block.
    #[inline(always)]
    pub(super) fn columns(&self, b: &RowBlock) -> &[i32] {
        &self.cols[b.cols..b.cols + b.len]
    }

    /// Values of row `r` of a block.
    #[inline(always)]
    pub(super) fn row(&self, b: &RowBlock, r: usize) -> &[f64] {
        let at = b.values + (r - b.start) * b.len;
        &self.values[at..at + b.len]
    }

    /// `res = J x`.
    pub(super) fn mul_vec(&mut self, res: &mut [f64], x: &[f64]) {
        let Blocks { list, cols, values, local, .. } = self;
        for b in list.iter() {
            let cols = &cols[b.cols..b.cols + b.len];
            let rows = &mut res[b.start..b.end];
            let values = &values[b.values..b.values + b.len * rows.len()];
            if let [c] = *cols {
                rows.iter_mut().zip(values).for_each(|(r, v)| *r = v * x[c as usize]);
                continue;
            }
            if let [row] = rows {
                *row = sparse::dot(values, cols, x);
                continue;
            }
            let local = &mut local[..b.len];
            local.iter_mut().zip(cols).for_each(|(l, &c)| *l = x[c as usize]);
            rows.iter_mut().zip(values.chunks_exact(b.len.max(1))).for_each(|(r, row)| *r = dot(row, local));
            if cols.is_empty() {
                rows.fill(0.0);
            }
        }
    }

    /// `res = Jᵀ f`.
    pub(super) fn mul_vec_t(&mut self, res: &mut [f64], f: &[f64]) {
        res.fill(0.0);
        let Blocks { list, cols, values, local, .. } = self;
        for b in list.iter() {
            let f = &f[b.start..b.end];
            let cols = &cols[b.cols..b.cols + b.len];
            let values = &values[b.values..b.values + b.len * f.len()];
            if let [c] = *cols {
                f.iter().zip(values).for_each(|(f, v)| res[c as usize] += v * f);
                continue;
            }
            if let [f] = *f {
                if f != 0.0 {
                    cols.iter().zip(values).for_each(|(&c, v)| res[c as usize] += v * f);
                }
                continue;
            }
            if f.iter().all(|f| *f == 0.0) {
                continue;
            }
            let local = &mut local[..b.len];
            local.fill(0.0);
            for (&f, row) in f.iter().zip(values.chunks_exact(b.len.max(1))).filter(|(f, _)| **f != 0.0) {
                add_scaled(local, row, f);
            }
            cols.iter().zip(local.iter()).for_each(|(&c, l)| res[c as usize] += l);
        }
    }
}
