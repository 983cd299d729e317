//! Steps of all worlds, side by side.

use crate::bench::Benches;
use crate::outputs::{Rows, cut};
use crate::world::{Steps, World};
use crate::{BatchError, Pool, Task};
use sinew_engine::parts::Parts;
use sinew_engine::step::StepError;
use sinew_engine::{Data, Model};
use std::sync::{Mutex, PoisonError};

/// What is the same for all worlds.
pub(crate) struct Job<'a, P> {
    pub(crate) how: Steps<'a, P>,
    pub(crate) task: &'a dyn Task,
    pub(crate) starts: Starts<'a>,
    pub(crate) benches: &'a Benches,
    /// Of the worlds that are left, a thread takes one in so many at a time: few in the end, so that all threads end together.
    pub(crate) share: usize,
    /// Whether every world has a simulation of its own.
    pub(crate) whole: bool,
}

/// Worlds that start anew instead of taking steps, and where.
#[derive(Clone, Copy, Debug, Default)]
pub struct Starts<'a> {
    /// Which worlds; none if empty.
    pub mask: &'a [bool],
    /// Positions, n × nq, of which only rows of these worlds count.
    pub qpos: &'a [f64],
    /// Velocities, n × nv.
    pub qvel: &'a [f64],
}

impl<'a> Starts<'a> {
    fn of(&self, m: &Model, world: usize) -> Option<[&'a [f64]; 2]> {
        let chosen = self.mask.get(world).is_some_and(|chosen| *chosen);
        chosen.then(|| [&self.qpos[world * m.nq..][..m.nq], &self.qvel[world * m.nv..][..m.nv]])
    }
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

impl<P: Parts + Clone + Sync> Job<'_, P> {
    /// Steps all worlds on the threads of a pool, piece by piece in the order of memory: a thread takes the next when it is free.
    pub(crate) fn run(&self, pool: &Pool, span: Span<'_>) -> Result<(), BatchError> {
        let pieces = span.worlds.len().min(self.share);
        let rest = Mutex::new(span);
        let next = || {
            let mut rest = rest.lock().unwrap_or_else(PoisonError::into_inner);
            let count = rest.worlds.len().div_ceil(self.share);
            rest.take(count, self.how.m)
        };
        let work = || {
            if self.whole {
                while let Some(piece) = next() {
                    self.piece_of_wholes(piece);
                }
            } else {
                self.benches.with(self.how.m, |d| {
                    while let Some(piece) = next() {
                        self.piece(piece, d);
                    }
                });
            }
        };
        if self.benches.shared() {
            // threads that help with one world are those of the pool
            pool.install(|| rayon::scope(|s| (0..pieces).for_each(|_| s.spawn(|_| work()))))
        } else {
            pool.together(pieces, work)
        }
    }

    /// One world after another, in the simulation of this thread.
    fn piece(&self, mut span: Span<'_>, d: &mut Data) {
        let (m, Span { first, worlds, ctrl, out }) = (self.how.m, &mut span);
        for (k, world) in worlds.iter_mut().enumerate() {
            let start = self.starts.of(m, *first + k);
            if world.failed() || start.is_some() {
                world.reset(m, self.benches, self.task, *first + k);
            }
            let done = match start {
                Some(start) => {
                    world.start(&self.how, start, d);
                    Ok(())
                }
                None => world.step(&self.how, &ctrl[k * m.nu..][..m.nu], self.benches, d),
            };
            self.report(out, k, done.err(), world.seen_last(d));
        }
    }

    /// One world after another, each in a simulation of its own.
    fn piece_of_wholes(&self, mut span: Span<'_>) {
        let (m, Span { first, worlds, ctrl, out }) = (self.how.m, &mut span);
        for k in 0..worlds.len() {
            let start = self.starts.of(m, *first + k);
            if worlds[k].failed() || start.is_some() {
                worlds[k].reset(m, self.benches, self.task, *first + k);
            }
            worlds[k].whole(m, self.benches);
            World::pass_scratch(worlds, k);
            let world = &mut worlds[k];
            let done = match start {
                Some(start) => {
                    self.benches.with(m, |d| world.start(&self.how, start, d));
                    Ok(())
                }
                None => world.step_whole(&self.how, &ctrl[k * m.nu..][..m.nu]),
            };
            self.report(out, k, done.err(), world.whole(m, self.benches));
        }
    }

    fn report(&self, out: &mut Rows<'_>, k: usize, error: Option<StepError>, d: &Data) {
        let m = self.how.m;
        let (qpos, qvel) = out.states[k * (m.nq + m.nv)..][..m.nq + m.nv].split_at_mut(m.nq);
        qpos.copy_from_slice(&d.state.qpos);
        qvel.copy_from_slice(&d.state.qvel);
        out.rewards[k] = if error.is_none() { self.task.reward(m, d) } else { 0.0 };
        out.terminated[k] = error.is_some() || self.task.terminated(m, d);
        out.truncated[k] = error.is_none() && self.task.truncated(m, d);
        out.errors[k] = error;
    }
}
