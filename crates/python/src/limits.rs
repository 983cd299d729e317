//! Limits on the size of models and on the files they may read.

use pyo3::prelude::*;
use sinew_mjcf::{Limits, Loader};

/// Limits on memory, elements and values of models, and whether their files are confined to a folder.
#[pyfunction]
fn _limits() -> (u64, usize, u64, bool) {
    let Limits { memory, elements, numbers } = Limits::default();
    (memory, elements, numbers, Loader::confined_by_default())
}

/// Sets the limits for all models loaded from now on.
#[pyfunction]
fn _set_limits(memory: u64, elements: usize, numbers: u64, confined: bool) {
    Limits { memory, elements, numbers }.make_default();
    Loader::confine_by_default(confined);
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_limits, m)?)?;
    m.add_function(wrap_pyfunction!(_set_limits, m)?)
}
