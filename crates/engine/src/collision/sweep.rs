//! Which of many boxes overlap.

use crate::data::collision_work::{Span, SweepWork};

/// Fewer boxes than this are swept at once.
const FEW: usize = 32;
/// Rows that a box may reach into before it is compared with all others instead.
const MOST_ROWS: usize = 8;

/// Calls `found` with the bodies of each pair of overlapping boxes, in no special order.
///
/// Boxes are dealt to rows across one axis, and each row is swept along the first axis: only boxes near each other on
/// both axes are compared, which takes about n log n for n boxes of similar size.
pub fn overlaps(work: &mut SweepWork, mut found: impl FnMut(usize, usize)) {
    sort(work);
    match Rows::new(work) {
        None => sweep(&work.sorted, |a, b| found(a.body as usize, b.body as usize)),
        Some(rows) => {
            rows.deal(work);
            let mut first = 0;
            for (row, &end) in work.ends[..rows.count].iter().enumerate() {
                sweep(&work.dealt[first..end], |a, b| {
                    // a pair in several rows counts in the first of them
                    if a.row.max(b.row) as usize == row {
                        found(a.body as usize, b.body as usize);
                    }
                });
                first = end;
            }
            compare_wide(work, found);
        }
    }
}

/// Sorts the boxes by their lower ends. Sorting begins with the order of the last call, as bodies move little.
fn sort(work: &mut SweepWork) {
    let SweepWork { spans, starts, sorted, .. } = work;
    let index = |start: u64| (start & 0xFFFF_FFFF) as usize / 2;
    if starts.len() == spans.len() {
        starts.iter_mut().for_each(|s| *s = spans[index(*s)].start);
    } else {
        starts.clear();
        starts.extend(spans.iter().map(|s| s.start));
    }
    if !insertion_sort(starts, 4 * spans.len()) {
        starts.sort_unstable();
    }
    sorted.clear();
    sorted.extend(starts.iter().map(|&start| spans[index(start)]));
}

/// Sorts what is nearly sorted; gives up, with all keys still there, after a number of moves.
fn insertion_sort(keys: &mut [u64], mut moves: usize) -> bool {
    for i in 1..keys.len() {
        let key = keys[i];
        let mut j = i;
        while j > 0 && keys[j - 1] > key {
            if moves == 0 {
                keys[j] = key;
                return false;
            }
            keys[j] = keys[j - 1];
            j -= 1;
            moves -= 1;
        }
        keys[j] = key;
    }
    true
}

/// Calls `found` with overlapping boxes, which come in the order of their lower ends.
fn sweep(sorted: &[Span], mut found: impl FnMut(&Span, &Span)) {
    for (i, a) in sorted.iter().enumerate() {
        for b in sorted[i + 1..].iter().take_while(|b| b.start < a.end) {
            if across(a, b) {
                found(a, b);
            }
        }
    }
}

/// Whether two boxes overlap on the second and third axis.
#[inline(always)]
fn across(a: &Span, b: &Span) -> bool {
    !(a.y[0] > b.y[1] || b.y[0] > a.y[1] || a.z[0] > b.z[1] || b.z[0] > a.z[1])
}

/// Boxes that are in no row, against all others and among themselves.
fn compare_wide(work: &SweepWork, mut found: impl FnMut(usize, usize)) {
    for w in &work.wide {
        for s in &work.sorted {
            let lower_first = s.row == WIDE && s.start <= w.start;
            if !lower_first && w.start < s.end && s.start < w.end && across(w, s) {
                found(w.body as usize, s.body as usize);
            }
        }
    }
}

/// The row of a box that is in no row.
const WIDE: u32 = u32::MAX;

/// Rows of equal height across the second axis.
struct Rows {
    low: f64,
    per_height: f64,
    count: usize,
}

