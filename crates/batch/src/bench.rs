//! Simulations shared by the worlds, one per thread, so that the data of a step stays in the thread's cache.

use crate::crew;
use sinew_engine::model::options::Options;
use sinew_engine::{Data, Model};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Slot for the simulation of one thread.
type Slot = Mutex<Option<Box<Data>>>;

/// One simulation per thread, created when first needed.
#[derive(Debug)]
pub(crate) struct Benches {
    slots: Vec<Slot>,
    /// Number of threads that work on one simulation.
    threads_each: usize,
    /// Options of the simulations. Fields that steps skip under these options keep old values, so other options need
    /// new simulations.
    opt: Option<Options>,
}

impl Benches {
    /// Slots for `threads` threads, of which `threads_each` work on one simulation.
    pub(crate) fn new(threads: usize, threads_each: usize) -> Self {
        Benches { slots: (0..threads.max(1)).map(|_| Slot::default()).collect(), threads_each, opt: None }
    }

    /// Creates all simulations, so that steps need not allocate.
    pub(crate) fn fill(&mut self, m: &Model) {
        self.ready(m);
        for k in 0..self.slots.len() {
            let made = self.make(m);
            *self.slots[k].get_mut().unwrap_or_else(PoisonError::into_inner) = Some(made);
        }
    }

    /// Drops simulations that were used with other options.
    pub(crate) fn ready(&mut self, m: &Model) {
        if self.opt.as_ref() != Some(&m.opt) {
            self.opt = Some(m.opt.clone());
            self.slots.iter_mut().for_each(|slot| *slot = Slot::default());
        }
    }

    fn make(&self, m: &Model) -> Box<Data> {
        let mut d = Box::new(Data::new(m));
        d.set_threads(m, self.threads_each);
        d
    }

    /// Whether several threads work on one simulation.
    pub(crate) fn shared(&self) -> bool {
        self.threads_each > 1
    }

    /// The slot of this thread, then those of others. The first is for the calling thread, the others for helpers.
    fn slots(&self) -> impl Iterator<Item = MutexGuard<'_, Option<Box<Data>>>> {
        let n = self.slots.len();
        let first = rayon::current_thread_index().unwrap_or_else(crew::place);
        (0..n).map(move |k| self.slots[(first + k) % n].lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes a simulation out of its slot. The slot stays empty meanwhile, because a thread that waits for others may
    /// start another task.
    pub(crate) fn take(&self, m: &Model) -> Box<Data> {
        let there = self.slots().find_map(|mut slot| slot.take());
        there.unwrap_or_else(|| self.make(m))
    }

    /// Returns a simulation to a slot.
    pub(crate) fn give(&self, d: Box<Data>) {
        if let Some(mut slot) = self.slots().find(|slot| slot.is_none()) {
            *slot = Some(d);
        }
    }

    /// Calls a function with the simulation of this thread.
    pub(crate) fn with<R>(&self, m: &Model, work: impl FnOnce(&mut Data) -> R) -> R {
        let mut d = self.take(m);
        let done = work(&mut d);
        self.give(d);
        done
    }
}
