//! Remaining work of a call, and how much of it a thread takes at a time.
//!
//! Threads that take whole worlds do not finish together: while one works on the last world, the others idle for all of
//! its steps, which is a large share in a call of few worlds. So the last worlds are taken a few steps at a time, those
//! with most steps left first. This does not change results: a step continues from the stored state of the world,
//! whichever thread takes it.

use crate::outputs::{Rows, cut};
use crate::world::World;
use sinew_engine::Model;
use std::ops::Range;

/// Maximum number of worlds that have taken some of their steps and wait for the rest.
const MOST_BEGUN: usize = 32;

/// Granularity of the work.
#[derive(Clone, Copy)]
pub(crate) struct Cuts {
    /// A thread takes this fraction, one in `share`, of the worlds that are left.
    pub(crate) share: usize,
    /// When at most this many worlds are untouched, a thread takes half of the remaining steps of one world.
    pub(crate) split: usize,
}

/// Consecutive worlds with their controls and outputs.
pub(crate) struct Span<'a> {
    pub(crate) first: usize,
    pub(crate) worlds: &'a mut [World],
    pub(crate) ctrl: &'a [f64],
    pub(crate) out: Rows<'a>,
}

impl<'a> Span<'a> {
    /// Takes up to `n` worlds from the front; none when all are taken.
    fn take(&mut self, n: usize, m: &Model) -> Option<Span<'a>> {
        let n = n.min(self.worlds.len());
        if n == 0 {
            return None;
        }
        let (ctrl, rest) = self.ctrl.split_at(n * m.nu);
        let (worlds, out) = (cut(&mut self.worlds, n), self.out.take(n, m.nq + m.nv));
        let taken = Span { first: self.first, worlds, ctrl, out };
        (self.first, self.ctrl) = (self.first + n, rest);
        Some(taken)
    }
}

/// Consecutive worlds, and the steps to take in them.
pub(crate) struct Piece<'a> {
    pub(crate) span: Span<'a>,
    pub(crate) steps: Range<usize>,
}

/// Worlds that no thread is working on and that have steps left. A thread that finds none is done: the threads that
/// hold the other worlds can continue with them.
pub(crate) struct Rest<'a> {
    /// Worlds that have taken no step, in memory order.
    span: Span<'a>,
    /// Worlds that have taken some, with the number of steps taken.
    begun: [Option<(Span<'a>, usize)>; MOST_BEGUN],
    /// Steps per world.
    count: usize,
    cuts: Cuts,
}

impl<'a> Rest<'a> {
    pub(crate) fn new(span: Span<'a>, count: usize, cuts: Cuts) -> Self {
        let cuts = Cuts { split: cuts.split.min(MOST_BEGUN), ..cuts };
        Rest { span, begun: [const { None }; MOST_BEGUN], count, cuts }
    }

    /// The next piece of work for a thread.
    pub(crate) fn next(&mut self, m: &Model) -> Option<Piece<'a>> {
        let left = self.span.worlds.len();
        if left > self.cuts.split {
            let span = self.span.take(left.div_ceil(self.cuts.share), m)?;
            return Some(Piece { span, steps: 0..self.count });
        }
        let (span, taken) = match self.span.take(1, m) {
            Some(span) => (span, 0),
            None => self.most_left()?,
        };
        Some(Piece { span, steps: taken..taken + (self.count - taken).div_ceil(2) })
    }

    /// The started world with the most steps left.
    fn most_left(&mut self) -> Option<(Span<'a>, usize)> {
        let begun = self.begun.iter_mut().filter(|slot| slot.is_some());
        begun.min_by_key(|slot| slot.as_ref().map(|(_, taken)| *taken))?.take()
    }

    /// Returns a world that has steps left.
    pub(crate) fn put(&mut self, span: Span<'a>, taken: usize) {
        if let Some(free) = self.begun.iter_mut().find(|slot| slot.is_none()) {
            *free = Some((span, taken));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outputs;

    /// Pieces taken by a single thread: first world, number of worlds, and steps.
    fn taken(worlds: usize, count: usize, cuts: Cuts) -> Vec<(usize, usize, Range<usize>)> {
        let xml = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>";
        let m = sinew_mjcf::load_str(xml, &sinew_mjcf::Source::default()).expect("the model compiles");
        let mut all: Vec<_> = (0..worlds).map(|_| World::new(&m)).collect();
        let mut out = Outputs::new(&m, worlds).expect("there is memory");
        let mut rest = Rest::new(Span { first: 0, worlds: &mut all, ctrl: &[], out: out.rows() }, count, cuts);
        let mut pieces = Vec::new();
        while let Some(Piece { span, steps }) = rest.next(&m) {
            pieces.push((span.first, span.worlds.len(), steps.clone()));
            if steps.end < count {
                rest.put(span, steps.end);
            }
        }
        pieces
    }

    #[test]
    fn the_last_worlds_are_taken_by_some_steps_those_with_most_left_first() {
        let want = [(0, 2, 0..5), (2, 1, 0..5), (3, 1, 0..5), (4, 1, 0..3), (5, 1, 0..3)];
        let then = [(4, 1, 3..4), (5, 1, 3..4), (4, 1, 4..5), (5, 1, 4..5)];
        assert_eq!(taken(6, 5, Cuts { share: 4, split: 2 }), [&want[..], &then[..]].concat());
        assert_eq!(taken(3, 1, Cuts { share: 3, split: 3 }), [0, 1, 2].map(|i| (i, 1, 0..1)));
        assert_eq!(taken(2, 0, Cuts { share: 2, split: 2 }), [0, 1].map(|i| (i, 1, 0..0)));
        assert_eq!(taken(7, 5, Cuts { share: 1, split: 0 }), [(0, 7, 0..5)]);
    }

    #[test]
    fn every_step_is_taken_once_by_however_many_worlds() {
        for (worlds, split) in [(3, 9), (100, MOST_BEGUN), (100, 2 * MOST_BEGUN)] {
            let pieces = taken(worlds, 4, Cuts { share: 64, split });
            assert_eq!(pieces.iter().map(|(_, n, steps)| n * steps.len()).sum::<usize>(), 4 * worlds);
        }
    }
}
