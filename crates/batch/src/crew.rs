//! Worker threads that help the calling thread, and stay awake for a while after each call.
//!
//! The operating system takes some 50 µs to wake a thread, and may put it on the caller's core, where it waits for
//! milliseconds. Calls of a batch are shorter than that. Threads therefore poll for the next call for a while before
//! they sleep, the caller works too, and a thread that arrives too late is not waited for.

use crate::call::Call;
use std::any::Any;
use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a thread polls for the next call before it sleeps: longer than Python needs between two steps.
const AWAKE: Duration = Duration::from_micros(200);

/// One free seat in [`Desk::seats`]; the bits below count the threads at work.
const SEAT: u64 = 1 << 32;

/// The function that every thread of a call runs.
type Work<'a> = &'a (dyn Fn() + Sync);

thread_local! {
    static PLACE: Cell<usize> = const { Cell::new(0) };
}

/// Index of this thread in its crew, from 1; 0 for a calling thread.
pub(crate) fn place() -> usize {
    PLACE.get()
}

/// Sets the index of this thread in its crew.
pub(crate) fn set_place(place: usize) {
    PLACE.set(place);
}

/// A fixed number of threads in addition to the calling one.
#[derive(Debug)]
pub(crate) struct Crew {
    desk: Arc<Desk>,
    threads: Vec<JoinHandle<()>>,
    /// Held during a call; a concurrent call does all its work on its own thread.
    calling: Mutex<()>,
}

