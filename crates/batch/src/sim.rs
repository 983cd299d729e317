//! A batch of worlds over one model.

use crate::{BatchError, Outputs, Pool, Task, Worlds};
use sinew_engine::{Data, Model};
use std::fmt;
use std::sync::Arc;

/// Worlds of one model that are stepped together.
pub struct BatchSim {
    model: Arc<Model>,
    worlds: Worlds,
    task: Box<dyn Task>,
    steps: usize,
    out: Outputs,
}

/// Options of a [`BatchSim`].
pub struct Builder {
    model: Arc<Model>,
    worlds: usize,
    threads: usize,
    steps: usize,
    strict: bool,
    task: Box<dyn Task>,
}

impl Builder {
    /// Number of threads; 0, the default, for as many as there are cores. Results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Time steps per call, under the same controls; 1 by default.
    #[must_use]
    pub fn steps(mut self, steps: usize) -> Self {
        self.steps = steps;
        self
    }

    /// Makes a step fail whose constraint forces are not within the tolerance.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Rewards, ends of episodes and initial states: a [`Task`], or a closure that gives the reward.
    #[must_use]
    pub fn task(mut self, task: impl Task + 'static) -> Self {
        self.task = Box::new(task);
        self
    }

    /// Allocates all worlds and starts the threads.
    ///
    /// # Errors
    /// There is not enough memory, or the operating system refuses the threads.
    pub fn build(self) -> Result<BatchSim, BatchError> {
        let Builder { model, worlds: n, threads, steps, strict, task } = self;
        let out = Outputs::new(&model, n)?;
        let mut worlds = Worlds::new(&model, n, Pool::new(threads)?)?;
        worlds.set_strict(strict);
        let mut sim = BatchSim { model, worlds, task, steps, out };
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
        Builder { model, worlds: n, threads: 0, steps: 1, strict: false, task: Box::new(()) }
    }

    /// Steps every world under the controls of its row (n × nu, row-major). A world that fails is recorded in
    /// [`Outputs::errors`], marked terminated, and reset at the beginning of the next call; the others go on. Worlds
    /// that the task ends are the caller's to reset.
    ///
    /// # Errors
    /// The controls have another length.
    pub fn step_all(&mut self, ctrl: &[f64]) -> Result<&Outputs, BatchError> {
        self.worlds.step(&self.model, &*self.task, self.steps, ctrl, &mut self.out)?;
        Ok(&self.out)
    }

    /// What the last step left.
    pub fn outputs(&self) -> &Outputs {
        &self.out
    }

    /// Puts a world into its initial state and shows it in [`Outputs::states`].
    ///
    /// # Errors
    /// There is no such world.
    pub fn reset(&mut self, i: usize) -> Result<(), BatchError> {
        self.worlds.reset(&self.model, &*self.task, i)?;
        let width = self.model.nq + self.model.nv;
        if let Some(d) = self.worlds.get(i) {
            let (qpos, qvel) = self.out.states[i * width..][..width].split_at_mut(self.model.nq);
            qpos.copy_from_slice(&d.state.qpos);
            qvel.copy_from_slice(&d.state.qvel);
        }
        Ok(())
    }

    /// [`BatchSim::reset`] of every world whose entry is true.
    ///
    /// # Errors
    /// The mask has another length than the batch.
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.worlds.is_empty()
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.worlds.threads()
    }

    /// A world.
    pub fn world(&self, i: usize) -> Option<&Data> {
        self.worlds.get(i)
    }

    /// A world, to be changed between calls.
    pub fn world_mut(&mut self, i: usize) -> Option<&mut Data> {
        self.worlds.get_mut(i)
    }
}

impl fmt::Debug for BatchSim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BatchSim({} worlds of '{}', {} threads)", self.len(), self.model.model_name(), self.threads())
    }
}
