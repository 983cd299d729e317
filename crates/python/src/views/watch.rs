//! Which integer arrays Python may be writing into.
//!
//! Views alias native memory, so writes go unnoticed. What is known is which arrays were returned to Python and whether
//! a reference to one still exists. Before a native call only those are compared with their contents at the last
//! successful check.

use super::place::Place;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The arrays of one struct that have been returned to Python.
#[derive(Default)]
pub(super) struct Watch {
    /// Whether there are any, so that a call without them takes no lock.
    armed: AtomicBool,
    rows: Mutex<Vec<Watched>>,
}

struct Watched {
    entry: usize,
    place: Place,
    /// The bytes at the last successful check.
    copy: Vec<u8>,
}

impl Watch {
    /// Watches the array of an entry, with `len` elements, from now on.
    pub(super) fn add(&self, entry: usize, place: Place, len: usize) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.iter().all(|w| w.entry != entry) {
            rows.push(Watched { entry, place, copy: place.to_vec(len * place.width()) });
            self.armed.store(true, Ordering::Relaxed);
        }
    }

    /// Checks the owner if something has changed, and forgets arrays that are no longer held according to `holds`.
    pub(super) fn check(&self, holds: impl Fn(usize) -> bool, in_order: impl FnOnce() -> PyResult<()>) -> PyResult<()> {
        if !self.armed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.iter().any(|w| !w.place.equals(&w.copy)) {
            in_order()?;
            rows.iter_mut().for_each(|w| w.copy = w.place.to_vec(w.copy.len()));
        }
        rows.retain(|w| holds(w.entry));
        self.armed.store(!rows.is_empty(), Ordering::Relaxed);
        Ok(())
    }
}
