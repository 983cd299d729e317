//! The simulations of a batch and how they are stepped side by side.

use crate::outputs::Rows;
use crate::{BatchError, Outputs, Pool, Task};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use sinew_engine::data::memory;
use sinew_engine::parts::Parts;
use sinew_engine::step::{StepError, try_step, try_step_strict};
use sinew_engine::{Data, Model};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Pieces of work per thread: enough that a slow world does not leave the other threads idle.
const PIECES: usize = 8;

/// Simulations of one model, which the caller keeps. [`BatchSim`](crate::BatchSim) is this with a model, a task and
/// outputs.
#[derive(Debug)]
pub struct Worlds {
    worlds: Vec<World>,
    pool: Pool,
    strict: bool,
}

#[derive(Debug)]
struct World {
    data: Data,
    /// The last step has failed: the next one starts anew.
    failed: bool,
}

impl Worlds {
    /// `n` simulations of a model in its initial state, stepped by the threads of `pool`; where these are more than the
    /// simulations, each has several.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(m: &Model, n: usize, pool: Pool) -> Result<Self, BatchError> {
        let each = Data::bytes_needed(m) + size_of::<World>() as u128;
        reserve(n, each)?;
        let mut worlds = Vec::with_capacity(n);
        for _ in 0..n {
            reserve(1, each)?;
            let mut data = Data::new(m);
            data.set_threads(m, pool.threads() / n);
            worlds.push(World { data, failed: false });
        }
        Ok(Worlds { worlds, pool, strict: false })
    }

    /// Whether a step fails whose constraint forces are not within the tolerance.
    pub fn set_strict(&mut self, strict: bool) {
        self.strict = strict;
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.worlds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.worlds.is_empty()
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// A world.
    pub fn get(&self, i: usize) -> Option<&Data> {
        self.worlds.get(i).map(|w| &w.data)
    }

    /// A world, to be changed. One that has failed is taken as repaired and no longer reset by the next step.
    pub fn get_mut(&mut self, i: usize) -> Option<&mut Data> {
        let world = self.worlds.get_mut(i)?;
        world.failed = false;
        Some(&mut world.data)
    }

    /// All worlds in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Data> {
        self.worlds.iter().map(|w| &w.data)
    }

    /// Puts a world into its initial state.
    ///
    /// # Errors
    /// There is no such world.
    pub fn reset(&mut self, m: &Model, task: &dyn Task, i: usize) -> Result<(), BatchError> {
        let worlds = self.worlds.len();
        let world = self.worlds.get_mut(i).ok_or(BatchError::World { index: i, worlds })?;
        world.reset(m, task, i);
        Ok(())
    }

    /// Works on the worlds that `which` chooses by their number, side by side.
    ///
    /// # Errors
    /// Those of [`Pool::install`].
    pub fn each(
        &mut self,
        which: impl Fn(usize) -> bool + Sync,
        work: impl Fn(usize, &mut Data) + Sync,
    ) -> Result<(), BatchError> {
        let least = self.worlds.len().div_ceil(self.pool.threads() * PIECES).max(1);
        let one = |(i, world): (usize, &mut World)| {
            if which(i) {
                work(i, &mut world.data);
            }
        };
        let worlds = &mut self.worlds;
        if self.pool.threads() == 1 {
            worlds.iter_mut().enumerate().for_each(one);
        } else {
            self.pool.install(|| worlds.par_iter_mut().enumerate().with_min_len(least).for_each(one))?;
        }
        Ok(())
    }

    /// Takes `nstep` steps in every world under the controls of its row; see [`Outputs`] for what comes out.
    ///
    /// # Errors
    /// The controls are not `n × nu` numbers. Whatever happens in one world is reported in its outputs.
    pub fn step(
        &mut self,
        m: &Model,
        task: &dyn Task,
        nstep: usize,
        ctrl: &[f64],
        out: &mut Outputs,
    ) -> Result<(), BatchError> {
        self.step_with(m, &(), task, nstep, ctrl, out)
    }

    /// [`Worlds::step`] with other parts. Every world begins each call with a copy of them, so that no world can see what another
    /// has left in them.
    ///
    /// # Errors
    /// Those of [`Worlds::step`].
    pub fn step_with<P: Parts + Clone + Sync>(
        &mut self,
        m: &Model,
        parts: &P,
        task: &dyn Task,
        nstep: usize,
        ctrl: &[f64],
        out: &mut Outputs,
    ) -> Result<(), BatchError> {
        let worlds = self.worlds.len();
        if ctrl.len() != worlds * m.nu {
            return Err(BatchError::Controls { got: ctrl.len(), want: worlds * m.nu, worlds, nu: m.nu });
        }
        let threads = self.pool.threads();
        let grain = if threads == 1 { worlds } else { worlds.div_ceil(threads * PIECES).max(1) };
        let job = Job { m, parts, task, nstep, grain, step: if self.strict { try_step_strict } else { try_step } };
        let span = Span { first: 0, worlds: &mut self.worlds, ctrl, out: out.rows() };
        self.pool.install(|| job.run(span))
    }
}