/// Shared state through which threads find work.
#[derive(Debug, Default)]
struct Desk {
    /// Free seats of the current call, and the number of threads that have taken one and not left.
    seats: AtomicU64,
    /// Address of the caller's [`Work`]; read only by a thread with a seat.
    work: AtomicPtr<()>,
    /// Whether the threads are to exit.
    over: AtomicBool,
    /// Number of sleeping threads.
    asleep: Mutex<usize>,
    wake: Condvar,
    /// Signalled when the last thread has left after the seats were closed.
    left: Condvar,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew {
    /// Starts the threads.
    pub(crate) fn new(threads: usize) -> io::Result<Self> {
        let mut crew = Crew { desk: Arc::default(), threads: Vec::with_capacity(threads), calling: Mutex::default() };
        for place in 1..=threads {
            let desk = crew.desk.clone();
            let thread = thread::Builder::new().name(format!("sinew-{place}"));
            crew.threads.push(thread.spawn(move || desk.serve(place))?);
        }
        Ok(crew)
    }

    /// Runs `work` on this thread and on up to `helpers` others that are free in time. Panics if one of them does.
    pub(crate) fn call(&self, helpers: usize, call: &Call, work: Work<'_>) {
        let Ok(calling) = self.calling.try_lock() else { return work() };
        self.desk.open(helpers.min(self.threads.len()), &work);
        let own = catch_unwind(AssertUnwindSafe(work));
        self.desk.close(call);
        let others = lock(&self.desk.panic).take();
        drop(calling);
        if let Some(panic) = own.err().or(others) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.desk.over.store(true, Ordering::Relaxed);
        drop(lock(&self.desk.asleep));
        self.desk.wake.notify_all();
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl Desk {
    /// Offers seats. Until [`Desk::close`] returns, `work` must not be moved or dropped.
    fn open(&self, seats: usize, work: &Work<'_>) {
        self.work.store((&raw const *work).cast_mut().cast(), Ordering::Relaxed);
        self.seats.store(seats as u64 * SEAT, Ordering::Release);
        // a thread that falls asleep after this has already seen the seats
        let asleep = *lock(&self.asleep);
        (0..seats.min(asleep)).for_each(|_| self.wake.notify_one());
    }

    /// Withdraws free seats and waits for the threads that have one.
    fn close(&self, call: &Call) {
        self.seats.fetch_and(SEAT - 1, Ordering::Relaxed);
        let since = Instant::now();
        while self.at_work() && since.elapsed() < AWAKE {
            std::hint::spin_loop();
        }
        if self.at_work() {
            call.wait(&self.asleep, &self.left, |_| !self.at_work());
        }
    }

    fn at_work(&self) -> bool {
        self.seats.load(Ordering::Acquire) != 0
    }

    /// Takes a seat if one is free.
    fn sit(&self) -> bool {
        let take = |seats: u64| (seats >= SEAT).then(|| seats - SEAT + 1);
        self.seats.fetch_update(Ordering::Acquire, Ordering::Relaxed, take).is_ok()
    }

    fn leave(&self) {
        if self.seats.fetch_sub(1, Ordering::Release) == 1 {
            drop(lock(&self.asleep));
            self.left.notify_one();
        }
    }

    /// Main loop of a worker thread.
    fn serve(&self, place: usize) {
        set_place(place);
        let mut since = Instant::now();
        while !self.over.load(Ordering::Relaxed) {
            if self.sit() {
                self.help();
                self.leave();
                since = Instant::now();
            } else if since.elapsed() < AWAKE {
                // others may need the core
                thread::yield_now();
            } else {
                self.sleep();
                since = Instant::now();
            }
        }
    }

    /// Runs the work of the current call, in which this thread has a seat.
    #[allow(unsafe_code)]
    fn help(&self) {
        let work = self.work.load(Ordering::Relaxed).cast::<Work<'_>>();
        // SAFETY: `open` stores the address before it publishes the seats of which this thread took one (release,
        // acquire), and `close` keeps the caller, on whose stack the work is, waiting until this thread has left.
        let work = unsafe { *work };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            lock(&self.panic).get_or_insert(panic);
        }
    }

    fn sleep(&self) {
        let mut asleep = lock(&self.asleep);
        *asleep += 1;
        let idle = |_: &mut usize| self.seats.load(Ordering::Relaxed) < SEAT && !self.over.load(Ordering::Relaxed);
        asleep = self.wake.wait_while(asleep, idle).unwrap_or_else(PoisonError::into_inner);
        *asleep -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn work_is_done_once_whoever_does_it() {
        let crew = Crew::new(3).expect("threads");
        // Miri is slow
        for round in 0..if cfg!(miri) { 20 } else { 2000 } {
            let (next, sum) = (AtomicUsize::new(0), AtomicUsize::new(0));
            crew.call(3, &Call::new(None), &|| {
                while let i @ 0..100 = next.fetch_add(1, Ordering::Relaxed) {
                    sum.fetch_add(i, Ordering::Relaxed);
                }
            });
            assert_eq!(sum.into_inner(), 4950);
            if round % 500 == 0 {
                // long enough for all threads to fall asleep
                thread::sleep(3 * AWAKE);
            }
        }
    }

    #[test]
    fn a_call_waits_for_threads_that_work() {
        let crew = Crew::new(1).expect("threads");
        let done = AtomicUsize::new(0);
        let begun = AtomicUsize::new(0);
        crew.call(1, &Call::new(None), &|| {
            let other = begun.fetch_add(1, Ordering::Relaxed) == 1;
            while begun.load(Ordering::Relaxed) < 2 {
                thread::yield_now();
            }
            if other {
                thread::sleep(4 * AWAKE);
            }
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 2);
    }

    #[test]
    fn a_panic_comes_back_and_the_crew_goes_on() {
        let crew = Crew::new(1).expect("threads");
        for _ in 0..10 {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                let begun = AtomicUsize::new(0);
                crew.call(1, &Call::new(None), &|| {
                    let other = begun.fetch_add(1, Ordering::Relaxed) == 1;
                    while begun.load(Ordering::Relaxed) < 2 {
                        thread::yield_now();
                    }
                    assert!(!other || place() == 0, "on purpose");
                    assert!(other || place() == 0, "on purpose");
                });
            }));
            assert!(caught.is_err());
        }
        let inner = AtomicUsize::new(0);
        crew.call(1, &Call::new(None), &|| {
            crew.call(1, &Call::new(None), &|| {
                inner.fetch_add(1, Ordering::Relaxed);
            });
        });
        assert!(inner.into_inner() >= 1);
    }
}
