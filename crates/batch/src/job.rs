//! Steps of all worlds in parallel.

use crate::bench::Benches;
use crate::call::Call;
use crate::outputs::Rows;
use crate::rest::{Cuts, Rest, Span};
use crate::world::{Steps, World};
use crate::{BatchError, Pool, Task};
use sinew_engine::parts::Parts;
use sinew_engine::step::StepError;
use sinew_engine::{Data, Model};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Settings shared by all worlds.
pub(crate) struct Job<'a, P> {
    pub(crate) how: Steps<'a, P>,
    pub(crate) task: &'a dyn Task,
    pub(crate) starts: Starts<'a>,
    pub(crate) benches: &'a Benches,
    pub(crate) cuts: Cuts,
    /// Whether every world has a separate simulation.
    pub(crate) whole: bool,
}

/// Worlds that are reset to a given state instead of stepped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Starts<'a> {
    /// Mask of these worlds; none if empty.
    pub mask: &'a [bool],
    /// Positions, n × nq; only the rows of these worlds are read.
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

impl<P: Parts + Clone + Sync> Job<'_, P> {
    /// Steps all worlds on the threads of a pool, piece by piece: a thread takes the next piece when it is free.
    pub(crate) fn run(&self, pool: &Pool, span: Span<'_>) -> Result<(), BatchError> {
        let pieces = span.worlds.len().min(self.cuts.share);
        let rest = Mutex::new(Rest::new(span, self.how.count, self.cuts));
        let lock = || rest.lock().unwrap_or_else(PoisonError::into_inner);
        let next = || lock().next(self.how.m);
        let work = |call: &Call| {
            if self.whole {
                while let Some(piece) = next() {
                    self.piece_of_wholes(piece.span, call);
                }
            } else {
                self.benches.with(self.how.m, |d| {
                    while let Some(piece) = next() {
                        if let Some(span) = self.piece(piece.span, &piece.steps, d, call) {
                            lock().put(span, piece.steps.end);
                        }
                    }
                });
            }
        };
        if self.benches.shared() {
            // threads that help with one world are rayon threads of the pool
            pool.install_call(|call| rayon::scope(|s| (0..pieces).for_each(|_| s.spawn(|_| work(call)))))
        } else {
            pool.together(pieces, work)
        }
    }

    /// Takes some steps of one world after another, in this thread's simulation. Returns a world that has steps left;
    /// the span then has only that world.
    ///
    /// An interrupted call leaves worlds that have not started unchanged. One that has started takes one more step, so
    /// that the simulation holds the results of its last step.
    fn piece<'a>(&self, mut span: Span<'a>, steps: &Range<usize>, d: &mut Data, call: &Call) -> Option<Span<'a>> {
        let (m, Span { first, worlds, ctrl, out }) = (self.how.m, &mut span);
        for (k, world) in worlds.iter_mut().enumerate() {
            if steps.start == 0 {
                if call.over() {
                    return None;
                }
                let start = self.starts.of(m, *first + k);
                if world.failed() || start.is_some() {
                    world.reset(m, self.benches, self.task, *first + k);
                }
                if let Some(start) = start {
                    world.start(&self.how, start, d);
                    self.report(out, k, None, world.seen_last(d));
                    continue;
                }
                world.begin(m, &ctrl[k * m.nu..][..m.nu], self.benches);
            }
            match world.step(&self.how, steps, d, call) {
                Ok(taken) if taken == steps.end && taken < self.how.count => return Some(span),
                done => self.report(out, k, done.err(), d),
            }
        }
        None
    }

    /// Steps one world after another, each in its separate simulation.
    fn piece_of_wholes(&self, mut span: Span<'_>, call: &Call) {
        let (m, Span { first, worlds, ctrl, out }) = (self.how.m, &mut span);
        for k in 0..worlds.len() {
            if call.over() {
                return;
            }
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
                None => world.step_whole(&self.how, &ctrl[k * m.nu..][..m.nu], call),
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
