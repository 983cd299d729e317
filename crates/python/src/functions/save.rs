//! Models as bytes, in sinew's own format; MuJoCo's format mirrors its memory layout.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::add;
use crate::model::MjModel;
use crate::text::FilePath;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Writes a model to a file, or into a buffer of at least `mj_sizeModel` bytes, which takes precedence.
#[pyfunction]
#[pyo3(signature = (m, filename=None, buffer=None))]
fn mj_saveModel(
    m: &Bound<'_, MjModel>,
    filename: Option<FilePath>,
    buffer: Option<&Bound<'_, PyArray1<u8>>>,
) -> PyResult<()> {
    let bytes = m.get().read()?.to_bytes();
    match (buffer, filename) {
        (Some(buffer), _) => fill(buffer, &bytes),
        (None, Some(path)) => Ok(std::fs::write(path.0, bytes)?),
        (None, None) => Err(PyTypeError::new_err("mj_saveModel needs a filename or a buffer")),
    }
}

fn fill(buffer: &Bound<'_, PyArray1<u8>>, bytes: &[u8]) -> PyResult<()> {
    let mut buffer = buffer.try_readwrite().map_err(|e| PyValueError::new_err(e.to_string()))?;
    let room = buffer.as_slice_mut()?;
    match room.get_mut(..bytes.len()) {
        Some(start) => {
            start.copy_from_slice(bytes);
            Ok(())
        }
        None => {
            let (got, want) = (room.len(), bytes.len());
            Err(PyValueError::new_err(format!("buffer has {got} bytes where {want} are needed")))
        }
    }
}

/// Size of the output of `mj_saveModel`. (byte)
#[pyfunction]
fn mj_sizeModel(m: &Bound<'_, MjModel>) -> PyResult<usize> {
    Ok(m.get().read()?.to_bytes().len())
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_saveModel, mj_sizeModel);
    Ok(())
}
