//! Finds the sparsity of a factor.
//!
//! Dofs that always occur together, such as the six of a free body, have rows that differ by one entry each. Runs of
//! such dofs are eliminated as one, and expanded to columns at the end.

use super::SparseChol;
use super::chunk::padded;
use crate::sparse::Pattern;

/// A coupling has exactly one of this dof and the one before.
const CUT: u8 = 1;
/// A coupling has both this dof and the one before.
const TIED: u8 = 2;
/// This dof is the parent of another.
const PARENT: u8 = 4;

/// Runs of dofs that always occur together.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    /// Start of the run of each dof.
    start: Vec<i32>,
    /// Length of each run, stored at its start.
    size: Vec<i32>,
    /// Flags of each dof from couplings and parents.
    marks: Vec<u8>,
    /// Runs of the current row, by their first dofs.
    row: Vec<i32>,
}

impl Runs {
    pub fn with_capacity(n: usize) -> Self {
        let list = || Vec::with_capacity(n);
        Runs { start: list(), size: list(), marks: Vec::with_capacity(n + 1), row: list() }
    }

    /// Finds the runs. In a run, each dof is the only child of the one before, or no dof has a parent or child; and
    /// every coupling contains all of the run or nothing of it. Couplings of a single dof do not affect the sparsity.
    fn find<'a>(&mut self, tree: Pattern<'a>, count: usize, columns: impl Fn(usize) -> &'a [i32]) {
        let n = tree.rows();
        let Runs { start, size, marks, .. } = self;
        marks.clear();
        marks.resize(n + 1, 0);
        for r in 0..n {
            if let [.., parent, _] = tree.cols(r) {
                let parent = *parent as usize;
                marks[parent] |= PARENT;
                if parent + 1 != r {
                    marks[parent + 1] |= CUT;
                    marks[r] |= CUT;
                }
            }
        }
        for cols in (0..count).map(columns).filter(|cols| cols.len() > 1) {
            let mut last = usize::MAX - 1;
            for c in cols.iter().map(|&c| c as usize) {
                if c == last + 1 {
                    marks[c] |= TIED;
                } else {
                    marks[c] |= CUT;
                    if last < n {
                        marks[last + 1] |= CUT;
                    }
                }
                last = c;
            }
            marks[last + 1] |= CUT;
        }
        start.clear();
        size.clear();
        size.resize(n, 0);
        let mut first = 0;
        for r in 0..n {
            let alone = |r: usize| tree.rownnz[r] == 1 && marks[r] & PARENT == 0;
            let joined = r > 0
                && marks[r] & CUT == 0
                && (tree.rownnz[r] > 1 || alone(r) && alone(r - 1) && marks[r] & TIED != 0);
            first = if joined { first } else { r };
            start.push(first as i32);
            size[first] += 1;
        }
    }

    /// First dofs of the runs in a list of columns that consists of whole runs.
    #[inline(always)]
    fn of<'a>(&'a self, cols: &'a [i32]) -> impl Iterator<Item = i32> + 'a {
        let mut at = 0;
        std::iter::from_fn(move || {
            let first = *cols.get(at)?;
            at += self.size[first as usize].max(1) as usize;
            Some(first)
        })
    }

    fn last(&self, first: i32) -> usize {
        (first + self.size[first as usize]) as usize - 1
    }
}

