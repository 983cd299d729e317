//! Derivatives of all worlds of a batch. Arrays are flat, concatenated world by world.

use super::{Batch, BatchSim, refused};
use crate::arrays::Input;
use crate::functions::derivative::{method, names};
use crate::{callbacks, error};
use numpy::PyArray1;
use pyo3::prelude::*;
use sinew::batch::{BatchError, Spare, Worlds};
use sinew_engine::Model;
use sinew_engine::transition::DerivativeConfig;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// Runs native code over the worlds with the GIL released.
fn with_worlds<R: Send>(
    py: Python<'_>,
    sim: &Bound<'_, BatchSim>,
    work: impl FnOnce(&Model, &mut Worlds, &Spare) -> Result<R, BatchError> + Send,
) -> PyResult<R> {
    callbacks::refuse("BatchSim")?;
    let sim = sim.get();
    let (model, mut batch) = (sim.model.get().read()?, sim.lock()?);
    let (m, Batch { worlds, spare, .. }) = (&*model, &mut *batch);
    py.detach(|| error::guarded(|| work(m, worlds, spare)))?.map_err(refused)
}

fn config(method_name: &str, eps: f64) -> PyResult<DerivativeConfig> {
    Ok(DerivativeConfig { method: method(method_name)?, eps, ..DerivativeConfig::default() })
}

fn pairs<'py>(py: Python<'py>, found: &[[Vec<f64>; 2]]) -> [Array<'py>; 2] {
    [0, 1].map(|k| PyArray1::from_vec(py, found.iter().flat_map(|rows| &rows[k]).copied().collect()))
}

type Report = ([Vec<&'static str>; 4], Vec<usize>);

/// `A`, `B`, `C` and `D` of each world, with the columns and sensors that were computed by finite differences.
#[pyfunction]
pub fn _batch_transition<'py>(
    py: Python<'py>,
    sim: &Bound<'py, BatchSim>,
    method_name: &str,
    eps: f64,
    centered: bool,
    sensors: bool,
) -> PyResult<([Array<'py>; 4], Vec<Report>)> {
    let config = DerivativeConfig { centered, wanted: [true, true, sensors, sensors], ..config(method_name, eps)? };
    let found = with_worlds(py, sim, |m, worlds, spare| worlds.transition(m, &config, spare))?;
    let matrices = [0, 1, 2, 3].map(|k| {
        let of = found.iter().flat_map(|w| [&w.matrices.A, &w.matrices.B, &w.matrices.C, &w.matrices.D][k]);
        PyArray1::from_vec(py, of.copied().collect())
    });
    Ok((matrices, found.into_iter().map(|w| (names(&w.report), w.sensors)).collect()))
}

/// `A dx + B du`.
#[pyfunction]
pub fn _batch_jvp<'py>(
    py: Python<'py>,
    sim: &Bound<'py, BatchSim>,
    method_name: &str,
    eps: f64,
    dx: &Bound<'py, PyAny>,
    du: &Bound<'py, PyAny>,
) -> PyResult<Array<'py>> {
    let (config, dx, du) = (config(method_name, eps)?, Input::new(dx, "dx")?, Input::new(du, "du")?);
    let given = (dx.values()?, du.values()?);
    let found = with_worlds(py, sim, |m, worlds, spare| worlds.jvp(m, &config, spare, given))?;
    Ok(PyArray1::from_vec(py, found.concat()))
}

/// `Aᵀ next` and `Bᵀ next`.
#[pyfunction]
pub fn _batch_vjp<'py>(
    py: Python<'py>,
    sim: &Bound<'py, BatchSim>,
    method_name: &str,
    eps: f64,
    next: &Bound<'py, PyAny>,
) -> PyResult<[Array<'py>; 2]> {
    let (config, next) = (config(method_name, eps)?, Input::new(next, "next")?);
    let next = next.values()?;
    let found = with_worlds(py, sim, |m, worlds, spare| worlds.vjp(m, &config, spare, next))?;
    Ok(pairs(py, &found))
}

/// Gradients over rollouts, with checkpoints at a given interval.
#[pyfunction]
pub fn _batch_rollout_vjp<'py>(
    py: Python<'py>,
    sim: &Bound<'py, BatchSim>,
    method: (String, f64),
    ctrl: &Bound<'py, PyAny>,
    loss: &Bound<'py, PyAny>,
    steps: (usize, usize),
) -> PyResult<[Array<'py>; 2]> {
    let (config, ctrl, loss) = (config(&method.0, method.1)?, Input::new(ctrl, "ctrl")?, Input::new(loss, "loss")?);
    let given = (ctrl.values()?, loss.values()?);
    let found = with_worlds(py, sim, |m, worlds, spare| worlds.rollout_vjp(m, &config, spare, given, steps))?;
    Ok(pairs(py, &found))
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_batch_transition, module)?)?;
    module.add_function(wrap_pyfunction!(_batch_jvp, module)?)?;
    module.add_function(wrap_pyfunction!(_batch_vjp, module)?)?;
    module.add_function(wrap_pyfunction!(_batch_rollout_vjp, module)?)
}
