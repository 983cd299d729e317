//! Finds nearby particles by sorting them into a grid of cells. The order depends on positions only.

use super::plan::{Held, Plan};
use crate::model::Model;
use crate::model::enums::FlexSelf;
use sinew_math::{Vec3, vec3};

/// Two particles that must not come nearer than `apart`.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub at: [u32; 2],
    pub apart: f64,
    pub friction: f64,
}

/// Capacity for neighbours, per particle on average.
const ROOM: usize = 12;
/// Particles of one part that are closer at rest than this many times their minimum distance are neighbours and do not
/// collide.
const NEIGHBOURS: f64 = 1.5;

/// A particle in cell order.
#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    x: Vec3,
    cell: Cell,
    particle: u32,
}

/// Integer coordinates of a cell. Particles beyond the range of `i32` are clamped to the outermost cells.
type Cell = [i32; 3];

/// Cells, and the pairs found in them. Cells that are adjacent along z are adjacent in the table, which is a ring.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Where the particles of each table slot begin in `sorted`; different cells can share a slot.
    start: Vec<u32>,
    sorted: Vec<Spot>,
    cells: Vec<Cell>,
    /// Number of table slots between adjacent cells along x, and along y.
    stride: [i32; 2],
    pub pairs: Vec<Pair>,
    /// Pairs that exceeded the capacity.
    pub refused: usize,
    /// Whether particles of two parts collide, a matrix over parts.
    meet: Vec<bool>,
}

/// Half of a cell's neighbours along x and y, so that each pair of cells is visited once.
const AHEAD: [[i32; 2]; 4] = [[0, 1], [1, -1], [1, 0], [1, 1]];

impl Grid {
    pub fn new(m: &Model, plan: &Plan) -> Self {
        let meet = meetings(m, plan);
        if !meet.contains(&true) {
            return Grid { meet, ..Grid::default() };
        }
        let n = plan.particles.len();
        Grid {
            // a run of three cells must not wrap onto itself
            start: vec![0; (2 * n).next_power_of_two().max(4) + 1],
            sorted: vec![Spot::default(); n],
            cells: vec![[0; 3]; n],
            stride: [1; 2],
            pairs: Vec::with_capacity(ROOM * n),
            refused: 0,
            meet,
        }
    }

    /// Whether no parts collide at all.
    pub fn is_idle(&self) -> bool {
        self.start.is_empty()
    }

    /// Finds the pairs that may come too near while each particle moves by at most `reach`.
    pub fn search(&mut self, plan: &Plan, x: &[Vec3], reach: f64) {
        self.pairs.clear();
        self.refused = 0;
        let far = plan.apart.iter().fold(0.0, |a: f64, &b| a.max(b)) + 2.0 * reach;
        self.sort(x, 1.0 / far);
        let Grid { start, sorted, stride, pairs, refused, meet, .. } = self;
        let most = ROOM * x.len();
        for (k, p) in sorted.iter().enumerate() {
            let mut compare = |among: &[Spot], wanted: [i32; 2], low: i32| {
                for q in among {
                    let gap = vec3::sub(p.x, q.x);
                    if vec3::dot(gap, gap) > far * far || [q.cell[0], q.cell[1]] != wanted {
                        continue;
                    }
                    // the table is a ring, and other cells can share a slot
                    let along = q.cell[2].wrapping_sub(p.cell[2]);
                    if (low..=1).contains(&along)
                        && let Some(pair) = judge(plan, meet, [p, q], vec3::dot(gap, gap), reach)
                    {
                        if pairs.len() < most { pairs.push(pair) } else { *refused += 1 }
                    }
                }
            };
            let [a, b, c] = p.cell;
            // the rest of this cell, and the next one along z
            let [row, wrapped] = rows(start, *stride, p.cell, 2);
            compare(&sorted[k + 1..row.end], [a, b], 0);
            compare(&sorted[wrapped], [a, b], 0);
            for [da, db] in AHEAD {
                let column = [a.wrapping_add(da), b.wrapping_add(db)];
                for row in rows(start, *stride, [column[0], column[1], c.wrapping_sub(1)], 3) {
                    compare(&sorted[row], column, -1);
                }
            }
        }
    }

