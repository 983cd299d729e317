//! Threads that help the one that calls, and stay awake for a while after each call.
//!
//! The operating system takes some 50 µs to wake a thread up, and may put it on the core of the caller, where it waits for
//! milliseconds. Calls of a batch are shorter than that: so threads look for the next call for a while before they sleep,
//! the caller works itself, and a thread that comes too late is not waited for.

use crate::call::Call;
use std::any::Any;
use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a thread looks for the next call before it sleeps: longer than Python needs between two steps.
const AWAKE: Duration = Duration::from_micros(200);

/// One free seat on a [`Desk`]; the bits below count the threads at work.
const SEAT: u64 = 1 << 32;

/// What all threads of a call do.
type Work<'a> = &'a (dyn Fn() + Sync);

thread_local! {
    static PLACE: Cell<usize> = const { Cell::new(0) };
}

/// Number of this thread in its crew, from 1; 0 for one that calls.
pub(crate) fn place() -> usize {
    PLACE.get()
}

/// Says which thread of its crew this is.
pub(crate) fn set_place(place: usize) {
    PLACE.set(place);
}

/// A fixed number of threads beside the one that calls.
#[derive(Debug)]
pub(crate) struct Crew {
    desk: Arc<Desk>,
    threads: Vec<JoinHandle<()>>,
    /// Held during a call: another one meanwhile does everything itself.
    calling: Mutex<()>,
}

/// Where threads find work.
#[derive(Debug, Default)]
struct Desk {
    /// Free seats of the present call, and threads that have taken one and not left.
    seats: AtomicU64,
    /// Where the caller keeps its [`Work`]; read only by a thread with a seat.
    work: AtomicPtr<()>,
    /// Whether the crew is dismissed.
    over: AtomicBool,
    /// Number of threads that sleep.
    asleep: Mutex<usize>,
    wake: Condvar,
    /// The last thread has left after the seats were closed.
    left: Condvar,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew {
    /// Starts threads.
    pub(crate) fn new(threads: usize) -> io::Result<Self> {
        let mut crew = Crew { desk: Arc::default(), threads: Vec::with_capacity(threads), calling: Mutex::default() };
        for place in 1..=threads {
            let desk = crew.desk.clone();
            let thread = thread::Builder::new().name(format!("sinew-{place}"));
            crew.threads.push(thread.spawn(move || desk.serve(place))?);
        }
        Ok(crew)
    }

    /// Does `work` on this thread and on up to `helpers` others that are free in time. Panics if one of them does.
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
    /// Offers seats. Until [`Desk::close`] returns, `work` must stay where it is.
    fn open(&self, seats: usize, work: &Work<'_>) {
        self.work.store((&raw const *work).cast_mut().cast(), Ordering::Relaxed);
        self.seats.store(seats as u64 * SEAT, Ordering::Release);
        // who falls asleep after this has seen the seats
        let asleep = *lock(&self.asleep);
        (0..seats.min(asleep)).for_each(|_| self.wake.notify_one());
    }

    /// Takes back free seats and waits for threads that have one.
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

    /// Takes a seat if there is one.
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

    /// What a thread does all its life.
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

    /// Does the work of the present call, in which this thread has a seat.
    #[allow(unsafe_code)]
    fn help(&self) {
        let work = self.work.load(Ordering::Relaxed).cast::<Work<'_>>();
        // SAFETY: `open` has stored the address before the seats that this thread took one of (release, acquire), and `close` keeps
        // the caller, on whose stack the work is, until this thread has left.
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
        // an interpreter is slow
        for round in 0..if cfg!(miri) { 20 } else { 2000 } {
            let (next, sum) = (AtomicUsize::new(0), AtomicUsize::new(0));
            crew.call(3, &Call::new(None), &|| {
                while let i @ 0..100 = next.fetch_add(1, Ordering::Relaxed) {
                    sum.fetch_add(i, Ordering::Relaxed);
                }
            });
            assert_eq!(sum.into_inner(), 4950);
            if round % 500 == 0 {
                // long enough that all fall asleep
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
