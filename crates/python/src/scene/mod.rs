//! Scenes: `MjvScene`, `MjvOption`, `MjvCamera`, `MjvPerturb` and the functions over them.

mod classes;
mod eyes;
mod update;

pub use classes::{MjvCamera, MjvOption, MjvPerturb, MjvScene};

use crate::error;
use pyo3::prelude::*;

/// Converts a result of the scene crate to a Python result.
fn checked<T>(result: sinew_scene::Result<T>) -> PyResult<T> {
    result.map_err(|e| error::fatal(e.to_string()))
}

/// Adds classes and functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::register(module)?;
    update::register(module)?;
    eyes::register(module)
}