/// What is the same for all worlds.
struct Job<'a, P> {
    m: &'a Model,
    /// The parts that each world begins with.
    parts: &'a P,
    task: &'a dyn Task,
    nstep: usize,
    /// Worlds that one thread takes at a time.
    grain: usize,
    /// How a step is taken.
    step: fn(&Model, &mut Data, &mut P) -> Result<(), StepError>,
}

/// Consecutive worlds with their controls and outputs.
struct Span<'a> {
    first: usize,
    worlds: &'a mut [World],
    ctrl: &'a [f64],
    out: Rows<'a>,
}

impl<P: Parts + Clone + Sync> Job<'_, P> {
    /// Halves the span until pieces are small, so that idle threads can take one.
    fn run(&self, span: Span<'_>) {
        if span.worlds.len() <= self.grain {
            return self.piece(span);
        }
        let half = span.worlds.len() / 2;
        let (worlds, worlds_b) = span.worlds.split_at_mut(half);
        let (ctrl, ctrl_b) = span.ctrl.split_at(half * self.m.nu);
        let (out, out_b) = span.out.split_at(half, self.m.nq + self.m.nv);
        let a = Span { first: span.first, worlds, ctrl, out };
        let b = Span { first: span.first + half, worlds: worlds_b, ctrl: ctrl_b, out: out_b };
        rayon::join(|| self.run(a), || self.run(b));
    }

    fn piece(&self, span: Span<'_>) {
        let (m, out) = (self.m, span.out);
        let width = m.nq + m.nv;
        for k in 0..span.worlds.len() {
            pass_scratch(span.worlds, k);
            let world = &mut span.worlds[k];
            let error = world.step(self, span.first + k, &span.ctrl[k * m.nu..][..m.nu]).err();
            let d = &world.data;
            let (qpos, qvel) = out.states[k * width..][..width].split_at_mut(m.nq);
            qpos.copy_from_slice(&d.state.qpos);
            qvel.copy_from_slice(&d.state.qvel);
            out.rewards[k] = if error.is_none() { self.task.reward(m, d) } else { 0.0 };
            out.terminated[k] = error.is_some() || self.task.terminated(m, d);
            out.truncated[k] = error.is_none() && self.task.truncated(m, d);
            out.errors[k] = error;
        }
    }
}

/// Whether `n` times as many bytes can be had: found out before the first of many allocations.
pub(crate) fn reserve(n: usize, each: u128) -> Result<(), BatchError> {
    let bytes = n as u128 * each;
    memory::probe(bytes).map_err(|_| BatchError::Memory { worlds: n, bytes })
}

/// Gives world `k` the scratch that the world before has just used: it is in the cache, and nothing in it counts after
/// a step.
fn pass_scratch(worlds: &mut [World], k: usize) {
    if let [.., before, world] = &mut worlds[..=k] {
        std::mem::swap(&mut before.data.scratch, &mut world.data.scratch);
    }
}

impl World {
    fn step<P: Parts + Clone>(&mut self, job: &Job<'_, P>, index: usize, ctrl: &[f64]) -> Result<(), StepError> {
        if self.failed {
            self.reset(job.m, job.task, index);
        }
        self.data.state.ctrl.copy_from_slice(ctrl);
        let (data, mut parts) = (&mut self.data, job.parts.clone());
        let steps = AssertUnwindSafe(|| (0..job.nstep).try_for_each(|_| (job.step)(job.m, data, &mut parts)));
        let done = catch_unwind(steps).unwrap_or_else(|_| {
            self.data.renew_workspaces(job.m);
            Err(StepError::Panicked)
        });
        self.failed = done.is_err();
        done
    }

    fn reset(&mut self, m: &Model, task: &dyn Task, index: usize) {
        self.data.reset(m);
        task.reset(m, &mut self.data, index);
        self.failed = false;
    }
}
