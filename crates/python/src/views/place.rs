//! Addresses of values inside an owner; reads, writes and arrays at these addresses.
#![allow(unsafe_code)] // see the module comment of `views`

use numpy::ndarray::{ArrayView, IxDyn, ShapeBuilder};
use numpy::{Element, PyArray};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sinew_engine::fields::{DType, Record, SliceMut};
use sinew_engine::model::enums::{EnumInfo, UnknownCode};

/// Address of values of one element type.
///
/// Whoever holds a `Place` also holds the `Arc` of the owner it points into, or the storage itself.
#[derive(Clone, Copy)]
pub(super) struct Place {
    ptr: *mut u8,
    dtype: DType,
}

// SAFETY: a pointer into memory that the object holding the `Place` keeps alive; see `views` on races.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

impl Place {
    /// The values of a field.
    pub(super) fn of(slice: SliceMut<'_>, dtype: DType) -> Place {
        let ptr = match slice {
            SliceMut::F64(s) => s.as_mut_ptr().cast(),
            SliceMut::F32(s) => s.as_mut_ptr().cast(),
            SliceMut::I32(s) => s.as_mut_ptr().cast(),
            SliceMut::I64(s) => s.as_mut_ptr().cast(),
            SliceMut::U8(s) => s.as_mut_ptr(),
            SliceMut::Code(value) => std::ptr::from_mut(value).cast(),
        };
        Place { ptr, dtype }
    }

    /// The bytes of records.
    pub(super) fn of_records<T>(records: &mut [T]) -> Place {
        Place { ptr: records.as_mut_ptr().cast(), dtype: DType::U8 }
    }

    /// Bytes of one element.
    pub(super) fn width(self) -> usize {
        self.dtype.bytes()
    }

    /// The address `count` elements further on; the caller has checked that it is inside the same field.
    pub(super) fn after(self, count: usize) -> Place {
        Place { ptr: self.ptr.wrapping_add(count * self.width()), ..self }
    }

    /// The member of type `dtype` at a byte offset of the record here.
    pub(super) fn member(self, offset: usize, dtype: DType) -> Place {
        Place { ptr: self.ptr.wrapping_add(offset), dtype }
    }

    pub(super) fn address(self) -> usize {
        self.ptr as usize
    }