impl Rows {
    /// Rows for the boxes in `work`, whose second axis becomes the one they spread more along; `None` if they are
    /// not worth while.
    fn new(work: &mut SweepWork) -> Option<Self> {
        let sorted = &mut work.sorted;
        let n = sorted.len();
        if n < FEW {
            return None;
        }
        let spread = |ends: fn(&Span) -> [f64; 2]| {
            sorted.iter().map(ends).fold((f64::INFINITY, f64::NEG_INFINITY, 0.0), |(low, high, sum), e| {
                (low.min(e[0]), high.max(e[1]), sum + (e[1] - e[0]))
            })
        };
        let [y, z] = [spread(|s| s.y), spread(|s| s.z)];
        let turn = (z.1 - z.0) * y.2 > (y.1 - y.0) * z.2;
        if turn {
            sorted.iter_mut().for_each(|s| std::mem::swap(&mut s.y, &mut s.z));
        }
        let (low, high, sum) = if turn { z } else { y };
        let height = (2.0 * sum).max(high - low) / n as f64;
        let count = (high - low) / height;
        // also false for what is not a number
        let useful = count >= 2.0 && count <= n as f64 && height > 0.0;
        useful.then(|| Rows { low, per_height: 1.0 / height, count: count as usize + 1 })
    }

    fn at(&self, y: f64) -> usize {
        (((y - self.low) * self.per_height) as usize).min(self.count - 1)
    }

    /// Copies each box to the rows it reaches into, in order.
    fn deal(&self, work: &mut SweepWork) {
        let SweepWork { sorted, dealt, ends, wide, .. } = work;
        wide.clear();
        ends.clear();
        ends.resize(self.count + 1, 0);
        for s in sorted.iter_mut() {
            let (first, last) = (self.at(s.y[0]), self.at(s.y[1]));
            if last - first < MOST_ROWS {
                s.row = first as u32;
                ends[first + 1..=last + 1].iter_mut().for_each(|e| *e += 1);
            } else {
                s.row = WIDE;
                wide.push(*s);
            }
        }
        // counts become starts, which then move to the ends while boxes are dealt
        for row in 1..ends.len() {
            ends[row] += ends[row - 1];
        }
        dealt.clear();
        dealt.resize(ends[self.count], Span::default());
        for s in sorted.iter().filter(|s| s.row != WIDE) {
            for end in &mut ends[s.row as usize..=self.at(s.y[1])] {
                dealt[*end] = *s;
                *end += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes at scattered places, some of them huge.
    fn scattered(n: u64) -> Vec<Span> {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / (1u64 << 24) as f64
        };
        (0..n)
            .map(|i| {
                let size = if i % 40 == 0 { 0.5 } else { 0.02 * random() };
                let mut ends = || random() - size;
                let [x, y, z] = [ends(), ends(), 0.3 * ends()];
                let key = |x: f64, id: u64| ((1000.0 * (x + 10.0)) as u64) << 32 | id;
                Span {
                    start: key(x, 2 * i),
                    end: key(x + 2.0 * size, 2 * i + 1),
                    y: [y, y + 2.0 * size],
                    z: [z, z + 2.0 * size],
                    body: i as u32,
                    row: 0,
                }
            })
            .collect()
    }

    #[test]
    fn rows_find_what_comparing_all_finds() {
        for n in [0, 1, 2, 31, 32, 500] {
            let spans = scattered(n);
            let mut expected = Vec::new();
            for (i, a) in spans.iter().enumerate() {
                for b in &spans[..i] {
                    if a.start < b.end && b.start < a.end && across(a, b) {
                        expected.push((b.body as usize, a.body as usize));
                    }
                }
            }
            expected.sort_unstable();
            let mut work = SweepWork { spans, ..SweepWork::default() };
            for _ in 0..2 {
                let mut pairs = Vec::new();
                overlaps(&mut work, |a, b| pairs.push((a.min(b), a.max(b))));
                pairs.sort_unstable();
                assert_eq!(pairs, expected, "{n} boxes");
            }
        }
    }
}