    /// Sorts particles by cell, and within a cell by index.
    fn sort(&mut self, x: &[Vec3], per: f64) {
        let Grid { start, sorted, cells, stride, .. } = self;
        let places = start.len() - 1;
        let (mut low, mut high) = ([i32::MAX; 3], [i32::MIN; 3]);
        for (cell, x) in cells.iter_mut().zip(x) {
            *cell = x.map(|v| floor(v * per));
            (low, high) = (std::array::from_fn(|k| low[k].min(cell[k])), std::array::from_fn(|k| high[k].max(cell[k])));
        }
        // row-major over the bounding box of cells, if that fits the table; otherwise distant cells share slots
        let [_, b, c]: [i32; 3] = std::array::from_fn(|k| high[k].wrapping_sub(low[k]).wrapping_add(1));
        *stride = [b.wrapping_mul(c) | 1, c | 1];
        start.fill(0);
        for &cell in cells.iter() {
            start[slot(places, *stride, cell) + 1] += 1;
        }
        for k in 1..start.len() {
            start[k] += start[k - 1];
        }
        // backwards, each particle taking the last free entry of its cell, so that the sort is stable
        for (i, &cell) in cells.iter().enumerate().rev() {
            let k = slot(places, *stride, cell) + 1;
            start[k] -= 1;
            sorted[start[k] as usize] = Spot { x: x[i], cell, particle: i as u32 };
        }
        // the loop leaves the start of slot k in entry k + 1
        start.copy_within(1.., 0);
        start[places] = x.len() as u32;
    }
}

/// Table slot of a cell.
fn slot(places: usize, stride: [i32; 2], [a, b, c]: Cell) -> usize {
    let column = a.wrapping_mul(stride[0]).wrapping_add(b.wrapping_mul(stride[1]));
    column.wrapping_add(c) as u32 as usize & (places - 1)
}

/// Particles of `count` consecutive cells along z: up to the end of the table, and from its beginning.
fn rows(start: &[u32], stride: [i32; 2], cell: Cell, count: usize) -> [std::ops::Range<usize>; 2] {
    let last = start.len() - 1;
    let first = slot(last, stride, cell);
    let end = first + count;
    let at = |k: usize| start[k] as usize;
    [at(first)..at(end.min(last)), 0..at(end.saturating_sub(last))]
}

/// The pair formed by two particles, if they may collide.
fn judge(plan: &Plan, meet: &[bool], spots: [&Spot; 2], square: f64, reach: f64) -> Option<Pair> {
    let mut at = spots.map(|s| s.particle);
    at.sort_unstable();
    let [i, j] = at.map(|i| i as usize);
    let (p, q) = (plan.part(i), plan.part(j));
    // the coarser part decides, so that nothing passes between its particles
    let apart = plan.apart[p].max(plan.apart[q]);
    let near = apart + 2.0 * reach;
    if !meet[p * plan.settings.len() + q] || square > near * near {
        return None;
    }
    let free = |k: usize| matches!(plan.particles[k].held, Held::Free(_));
    let neighbours = || {
        let gap = vec3::sub(plan.rest[i], plan.rest[j]);
        vec3::dot(gap, gap) < (NEIGHBOURS * apart) * (NEIGHBOURS * apart)
    };
    if !(free(i) || free(j)) || p == q && neighbours() {
        return None;
    }
    let friction = plan.settings[p].substance.friction.max(plan.settings[q].substance.friction);
    Some(Pair { at, apart, friction })
}

/// Floor as an integer, without the libm call that `f64::floor` becomes on processors without SSE4.1.
fn floor(v: f64) -> i32 {
    let toward_zero = v as i32;
    toward_zero.saturating_sub(i32::from(f64::from(toward_zero) > v))
}

