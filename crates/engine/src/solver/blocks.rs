//! The Jacobian as blocks of rows with common columns, stored without gaps, for products in the solvers.

use super::link::Link;
use super::primal::Problem;
use super::work::{Blocks, RowBlock, Run};
use crate::data::rows::RowGroups;
use crate::support::row::Jacobian;
use sinew_math::factor::add_tail;
use sinew_math::sparse::Pattern;
use sinew_math::sparse_chol::SMALL;
use sinew_math::{rows, sparse};
use std::ops::Range;

/// Number of columns of a link.
const LINK: usize = 6;

/// Appends `rows` to the last block if the columns from `at` on equal that block's, otherwise starts a new block. The
/// values of `rows` end at index `end`.
fn extend_or_begin(list: &mut Vec<RowBlock>, cols: &mut Vec<i32>, at: usize, end: usize, rows: Range<usize>) {
    let (before, new) = cols.split_at(at);
    match list.last_mut() {
        Some(last) if before[last.cols..] == *new => {
            last.end = rows.end;
            cols.truncate(at);
        }
        _ => {
            let (start, len) = (rows.start, new.len());
            list.push(RowBlock { start, end: rows.end, cols: at, len, values: end - len * rows.len(), threes: false });
        }
    }
}

impl Blocks {
    /// Builds the blocks from the Jacobian of a problem. With `products` they are used for products only, so zero
    /// entries may be dropped.
    pub(super) fn build(&mut self, p: &Problem, products: bool) {
        self.list.clear();
        self.cols.clear();
        self.values.clear();
        let n = p.d.len();
        self.own = match p.jac {
            Jacobian::Dense { nv, .. } => nv > SMALL,
            // only rows of flexes contain zeros worth dropping
            Jacobian::Sparse(..) => products && self.flexes,
        };
        match (p.jac, p.groups) {
            (Jacobian::Sparse(rows, _), _) if !self.own => self.add_sparse(rows, &p.alike[..n]),
            (Jacobian::Dense { nv, .. }, _) if !self.own => self.add_whole(n, nv),
            (jac, Some(groups)) => self.add_groups(jac, groups, products),
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
        self.find_links(p);
    }

    /// Adds sparse rows in place, given how many rows after each have the same columns.
    fn add_sparse(&mut self, rows: Pattern, alike: &[i32]) {
        let mut start = 0;
        while start < alike.len() {
            let end = (start + alike[start] as usize + 1).min(alike.len());
            let (at, len) = (rows.range(start).start, rows.range(start).len());
            self.list.push(RowBlock { start, end, cols: at, len, values: at, threes: false });
            start = end;
        }
    }

    /// Takes all rows of a small dense matrix in place, as one block.
    fn add_whole(&mut self, rows: usize, nv: usize) {
        self.cols.extend(0..nv as i32);
        self.list.push(RowBlock { start: 0, end: rows, cols: 0, len: nv, values: 0, threes: false });
    }

    /// Columns and values of all blocks.
    #[inline]
    pub(super) fn entries<'a>(&'a self, p: &Problem<'a>) -> Entries<'a> {
        Entries::of(self.own, (&self.cols, &self.values), p)
    }

    /// Finds blocks that move points with three dofs each, and those among them that are links; flexes and particles
    /// have many.
    fn find_links(&mut self, p: &Problem) {
        let Blocks { list, cols, values, links, runs, own, .. } = self;
        let Entries { cols, values } = Entries::of(*own, (cols, values), p);
        links.clear();
        runs.clear();
        let mut last = 0;
        let searched = if links.capacity() > 0 { &mut list[..] } else { &mut [] };
        for b in searched.iter_mut().filter(|b| b.end - b.start > 1) {
            let (runs, rest) = cols[b.cols..b.cols + b.len].as_chunks::<3>();
            b.threes = rest.is_empty() && runs.iter().all(|c| c[0] + 2 == c[2]);
        }
        for (i, b) in searched.iter().enumerate().filter(|(_, b)| b.end - b.start == 1 && b.len == LINK) {
            let Some(link) = Link::new(&cols[b.cols..b.cols + LINK], &values[b.values..b.values + LINK]) else {
                continue;
            };
            match runs.last_mut() {
                Some(run) if run.end == i => run.end = i + 1,
                _ => {
                    runs.push(Run { end: i, linked: false });
                    runs.push(Run { end: i + 1, linked: true });
                }
            }
            links.push(link);
            last = i + 1;
        }
        if last < list.len() {
            runs.push(Run { end: list.len(), linked: false });
        }
    }

    /// Adds rows with known columns.
    fn add_groups(&mut self, jac: Jacobian, groups: &RowGroups, products: bool) {
        let Blocks { list, cols, values, .. } = self;
        for (rows, own) in groups.iter() {
            let at = cols.len();
            // the entries of edges within one moving body are zero for the dofs of that body
            if let (true, Jacobian::Sparse(p, all)) = (products && rows.len() == 1 && own.len() > LINK, jac) {
                let kept = own.iter().zip(&all[p.range(rows.start)]).filter(|(_, v)| **v != 0.0);
                kept.for_each(|(c, v)| {
                    cols.push(*c);
                    values.push(*v);
                });
                extend_or_begin(list, cols, at, values.len(), rows);
                continue;
            }
            match jac {
                Jacobian::Sparse(p, all) => {
                    let Some(last) = rows.clone().next_back() else { continue };
                    values.extend_from_slice(&all[p.range(rows.start).start..p.range(last).end]);
                }
                Jacobian::Dense { nv, values: all } => {
                    for row in rows::each(&all[rows.start * nv..rows.end * nv], nv) {
                        values.extend(own.iter().map(|&c| row[c as usize]));
                    }
                }
            }
            cols.extend_from_slice(own);
            extend_or_begin(list, cols, at, values.len(), rows);
        }
    }

    /// Adds dense rows from row `start` on, without the columns that are zero in all of them.
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

    /// `res = J x`.
    pub(super) fn mul_vec(&mut self, p: &Problem, res: &mut [f64], x: &[f64]) {
        let Blocks { list, cols, values, local, links, runs, own, .. } = self;
        let Entries { cols, values } = Entries::of(*own, (cols, values), p);
        let (mut start, mut links) = (0, links.iter());
        for run in runs.iter() {
            let blocks = &list[start..run.end];
            start = run.end;
            if run.linked {
                let rows = &mut res[blocks[0].start..][..blocks.len()];
                rows.iter_mut().zip(links.by_ref()).for_each(|(r, link)| *r = link.dot(x));
            } else {
                blocks.iter().for_each(|b| mul_block(b, cols, values, local, res, x));
            }
        }
    }

    /// `res = Jᵀ f`.
    pub(super) fn mul_vec_t(&mut self, p: &Problem, res: &mut [f64], f: &[f64]) {
        res.fill(0.0);
        let Blocks { list, cols, values, local, links, runs, own, .. } = self;
        let Entries { cols, values } = Entries::of(*own, (cols, values), p);
        let (mut start, mut links) = (0, links.iter());
        for run in runs.iter() {
            let blocks = &list[start..run.end];
            start = run.end;
            if run.linked {
                let f = &f[blocks[0].start..][..blocks.len()];
                f.iter().zip(links.by_ref()).for_each(|(&f, link)| link.add_to(res, f));
            } else {
                blocks.iter().for_each(|b| add_block(b, cols, values, local, res, f));
            }
        }
    }
}

/// Columns and values of blocks.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a> {
    cols: &'a [i32],
    values: &'a [f64],
}

