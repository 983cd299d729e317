//! The worlds of a batch: what is stored of each, and how the rest is recomputed.

use crate::bench::Benches;
use crate::call::Call;
use crate::job::{Job, Starts};
use crate::rest::{Cuts, Span};
use crate::watch::{Values, Watched};
use crate::world::{Steps, World};
use crate::{BatchError, Outputs, Pool, Task};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use sinew_engine::data::{Start, State, memory};
use sinew_engine::fields::Fields;
use sinew_engine::parts::Parts;
use sinew_engine::{Data, Model};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pieces of work per thread: enough that a slow world does not leave the other threads idle.
const PIECES: usize = 8;

/// Worlds of one model that is owned by the caller. [`BatchSim`](crate::BatchSim) adds a model, a task and outputs.
///
/// Each world stores only what the next step reads, and the fields that have been watched. Steps run in one simulation
/// per thread, which stays in its cache. All other results of the last step are recomputed on access, bit for bit.
#[derive(Debug)]
pub struct Worlds {
    worlds: Vec<World>,
    benches: Benches,
    watched: Watched,
    pool: Pool,
    strict: bool,
    whole: bool,
    /// Whether forces between bodies are read after steps.
    forces: bool,
}

impl Worlds {
    /// `n` worlds of a model in its initial state, stepped by the threads of `pool`; if there are more threads than
    /// worlds, each world gets several.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(m: &Model, n: usize, pool: Pool) -> Result<Self, BatchError> {
        let small = Start::suffices(m);
        let each = size_of::<World>() + if small { 2 * Start::new(m).nbytes() } else { 0 };
        let each = each as u128 + if small { 0 } else { Data::bytes_needed(m) };
        reserve(n, each)?;
        reserve(pool.threads().min(n), Data::bytes_needed(m))?;
        let mut worlds = Vec::with_capacity(n);
        for _ in 0..n {
            reserve(1, each)?;
            worlds.push(World::new(m));
        }
        let mut benches = Benches::new(pool.threads().min(n), pool.threads().checked_div(n).unwrap_or(1));
        if small {
            benches.fill(m);
        }
        let watched = Watched::default();
        Ok(Worlds { worlds, benches, watched, pool, strict: false, whole: false, forces: false })
    }

    /// Whether a step fails if its constraint forces have not converged to the tolerance.
    pub fn set_strict(&mut self, strict: bool) {
        self.strict = strict;
    }

    /// Whether every world has a separate simulation with all computed fields, for callers that access them after every
    /// step. This needs tens of times the memory. Worlds with trees that may sleep, or with custom parts, always do.
    pub fn set_whole(&mut self, whole: bool) {
        self.whole = whole;
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.worlds.len()
    }

    /// Whether the batch has no worlds.
    pub fn is_empty(&self) -> bool {
        self.worlds.is_empty()
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Memory of all worlds, without the simulations in which threads step them. (bytes)
    pub fn nbytes(&self) -> usize {
        self.worlds.iter().map(World::nbytes).sum()
    }

    /// A world, with all fields of its last step. They are recomputed on the first access.
    pub fn get(&self, m: &Model, i: usize) -> Option<&Data> {
        self.worlds.get(i).map(|w| w.whole(m, &self.benches))
    }

    /// A world, mutable. This clears the failure of a failed world, which the next step then does not reset.
    pub fn get_mut(&mut self, m: &Model, i: usize) -> Option<&mut Data> {
        self.worlds.get_mut(i)?.whole_mut(m, &self.benches)
    }

    /// The state of a world.
    pub fn state(&self, i: usize) -> Option<&State> {
        self.worlds.get(i).map(World::state)
    }

    /// The state of a world, mutable; otherwise as [`Worlds::get_mut`].
    pub fn state_mut(&mut self, i: usize) -> Option<&mut State> {
        self.worlds.get_mut(i).map(World::state_mut)
    }

    /// Clears a world's solver warm start, as when its state is set.
    pub fn forget(&mut self, i: usize) {
        self.worlds.get_mut(i).into_iter().for_each(World::forget);
    }

    /// Resets a world to its initial state.
    ///
    /// # Errors
    /// There is no such world.
    pub fn reset(&mut self, m: &Model, task: &dyn Task, i: usize) -> Result<(), BatchError> {
        let worlds = self.worlds.len();
        self.benches.ready(m);
        let world = self.worlds.get_mut(i).ok_or(BatchError::World { index: i, worlds })?;
        world.reset(m, &self.benches, task, i);
        Ok(())
    }

    /// Computes everything that depends on the state, in the worlds whose index `which` selects.
    ///
    /// # Errors
    /// The errors of [`Pool::together`].
    pub fn forward(&mut self, m: &Model, which: impl Fn(usize) -> bool + Sync) -> Result<(), BatchError> {
        self.each(m, which, |_, world, watched, d| {
            world.forward(m, watched, d);
            true
        })
    }

    /// Computes accelerations of bodies and forces between them for the last computation. Later steps compute them,
    /// too.
    ///
    /// # Errors
    /// The errors of [`Pool::together`], and [`BatchError::Changed`].
    pub fn rne_post_constraint(&mut self, m: &Model, which: impl Fn(usize) -> bool + Sync) -> Result<(), BatchError> {
        self.forces = true;
        self.each(m, which, |_, world, watched, d| world.rne_post_constraint(m, watched, d))
    }

    /// Calls a function for the selected worlds in parallel, with all results of the last computation.
    ///
    /// # Errors
    /// The errors of [`Pool::together`], and [`BatchError::Changed`].
    pub fn look(
        &mut self,
        m: &Model,
        which: impl Fn(usize) -> bool + Sync,
        work: impl Fn(usize, &Data) + Sync,
    ) -> Result<(), BatchError> {
        self.each(m, which, |i, world, _, d| world.seen(m, d, |d| work(i, d)).1)
    }

    /// Calls a function for the states of all worlds in parallel; computed fields are not valid.
    ///
    /// # Errors
    /// The errors of [`Pool::together`].
    pub fn from_states(&mut self, m: &Model, work: impl Fn(usize, &Data) + Sync) -> Result<(), BatchError> {
        self.each(
            m,
            |_| true,
            |i, world, _, d| {
                world.at_start(d, |d| work(i, d));
                true
            },
        )
    }

    /// Makes [`Worlds::values`] available for a field (a row in the table of [`Data`]), for the last step and all later
    /// ones.
    ///
    /// # Errors
    /// The errors of [`Pool::together`], and [`BatchError::Changed`].
    pub fn watch(&mut self, m: &Model, row: usize) -> Result<(), BatchError> {
        if row < State::FIELDS.len() || self.watched.has(row) {
            return Ok(());
        }
        let len = Data::FIELDS[row].dims.iter().map(|d| d.len(m)).product();
        self.watched.add(row, len);
        let done = self.each(m, |_| true, |_, world, watched, d| world.watch(m, watched, d));
        if matches!(done, Err(BatchError::Interrupted)) {
            // not all worlds have its values
            self.watched.remove_last();
        }
        done
    }

    /// Values of a field in a world; the field must belong to the state or be watched.
    pub fn values(&self, i: usize, row: usize) -> Option<Values<'_>> {
        self.worlds.get(i)?.values(&self.watched, row)
    }

    /// Calls a function for the selected worlds in the threads' simulations. It returns whether the model is unchanged.
    fn each(
        &mut self,
        m: &Model,
        which: impl Fn(usize) -> bool + Sync,
        work: impl Fn(usize, &mut World, &Watched, &mut Data) -> bool + Sync,
    ) -> Result<(), BatchError> {
        self.benches.ready(m);
        let grain = self.worlds.len().div_ceil(self.pieces()).max(1);
        let changed = AtomicUsize::new(usize::MAX);
        let Worlds { worlds, benches, watched, pool, .. } = self;
        let one = |(i, world): (usize, &mut World), d: &mut Data| {
            if which(i) && !work(i, world, watched, d) {
                changed.fetch_min(i, Ordering::Relaxed);
            }
        };
        let piece = |(k, piece): (usize, &mut [World]), call: &Call| {
            let all = piece.iter_mut().enumerate().map(|(j, world)| (k * grain + j, world));
            benches.with(m, |d| all.take_while(|_| !call.over()).for_each(|each| one(each, d)));
        };
        let alone = pool.threads() == 1;
        // with rayon, which the caller's code may use, too
        pool.install_call(|call| {
            if alone {
                worlds.chunks_mut(grain).enumerate().for_each(|each| piece(each, call));
            } else {
                worlds.par_chunks_mut(grain).enumerate().for_each(|each| piece(each, call));
            }
        })?;
        match changed.into_inner() {
            usize::MAX => Ok(()),
            index => Err(BatchError::Changed { index }),
        }
    }

    /// Number of pieces of work for all threads.
    fn pieces(&self) -> usize {
        let threads = self.pool.threads();
        if threads == 1 { 1 } else { threads * PIECES }
    }

    /// Number of last worlds that are stepped piecewise: enough to keep all threads busy until the end.
    fn split(&self) -> usize {
        let threads = self.pool.threads();
        if threads == 1 || self.worlds.len() <= threads { 0 } else { 2 * threads - 1 }
    }

    /// Takes `nstep` steps in every world under the controls of its row; see [`Outputs`] for the results.
    ///
    /// # Errors
    /// The number of controls is not `n × nu`. Failures of single worlds are reported in the outputs. With a pool that
    /// polls ([`Pool::looking`]), [`BatchError::Interrupted`]: some worlds have then taken all steps, some a part of
    /// them, and some none; the latter are as before the call, with the outputs of the previous one.
    pub fn step(
        &mut self,
        m: &Model,
        task: &dyn Task,
        nstep: usize,
        ctrl: &[f64],
        out: &mut Outputs,
    ) -> Result<(), BatchError> {
        self.advance(m, &(), self.whole, (task, Starts::default()), nstep, ctrl, out)
    }

    /// [`Worlds::step`] without a task, in which selected worlds are not stepped but reset to a given state, and
    /// everything that depends on it is computed.
    ///
    /// # Errors
    /// The errors of [`Worlds::step`], and starts of the wrong length.
    pub fn step_or_start(
        &mut self,
        m: &Model,
        starts: Starts<'_>,
        nstep: usize,
        ctrl: &[f64],
        out: &mut Outputs,
    ) -> Result<(), BatchError> {
        let worlds = self.worlds.len();
        let found = [starts.mask.len(), starts.qpos.len(), starts.qvel.len()];
        if found != [worlds, worlds * m.nq, worlds * m.nv] {
            return Err(BatchError::Mask { got: starts.mask.len(), worlds });
        }
        self.advance(m, &(), self.whole, (&(), starts), nstep, ctrl, out)
    }

    /// [`Worlds::step`] with custom parts. These may not be repeatable, so worlds are separate simulations. Every world
    /// starts each call with a copy of the parts, so that no world sees what another has left in them.
    ///
    /// # Errors
    /// The errors of [`Worlds::step`].
    pub fn step_with<P: Parts + Clone + Sync>(
        &mut self,
        m: &Model,
        parts: &P,
        task: &dyn Task,
        nstep: usize,
        ctrl: &[f64],
        out: &mut Outputs,
    ) -> Result<(), BatchError> {
        self.advance(m, parts, true, (task, Starts::default()), nstep, ctrl, out)
    }

    fn advance<P: Parts + Clone + Sync>(
        &mut self,
        m: &Model,
        parts: &P,
        whole: bool,
        (task, starts): (&dyn Task, Starts<'_>),
        nstep: usize,
        ctrl: &[f64],
        out: &mut Outputs,
    ) -> Result<(), BatchError> {
        let count = self.worlds.len();
        if ctrl.len() != count * m.nu {
            return Err(BatchError::Controls { got: ctrl.len(), want: count * m.nu, worlds: count, nu: m.nu });
        }
        self.benches.ready(m);
        let whole = whole || !Start::suffices(m);
        let cuts = Cuts { share: self.pieces(), split: if whole { 0 } else { self.split() } };
        let Worlds { worlds, benches, watched, pool, strict, forces, .. } = self;
        let how = Steps { m, parts, count: nstep, strict: *strict, forces: *forces, watched };
        let job = Job { how, task, starts, benches, cuts, whole };
        let span = Span { first: 0, worlds, ctrl, out: out.rows() };
        job.run(pool, span)
    }
}

/// Checks that memory for `n` times `each` bytes is available, before the first of many allocations.
pub(crate) fn reserve(n: usize, each: u128) -> Result<(), BatchError> {
    let bytes = n as u128 * each;
    memory::probe(bytes).map_err(|_| BatchError::Memory { worlds: n, bytes })
}
