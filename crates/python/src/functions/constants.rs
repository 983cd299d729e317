//! Derived constants of a model.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, fits};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::prelude::*;
use sinew_engine::set_const::set_const;

/// Recomputes everything of a model that follows from the rest of it.
#[pyfunction]
fn mj_setConst(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    fits(m, d)?;
    let mut model = m.get().write()?;
    let mut data = d.get().cell.lock()?;
    let (model, data) = (&mut *model, &mut *data);
    let done = py.detach(|| error::guarded(|| set_const(model, data)))?;
    done.map_err(|e| error::fatal(e.to_string()))
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_setConst);
    Ok(())
}
