//! Which integer arrays Python may be writing into.
//!
//! Views are live, so that nobody hears of a write. What is known is which arrays were handed out and whether somebody
//! still holds one. Before a native call those, and no others, are compared with what they were when they were last
//! found in order.

use super::place::Place;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The arrays of one struct that have been handed out.
#[derive(Default)]
pub(super) struct Watch {
    /// Whether there are any, so that a call without them asks no lock.
    armed: AtomicBool,
    rows: Mutex<Vec<Watched>>,
}

struct Watched {
    entry: usize,
    place: Place,
    /// The bytes, as they were last found in order.
    copy: Vec<u8>,
}

impl Watch {
    /// Watches the array of an entry, `len` elements, from now on.
    pub(super) fn add(&self, entry: usize, place: Place, len: usize) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.iter().all(|w| w.entry != entry) {
            rows.push(Watched { entry, place, copy: place.to_vec(len * place.width()) });
            self.armed.store(true, Ordering::Relaxed);
        }
    }

    /// Checks the owner if something has changed, and forgets arrays that nobody `holds` any more.
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
