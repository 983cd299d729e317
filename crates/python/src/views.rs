//! The fence around shared memory: numpy arrays and attributes that alias a `Model` or a `Data`.
//!
//! This is the only module of the project with `unsafe` code. What it rests on:
//!
//! * **Addresses are stable.** Owners live in an `Arc` and are never moved or replaced as a whole. Arrays of fixed
//!   length are boxed once and never reallocated. Arrays that grow are detached (see [`DataCell::lock`]) before any
//!   call that could resize them, so a view left over from before keeps its own storage.
//! * **Owners outlive views.** Every array has a [`Keeper`] or a [`Pin`] as its base object, which holds the `Arc`.
//! * **No Rust reference is held across Python code.** References to a `Model` or `Data` exist only while a lock guard
//!   does. Guards live inside one native call. While such a call runs with the GIL released another thread may touch
//!   the same numbers through numpy: as in MuJoCo that is a race on values, and the caller's to avoid; it never
//!   touches lengths or addresses, and the engine checks every index it reads.
#![allow(unsafe_code)]

use crate::error;
use numpy::ndarray::{ArrayView, IxDyn, ShapeBuilder};
use numpy::{Element, PyArray};
use pyo3::exceptions::{PyAttributeError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_engine::fields::{DType, Dim, FieldInfo, Fields, SliceMut};
use sinew_engine::{Data, Sizes};
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockWriteGuard, TryLockError, Weak};

/// Keeps the memory behind arrays alive; the base object of arrays whose storage never moves.
#[pyclass(frozen, module = "sinew")]
pub struct Keeper(#[allow(dead_code)] pub(crate) Arc<dyn Any + Send + Sync>);

/// Storage that was given up by its owner but is still looked at.
#[derive(Default)]
pub struct PinSlot(Mutex<Option<Box<dyn Any + Send + Sync>>>);

/// Base object of arrays whose storage the next call may replace.
#[pyclass(frozen, module = "sinew")]
pub struct Pin {
    #[allow(dead_code)]
    slot: Arc<PinSlot>,
    #[allow(dead_code)]
    cell: Arc<DataCell>,
}

/// Pin key of the contact list; other keys are rows of the field table.
pub const CONTACTS: usize = usize::MAX;

/// A simulation shared between native calls and views.
pub struct DataCell {
    data: RwLock<Data>,
    pins: Mutex<HashMap<usize, Weak<PinSlot>>>,
}

impl DataCell {
    pub fn new(data: Data) -> Arc<Self> {
        Arc::new(DataCell { data: RwLock::new(data), pins: Mutex::default() })
    }

    /// Exclusive access for a native call. Storage that grows and is still looked at moves over to its viewers first.
    pub fn lock(&self) -> PyResult<RwLockWriteGuard<'_, Data>> {
        let mut data = self.peek()?;
        for (key, pin) in self.pins.lock().unwrap_or_else(PoisonError::into_inner).drain() {
            if let Some(slot) = pin.upgrade() {
                let old = if key == CONTACTS { Some(data.detach_contacts()) } else { data.detach(key) };
                *slot.0.lock().unwrap_or_else(PoisonError::into_inner) = old;
            }
        }
        Ok(data)
    }

    /// Exclusive access that promises not to resize anything.
    pub fn peek(&self) -> PyResult<RwLockWriteGuard<'_, Data>> {
        match self.data.try_write() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(p)) => Ok(p.into_inner()),
            Err(TryLockError::WouldBlock) => Err(error::busy("MjData")),
        }
    }

    /// The base object of views into growing storage `key`.
    pub fn pin<'py>(self: &Arc<Self>, py: Python<'py>, key: usize) -> PyResult<Bound<'py, PyAny>> {
        let mut pins = self.pins.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = pins.get(&key).and_then(Weak::upgrade).unwrap_or_default();
        pins.insert(key, Arc::downgrade(&slot));
        Ok(Bound::new(py, Pin { slot, cell: self.clone() })?.into_any())
    }
}

/// Where values of one element type lie.
#[derive(Clone, Copy)]
pub struct Place {
    ptr: *mut u8,
    dtype: DType,
}

// SAFETY: a pointer into memory that the object holding the `Place` keeps alive; see the module comment on races.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

