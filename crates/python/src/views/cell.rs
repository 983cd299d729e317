//! Owners of shared memory.

use super::lend::{Loaned, Loans};
use crate::error;
use pyo3::prelude::*;
use sinew_engine::Data;
use std::any::Any;
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
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

    /// Where the value is.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(&*self.0.value).addr()
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
    data: Shared<Data>,
    pins: Mutex<HashMap<usize, Weak<Slot>>>,
    loans: Loans,
}

/// Exclusive access to a simulation: its lock, or a loan from the call that holds it.
pub enum DataGuard<'a> {
    Lock(RwLockWriteGuard<'a, Data>),
    Loan(Loaned<'a>),
}

impl Deref for DataGuard<'_> {
    type Target = Data;
    fn deref(&self) -> &Data {
        match self {
            DataGuard::Lock(data) => data,
            DataGuard::Loan(data) => data,
        }
    }
}

impl DerefMut for DataGuard<'_> {
    fn deref_mut(&mut self) -> &mut Data {
        match self {
            DataGuard::Lock(data) => data,
            DataGuard::Loan(data) => data,
        }
    }
}

/// Access to a simulation for reading.
pub enum DataRef<'a> {
    Lock(RwLockReadGuard<'a, Data>),
    Loan(Loaned<'a>),
}

impl Deref for DataRef<'_> {
    type Target = Data;
    fn deref(&self) -> &Data {
        match self {
            DataRef::Lock(data) => data,
            DataRef::Loan(data) => data,
        }
    }
}

impl DataCell {
    pub fn new(py: Python<'_>, data: Data) -> PyResult<Arc<Self>> {
        let data = Shared::new(py, data, "MjData")?;
        let loans = Loans::new(&*data.read()?);
        Ok(Arc::new(DataCell { data, pins: Mutex::default(), loans }))
    }

    /// Where the simulation is.
    pub fn address(&self) -> usize {
        self.data.address()
    }

    /// What arrays over fixed storage have as their base.
    pub(super) fn base(&self, py: Python<'_>) -> Py<PyAny> {
        self.data.base(py)
    }

    /// Exclusive access for a native call. Storage that grows and is still looked at moves over to its viewers first.
    pub fn lock(&self) -> PyResult<DataGuard<'_>> {
        let mut data = self.access()?;
        self.release(&mut data);
        Ok(data)
    }

    /// Exclusive access that resizes nothing: views stay attached.
    pub(super) fn access(&self) -> PyResult<DataGuard<'_>> {
        match self.data.write() {
            Ok(data) => Ok(DataGuard::Lock(data)),
            Err(busy) => self.loans.take().map(DataGuard::Loan).ok_or(busy),
        }
    }

    /// Lets Python code that runs on this thread get at the simulation that a native call has locked. Afterwards,
    /// growing storage that it still looks at is its own, and the call may go on.
    pub fn lend<R>(&self, data: &mut Data, work: impl FnOnce() -> R) -> R {
        let done = self.loans.lend(data, work);
        self.release(data);
        done
    }

    /// Moves growing storage that is still looked at over to its viewers.
    fn release(&self, data: &mut Data) {
        for (key, pin) in self.pins.lock().unwrap_or_else(PoisonError::into_inner).drain() {
            if let Some(slot) = pin.upgrade() {
                let old = if key == CONTACTS { Some(data.detach_contacts()) } else { data.detach(key) };
                *slot.0.lock().unwrap_or_else(PoisonError::into_inner) = old;
            }
        }
    }

    /// Access for code that only reads.
    pub fn read(&self) -> PyResult<DataRef<'_>> {
        match self.data.read() {
            Ok(data) => Ok(DataRef::Lock(data)),
            Err(busy) => self.loans.take().map(DataRef::Loan).ok_or(busy),
        }
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
