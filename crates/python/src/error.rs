//! Exceptions.

use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(sinew, FatalError, PyException, "The simulation cannot go on.");
pyo3::create_exception!(sinew, StepError, FatalError, "A step could not be taken.");
pyo3::create_exception!(sinew, UnexpectedError, PyException, "A defect of sinew itself.");

/// Another thread is inside a native call on the same object.
pub fn busy(what: &str) -> PyErr {
    PyRuntimeError::new_err(format!("{what} is in use by another thread"))
}

/// An error the caller cannot fix.
pub fn fatal(message: impl Into<String>) -> PyErr {
    FatalError::new_err(message.into())
}

/// A model that cannot be read or compiled.
pub fn model(e: &sinew_mjcf::Error) -> PyErr {
    let text = e.reports().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    if e.loc.line == 0 {
        return PyValueError::new_err(text);
    }
    // as MuJoCo ends its messages, for programs that read the line out of them
    let element = e.element.as_ref().map(|name| format!("Element '{name}', ")).unwrap_or_default();
    PyValueError::new_err(format!("{text}\n{element}line {}", e.loc.line))
}

/// An exception on its way through native code.
struct Raised(PyErr);

/// Leaves native code with an exception of a callback; [`guarded`] hands it on.
pub fn raise(e: PyErr) -> ! {
    std::panic::resume_unwind(Box::new(Raised(e)))
}

/// Runs native code; a panic in it becomes a `FatalError`.
pub fn guarded<R>(work: impl FnOnce() -> R) -> PyResult<R> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|cause| {
        let cause = match cause.downcast::<Raised>() {
            Ok(raised) => return raised.0,
            Err(cause) => cause,
        };
        let text = cause.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("unknown cause");
        fatal(format!("the engine stopped: {text}; were index arrays of the model or data overwritten?"))
    })
}
