//! Overlapping pairs among many boxes, by sweep and prune.

use super::work::{Span, SweepWork};

/// Fewer boxes than this are swept without a grid.
const FEW: usize = 32;
/// A box that overlaps more cells than this is compared with all others instead.
const MOST_CELLS: usize = 16;

/// Calls `found` with the bodies of each pair of overlapping boxes, in unspecified order.
///
/// Boxes are distributed to the cells of a grid over the second and third axis, and each cell is swept along the first:
/// only boxes near each other on all axes are compared, which takes about O(n log n) for n boxes of similar size.
pub fn overlaps(work: &mut SweepWork, mut found: impl FnMut(usize, usize)) {
    sort(work);
    let Some(grid) = Grid::new(&work.sorted) else {
        return sweep(&work.sorted, |a, b| found(a.body as usize, b.body as usize));
    };
    grid.deal(work);
    let mut first = 0;
    for (cell, &end) in work.ends[..grid.len()].iter().enumerate() {
        sweep(&work.dealt[first..end], |a, b| {
            // report a pair only in the first of the cells that both boxes overlap
            if grid.index([a.cell[0].max(b.cell[0]) as usize, a.cell[1].max(b.cell[1]) as usize]) == cell {
                found(a.body as usize, b.body as usize);
            }
        });
        first = end;
    }
    compare_wide(work, found);
}

/// Sorts the boxes by their lower ends, starting from the order of the last call, as bodies move little between steps.
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

/// Sorts nearly sorted keys; gives up after `moves` moves and returns false, with no key lost.
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

/// Calls `found` with each overlapping pair of boxes, which must be sorted by their lower ends.
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
    // branchless: which comparison fails is unpredictable, and a mispredicted branch costs more than the comparisons
    !((a.y[0] > b.y[1]) | (b.y[0] > a.y[1]) | (a.z[0] > b.z[1]) | (b.z[0] > a.z[1]))
}

/// Compares boxes that are in no cell with all others and with each other.
fn compare_wide(work: &SweepWork, mut found: impl FnMut(usize, usize)) {
    for w in &work.wide {
        for s in &work.sorted {
            let counted = s.cell == WIDE && s.start <= w.start;
            if !counted && w.start < s.end && s.start < w.end && across(w, s) {
                found(w.body as usize, s.body as usize);
            }
        }
    }
}

/// Marks a box that is in no cell.
const WIDE: [u16; 2] = [u16::MAX; 2];

/// Rectangular cells over the second and third axis.
struct Grid {
    y: Lines,
    z: Lines,
}

/// Cells along one axis.
#[derive(Clone, Copy)]
struct Lines {
    low: f64,
    per_cell: f64,
    count: usize,
}

impl Lines {
    /// Cells of size `2 · factor · mean`, with `mean` the mean box size along the axis.
    fn new(low: f64, high: f64, mean: f64, factor: f64) -> Self {
        let per_cell = 0.5 / (mean * factor);
        Lines { low, per_cell, count: ((high - low) * per_cell) as usize + 1 }
    }

    fn at(&self, x: f64) -> usize {
        (((x - self.low) * self.per_cell) as usize).min(self.count - 1)
    }
}

impl Grid {
    /// A grid for boxes; `None` if sweeping without one is as good.
    fn new(boxes: &[Span]) -> Option<Self> {
        let n = boxes.len() as f64;
        if boxes.len() < FEW {
            return None;
        }
        let spread = |ends: fn(&Span) -> [f64; 2]| {
            let (low, high, sum) =
                boxes.iter().map(ends).fold((f64::INFINITY, f64::NEG_INFINITY, 0.0), |(l, h, s), e| {
                    (l.min(e[0]), h.max(e[1]), s + (e[1] - e[0]))
                });
            (low, high, sum / n)
        };
        let [y, z] = [spread(|s| s.y), spread(|s| s.z)];
        let cells = |(low, high, mean): (f64, f64, f64)| (high - low) / (2.0 * mean);
        // more cells than boxes would mostly be empty
        let factor = (cells(y) * cells(z) / n).sqrt().max(1.0);
        // false for NaN; cell indices are 16 bits
        let sound = factor < f64::INFINITY && cells(y).max(cells(z)) / factor < 65000.0;
        let grid =
            sound.then(|| Grid { y: Lines::new(y.0, y.1, y.2, factor), z: Lines::new(z.0, z.1, z.2, factor) })?;
        (grid.len() > 2).then_some(grid)
    }

    fn len(&self) -> usize {
        self.y.count * self.z.count
    }

    fn index(&self, [y, z]: [usize; 2]) -> usize {
        y * self.z.count + z
    }

    /// Cells that a box overlaps; `first` is its lowest cell.
    fn cells(&self, s: &Span, first: [usize; 2]) -> impl Iterator<Item = usize> + use<> {
        let (last_y, last_z, width) = (self.y.at(s.y[1]), self.z.at(s.z[1]), self.z.count);
        (first[0]..=last_y).flat_map(move |y| (first[1]..=last_z).map(move |z| y * width + z))
    }

    /// Copies each box to the cells it overlaps, keeping the sorted order in each.
    fn deal(&self, work: &mut SweepWork) {
        let SweepWork { sorted, dealt, ends, wide, .. } = work;
        wide.clear();
        ends.clear();
        ends.resize(self.len() + 1, 0);
        for s in sorted.iter_mut() {
            let first = [self.y.at(s.y[0]), self.z.at(s.z[0])];
            // a negative margin may invert a box, which then overlaps no cell
            let [height, width] = [self.y.at(s.y[1]) + 1, self.z.at(s.z[1]) + 1];
            let cells = height.saturating_sub(first[0]) * width.saturating_sub(first[1]);
            if (1..=MOST_CELLS).contains(&cells) {
                s.cell = first.map(|c| c as u16);
                self.cells(s, first).for_each(|cell| ends[cell + 1] += 1);
            } else {
                s.cell = WIDE;
                wide.push(*s);
            }
        }
        // counts become start offsets; distributing the boxes advances them to the end offsets
        for cell in 1..ends.len() {
            ends[cell] += ends[cell - 1];
        }
        dealt.clear();
        dealt.resize(ends[self.len()], Span::default());
        for s in sorted.iter().filter(|s| s.cell != WIDE) {
            for cell in self.cells(s, s.cell.map(usize::from)) {
                dealt[ends[cell]] = *s;
                ends[cell] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes at pseudo-random positions, some of them huge.
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
                    cell: [0; 2],
                }
            })
            .collect()
    }

    #[test]
    fn cells_find_what_comparing_all_finds() {
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