impl<'a> Entries<'a> {
    /// The arrays stored in the blocks, or those of the problem.
    #[inline(always)]
    fn of(own: bool, (cols, values): (&'a [i32], &'a [f64]), p: &Problem<'a>) -> Self {
        match p.jac {
            Jacobian::Sparse(rows, values) if !own => Entries { cols: rows.colind, values },
            Jacobian::Dense { values, .. } if !own => Entries { cols, values },
            _ => Entries { cols, values },
        }
    }

    /// Columns of a block.
    #[inline(always)]
    pub fn columns(&self, b: &RowBlock) -> &'a [i32] {
        &self.cols[b.cols..b.cols + b.len]
    }

    /// Values of all rows of a block.
    #[inline(always)]
    pub fn rows(&self, b: &RowBlock) -> &'a [f64] {
        &self.values[b.values..b.values + (b.end - b.start) * b.len]
    }

    /// Values of row `r` of a block.
    #[inline(always)]
    pub fn row(&self, b: &RowBlock, r: usize) -> &'a [f64] {
        let at = b.values + (r - b.start) * b.len;
        &self.values[at..at + b.len]
    }
}

/// Rows of a block times `x`.
#[inline]
fn mul_block(b: &RowBlock, cols: &[i32], values: &[f64], local: &mut [f64], res: &mut [f64], x: &[f64]) {
    let cols = &cols[b.cols..b.cols + b.len];
    let rows = &mut res[b.start..b.end];
    let values = &values[b.values..b.values + b.len * rows.len()];
    if let [c] = *cols {
        rows.iter_mut().zip(values).for_each(|(r, v)| *r = v * x[c as usize]);
        return;
    }
    if let [row] = rows {
        *row = sparse::dot(values, cols, x);
        return;
    }
    let local = &mut local[..b.len];
    if b.threes {
        let runs = local.as_chunks_mut::<3>().0.iter_mut().zip(cols.as_chunks::<3>().0);
        runs.for_each(|(l, c)| l.copy_from_slice(&x[c[0] as usize..c[0] as usize + 3]));
    } else {
        local.iter_mut().zip(cols).for_each(|(l, &c)| *l = x[c as usize]);
    }
    rows::mul(rows, values, local, add_tail);
}

/// Adds the rows of a block, each times its force, to `res`.
#[inline]
fn add_block(b: &RowBlock, cols: &[i32], values: &[f64], local: &mut [f64], res: &mut [f64], f: &[f64]) {
    let f = &f[b.start..b.end];
    let cols = &cols[b.cols..b.cols + b.len];
    let values = &values[b.values..b.values + b.len * f.len()];
    if let [c] = *cols {
        f.iter().zip(values).for_each(|(f, v)| res[c as usize] += v * f);
        return;
    }
    if let [f] = *f {
        if f != 0.0 {
            cols.iter().zip(values).for_each(|(&c, v)| res[c as usize] += v * f);
        }
        return;
    }
    if f.iter().all(|f| *f == 0.0) {
        return;
    }
    let local = &mut local[..b.len];
    rows::sum(local, values, f);
    if b.threes {
        for (l, c) in local.as_chunks::<3>().0.iter().zip(cols.as_chunks::<3>().0) {
            res[c[0] as usize..c[0] as usize + 3].iter_mut().zip(l).for_each(|(r, l)| *r += l);
        }
    } else {
        cols.iter().zip(local.iter()).for_each(|(&c, l)| res[c as usize] += l);
    }
}
