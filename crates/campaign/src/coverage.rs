//! Counters of branches, where the program was built with them: `cargo xtask campaign --coverage` asks the compiler for one on
//! every edge between blocks of code. Without them outcomes tell what an input reaches.
#![allow(unsafe_code)] // the counters are the compiler's; it says where they are

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize, Ordering::Relaxed};

/// The first counter.
static FIRST: AtomicPtr<AtomicU8> = AtomicPtr::new(null_mut());
/// How many there are.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Called before `main` where there are counters. The linker lays those of all crates in one row: calls tell the same.
// SAFETY: the name is that of LLVM's interface, and nothing else here defines it
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(first: *mut AtomicU8, end: *mut AtomicU8) {
    COUNT.store(end as usize - first as usize, Relaxed);
    FIRST.store(first, Relaxed);
}

/// Edges between blocks of code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edges {
    pub all: usize,
    /// Reached by the seeds.
    pub seeds: usize,
    /// Reached so far.
    pub end: usize,
}

/// What inputs have reached so far.
pub(crate) struct Coverage {
    counters: &'static [AtomicU8],
    /// Buckets that were seen, by counter.
    seen: Vec<u8>,
    /// Edges that the seeds have reached.
    seeds: usize,
}

impl Coverage {
    /// `None` where the program has no counters.
    pub fn new() -> Option<Self> {
        let (first, count) = (FIRST.load(Relaxed), COUNT.load(Relaxed));
        if first.is_null() {
            return None;
        }
        // SAFETY: they lie there as long as the program runs, and any byte is an `AtomicU8`. Code adds to them in a way that
        // the compiler of Rust does not see; an addition that is lost to another thread's does no harm.
        Some(Self::over(unsafe { std::slice::from_raw_parts(first, count) }))
    }

    fn over(counters: &'static [AtomicU8]) -> Self {
        Coverage { counters, seen: vec![0; counters.len()], seeds: 0 }
    }

    /// Begins to count anew.
    pub fn clear(&self) {
        self.counters.iter().for_each(|c| c.store(0, Relaxed));
    }

    /// Whether an edge was taken for the first time, or in another bucket of times than ever before.
    pub fn look(&mut self) -> bool {
        let mut new = false;
        for (counter, seen) in self.counters.iter().zip(&mut self.seen) {
            let bit = bucket(counter.load(Relaxed));
            new |= bit & !*seen != 0;
            *seen |= bit;
        }
        new
    }

    /// Says that all seeds have been tried.
    pub fn seeded(&mut self) {
        self.seeds = self.edges().end;
    }

    pub fn edges(&self) -> Edges {
        let end = self.seen.iter().filter(|seen| **seen != 0).count();
        Edges { all: self.seen.len(), seeds: self.seeds, end }
    }
}

/// How often an edge was taken, as a bit: few times exactly, many times by powers of two.
fn bucket(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 1 << 1,
        3 => 1 << 2,
        4..=7 => 1 << 3,
        8..=15 => 1 << 4,
        16..=31 => 1 << 5,
        32..=127 => 1 << 6,
        128.. => 1 << 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_buckets_are_news() {
        static COUNTERS: [AtomicU8; 3] = [const { AtomicU8::new(0) }; 3];
        let mut coverage = Coverage::over(&COUNTERS);
        let mut news = |counts: [u8; 3]| {
            coverage.clear();
            COUNTERS.iter().zip(counts).for_each(|(c, n)| _ = c.fetch_add(n, Relaxed));
            (coverage.look(), coverage.edges().end)
        };
        assert_eq!(news([0, 0, 0]), (false, 0));
        assert_eq!(news([1, 0, 5]), (true, 2));
        assert_eq!(news([1, 0, 7]), (false, 2)); // in the bucket of 5
        assert_eq!(news([2, 0, 0]), (true, 2));
        assert_eq!(news([0, 200, 8]), (true, 3));
        assert_eq!(news([2, 255, 15]), (false, 3));
    }
}