/// Which parts collide, by contact types and self-collision settings of the flexes.
fn meetings(m: &Model, plan: &Plan) -> Vec<bool> {
    let flexes = || plan.settings.iter().map(|d| d.flex);
    let meet = |f: usize, g: usize| {
        if f == g {
            m.flex_selfcollide[f] != FlexSelf::None as i32 && m.flex_contype[f] & m.flex_conaffinity[f] != 0
        } else {
            m.flex_contype[f] & m.flex_conaffinity[g] != 0 || m.flex_contype[g] & m.flex_conaffinity[f] != 0
        }
    };
    flexes().flat_map(|f| flexes().map(move |g| meet(f, g))).collect()
}

/// Fraction of an existing overlap that is removed per substep.
const RELAX: f64 = 0.2;

/// Separates pairs that have come too near, with friction against sliding on each other. Overlap that existed at the
/// start of the substep is removed slowly, so that it does not turn into velocity.
pub fn part(list: &[Pair], x: &mut [Vec3], old: &[Vec3], w: &[f64]) {
    for c in list {
        let [i, j] = c.at.map(|i| i as usize);
        let gap = vec3::sub(x[i], x[j]);
        let square = vec3::dot(gap, gap);
        if square >= c.apart * c.apart || square <= 0.0 {
            continue;
        }
        let length = square.sqrt();
        let before = vec3::dist(old[i], old[j]).min(c.apart);
        let wanted = before + RELAX * (c.apart - before);
        let sum = w[i] + w[j];
        if length >= wanted || sum <= 0.0 {
            continue;
        }
        let press = (wanted - length) / sum;
        let n = vec3::scale(gap, 1.0 / length);
        let slip = vec3::sub(vec3::sub(x[i], old[i]), vec3::sub(x[j], old[j]));
        let slip = vec3::add_scaled(slip, n, -vec3::dot(slip, n));
        let slid = vec3::norm(slip);
        let stop = if slid > 0.0 { (c.friction * press * sum / slid).min(1.0) / sum } else { 0.0 };
        let push = vec3::add_scaled(vec3::scale(n, press), slip, -stop);
        x[i] = vec3::add_scaled(x[i], push, w[i]);
        x[j] = vec3::add_scaled(x[j], push, -w[j]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_those_of_the_library() {
        for v in [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, -1.5, 2e9, -2e9, -1e-300] {
            assert_eq!(f64::from(floor(v)), f64::floor(v), "{v}");
        }
        assert_eq!([floor(1e300), floor(-1e300), floor(f64::NAN)], [i32::MAX, i32::MIN, 0]);
    }

    #[test]
    fn rows_of_cells_hold_what_the_cells_hold() {
        let x: Vec<Vec3> =
            (0..500).map(f64::from).map(|i| [(7.1 * i) % 3.0, (3.7 * i) % 2.0, (1.3 * i) % 9.0 - 4.0]).collect();
        // a small table, so that cells share slots and runs wrap around the end
        let mut grid = Grid { start: vec![0; 65], ..Grid::default() };
        grid.sorted = vec![Spot::default(); x.len()];
        grid.cells = vec![[0; 3]; x.len()];
        grid.sort(&x, 1.5);
        for i in 0..x.len() {
            let cell = x[i].map(|v| floor(1.5 * v));
            for count in [1, 2, 3] {
                let found: Vec<u32> = rows(&grid.start, grid.stride, cell, count)
                    .into_iter()
                    .flat_map(|row| &grid.sorted[row])
                    .filter(|s| s.cell[..2] == cell[..2] && (0..count as i32).contains(&(s.cell[2] - cell[2])))
                    .map(|s| s.particle)
                    .collect();
                let wanted = (0..500u32).filter(|&j| {
                    let other = x[j as usize].map(|v| floor(1.5 * v));
                    other[..2] == cell[..2] && (0..count as i32).contains(&(other[2] - cell[2]))
                });
                let mut sorted = found.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(wanted), "particle {i}, {count} cells: {found:?}");
            }
        }
    }
}
