//! Interruption of long calls between steps, by the thread that made the call.

use crate::BatchError;
use crate::crew::place;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between looks. A look may have to wait for others: in Python for the GIL, 5 ms by default.
const PERIOD: Duration = Duration::from_millis(200);

/// Maximum number of steps between readings of the clock; a reading costs a small part of the shortest step.
const MOST_STEPS: u32 = 64;

/// Asks whether a call is to be interrupted. Called on the thread that made the call.
pub type Look = fn() -> bool;

/// Periodic timer that tells when a look is due. For a single thread: use by others is safe and fast, but makes it
/// irregular.
#[derive(Debug)]
pub struct Pulse {
    since: Instant,
    /// Time of the last look, in nanoseconds after `since`.
    last: AtomicU64,
    /// Steps until the clock is next read, out of `stretch`.
    left: AtomicU32,
    stretch: AtomicU32,
}

impl Default for Pulse {
    fn default() -> Self {
        Pulse { since: Instant::now(), last: AtomicU64::new(0), left: AtomicU32::new(1), stretch: AtomicU32::new(1) }
    }
}

impl Pulse {
    /// Whether a look is due; to be called after every step.
    pub fn due(&self) -> bool {
        let left = self.left.load(Relaxed).saturating_sub(1);
        self.left.store(left, Relaxed);
        left == 0 && self.by_clock()
    }

    #[cold]
    fn by_clock(&self) -> bool {
        let now = u64::try_from(self.since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let due = u128::from(now - self.last.load(Relaxed).min(now)) >= PERIOD.as_nanos();
        let stretch = self.stretch.load(Relaxed);
        // read the clock after every step if steps are long, after many if they are short
        let stretch = if due { (stretch / 2).max(1) } else { (stretch * 2).min(MOST_STEPS) };
        self.stretch.store(stretch, Relaxed);
        self.left.store(stretch, Relaxed);
        if due {
            self.last.store(now, Relaxed);
        }
        due
    }
}

/// One call on a [`Pool`](crate::Pool), shared by its threads.
#[derive(Debug)]
pub struct Call {
    over: AtomicBool,
    look: Option<Look>,
    pulse: Pulse,
}

impl Call {
    pub(crate) fn new(look: Option<Look>) -> Self {
        Call { over: AtomicBool::new(false), look, pulse: Pulse::default() }
    }

    /// Whether to stop; to be asked between steps. On the thread that made the call this also looks when due.
    pub fn over(&self) -> bool {
        self.over.load(Relaxed) || self.look.is_some() && place() == 0 && self.pulse.due() && self.ask()
    }

    /// Calls the look. A look that panics ends the call: unwinding here would free data that other threads still use.
    fn ask(&self) -> bool {
        let over = self.look.is_some_and(|look| catch_unwind(look).unwrap_or(true));
        self.over.fetch_or(over, Relaxed) || over
    }

    /// Blocks the calling thread until `done`, which is signalled by `told`, and looks periodically.
    pub(crate) fn wait<T>(&self, state: &Mutex<T>, told: &Condvar, done: impl Fn(&T) -> bool) {
        loop {
            let guard = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (guard, _) =
                told.wait_timeout_while(guard, PERIOD, |t| !done(t)).unwrap_or_else(PoisonError::into_inner);
            if done(&guard) {
                return;
            }
            drop(guard);
            if !self.over.load(Relaxed) {
                self.ask();
            }
        }
    }

    /// Result of the call.
    pub(crate) fn end(self) -> Result<(), BatchError> {
        if self.over.into_inner() { Err(BatchError::Interrupted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_rare_and_soon_enough() {
        let pulse = Pulse::default();
        let begun = Instant::now();
        let (mut looks, mut steps) = (0, 0_u32);
        while begun.elapsed() < 5 * PERIOD / 2 {
            looks += u32::from(pulse.due());
            steps += 1;
        }
        assert!((1..=2).contains(&looks), "{looks} looks in {steps} steps");
    }

    #[test]
    fn a_look_that_panics_ends_the_call() {
        let call = Call::new(Some(|| panic!("on purpose")));
        assert!(call.ask() && call.over());
        assert!(matches!(call.end(), Err(BatchError::Interrupted)));
    }
}
