//! A batch of worlds over one model.

use crate::{BatchError, Outputs, Pool, Task, Worlds};
use sinew_engine::data::State;
use sinew_engine::parts::Parts;
use sinew_engine::{Data, Model};
use std::fmt;
use std::sync::Arc;

/// Worlds of one model that are stepped together.
pub struct BatchSim<P = ()> {
    model: Arc<Model>,
    parts: P,
    worlds: Worlds,
    task: Box<dyn Task>,
    steps: usize,
    /// Whether the parts differ from those that the model selects.
    own_parts: bool,
    out: Outputs,
}

/// Options of a [`BatchSim`].
pub struct Builder<P = ()> {
    model: Arc<Model>,
    parts: P,
    worlds: usize,
    threads: usize,
    steps: usize,
    strict: bool,
    whole: bool,
    own_parts: bool,
    task: Box<dyn Task>,
}

impl<P: Parts + Clone + Sync> Builder<P> {
    /// Parts other than those the model selects: from a [`SimBuilder`](sinew_engine::sim::SimBuilder), prepared for the
    /// model. Every world starts each call with a copy of them.
    ///
    /// ```
    /// # use sinew_batch::BatchSim;
    /// # use sinew_engine::{sim::SimBuilder, solver::xpbd::Xpbd};
    /// # let xml = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
    /// # let model = std::sync::Arc::new(sinew_mjcf::load_str(xml, &sinew_mjcf::Source::default())?);
    /// let parts = SimBuilder::new().solver(Xpbd::new(2)).parts(&model)?;
    /// let mut worlds = BatchSim::builder(model, 8).parts(parts).build()?;
    /// worlds.step_all(&[])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn parts<Q: Parts + Clone + Sync>(self, parts: Q) -> Builder<Q> {
        let Builder { model, worlds, threads, steps, strict, whole, task, .. } = self;
        Builder { model, parts, worlds, threads, steps, strict, whole, own_parts: true, task }
    }

    /// Number of threads; 0, the default, means one per core. Results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Time steps per call, with constant controls; 1 by default.
    #[must_use]
    pub fn steps(mut self, steps: usize) -> Self {
        self.steps = steps;
        self
    }

    /// Makes a step fail if its constraint forces have not converged to the tolerance.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Gives every world a separate simulation, for callers that use [`BatchSim::world`] after every step: nothing is
    /// computed twice then, but worlds need tens of times the memory and no longer fit into the cache.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// Rewards, ends of episodes and initial states: a [`Task`], or a closure that returns the reward.
    #[must_use]
    pub fn task(mut self, task: impl Task + 'static) -> Self {
        self.task = Box::new(task);
        self
    }

    /// Allocates all worlds and starts the threads.
    ///
    /// # Errors
    /// There is not enough memory, or the operating system refuses the threads.
    pub fn build(self) -> Result<BatchSim<P>, BatchError> {
        let Builder { model, parts, worlds: n, threads, steps, strict, whole, own_parts, task } = self;
        let out = Outputs::new(&model, n)?;
        let mut worlds = Worlds::new(&model, n, Pool::new(threads)?)?;
        worlds.set_strict(strict);
        worlds.set_whole(whole);
        let mut sim = BatchSim { model, parts, worlds, task, steps, own_parts, out };
        (0..n).try_for_each(|i| sim.reset(i))?;
        Ok(sim)
    }
}

impl BatchSim {
    /// `n` worlds on all cores, one time step per call, no task.
    ///
    /// # Errors
    /// There is not enough memory, or the operating system refuses the threads.
    pub fn new(model: Arc<Model>, n: usize) -> Result<Self, BatchError> {
        Self::builder(model, n).build()
    }

    /// Options for `n` worlds.
    pub fn builder(model: Arc<Model>, n: usize) -> Builder {
        let (strict, whole, own_parts) = (false, false, false);
        Builder { model, parts: (), worlds: n, threads: 0, steps: 1, strict, whole, own_parts, task: Box::new(()) }
    }
}

impl<P: Parts + Clone + Sync> BatchSim<P> {
    /// Steps every world under the controls of its row (n × nu, row-major). A world that fails is recorded in
    /// [`Outputs::errors`], marked terminated, and reset at the beginning of the next call; the others continue. Worlds
    /// that the task ends must be reset by the caller.
    ///
    /// # Errors
    /// The number of controls is wrong.
    pub fn step_all(&mut self, ctrl: &[f64]) -> Result<&Outputs, BatchError> {
        let BatchSim { model, parts, worlds, task, steps, own_parts, out } = self;
        if *own_parts {
            worlds.step_with(model, parts, &**task, *steps, ctrl, out)?;
        } else {
            worlds.step(model, &**task, *steps, ctrl, out)?;
        }
        Ok(&self.out)
    }

    /// Results of the last step.
    pub fn outputs(&self) -> &Outputs {
        &self.out
    }

    /// Resets a world to its initial state and writes that to [`Outputs::states`].
    ///
    /// # Errors
    /// There is no such world.
    pub fn reset(&mut self, i: usize) -> Result<(), BatchError> {
        self.worlds.reset(&self.model, &*self.task, i)?;
        let width = self.model.nq + self.model.nv;
        if let Some(state) = self.worlds.state(i) {
            let (qpos, qvel) = self.out.states[i * width..][..width].split_at_mut(self.model.nq);
            qpos.copy_from_slice(&state.qpos);
            qvel.copy_from_slice(&state.qvel);
        }
        Ok(())
    }

    /// [`BatchSim::reset`] of every world whose entry is true.
    ///
    /// # Errors
    /// The mask's length differs from the number of worlds.
    pub fn reset_where(&mut self, mask: &[bool]) -> Result<(), BatchError> {
        if mask.len() != self.len() {
            return Err(BatchError::Mask { got: mask.len(), worlds: self.len() });
        }
        (0..mask.len()).filter(|&i| mask[i]).try_for_each(|i| self.reset(i))
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
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
        self.worlds.threads()
    }

    /// A world, with all fields of its last step. They are recomputed, bit for bit, on the first access after a call.
    /// Use [`Builder::whole`] to access them after every call, or [`BatchSim::state`] if the state is enough.
    pub fn world(&self, i: usize) -> Option<&Data> {
        self.worlds.get(&self.model, i)
    }

    /// A world, mutable between calls; otherwise as [`BatchSim::world`].
    pub fn world_mut(&mut self, i: usize) -> Option<&mut Data> {
        self.worlds.get_mut(&self.model, i)
    }

    /// The state of a world.
    pub fn state(&self, i: usize) -> Option<&State> {
        self.worlds.state(i)
    }

    /// The state of a world, mutable between calls.
    pub fn state_mut(&mut self, i: usize) -> Option<&mut State> {
        self.worlds.state_mut(i)
    }

    /// Memory of all worlds. (bytes)
    pub fn nbytes(&self) -> usize {
        self.worlds.nbytes()
    }
}

impl<P: Parts + Clone + Sync> fmt::Debug for BatchSim<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BatchSim({} worlds of '{}', {} threads)", self.len(), self.model.model_name(), self.threads())
    }
}
