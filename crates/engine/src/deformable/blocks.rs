//! Blocks of particles that can be processed in parallel. Constraints within a block move no particle of another block;
//! constraints between blocks are solved after all blocks. The order, and so every bit of the result, is the same for
//! any number of threads.

use super::plan::{Bend, Distance, Volume};
use sinew_math::Vec3;
use sinew_math::order::by_key;

/// Number of blocks of a large model, and the particle count from which a model is split into that many.
const COUNT: usize = 4;
const WORTHWHILE: usize = 2048;
/// Window of particle indices whose constraints are processed together, so that the particles stay in the L1 cache.
const NEAR: u64 = 256;

/// Constraints of one kind with their multipliers.
#[derive(Debug)]
pub struct Tied<'a, C, P> {
    pub list: &'a [C],
    pub push: &'a mut [P],
}

impl<C, P> Tied<'_, C, P> {
    fn split(self, at: usize) -> [Self; 2] {
        let ((list, other_list), (push, other_push)) = (self.list.split_at(at), self.push.split_at_mut(at));
        [Tied { list, push }, Tied { list: other_list, push: other_push }]
    }
}

/// Constraints of all kinds with their multipliers.
#[derive(Debug)]
pub struct Ties<'a> {
    pub distances: Tied<'a, Distance, f64>,
    pub bends: Tied<'a, Bend, Vec3>,
    pub volumes: Tied<'a, Volume, f64>,
}

impl Ties<'_> {
    fn split(self, at: [usize; 3]) -> [Self; 2] {
        let [distances, other_distances] = self.distances.split(at[0]);
        let [bends, other_bends] = self.bends.split(at[1]);
        let [volumes, other_volumes] = self.volumes.split(at[2]);
        let other = Ties { distances: other_distances, bends: other_bends, volumes: other_volumes };
        [Ties { distances, bends, volumes }, other]
    }
}

/// A range of consecutive particles and the constraints that move only these.
#[derive(Debug)]
pub struct Block<'a> {
    /// Positions or velocities.
    pub y: &'a mut [Vec3],
    /// Inverse masses.
    pub w: &'a [f64],
    /// Index of the first particle.
    pub first: usize,
    pub ties: Ties<'a>,
}

/// End of each block.
#[derive(Clone, Debug, Default)]
pub struct Blocks(Vec<Cut>);

/// End of a block: particle index, and constraint index of each kind.
#[derive(Clone, Copy, Debug)]
struct Cut {
    particle: usize,
    ends: [usize; 3],
}

impl Blocks {
    /// Sorts constraints by block, those between blocks last, and within a block by lowest particle index in windows of
    /// [`NEAR`]. The sort is stable.
    pub fn new(n: usize, distances: &mut [Distance], bends: &mut [Bend], volumes: &mut [Volume]) -> Self {
        let count = if n < WORTHWHILE { 1 } else { COUNT };
        let block = |at: &[u32]| {
            let of = |p: u32| p as usize * count / n;
            let first = of(at[0]);
            if at.iter().all(|&p| of(p) == first) { first } else { count }
        };
        let place = |at: &[u32]| {
            let lowest = at.iter().fold(u32::MAX, |a, &b| a.min(b)) as u64;
            (block(at) as u64) << u32::BITS | if count > 1 { lowest / NEAR } else { 0 }
        };
        by_key(distances, |c| place(&c.at));
        by_key(bends, |c| place(&c.at));
        by_key(volumes, |c| place(&c.at));
        let cut = |b: usize| Cut {
            particle: ((b + 1) * n).div_ceil(count),
            ends: [
                distances.partition_point(|c| block(&c.at) <= b),
                bends.partition_point(|c| block(&c.at) <= b),
                volumes.partition_point(|c| block(&c.at) <= b),
            ],
        };
        Blocks((0..count).map(cut).collect())
    }

    /// Runs `job` on every block, on at most `threads` threads, and then on the constraints between blocks.
    pub fn each(&self, y: &mut [Vec3], w: &[f64], ties: Ties<'_>, threads: usize, job: &(impl Fn(Block<'_>) + Sync)) {
        let Some(last) = self.0.last() else { return };
        let [within, between] = ties.split(last.ends);
        side_by_side(&self.0, Block { y: &mut *y, w, first: 0, ties: within }, [0; 3], threads, job);
        job(Block { y, w, first: 0, ties: between });
    }
}

/// Runs `job` on consecutive blocks in parallel. `all` holds their particles and constraints; its constraint lists
/// start at the global indices `from`.
fn side_by_side(cuts: &[Cut], all: Block<'_>, from: [usize; 3], threads: usize, job: &(impl Fn(Block<'_>) + Sync)) {
    if cuts.len() == 1 {
        return job(all);
    }
    let (left, right) = cuts.split_at(cuts.len() / 2);
    let Cut { particle, ends } = left[left.len() - 1];
    let Block { y, w, first, ties } = all;
    let ((y, other_y), (w, other_w)) = (y.split_at_mut(particle - first), w.split_at(particle - first));
    let [ties, other_ties] = ties.split(std::array::from_fn(|k| ends[k] - from[k]));
    let other = Block { y: other_y, w: other_w, first: particle, ties: other_ties };
    let here = || side_by_side(left, Block { y, w, first, ties }, from, threads.div_ceil(2), job);
    let there = || side_by_side(right, other, ends, threads / 2, job);
    if threads > 1 {
        rayon::join(here, there);
    } else {
        here();
        there();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constraint_has_its_turn_once_and_sees_its_particles() {
        let n = 3 * WORTHWHILE + 1;
        let link = |i: usize, j: usize| Distance { at: [i as u32, j as u32], length: 1.0, compliance: 0.0, loss: 0.0 };
        let mut links: Vec<Distance> = (0..n - 1).rev().map(|i| link(i, i + 1)).collect();
        links.push(link(0, n - 1));
        let blocks = Blocks::new(n, &mut links, &mut [], &mut []);
        let between = links.len() - blocks.0[COUNT - 1].ends[0];
        assert_eq!(between, COUNT, "ends of neighbours, and of the whole");
        for threads in [1, 2, 3, 8] {
            let (mut y, w, mut push) = (vec![[0.0; 3]; n], vec![1.0; n], vec![0.0; links.len()]);
            let ties = Ties {
                distances: Tied { list: &links, push: &mut push },
                bends: Tied { list: &[], push: &mut [] },
                volumes: Tied { list: &[], push: &mut [] },
            };
            blocks.each(&mut y, &w, ties, threads, &|block| {
                assert_eq!(block.y.len(), block.w.len());
                for (c, push) in block.ties.distances.list.iter().zip(block.ties.distances.push) {
                    *push += 1.0;
                    c.at.iter().for_each(|&i| block.y[i as usize - block.first][0] += 1.0);
                }
            });
            assert!(push.iter().all(|p| *p == 1.0) && y.iter().all(|y| y[0] == 2.0), "{threads} threads");
        }
    }
}
