//! Particles near each other, by a grid of cells into which they are sorted. The order depends on positions alone.

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

/// Neighbours of a particle there is room for, on average.
const ROOM: usize = 12;
/// Particles nearer to each other at rest than this many times the distance they keep are neighbours in their part.
const NEIGHBOURS: f64 = 1.5;

/// Cells, and the pairs found in them.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Where the particles of each cell begin in `sorted`.
    start: Vec<u32>,
    sorted: Vec<u32>,
    cell: Vec<u32>,
    pub pairs: Vec<Pair>,
    /// Pairs that found no room.
    pub refused: usize,
    /// Whether particles of two parts collide, parts times parts.
    meet: Vec<bool>,
}

impl Grid {
    pub fn new(m: &Model, plan: &Plan) -> Self {
        let meet = meetings(m, plan);
        if !meet.contains(&true) {
            return Grid { meet, ..Grid::default() };
        }
        let n = plan.particles.len();
        Grid {
            start: vec![0; (2 * n).next_power_of_two() + 1],
            sorted: vec![0; n],
            cell: vec![0; n],
            pairs: Vec::with_capacity(ROOM * n),
            refused: 0,
            meet,
        }
    }

    /// Whether there is nothing to look for.
    pub fn is_idle(&self) -> bool {
        self.start.is_empty()
    }

    /// Finds the pairs that may come too near while each particle moves by `reach` at most.
    pub fn search(&mut self, plan: &Plan, x: &[Vec3], reach: f64) {
        self.pairs.clear();
        self.refused = 0;
        let far = plan.apart.iter().fold(0.0, |a: f64, &b| a.max(b)) + 2.0 * reach;
        let per = 1.0 / far;
        self.sort(x, per);
        for i in 0..x.len() {
            let [a, b, c] = cell_of(x[i], per);
            // cells along z follow each other in the table, but for the end of it
            for da in -1..=1 {
                for db in -1..=1 {
                    for dc in -1..=1 {
                        let k = self.slot([a + da, b + db, c + dc]);
                        for at in self.start[k]..self.start[k + 1] {
                            let j = self.sorted[at as usize] as usize;
                            if j > i {
                                self.judge(plan, x, [i, j], reach, [a + da, b + db, c + dc], per);
                            }
                        }
                    }
                }
            }
        }
    }

    fn slot(&self, [a, b, c]: [i64; 3]) -> usize {
        let mixed = (a.wrapping_mul(73_856_093)) ^ (b.wrapping_mul(19_349_663)) ^ (c.wrapping_mul(83_492_791));
        mixed as usize & (self.start.len() - 2)
    }

    /// Sorts particles by cells, those of a cell by their number.
    fn sort(&mut self, x: &[Vec3], per: f64) {
        self.start.fill(0);
        for (i, &x) in x.iter().enumerate() {
            let k = self.slot(cell_of(x, per));
            self.cell[i] = k as u32;
            self.start[k + 1] += 1;
        }
        for k in 1..self.start.len() {
            self.start[k] += self.start[k - 1];
        }
        // from the last: each takes the last free place of its cell
        for i in (0..x.len()).rev() {
            let k = self.cell[i] as usize + 1;
            self.start[k] -= 1;
            self.sorted[self.start[k] as usize] = i as u32;
        }
        // places taken from the end of a cell leave its beginning one entry too far on
        self.start.copy_within(1.., 0);
        let end = self.start.len() - 1;
        self.start[end] = x.len() as u32;
    }

    fn judge(&mut self, plan: &Plan, x: &[Vec3], [i, j]: [usize; 2], reach: f64, cell: [i64; 3], per: f64) {
        let (p, q) = (plan.part(i), plan.part(j));
        // nothing comes through between particles of the coarser part
        let apart = plan.apart[p].max(plan.apart[q]);
        let near = apart + 2.0 * reach;
        let gap = vec3::sub(x[i], x[j]);
        if !self.meet[p * plan.settings.len() + q] || vec3::dot(gap, gap) > near * near {
            return;
        }
        let free = |k: usize| matches!(plan.particles[k].held, Held::Free(_));
        // different cells can share a place of the table
        if !(free(i) || free(j)) || cell_of(x[j], per) != cell {
            return;
        }
        if p == q && vec3::dist(plan.rest[i], plan.rest[j]) < NEIGHBOURS * apart {
            return;
        }
        if self.pairs.len() >= ROOM * x.len() {
            self.refused += 1;
            return;
        }
        let friction = plan.settings[p].substance.friction.max(plan.settings[q].substance.friction);
        self.pairs.push(Pair { at: [i as u32, j as u32], apart, friction });
    }
}

/// Cells are counted this far from the origin; what is farther away shares the last ones.
const FARTHEST: f64 = 1e15;

fn cell_of(x: Vec3, per: f64) -> [i64; 3] {
    x.map(|v| (v * per).floor().clamp(-FARTHEST, FARTHEST) as i64)
}

/// Which parts collide, by contact types and whether a flex collides with itself.
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

/// Overlap that is taken away in a substep, as a part of all.
const RELAX: f64 = 0.2;

/// Pushes pairs apart that have come too near, and against sliding on each other. Overlap that was there before goes slowly,
/// so as not to become speed.
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