impl SparseChol {
    /// Finds rows and columns of the factor, and counts the entries of couplings.
    pub(super) fn find_entries<'a>(&mut self, tree: Pattern<'a>, count: usize, columns: impl Fn(usize) -> &'a [i32]) {
        let n = tree.rows();
        let mut runs = std::mem::take(&mut self.runs);
        runs.find(tree, count, &columns);
        self.adr.clear();
        self.adr.resize(n, 0);
        self.len.clear();
        self.len.resize(n, 0);
        self.cols.clear();
        self.children.reset(n, n);
        self.couplings.reset(n, count);
        for k in 0..count {
            // rows of one contact are consecutive and couple the same columns
            let repeats = k > 0 && columns(k) == columns(k - 1);
            if let ([.., _, last], false) = (columns(k), repeats) {
                self.couplings.push(*last as usize, k);
            }
        }
        let mut end = n;
        while let Some(last) = end.checked_sub(1) {
            let first = runs.start[last];
            self.list_runs(tree, last, &mut runs, &columns);
            if let [.., parent, _] = runs.row[..] {
                self.children.push(runs.last(parent), last);
            }
            self.write_rows(first as usize..=last, &runs);
            end = first as usize;
        }
        self.coupled = self.count_coupled(&runs, count, columns);
        self.runs = runs;
    }

    /// Lists the runs of dofs in the row of `last`, the last dof of a run.
    fn list_runs<'a>(&self, tree: Pattern<'a>, last: usize, runs: &mut Runs, columns: impl Fn(usize) -> &'a [i32]) {
        let mut row = std::mem::take(&mut runs.row);
        row.clear();
        row.push(runs.start[last]);
        // few runs meet in a row, and mostly in order
        let mut add = |first: i32| {
            if let Err(place) = row.binary_search(&first) {
                row.insert(place, first);
            }
        };
        if tree.rownnz[last] > 1 {
            runs.of(tree.cols(last)).for_each(&mut add);
        }
        self.couplings.iter(last).for_each(|k| runs.of(columns(k)).for_each(&mut add));
        for child in self.children.iter(last) {
            let own = runs.size[runs.start[child] as usize] as usize;
            let above = self.adr[child]..self.adr[child] + self.len[child] - own;
            runs.of(&self.cols[above]).for_each(&mut add);
        }
        runs.row = row;
    }

    /// Writes the columns of a run's rows, from last to first, each padded to a whole chunk.
    fn write_rows(&mut self, dofs: std::ops::RangeInclusive<usize>, runs: &Runs) {
        let start = self.cols.len();
        for &first in &runs.row {
            self.cols.extend(first..first + runs.size[first as usize]);
        }
        let longest = self.cols.len() - start;
        for (k, r) in dofs.rev().enumerate() {
            let (adr, len) = (if k == 0 { start } else { self.cols.len() }, longest - k);
            if k > 0 {
                self.cols.extend_from_within(start..start + len);
            }
            self.cols.resize(adr + padded(len), r as i32);
            (self.adr[r], self.len[r]) = (adr, len);
        }
    }

    /// Counts the entries in the lower triangle of the sum of all couplings. They are marked in `values`, which are
    /// assembled only later.
    fn count_coupled<'a>(&mut self, runs: &Runs, count: usize, columns: impl Fn(usize) -> &'a [i32]) -> usize {
        self.inv.clear();
        self.inv.resize(self.adr.len(), 0.0);
        self.values.clear();
        self.values.resize(self.cols.len(), 0.0);
        for k in 0..count {
            let cols = columns(k);
            if cols.len() < 2 || k > 0 && cols == columns(k - 1) {
                continue;
            }
            for a in runs.of(cols) {
                let row = self.range(runs.last(a));
                let mut at = row.start;
                for b in runs.of(cols).take_while(|&b| b <= a) {
                    while self.cols[at] < b {
                        at += runs.size[self.cols[at] as usize] as usize;
                    }
                    self.values[at] = 1.0;
                }
            }
        }
        let mut sum = 0;
        for (first, &own) in runs.size.iter().enumerate().filter(|(_, size)| **size > 0) {
            let row = self.range(runs.last(first as i32));
            let mut at = row.start;
            while at < row.end {
                let size = runs.size[self.cols[at] as usize];
                let whole = if self.cols[at] as usize == first { own * (own + 1) / 2 } else { own * size };
                sum += if self.values[at] == 1.0 { whole as usize } else { 0 };
                at += size as usize;
            }
        }
        for &[c] in (0..count).filter_map(|k| columns(k).first_chunk().filter(|_| columns(k).len() == 1)) {
            let first = runs.start[c as usize];
            let own = self.range(runs.last(first)).end - runs.size[first as usize] as usize;
            let diagonal = self.range(c as usize).end - 1;
            if self.values[own] != 1.0 && self.values[diagonal] != 2.0 {
                self.values[diagonal] = 2.0;
                sum += 1;
            }
        }
        sum
    }
}
