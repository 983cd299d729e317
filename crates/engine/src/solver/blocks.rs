//! The Jacobian as blocks of rows with common columns, without gaps: what the solvers multiply with.

use super::primal::Problem;
use crate::data::solver::{Blocks, RowBlock};
use crate::support::row::Jacobian;
use sinew_math::factor::dot;
use sinew_math::sparse::add_scaled;

impl Blocks {
    /// Takes over the Jacobian of a problem.
    pub(super) fn build(&mut self, p: &Problem) {
        self.list.clear();
        self.cols.clear();
        self.values.clear();
        let n = p.d.len();
        match p.jac {
            Jacobian::Sparse(rows, values) => {
                for r in 0..n {
                    self.extend_or_begin(r, r + 1, rows.cols(r).len(), |cols| cols.extend_from_slice(rows.cols(r)));
                    self.values.extend_from_slice(&values[rows.range(r)]);
                }
            }
            Jacobian::Dense { nv, values } => {
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

    /// Adds rows from `start` on, given in full, without the columns that none of them has.
    fn add_dense(&mut self, start: usize, nv: usize, rows: &[f64]) {
        self.mark.clear();
        self.mark.resize(nv, false);
        for row in rows.chunks_exact(nv) {
            self.mark.iter_mut().zip(row).for_each(|(m, v)| *m |= *v != 0.0);
        }
        let mark = std::mem::take(&mut self.mark);
        let used = || mark.iter().enumerate().filter(|(_, m)| **m).map(|(c, _)| c);
        let count = used().count();
        self.extend_or_begin(start, start + rows.len() / nv, count, |cols| cols.extend(used().map(|c| c as i32)));
        for row in rows.chunks_exact(nv) {
            self.values.extend(used().map(|c| row[c]));
        }
        self.mark = mark;
    }

    /// Lets the last block go on until row `end` if `add` adds the same columns, or begins a block with them.
    fn extend_or_begin(&mut self, start: usize, end: usize, len: usize, add: impl FnOnce(&mut Vec<i32>)) {
        let at = self.cols.len();
        add(&mut self.cols);
        let (before, new) = self.cols.split_at(at);
        if let Some(last) = self.list.last_mut()
            && last.len == len
            && before[last.cols..] == *new
        {
            last.end = end;
            self.cols.truncate(at);
            return;
        }
        self.list.push(RowBlock { start, end, cols: at, len, values: self.values.len() });
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
