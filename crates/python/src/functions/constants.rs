//! Derived constants of a model.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::util::Res;
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

/// Like `call`, for fallible functions that change the model.
fn change<E: Display + Send>(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    work: impl FnOnce(&mut Model, &mut Data) -> Result<(), E> + Send,
) -> PyResult<()> {
    fits(m, d)?;
    let mut model = m.get().write()?;
    let mut data = d.get().cell.lock()?;
    d.get().settle(&model, &mut data)?;
    let (model, data) = (&mut *model, &mut *data);
    let done = py.detach(|| error::stopped(|| work(model, data)));
    done.map_err(|stop| d.get().cell.stopped(stop, model, data))?.map_err(|e| error::fatal(e.to_string()))
}

/// Recomputes all derived constants of a model.
#[pyfunction]
fn mj_setConst(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    change(py, m, d, set_const)
}

/// How actuator length ranges are computed; all zero at first, as in MuJoCo.
#[pyclass(get_all, set_all, eq, subclass, module = "sinew")]
#[derive(Clone, Default, PartialEq)]
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

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __repr__(&self) -> String {
        let numbers = [
            ("accel", self.accel),
            ("interval", self.interval),
            ("inttotal", self.inttotal),
            ("maxforce", self.maxforce),
            ("timeconst", self.timeconst),
            ("timestep", self.timestep),
            ("tolrange", self.tolrange),
        ];
        let codes = [("mode", self.mode), ("useexisting", self.useexisting), ("uselimit", self.uselimit)];
        let mut rows: Vec<(&str, String)> = numbers.iter().map(|(name, x)| (*name, format!("{x:?}"))).collect();
        rows.extend(codes.iter().map(|(name, n)| (*name, n.to_string())));
        rows.sort_unstable();
        let rows: String = rows.iter().map(|(name, value)| format!("  {name}: {value}\n")).collect();
        format!("<MjLROpt\n{rows}>")
    }
}

/// Sets the options of length ranges to their defaults.
#[pyfunction]
fn mj_defaultLROpt(mut opt: PyRefMut<'_, MjLROpt>) {
    let LengthRangeOptions {
        mode,
        useexisting,
        uselimit,
        accel,
        maxforce,
        timeconst,
        timestep,
        inttotal,
        interval,
        tolrange,
    } = LengthRangeOptions::default();
    let (mode, useexisting, uselimit) = (mode as i32, useexisting.into(), uselimit.into());
    *opt = MjLROpt { mode, useexisting, uselimit, accel, maxforce, timeconst, timestep, inttotal, interval, tolrange };
}

/// Sets constraint parameters to their defaults.
#[pyfunction]
fn mj_defaultSolRefImp(solref: Res<'_, 2>, solimp: Res<'_, 5>) -> PyResult<()> {
    let defaults = sinew_engine::model::options::Options::default();
    solref.set(defaults.o_solref)?;
    solimp.set(defaults.o_solimp)
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
    add!(module, mj_setConst, mj_setLengthRange, mj_defaultLROpt, mj_defaultSolRefImp);
    Ok(())
}