impl Place {
    pub fn of(slice: SliceMut<'_>, dtype: DType) -> Place {
        let ptr = match slice {
            SliceMut::F64(s) => s.as_mut_ptr().cast(),
            SliceMut::F32(s) => s.as_mut_ptr().cast(),
            SliceMut::I32(s) => s.as_mut_ptr().cast(),
            SliceMut::I64(s) => s.as_mut_ptr().cast(),
            SliceMut::U8(s) => s.as_mut_ptr(),
        };
        Place { ptr, dtype }
    }

    /// A place `offset` bytes into a struct.
    pub fn inside<T>(owner: *mut T, offset: usize, dtype: DType) -> Place {
        Place { ptr: owner.cast::<u8>().wrapping_add(offset), dtype }
    }

    /// A numpy array over this place. `strides` are in bytes; `None` for packed rows.
    ///
    /// `base` must keep the memory alive; every caller passes the [`Keeper`] or [`Pin`] of the owner.
    pub fn array<'py>(self, shape: &[usize], strides: Option<&[usize]>, base: Bound<'py, PyAny>) -> Bound<'py, PyAny> {
        fn make<'py, T: Element>(
            ptr: *mut u8,
            shape: &[usize],
            strides: Option<&[usize]>,
            base: Bound<'py, PyAny>,
        ) -> Bound<'py, PyAny> {
            let dim = IxDyn(shape);
            let ptr = ptr.cast::<T>();
            // SAFETY: `ptr` comes from a slice or struct of the owner that spans `shape`, is aligned for `T`, and stays
            // where it is while `base` lives (module comment). Strides are multiples of the size of `T`.
            unsafe {
                let view = match strides {
                    None => ArrayView::from_shape_ptr(dim, ptr),
                    Some(s) => {
                        let s: Vec<usize> = s.iter().map(|b| b / size_of::<T>()).collect();
                        ArrayView::from_shape_ptr(dim.strides(IxDyn(&s)), ptr)
                    }
                };
                PyArray::borrow_from_array(&view, base).into_any()
            }
        }
        match self.dtype {
            DType::F64 => make::<f64>(self.ptr, shape, strides, base),
            DType::F32 => make::<f32>(self.ptr, shape, strides, base),
            DType::I32 => make::<i32>(self.ptr, shape, strides, base),
            DType::I64 => make::<i64>(self.ptr, shape, strides, base),
            DType::U8 => make::<u8>(self.ptr, shape, strides, base),
            DType::Char => make::<i8>(self.ptr, shape, strides, base),
        }
    }

    /// The number here, as a Python float or int.
    pub fn get(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        // SAFETY: an aligned, initialised value of this type in memory that the caller's owner keeps alive.
        unsafe {
            Ok(match self.dtype {
                DType::F64 => self.ptr.cast::<f64>().read().into_pyobject(py)?.into_any(),
                DType::F32 => f64::from(self.ptr.cast::<f32>().read()).into_pyobject(py)?.into_any(),
                DType::I32 => self.ptr.cast::<i32>().read().into_pyobject(py)?.into_any(),
                DType::I64 => self.ptr.cast::<i64>().read().into_pyobject(py)?.into_any(),
                DType::U8 | DType::Char => self.ptr.read().into_pyobject(py)?.into_any(),
            })
        }
    }

    /// Writes a Python number here.
    pub fn set(self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        fn number<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
            value.extract::<T>().map_err(|e: PyErr| {
                if e.is_instance_of::<PyOverflowError>(value.py()) {
                    PyTypeError::new_err(e.value(value.py()).to_string())
                } else {
                    e
                }
            })
        }
        // SAFETY: as in `get`; the value is converted before anything is written.
        unsafe {
            match self.dtype {
                DType::F64 => self.ptr.cast::<f64>().write(number(value)?),
                DType::F32 => self.ptr.cast::<f32>().write(number::<f64>(value)? as f32),
                DType::I32 => self.ptr.cast::<i32>().write(number(value)?),
                DType::I64 => self.ptr.cast::<i64>().write(number(value)?),
                DType::U8 | DType::Char => self.ptr.write(number(value)?),
            }
        }
        Ok(())
    }

    fn bytes(self, py: Python<'_>, len: usize) -> Bound<'_, PyBytes> {
        // SAFETY: `len` bytes of a fixed array that the caller's owner keeps alive; copied at once.
        PyBytes::new(py, unsafe { std::slice::from_raw_parts(self.ptr, len) })
    }
}

/// How one attribute is read and written.
pub enum Entry {
    /// A size of the model: an integer nobody can set.
    Size(i64),
    /// One number.
    Scalar(Place),
    /// An array whose storage never moves.
    Array { place: Place, shape: Vec<usize>, made: OnceLock<Py<PyAny>> },
    /// Text, read as `bytes`.
    Text { place: Place, len: usize },
    /// An array that changes length from step to step: row of the `Data` table.
    Growing(usize),
}

