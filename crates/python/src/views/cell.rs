//! Owners of shared memory.

use super::lend::{Loaned, Loans};
use crate::error::{self, Stop};
use pyo3::prelude::*;
use sinew_engine::{Data, Model};
use std::any::Any;
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
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
    /// Takes ownership of a value; from here on its address is stable.
    pub fn new(py: Python<'_>, value: T, label: &'static str) -> PyResult<Self> {
        let value = Arc::new(RwLock::new(value));
        let keeper = Py::new(py, Keeper { _owner: value.clone() })?;
        Ok(Shared(Arc::new(Inner { value, keeper, label })))
    }

    /// The base object of arrays over this value.
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

    /// Address of the value.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(&*self.0.value).addr()
    }

    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Storage that its owner gave up but that views still use.
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

/// Bit for what Python may have written since the last check: contacts.
pub(super) const LIST: u8 = 1;
/// Bit for counts and fields that grow.
pub(super) const ROWS: u8 = 2;

/// A simulation shared between native calls and views.
pub struct DataCell {
    data: Shared<Data>,
    pins: Mutex<HashMap<usize, Weak<Slot>>>,
    loans: Loans,
    touched: AtomicU8,
    /// A native call ended halfway: the contents are invalid until a reset.
    spoilt: AtomicBool,
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
        let (pins, touched, spoilt) = (Mutex::default(), AtomicU8::new(0), AtomicBool::new(false));
        Ok(Arc::new(DataCell { data, pins, loans, touched, spoilt }))
    }

    /// Address of the simulation.
    pub fn address(&self) -> usize {
        self.data.address()
    }

    /// The base object of arrays over fixed storage.
    pub(super) fn base(&self, py: Python<'_>) -> Py<PyAny> {
        self.data.base(py)
    }

    /// Exclusive access for a native call. Growing storage that views still use is moved to them first.
    pub fn lock(&self) -> PyResult<DataGuard<'_>> {
        self.whole()?;
        self.lock_anew()
    }

    /// [`DataCell::lock`] for a call that resets everything, whatever its state was.
    pub fn lock_anew(&self) -> PyResult<DataGuard<'_>> {
        let mut data = self.access()?;
        self.release(&mut data);
        Ok(data)
    }

    fn whole(&self) -> PyResult<()> {
        if self.spoilt.load(Ordering::Relaxed) {
            return Err(error::fatal("a call on this MjData has ended halfway; reset it with mj_resetData"));
        }
        Ok(())
    }

    /// The exception of a native call that ended halfway. After a panic the simulation needs a reset; after an
    /// exception of a callback it continues without contacts and constraint rows.
    pub fn stopped(&self, stop: Stop, m: &Model, data: &mut Data) -> PyErr {
        match stop {
            Stop::Raised(_) => data.renew_workspaces(m),
            Stop::Panicked(_) => self.spoilt.store(true, Ordering::Relaxed),
        }
        stop.into()
    }

    /// Makes a simulation with invalid contents usable again; the caller resets it.
    pub fn renew(&self, m: &Model, data: &mut Data) {
        self.touched.store(0, Ordering::Relaxed);
        if self.spoilt.swap(false, Ordering::Relaxed) {
            data.renew_workspaces(m);
        }
    }

    /// Records that Python may write to a group from now on.
    pub(super) fn touch(&self, what: u8) {
        self.touched.fetch_or(what, Ordering::Relaxed);
    }

    /// Checks the values that Python may have written, except fixed arrays.
    pub fn check(&self, m: &Model, data: &Data) -> PyResult<()> {
        let touched = self.touched.load(Ordering::Relaxed);
        match touched {
            0 => Ok(()),
            LIST => data.validate_contacts(m),
            _ => data.validate(m),
        }
        .map_err(|e| error::fatal(format!("MjData.{e}")))?;
        let pinned = self.pins.lock().unwrap_or_else(PoisonError::into_inner).values().any(|p| p.strong_count() > 0);
        if !pinned {
            self.touched.store(0, Ordering::Relaxed);
        }
        Ok(())
    }

    /// [`DataCell::check`] before a call that may change sizes: removes contacts or rows, if Python has set smaller
    /// counts.
    pub fn settle(&self, m: &Model, data: &mut Data) -> PyResult<()> {
        if self.touched.load(Ordering::Relaxed) & ROWS != 0 {
            data.settle_counts();
        }
        self.check(m, data)
    }

    /// Exclusive access that resizes nothing: views stay valid.
    pub(super) fn access(&self) -> PyResult<DataGuard<'_>> {
        match self.data.write() {
            Ok(data) => Ok(DataGuard::Lock(data)),
            Err(busy) => self.loans.take().map(DataGuard::Loan).ok_or(busy),
        }
    }

    /// Gives Python code on this thread access to a simulation that a native call has locked. Afterwards, growing
    /// storage that views still use is moved to them, and the call may continue.
    pub fn lend<R>(&self, data: &mut Data, work: impl FnOnce() -> R) -> R {
        let done = self.loans.lend(data, work);
        self.release(data);
        done
    }

    /// Moves growing storage that views still use to them.
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
        self.whole()?;
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
