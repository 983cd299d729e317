//! Derived constants of a model.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, fits, index};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::prelude::*;
use sinew_engine::length_range::{LengthRangeOptions, set_length_range};
use sinew_engine::model::enums::LengthRangeMode;
use sinew_engine::set_const::set_const;
use sinew_engine::{Data, Model};
use std::fmt::Display;

/// Like `call`, for functions that change the model and may fail.
fn change<E: Display + Send>(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    work: impl FnOnce(&mut Model, &mut Data) -> Result<(), E> + Send,
) -> PyResult<()> {
    fits(m, d)?;
    let mut model = m.get().write()?;
    let mut data = d.get().cell.lock()?;
    let (model, data) = (&mut *model, &mut *data);
    py.detach(|| error::guarded(|| work(model, data)))?.map_err(|e| error::fatal(e.to_string()))
}

/// Recomputes everything of a model that follows from the rest of it.
#[pyfunction]
fn mj_setConst(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    change(py, m, d, set_const)
}

/// How actuator length ranges are found; all zero at first, as in MuJoCo.
#[pyclass(get_all, set_all, module = "sinew")]
#[derive(Default)]
struct MjLROpt {
    mode: i32,
    useexisting: i32,
    uselimit: i32,
    accel: f64,
    maxforce: f64,
    timeconst: f64,
    timestep: f64,
    inttotal: f64,
    interval: f64,
    tolrange: f64,
}

#[pymethods]
impl MjLROpt {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

/// Sets the length range of an actuator by simulation, or from limits.
#[pyfunction]
fn mj_setLengthRange(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    index: i64,
    opt: PyRef<'_, MjLROpt>,
) -> PyResult<()> {
    let actuator = self::index("actuator", index, m.get().sizes().nu)?;
    let options = LengthRangeOptions {
        mode: LengthRangeMode::try_from(opt.mode).map_err(|e| error::fatal(e.to_string()))?,
        useexisting: opt.useexisting != 0,
        uselimit: opt.uselimit != 0,
        accel: opt.accel,
        maxforce: opt.maxforce,
        timeconst: opt.timeconst,
        timestep: opt.timestep,
        inttotal: opt.inttotal,
        interval: opt.interval,
        tolrange: opt.tolrange,
    };
    change(py, m, d, |m, d| set_length_range(m, d, actuator, &options))
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MjLROpt>()?;
    add!(module, mj_setConst, mj_setLengthRange);
    Ok(())
}
