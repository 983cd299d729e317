//! Array arguments. Inputs are copied in and results are copied out after the native call, so an argument may alias the
//! simulation or another argument. Large arrays that alias neither are used in place.

use numpy::ndarray::ArrayViewD;
use numpy::{
    AllowTypeChange, BorrowError, Element, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

fn words(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Whether a shape is a vector of `len`, possibly written as a row or column.
fn is_vector(shape: &[usize], len: usize) -> bool {
    matches!(shape, [n] | [n, 1] | [1, n] if *n == len)
}

/// Whether a shape is a matrix; a vector is one column.
pub fn is_matrix(shape: &[usize], rows: usize, cols: usize) -> bool {
    shape == [rows, cols] || (cols == 1 && shape == [rows])
}

fn wrong_shape(name: &str, want: &[usize], got: &[usize]) -> PyErr {
    PyTypeError::new_err(format!("{name} should be of shape {}, got {}", words(want), words(got)))
}

/// A vector of values of any real type, or a sequence of them.
pub fn vector(arg: &Bound<'_, PyAny>, name: &str, len: usize) -> PyResult<Vec<f64>> {
    let (shape, values) = numbers(arg, name)?;
    if is_vector(&shape, len) { Ok(values) } else { Err(wrong_shape(name, &[len], &shape)) }
}

/// A vector of `N` values.
pub fn fixed<const N: usize>(arg: &Bound<'_, PyAny>, name: &str) -> PyResult<[f64; N]> {
    let mut out = [0.0; N];
    out.copy_from_slice(&vector(arg, name, N)?);
    Ok(out)
}

/// Values of any real type in row-major order, with their shape.
pub fn numbers(arg: &Bound<'_, PyAny>, name: &str) -> PyResult<(Vec<usize>, Vec<f64>)> {
    let array: PyArrayLikeDyn<'_, f64, AllowTypeChange> = arg
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{name} should be an array of numbers, got {}", type_name(arg))))?;
    let view = array.as_array();
    Ok((view.shape().to_vec(), by_rows(&view)))
}

/// The values of an array that already has this type and shape. Faster than numpy's conversion, which costs more than
/// the copy itself.
pub fn exact<T: Element + Copy>(arg: &Bound<'_, PyAny>, shape: &[usize]) -> Option<Vec<T>> {
    let array = arg.cast::<PyArrayDyn<T>>().ok().filter(|array| array.shape() == shape)?;
    Some(by_rows(&array.try_readonly().ok()?.as_array()))
}

/// Values in row-major order.
fn by_rows<T: Copy>(view: &ArrayViewD<'_, T>) -> Vec<T> {
    let mut values = Vec::with_capacity(view.len());
    // rows are often contiguous where the array is not, and iterating over all dimensions for each value is slow
    for row in view.rows() {
        match row.as_slice() {
            Some(row) => values.extend_from_slice(row),
            None => values.extend(row.iter()),
        }
    }
    values
}

fn type_name(arg: &Bound<'_, PyAny>) -> String {
    match arg.cast::<numpy::PyUntypedArray>() {
        Ok(a) => format!("an array of {}", a.dtype()),
        Err(_) => arg.get_type().to_string(),
    }
}

/// An array that receives results: of a given element type, writable, row-major.
pub struct Out<'py, T = f64> {
    array: Bound<'py, PyArrayDyn<T>>,
    name: &'static str,
}

impl<'py> Out<'py> {
    /// An array of float64.
    pub fn new(arg: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        Self::of(arg, name, "float64")
    }
}

impl<'py> Out<'py, i32> {
    /// An array of int32.
    pub fn ints(arg: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        Self::of(arg, name, "int32")
    }
}

impl<'py> Out<'py, f32> {
    /// An array of float32.
    pub fn floats(arg: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        Self::of(arg, name, "float32")
    }
}

impl<'py, T: Element + Copy> Out<'py, T> {
    fn of(arg: &Bound<'py, PyAny>, name: &'static str, kind: &str) -> PyResult<Self> {
        let array = arg
            .cast::<PyArrayDyn<T>>()
            .map_err(|_| PyTypeError::new_err(format!("{name} should be an array of {kind}, got {}", type_name(arg))))?
            .clone();
        if !array.is_c_contiguous() {
            return Err(PyTypeError::new_err(format!("{name} should be C-contiguous")));
        }
        if matches!(array.try_readwrite(), Err(BorrowError::NotWriteable)) {
            return Err(PyTypeError::new_err(format!("{name} should be writeable")));
        }
        Ok(Out { array, name })
    }

    pub fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    /// Requires a vector of `len`.
    pub fn vector(self, len: usize) -> PyResult<Self> {
        if is_vector(self.shape(), len) { Ok(self) } else { Err(wrong_shape(self.name, &[len], self.shape())) }
    }

    /// Requires a matrix; a vector is one column.
    pub fn matrix(self, rows: usize, cols: usize) -> PyResult<Self> {
        if is_matrix(self.shape(), rows, cols) {
            Ok(self)
        } else {
            Err(wrong_shape(self.name, &[rows, cols], self.shape()))
        }
    }

    /// Requires the size of a matrix, in any shape.
    pub fn sized(self, rows: usize, cols: usize) -> PyResult<Self> {
        if self.shape().iter().product::<usize>() == rows * cols {
            Ok(self)
        } else {
            Err(wrong_shape(self.name, &[rows, cols], self.shape()))
        }
    }

    /// The present values.
    pub fn values(&self) -> PyResult<Vec<T>> {
        Ok(self.array.to_vec()?)
    }

    /// Stores results.
    pub fn store(&self, values: &[T]) -> PyResult<()> {
        let mut array = self.array.try_readwrite().map_err(|e| PyTypeError::new_err(e.to_string()))?;
        let slice = array.as_slice_mut().map_err(|e| PyTypeError::new_err(e.to_string()))?;
        if slice.len() != values.len() {
            return Err(wrong_shape(self.name, &[values.len()], &[slice.len()]));
        }
        slice.copy_from_slice(values);
        Ok(())
    }
}

/// Whether native code may use an array's memory with the GIL released: numpy owns the memory, not a model or a
/// simulation, and it is contiguous.
fn can_share<T: Element>(array: &Bound<'_, PyArrayDyn<T>>) -> bool {
    let mut owner = array.as_any().clone();
    while let Ok(base) = owner.getattr("base") {
        if base.is_none() {
            return array.is_c_contiguous() && array.data().is_aligned();
        }
        if base.cast::<numpy::PyUntypedArray>().is_err() {
            return false;
        }
        owner = base;
    }
    false
}

/// Values that native code reads in place, or a copy where that is not possible.
pub enum Input<'py> {
    Shared(PyReadonlyArrayDyn<'py, f64>),
    Copy(Vec<usize>, Vec<f64>),
}

impl<'py> Input<'py> {
    pub fn new(arg: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        if let Ok(array) = arg.cast::<PyArrayDyn<f64>>()
            && can_share(array)
            && let Ok(shared) = array.try_readonly()
        {
            return Ok(Input::Shared(shared));
        }
        let (shape, values) = numbers(arg, name)?;
        Ok(Input::Copy(shape, values))
    }

    pub fn shape(&self) -> &[usize] {
        match self {
            Input::Shared(array) => array.shape(),
            Input::Copy(shape, _) => shape,
        }
    }

    pub fn values(&self) -> PyResult<&[f64]> {
        match self {
            Input::Shared(array) => Ok(array.as_slice()?),
            Input::Copy(_, values) => Ok(values),
        }
    }
}

/// An array that native code fills in place. Where that is not possible, because it overlaps an input for example,
/// results are stored at the end. Inputs are taken first and dropped before [`Output::finish`].
pub enum Output<'py, T: Element> {
    Shared(PyReadwriteArrayDyn<'py, T>),
    Copy(Out<'py, T>, Vec<T>),
}

impl<'py, T: Element + Copy> Output<'py, T> {
    /// Wraps a row-major, writable array; `kind` is numpy's name for its dtype.
    pub fn new(arg: &Bound<'py, PyAny>, name: &'static str, kind: &str) -> PyResult<Self> {
        let out = Out::of(arg, name, kind)?;
        if can_share(&out.array)
            && let Ok(shared) = out.array.try_readwrite()
        {
            return Ok(Output::Shared(shared));
        }
        let values = out.values()?;
        Ok(Output::Copy(out, values))
    }

    pub fn shape(&self) -> &[usize] {
        match self {
            Output::Shared(array) => array.shape(),
            Output::Copy(out, _) => out.shape(),
        }
    }

    pub fn values(&mut self) -> PyResult<&mut [T]> {
        match self {
            Output::Shared(array) => Ok(array.as_slice_mut()?),
            Output::Copy(_, values) => Ok(values),
        }
    }

    /// Stores the results, if they were computed in a buffer.
    pub fn finish(self) -> PyResult<()> {
        match self {
            Output::Shared(_) => Ok(()),
            Output::Copy(out, values) => out.store(&values),
        }
    }
}
