//! Edge coverage counters, if the program was built with them: `cargo xtask campaign --coverage` makes the compiler add
//! one on every edge between basic blocks. Without them, the outcome of an input stands in for what it reaches.
#![allow(unsafe_code)] // the counters belong to the compiler, which reports their address

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize, Ordering::Relaxed};

/// Address of the first counter.
static FIRST: AtomicPtr<AtomicU8> = AtomicPtr::new(null_mut());
/// Number of counters.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Called before `main` if there are counters. The linker places those of all crates in one contiguous section, so
/// repeated calls report the same.
// SAFETY: the name is that of LLVM's interface, and nothing else here defines it
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(first: *mut AtomicU8, end: *mut AtomicU8) {
    COUNT.store(end as usize - first as usize, Relaxed);
    FIRST.store(first, Relaxed);
}

/// Counts of edges between basic blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edges {
    pub all: usize,
    /// Reached by the seeds.
    pub seeds: usize,
    /// Reached so far.
    pub end: usize,
}

/// Coverage of all inputs so far.
pub(crate) struct Coverage {
    counters: &'static [AtomicU8],
    /// Hit count buckets seen so far, by counter.
    seen: Vec<u8>,
    /// Number of edges that the seeds have reached.
    seeds: usize,
}

impl Coverage {
    /// `None` if the program has no counters.
    pub fn new() -> Option<Self> {
        let (first, count) = (FIRST.load(Relaxed), COUNT.load(Relaxed));
        if first.is_null() {
            return None;
        }
        // SAFETY: the counters exist as long as the program runs, and any byte is a valid `AtomicU8`. The instrumented
        // code increments them outside of rustc's view; an increment lost to another thread does no harm.
        Some(Self::over(unsafe { std::slice::from_raw_parts(first, count) }))
    }

    fn over(counters: &'static [AtomicU8]) -> Self {
        Coverage { counters, seen: vec![0; counters.len()], seeds: 0 }
    }

    /// Resets all counters to zero.
    pub fn clear(&self) {
        self.counters.iter().for_each(|c| c.store(0, Relaxed));
    }

    /// Whether an edge was taken for the first time, or with a hit count in a new bucket.
    pub fn look(&mut self) -> bool {
        let mut new = false;
        for (counter, seen) in self.counters.iter().zip(&mut self.seen) {
            let bit = bucket(counter.load(Relaxed));
            new |= bit & !*seen != 0;
            *seen |= bit;
        }
        new
    }

    /// Records that all seeds have been tried.
    pub fn seeded(&mut self) {
        self.seeds = self.edges().end;
    }

    pub fn edges(&self) -> Edges {
        let end = self.seen.iter().filter(|seen| **seen != 0).count();
        Edges { all: self.seen.len(), seeds: self.seeds, end }
    }
}

/// Bucket of a hit count, as one bit: small counts exactly, larger ones by powers of two.
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
