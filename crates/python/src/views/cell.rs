//! Owners of shared memory.

use crate::error;
use pyo3::prelude::*;
use sinew_engine::Data;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError, Weak};

/// Base object of arrays whose storage never moves: keeps the owner alive.
#[pyclass(frozen, module = "sinew")]
pub struct Keeper {
    _owner: Arc<dyn Any + Send + Sync>,
}

/// A value shared between native calls and views, with the base object of its views. A handle: clones share it.
pub struct Shared<T>(Arc<Inner<T>>);

struct Inner<T> {
    value: Arc<RwLock<T>>,
    keeper: Py<Keeper>,
    label: &'static str,
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<T: Send + Sync + 'static> Shared<T> {
    /// Takes over a value; from here on it stays where it is.
    pub fn new(py: Python<'_>, value: T, label: &'static str) -> PyResult<Self> {
        let value = Arc::new(RwLock::new(value));
        let keeper = Py::new(py, Keeper { _owner: value.clone() })?;
        Ok(Shared(Arc::new(Inner { value, keeper, label })))
    }

    /// What arrays over this value have as their base.
    pub(super) fn base(&self, py: Python<'_>) -> Py<PyAny> {
        self.0.keeper.clone_ref(py).into_any()
    }

    /// Shared access for a native call.
    pub fn read(&self) -> PyResult<RwLockReadGuard<'_, T>> {
        match self.0.value.try_read() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(p)) => Ok(p.into_inner()),
            Err(TryLockError::WouldBlock) => Err(error::busy(self.0.label)),
        }
    }

    /// Exclusive access for a native call.
    pub fn write(&self) -> PyResult<RwLockWriteGuard<'_, T>> {
        match self.0.value.try_write() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(p)) => Ok(p.into_inner()),
            Err(TryLockError::WouldBlock) => Err(error::busy(self.0.label)),
        }
    }

    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Storage that was given up by its owner but is still looked at.
#[derive(Default)]
struct Slot(Mutex<Option<Box<dyn Any + Send + Sync>>>);

/// Base object of arrays whose storage the next call may replace.
#[pyclass(frozen, module = "sinew")]
pub struct Pin {
    _slot: Arc<Slot>,
    _owner: Arc<DataCell>,
}

/// Pin key of the contact list; other keys are rows of the field table.
pub(super) const CONTACTS: usize = usize::MAX;

/// A simulation shared between native calls and views.
pub struct DataCell {
    pub(super) data: Shared<Data>,
    pins: Mutex<HashMap<usize, Weak<Slot>>>,
}

impl DataCell {
    pub fn new(py: Python<'_>, data: Data) -> PyResult<Arc<Self>> {
        Ok(Arc::new(DataCell { data: Shared::new(py, data, "MjData")?, pins: Mutex::default() }))
    }

    /// Exclusive access for a native call. Storage that grows and is still looked at moves over to its viewers first.
    pub fn lock(&self) -> PyResult<RwLockWriteGuard<'_, Data>> {
        let mut data = self.data.write()?;
        for (key, pin) in self.pins.lock().unwrap_or_else(PoisonError::into_inner).drain() {
            if let Some(slot) = pin.upgrade() {
                let old = if key == CONTACTS { Some(data.detach_contacts()) } else { data.detach(key) };
                *slot.0.lock().unwrap_or_else(PoisonError::into_inner) = old;
            }
        }
        Ok(data)
    }

    /// Access for code that only reads.
    pub fn read(&self) -> PyResult<RwLockReadGuard<'_, Data>> {
        self.data.read()
    }

    /// The base object of views into growing storage `key`. The caller holds the data locked.
    pub(super) fn pin<'py>(self: &Arc<Self>, py: Python<'py>, key: usize) -> PyResult<Bound<'py, PyAny>> {
        let slot = {
            let mut pins = self.pins.lock().unwrap_or_else(PoisonError::into_inner);
            let slot = pins.get(&key).and_then(Weak::upgrade).unwrap_or_default();
            pins.insert(key, Arc::downgrade(&slot));
            slot
        };
        Ok(Bound::new(py, Pin { _slot: slot, _owner: self.clone() })?.into_any())
    }
}