/// Character fields that Python sees as `bytes`.
const TEXTS: [&str; 3] = ["names", "paths", "text_data"];

/// Entries for all rows of a table.
pub fn entries<T: Fields>(owner: &mut T, sizes: &Sizes) -> Vec<Entry> {
    let row = |(i, info): (usize, &FieldInfo)| {
        if info.dims.iter().any(|d| matches!(d, Dim::Growing)) {
            return Entry::Growing(i);
        }
        let slice = owner.field_mut(i);
        let len = slice.len();
        let place = Place::of(slice, info.dtype);
        if info.is_scalar() {
            Entry::Scalar(place)
        } else if TEXTS.contains(&info.name) {
            Entry::Text { place, len }
        } else {
            Entry::Array { place, shape: info.shape(sizes, len), made: OnceLock::new() }
        }
    };
    T::FIELDS.iter().enumerate().map(row).collect()
}

/// A struct of MuJoCo's whose attributes alias native memory.
#[pyclass(subclass, frozen, module = "sinew")]
pub struct Struct {
    /// Which table the entries belong to.
    tag: &'static str,
    entries: Vec<Entry>,
    base: Py<PyAny>,
    /// Set for `MjData`, which has growing fields.
    cell: Option<Arc<DataCell>>,
}

impl Struct {
    pub fn new(tag: &'static str, entries: Vec<Entry>, base: Py<PyAny>, cell: Option<Arc<DataCell>>) -> Self {
        Struct { tag, entries, base, cell }
    }

    pub fn base<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.base.bind(py).clone()
    }

    pub fn get<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        Ok(match &self.entries[index] {
            Entry::Size(n) => n.into_pyobject(py)?.into_any(),
            Entry::Scalar(place) => place.get(py)?,
            Entry::Array { place, shape, made } => {
                made.get_or_init(|| place.array(shape, None, self.base(py)).unbind()).bind(py).clone()
            }
            Entry::Text { place, len } => place.bytes(py, *len).into_any(),
            Entry::Growing(row) => self.growing(py, *row)?,
        })
    }

    fn growing<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let cell = self.cell.as_ref().ok_or_else(|| error::fatal("a growing field outside MjData"))?;
        let mut data = cell.peek()?;
        let info = &Data::FIELDS[row];
        let slice = data.field_mut(row);
        let shape = info.shape(&Sizes::default(), slice.len());
        let place = Place::of(slice, info.dtype);
        Ok(place.array(&shape, None, cell.pin(py, row)?))
    }

    pub fn set(&self, py: Python<'_>, index: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match &self.entries[index] {
            Entry::Scalar(place) => place.set(value),
            Entry::Array { .. } | Entry::Growing(_) => self.get(py, index)?.set_item(py.Ellipsis(), value),
            Entry::Size(_) | Entry::Text { .. } => {
                Err(PyAttributeError::new_err(format!("property of '{}' object has no setter", self.tag)))
            }
        }
    }
}

/// The descriptor behind an attribute.
#[pyclass(frozen, module = "sinew")]
pub struct Field {
    tag: &'static str,
    index: usize,
    name: &'static str,
    doc: String,
}

impl Field {
    pub fn new(tag: &'static str, index: usize, name: &'static str, doc: String) -> Self {
        Field { tag, index, name, doc }
    }

    fn owner<'a, 'py>(&self, obj: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, Struct>> {
        let owner = obj.cast::<Struct>()?;
        if owner.get().tag == self.tag {
            Ok(owner)
        } else {
            Err(PyTypeError::new_err(format!("'{}' is an attribute of {}, not of {obj:?}", self.name, self.tag)))
        }
    }
}

#[pymethods]
impl Field {
    fn __get__<'py>(
        slf: Bound<'py, Self>,
        obj: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match obj {
            Some(obj) => slf.get().owner(obj)?.get().get(slf.py(), slf.get().index),
            None => Ok(slf.into_any()),
        }
    }

    fn __set__(&self, py: Python<'_>, obj: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.owner(obj)?.get().set(py, self.index, value)
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.name
    }

    #[getter]
    fn __doc__(&self) -> &str {
        &self.doc
    }

    fn __repr__(&self) -> String {
        format!("<field '{}' of '{}'>", self.name, self.tag)
    }
}