    /// A numpy array at this address. `strides` are in bytes; `None` for packed rows.
    ///
    /// `base` keeps the memory alive, and `shape` stays inside it: both come from the owner of the field.
    pub(super) fn array<'py>(
        self,
        shape: &[usize],
        strides: Option<&[usize]>,
        base: Bound<'py, PyAny>,
    ) -> Bound<'py, PyAny> {
        match self.dtype {
            DType::F64 => make::<f64>(self.ptr, shape, strides, base),
            DType::F32 => make::<f32>(self.ptr, shape, strides, base),
            DType::I32 => make::<i32>(self.ptr, shape, strides, base),
            DType::I64 => make::<i64>(self.ptr, shape, strides, base),
            DType::U8 => make::<u8>(self.ptr, shape, strides, base),
            DType::Char => make::<i8>(self.ptr, shape, strides, base),
        }
    }

    /// An array of this element type with an empty shape.
    pub(super) fn empty<'py>(self, py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        let name = match self.dtype {
            DType::F64 => "float64",
            DType::F32 => "float32",
            DType::I32 => "int32",
            DType::I64 => "int64",
            DType::U8 => "uint8",
            DType::Char => "int8",
        };
        py.import("numpy")?.getattr("zeros")?.call1((shape.to_vec(), name))
    }

    /// Whether the elements are integers wider than a byte.
    pub(super) fn is_integer(self) -> bool {
        matches!(self.dtype, DType::I32 | DType::I64)
    }

    /// A copy of `len` bytes.
    pub(super) fn to_vec(self, len: usize) -> Vec<u8> {
        // SAFETY: `len` bytes of a fixed array that the caller's owner keeps alive; copied at once.
        unsafe { std::slice::from_raw_parts(self.ptr, len) }.to_vec()
    }

    /// Whether the bytes at this address equal `copy`.
    pub(super) fn equals(self, copy: &[u8]) -> bool {
        // SAFETY: as many bytes as `to_vec` has copied from here.
        unsafe { std::slice::from_raw_parts(self.ptr, copy.len()) == copy }
    }

    /// The scalar at this address, as a Python float or int.
    pub(super) fn get(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
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

    /// Writes a Python number to this address.
    pub(super) fn set(self, value: &Bound<'_, PyAny>) -> PyResult<()> {
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

    /// Writes a Python integer that must be a value of an enum: the native side reads it as that enum.
    pub(super) fn set_code(self, value: &Bound<'_, PyAny>, of: &'static EnumInfo) -> PyResult<Result<(), UnknownCode>> {
        of.check(number(value)?).map(|()| self.set(value)).map_or_else(|e| Ok(Err(e)), |done| done.map(Ok))
    }

    /// The record at this address. Only [`super::records`] creates addresses of records, one type per class.
    pub(super) fn read_record<T: Record>(self) -> T {
        // SAFETY: a record of this type in memory that the caller's owner keeps alive; all its members are plain
        // numbers.
        unsafe { self.ptr.cast::<T>().read() }
    }

    /// Replaces the record at this address.
    pub(super) fn write_record<T: Record>(self, value: T) {
        // SAFETY: as in `read_record`.
        unsafe { self.ptr.cast::<T>().write(value) }
    }

    /// The text of at most `len` bytes at this address, up to a zero byte.
    pub(super) fn label(self, py: Python<'_>, len: usize) -> Bound<'_, PyString> {
        let bytes = self.to_vec(len);
        PyString::new(py, &String::from_utf8_lossy(bytes.split(|b| *b == 0).next().unwrap_or_default()))
    }

    /// Writes a text whose length, including the terminating zero, is at most `len` bytes.
    pub(super) fn set_label(self, value: &Bound<'_, PyAny>, len: usize, name: &str) -> PyResult<()> {
        let text: String = value.extract()?;
        if text.len() >= len {
            let most = len - 1;
            let got = text.len();
            return Err(PyValueError::new_err(format!("len({name}) cannot exceed {most}: got length {got}")));
        }
        let mut bytes = text.into_bytes();
        bytes.resize(len, 0);
        // SAFETY: `len` bytes of an array that the caller's owner keeps alive.
        unsafe { self.ptr.copy_from_nonoverlapping(bytes.as_ptr(), len) };
        Ok(())
    }

    /// A copy of `len` bytes.
    pub(super) fn bytes(self, py: Python<'_>, len: usize) -> Bound<'_, PyBytes> {
        // SAFETY: `len` bytes of a fixed array that the caller's owner keeps alive; copied at once.
        PyBytes::new(py, unsafe { std::slice::from_raw_parts(self.ptr, len) })
    }
}

/// Whether an object has references besides its owner's.
pub(super) fn is_shared(py: Python<'_>, object: &Py<PyAny>) -> bool {
    // SAFETY: a live object, and the GIL is held.
    unsafe { pyo3::ffi::Py_REFCNT(object.bind(py).as_ptr()) > 1 }
}

fn number<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    value.extract::<T>().map_err(|e: PyErr| {
        if e.is_instance_of::<PyOverflowError>(value.py()) {
            PyTypeError::new_err(e.value(value.py()).to_string())
        } else {
            e
        }
    })
}

fn make<'py, T: Element>(
    ptr: *mut u8,
    shape: &[usize],
    strides: Option<&[usize]>,
    base: Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    let dim = IxDyn(shape);
    let ptr = ptr.cast::<T>();
    // SAFETY: `ptr` comes from a slice of the owner that spans `shape`, is aligned for `T`, and its address is stable
    // while `base` lives (module comment of `views`). Strides are multiples of the size of `T`: the alignment of a
    // record is that of its largest member. The view is only used to pass shape, strides and pointer on to numpy.
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
