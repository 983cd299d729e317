//! Warnings of simulations: passed to the user's handler, or else to Python's `warnings` and MuJoCo's log file.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use pyo3::exceptions::{PyRuntimeWarning, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sinew_engine::Data;
use sinew_engine::model::enums::Warning;
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

/// The warning handler, one per process as in MuJoCo.
static HANDLER: Mutex<Option<Py<PyAny>>> = Mutex::new(None);

/// Sets the function `f(message)` that receives warnings; None for Python's `warnings`.
#[pyfunction]
fn set_mju_user_warning(callback: &Bound<'_, PyAny>) -> PyResult<()> {
    if !callback.is_none() && !callback.is_callable() {
        return Err(PyTypeError::new_err("callback is not an Optional[Callable]"));
    }
    let function = (!callback.is_none()).then(|| callback.clone().unbind());
    let old = std::mem::replace(&mut *HANDLER.lock().unwrap_or_else(PoisonError::into_inner), function);
    // freeing the old one may run Python code that sets a handler
    drop(old);
    Ok(())
}

/// The function that receives warnings.
#[pyfunction]
fn get_mju_user_warning(py: Python<'_>) -> Option<Py<PyAny>> {
    HANDLER.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|f| f.clone_ref(py))
}

/// Reports a message.
pub fn emit(py: Python<'_>, message: &str) -> PyResult<()> {
    if let Some(handler) = get_mju_user_warning(py) {
        // a C function takes bytes
        let native = py.import("ctypes")?.getattr("_CFuncPtr")?;
        let args = if handler.bind(py).is_instance(&native)? {
            (PyBytes::new(py, message.as_bytes()).into_any(),)
        } else {
            (PyString::new(py, message).into_any(),)
        };
        return handler.bind(py).call1(args).map(drop);
    }
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
}

/// The message of a warning; `info` is its index or amount.
fn words(warning: Warning, info: i32) -> String {
    let unstable = |what: &str| format!("Nan, Inf or huge value in {what} {info}. The simulation is unstable.");
    match warning {
        Warning::Inertia => format!("Inertia matrix is too close to singular at DOF {info}. Check model."),
        Warning::Contactfull => {
            format!("Too many contacts. The arena memory is full, increase arena memory allocation.(ncon = {info})")
        }
        Warning::Cnstrfull => format!(
            "Insufficient arena memory for the number of constraints generated. \
             Increase arena memory allocation above {info} bytes."
        ),
        Warning::Vgeomfull => {
            format!("Pre-allocated visual geom buffer is full. Increase maxgeom above {info}.")
        }
        Warning::Badqpos => unstable("QPOS at DOF"),
        Warning::Badqvel => unstable("QVEL at DOF"),
        Warning::Badqacc => unstable("QACC at DOF"),
        Warning::Badctrl => unstable("CTRL at ACTUATOR"),
    }
}

/// The message of a warning type for an index or amount.
#[pyfunction]
fn mju_warningText(warning: i32, info: i32) -> PyResult<String> {
    let warning = Warning::try_from(warning).map_err(|e| PyValueError::new_err(e.to_string()))?;
    Ok(words(warning, info))
}

/// Finds the warnings that a simulation raises for the first time since its reset; repeated ones only increase the
/// count.
pub struct Watch {
    counts: [i32; Self::KINDS],
    time: f64,
    messages: Vec<String>,
}

impl Watch {
    const KINDS: usize = 8;

    pub fn new(d: &Data) -> Self {
        Watch { counts: d.warning.each_ref().map(|w| w.number), time: d.state.time, messages: Vec::new() }
    }

    /// Inspects the simulation after a step; it was last inspected before that step.
    pub fn look(&mut self, d: &Data) {
        for (code, (stat, before)) in d.warning.iter().zip(&mut self.counts).enumerate() {
            if *before == 0
                && stat.number != 0
                && let Ok(warning) = Warning::try_from(code as i32)
            {
                self.messages.push(format!("{} Time = {:.4}.", words(warning, stat.lastinfo), self.time));
            }
            *before = stat.number;
        }
        self.time = d.state.time;
    }

    /// Reports what was found.
    pub fn report(self, py: Python<'_>) -> PyResult<()> {
        for message in &self.messages {
            if get_mju_user_warning(py).is_none() {
                py.import("sinew._print")?.getattr("mju_writeLog")?.call1(("WARNING", message))?;
            }
            emit(py, message)?;
        }
        Ok(())
    }
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(set_mju_user_warning, module)?)?;
    module.add_function(wrap_pyfunction!(get_mju_user_warning, module)?)?;
    module.add_function(wrap_pyfunction!(mju_warningText, module)?)
}
