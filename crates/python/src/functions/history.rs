//! Delay buffers of controls and sensors.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, call, index, look};
use crate::arrays::{Out, numbers, vector};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew_engine::data::history::{Interp, Layout, read_ctrl};

/// A delayed control, as its actuator saw it at a given time; `interp` -1 for the model's interpolation.
#[pyfunction]
fn mj_readCtrl(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, id: i64, time: f64, interp: i32) -> PyResult<f64> {
    let i = index("actuator id", id, m.get().sizes().nu)?;
    look(m, d, |m, d| {
        let order = if interp < 0 { m.actuator_history[i][1] } else { interp };
        read_ctrl(m, &d.state, i, time, Interp::from(order))
    })
}

/// Values of a sensor at a given time, or the present ones without history; `interp` -1 for the model's interpolation.
#[pyfunction]
fn mj_readSensor<'py>(
    m: &Bound<'py, MjModel>,
    d: &Bound<'py, MjData>,
    id: i64,
    time: f64,
    result: &Bound<'py, PyAny>,
    interp: i32,
) -> PyResult<Bound<'py, PyAny>> {
    let i = index("sensor id", id, m.get().sizes().nsensor)?;
    let dim = m.get().read()?.sensor_dim[i] as usize;
    let out = Out::new(result, "result")?.vector(dim)?;
    let mut values = out.values()?;
    look(m, d, |m, d| match Layout::of_sensor(m, i) {
        None => values.copy_from_slice(&d.sensor.sensordata[m.sensor_range(i)]),
        Some(buffer) => {
            let order = if interp < 0 { m.sensor_history[i][1] } else { interp };
            buffer.read(&d.state.history, time - m.sensor_delay[i], Interp::from(order), &mut values);
        }
    })?;
    out.store(&values)?;
    Ok(result.clone())
}

fn increasing(times: Option<&[f64]>) -> PyResult<()> {
    match times {
        Some(t) if t.windows(2).any(|w| w[1] <= w[0]) => {
            Err(error::fatal("mju_historyInit: times must be strictly increasing"))
        }
        _ => Ok(()),
    }
}

/// Fills the delay buffer of an actuator; without times, the buffer keeps its times.
#[pyfunction]
fn mj_initCtrlHistory(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    id: i64,
    times: Option<&Bound<'_, PyAny>>,
    values: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let i = index("actuator id", id, m.get().sizes().nu)?;
    let Some(buffer) = Layout::of_actuator(&*m.get().read()?, i) else {
        return Err(error::fatal(format!("mj_initCtrlHistory: actuator {i} has no history buffer")));
    };
    let times = times.map(|t| vector(t, "times", buffer.n)).transpose()?;
    increasing(times.as_deref())?;
    let values = vector(values, "values", buffer.n)?;
    call(py, m, d, |_, d| {
        let user = buffer.last_tick(&d.state.history);
        buffer.init(&mut d.state.history, times.as_deref(), Some(&values), user);
    })
}

/// Fills the delay buffer of a sensor; without times, the buffer keeps its times.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mj_initSensorHistory(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    id: i64,
    times: Option<&Bound<'_, PyAny>>,
    values: &Bound<'_, PyAny>,
    phase: f64,
) -> PyResult<()> {
    let i = index("sensor id", id, m.get().sizes().nsensor)?;
    let Some(buffer) = Layout::of_sensor(&*m.get().read()?, i) else {
        return Err(error::fatal(format!("mj_initSensorHistory: sensor {i} has no history buffer")));
    };
    let times = times.map(|t| vector(t, "times", buffer.n)).transpose()?;
    increasing(times.as_deref())?;
    let (_, values) = numbers(values, "values")?;
    if values.len() != buffer.n * buffer.dim {
        return Err(PyTypeError::new_err(format!("values should be of shape ({}, {})", buffer.n, buffer.dim)));
    }
    call(py, m, d, |_, d| buffer.init(&mut d.state.history, times.as_deref(), Some(&values), phase))
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_readCtrl, mj_readSensor, mj_initCtrlHistory, mj_initSensorHistory);
    Ok(())
}
