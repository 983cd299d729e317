//! Threads of a batch's own.

use crate::BatchError;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

/// More threads than any machine has use for.
const MAX_THREADS: usize = 4096;

/// A fixed number of threads. One thread means the calling one: nothing is started then.
///
/// Threads do not survive a `fork`: the child process starts its own when it first needs them.
#[derive(Debug)]
pub struct Pool {
    started: Mutex<Option<Started>>,
    threads: usize,
}

/// The threads and the process that they belong to.
#[derive(Debug)]
struct Started {
    pool: Arc<ThreadPool>,
    process: u32,
}

impl Pool {
    /// Starts `threads` threads; as many as there are cores if 0.
    ///
    /// # Errors
    /// There are too many, or the operating system refuses them.
    pub fn new(threads: usize) -> Result<Self, BatchError> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if threads == 0 { cores() } else { threads };
        if threads > MAX_THREADS {
            return Err(BatchError::TooManyThreads { got: threads, most: MAX_THREADS });
        }
        let pool = Pool { started: Mutex::new(None), threads };
        pool.pool()?;
        Ok(pool)
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The threads, in this process; none if the calling one does everything.
    fn pool(&self) -> Result<Option<Arc<ThreadPool>>, BatchError> {
        if self.threads == 1 {
            return Ok(None);
        }
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if let Some(s) = started.as_ref().filter(|s| s.process == process) {
            return Ok(Some(s.pool.clone()));
        }
        let name = |i| format!("sinew-{i}");
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(self.threads).thread_name(name).build()?);
        leak(started.replace(Started { pool: pool.clone(), process }));
        Ok(Some(pool))
    }

    /// Runs code in which `rayon` uses these threads.
    ///
    /// # Errors
    /// This process is a fork of the one that started the threads, and the operating system refuses new ones.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, BatchError> {
        Ok(match self.pool()? {
            Some(pool) => pool.install(work),
            None => work(),
        })
    }

    /// Runs `work` on up to `most` threads at once. The calling thread is one of them, so that nothing waits until others wake up.
    ///
    /// # Errors
    /// Those of [`Pool::install`].
    pub fn together(&self, most: usize, work: impl Fn() + Sync) -> Result<(), BatchError> {
        let helpers = most.min(self.threads).saturating_sub(1);
        match self.pool()? {
            Some(pool) if helpers > 0 => pool.in_place_scope(|s| {
                (0..helpers).for_each(|_| s.spawn(|_| work()));
                work();
            }),
            _ => work(),
        }
        Ok(())
    }

    /// Calls `work` for every item, each on a thread of its own while there are threads left.
    ///
    /// # Errors
    /// Those of [`Pool::install`].
    pub fn each<T: Send>(
        &self,
        items: impl IntoIterator<Item = T> + Send,
        work: impl Fn(T) + Sync,
    ) -> Result<(), BatchError> {
        match self.pool()? {
            Some(pool) => pool.scope(|s| items.into_iter().for_each(|item| s.spawn(|_| work(item)))),
            None => items.into_iter().for_each(work),
        }
        Ok(())
    }
}

/// Forgets threads of another process: telling them to stop could wait for a lock that nobody holds any more.
fn leak(old: Option<Started>) {
    if old.as_ref().is_some_and(|s| s.process != std::process::id()) {
        std::mem::forget(old);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        leak(self.started.get_mut().unwrap_or_else(PoisonError::into_inner).take());
    }
}
