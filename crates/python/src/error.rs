//! Exceptions.

use pyo3::exceptions::{PyException, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sinew_engine::reset::DataError;
use std::cell::Cell;

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

/// The error for a simulation that cannot be created.
pub fn data(e: DataError) -> PyErr {
    match e {
        DataError::Memory(e) => PyMemoryError::new_err(e.to_string()),
        e => fatal(e.to_string()),
    }
}

/// The error for a model that cannot be read or compiled.
pub fn model(e: &sinew_mjcf::Error) -> PyErr {
    let text = e.reports().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    if e.loc.line == 0 {
        return PyValueError::new_err(text);
    }
    // the way MuJoCo ends its messages, for programs that parse the line number
    let element = e.element.as_ref().map(|name| format!("Element '{name}', ")).unwrap_or_default();
    PyValueError::new_err(format!("{text}\n{element}line {}", e.loc.line))
}

/// An exception passing through native code as a panic payload.
struct Raised(PyErr);

/// Unwinds native code with an exception of a callback; [`guarded`] returns it.
pub fn raise(e: PyErr) -> ! {
    std::panic::resume_unwind(Box::new(Raised(e)))
}

/// Why native code ended before it was done.
pub enum Stop {
    /// An exception of a callback.
    Raised(PyErr),
    /// A panic, as a `FatalError`.
    Panicked(PyErr),
}

impl From<Stop> for PyErr {
    fn from(stop: Stop) -> PyErr {
        match stop {
            Stop::Raised(e) | Stop::Panicked(e) => e,
        }
    }
}

thread_local! {
    /// Whether a panic on this thread becomes an exception.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Name prefix of the threads that rollouts and batches start; errors there are reported by the waiting call.
const OWN_THREADS: &str = "sinew-";

/// Keeps panics that become exceptions off stderr, unless `RUST_BACKTRACE` is set.
pub fn quiet_panics() {
    if std::env::var_os("RUST_BACKTRACE").is_some() {
        return;
    }
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let own = || std::thread::current().name().is_some_and(|name| name.starts_with(OWN_THREADS));
        if !CAUGHT.get() && !own() {
            others(info);
        }
    }));
}

/// Runs native code; a panic in it becomes a `FatalError`.
pub fn guarded<R>(work: impl FnOnce() -> R) -> PyResult<R> {
    Ok(stopped(work)?)
}

/// [`guarded`] that distinguishes exceptions of callbacks from panics.
pub fn stopped<R>(work: impl FnOnce() -> R) -> Result<R, Stop> {
    let before = CAUGHT.replace(true);
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    CAUGHT.set(before);
    done.map_err(|cause| {
        let cause = match cause.downcast::<Raised>() {
            Ok(raised) => return Stop::Raised(raised.0),
            Err(cause) => cause,
        };
        let text = cause.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("unknown cause");
        Stop::Panicked(fatal(format!("the engine stopped: {text}; were arrays of the model or data overwritten?")))
    })
}
