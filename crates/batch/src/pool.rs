//! The threads of a batch.

use crate::BatchError;
use crate::call::{Call, Look};
use crate::crew::{Crew, set_place};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Upper limit on the number of threads, more than any machine can use.
const MAX_THREADS: usize = 4096;

/// A fixed number of threads. With one thread nothing is started, and the calling thread does all work.
///
/// Threads do not survive a `fork`: the child process starts new ones when it first needs them.
#[derive(Debug)]
pub struct Pool {
    /// Threads that share the work of a call with its caller.
    crew: Started<Crew>,
    /// Threads for code that uses `rayon`; started on first use.
    rayon: Started<ThreadPool>,
    threads: usize,
    look: Option<Look>,
}

impl Pool {
    /// Starts `threads` threads, of which the calling one is the first; 0 means one per core.
    ///
    /// # Errors
    /// There are too many, or the operating system refuses them.
    pub fn new(threads: usize) -> Result<Self, BatchError> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if threads == 0 { cores() } else { threads };
        if threads > MAX_THREADS {
            return Err(BatchError::TooManyThreads { got: threads, most: MAX_THREADS });
        }
        let pool = Pool { crew: Started::default(), rayon: Started::default(), threads, look: None };
        if threads > 1 {
            pool.crew()?;
        }
        Ok(pool)
    }

    /// Calls `look` on the calling thread five times a second to ask whether a call is to be interrupted. An
    /// interrupted call ends with [`BatchError::Interrupted`]; its threads stop after whole steps.
    #[must_use]
    pub fn looking(mut self, look: Look) -> Self {
        self.look = Some(look);
        self
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    fn crew(&self) -> Result<Arc<Crew>, BatchError> {
        self.crew.get(|| Ok(Crew::new(self.threads - 1)?))
    }

    /// Runs code whose `rayon` work uses these threads.
    ///
    /// # Errors
    /// This process is a fork of the one that started the threads, and the operating system refuses new ones.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, BatchError> {
        if self.threads == 1 {
            return Ok(work());
        }
        Ok(self.rayon()?.install(work))
    }

    fn rayon(&self) -> Result<Arc<ThreadPool>, BatchError> {
        let name = |i| format!("sinew-rayon-{i}");
        let threads = || ThreadPoolBuilder::new().num_threads(self.threads).thread_name(name);
        self.rayon.get(|| Ok(threads().start_handler(|i| set_place(i + 1)).build()?))
    }

    /// [`Pool::install`] for a call that can be interrupted: the calling thread waits and polls.
    pub(crate) fn install_call(&self, work: impl FnOnce(&Call) + Send) -> Result<(), BatchError> {
        let call = Call::new(self.look);
        if self.threads == 1 {
            work(&call);
        } else {
            let (done, told) = (Mutex::new(false), Condvar::new());
            self.rayon()?.in_place_scope(|s| {
                s.spawn(|_| {
                    let _told = Tell(&done, &told);
                    work(&call);
                });
                call.wait(&done, &told, |done| *done);
            });
        }
        call.end()
    }

    /// Runs `work` on up to `most` threads at once. The calling thread is one of them, so that no work waits for others
    /// to wake up.
    ///
    /// # Errors
    /// The errors of [`Pool::install`], and [`BatchError::Interrupted`].
    pub fn together(&self, most: usize, work: impl Fn(&Call) + Sync) -> Result<(), BatchError> {
        let call = Call::new(self.look);
        let helpers = most.min(self.threads).saturating_sub(1);
        match helpers {
            0 => work(&call),
            _ => self.crew()?.call(helpers, &call, &|| work(&call)),
        }
        call.end()
    }

    /// Calls `work` for every item; a thread takes the next item when it is free.
    ///
    /// # Errors
    /// The errors of [`Pool::together`].
    pub fn each<T: Send>(&self, items: Vec<T>, work: impl Fn(T, &Call) + Sync) -> Result<(), BatchError> {
        let most = items.len();
        let rest = Mutex::new(items.into_iter());
        let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.together(most, |call| {
            while let Some(item) = next() {
                work(item, call);
            }
        })
    }
}

/// Notifies a waiting thread, also when the work ends by a panic.
struct Tell<'a>(&'a Mutex<bool>, &'a Condvar);

impl Drop for Tell<'_> {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.1.notify_one();
    }
}

/// Threads, with the process they belong to.
#[derive(Debug)]
struct Started<T>(Mutex<Option<(u32, Arc<T>)>>);

impl<T> Default for Started<T> {
    fn default() -> Self {
        Started(Mutex::new(None))
    }
}

impl<T> Started<T> {
    /// The threads of this process, started if there are none.
    fn get(&self, start: impl FnOnce() -> Result<T, BatchError>) -> Result<Arc<T>, BatchError> {
        let mut started = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if let Some((_, threads)) = started.as_ref().filter(|(of, _)| *of == process) {
            return Ok(threads.clone());
        }
        let threads = Arc::new(start()?);
        leak(started.replace((process, threads.clone())));
        Ok(threads)
    }
}

/// Leaks threads of another process: stopping them could wait for a lock whose owner does not exist in this process.
fn leak<T>(old: Option<(u32, Arc<T>)>) {
    if old.as_ref().is_some_and(|(process, _)| *process != std::process::id()) {
        std::mem::forget(old);
    }
}

impl<T> Drop for Started<T> {
    fn drop(&mut self) {
        leak(self.0.get_mut().unwrap_or_else(PoisonError::into_inner).take());
    }
}
