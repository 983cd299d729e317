//! Threads of a batch's own.

use crate::BatchError;
use std::num::NonZero;

/// A fixed number of threads. One thread means the calling one: nothing is started then.
#[derive(Debug)]
pub struct Pool {
    pool: Option<rayon::ThreadPool>,
    threads: usize,
}

impl Pool {
    /// Starts `threads` threads; as many as there are cores if 0.
    ///
    /// # Errors
    /// The operating system refuses them.
    pub fn new(threads: usize) -> Result<Self, BatchError> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if threads == 0 { cores() } else { threads };
        let start = || rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("sinew-{i}"));
        let pool = if threads == 1 { None } else { Some(start().build()?) };
        Ok(Pool { pool, threads })
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs code in which `rayon` uses these threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Calls `work` for every item, each on a thread of its own while there are threads left.
    pub fn each<T: Send>(&self, items: impl IntoIterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        match &self.pool {
            Some(pool) => pool.scope(|s| items.into_iter().for_each(|item| s.spawn(|_| work(item)))),
            None => items.into_iter().for_each(work),
        }
    }
}
