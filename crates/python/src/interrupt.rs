//! Signals during calls that take many steps: without checks, Ctrl-C would wait until the last step.

use crate::data::MjData;
use crate::model::MjModel;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sinew::batch::Pulse;
use sinew_engine::{Data, Model};
use std::cell::RefCell;

/// Checks for signals at intervals.
pub struct Interrupts<'a> {
    model: &'a Py<MjModel>,
    data: &'a Py<MjData>,
    pulse: Pulse,
}

impl<'a> Interrupts<'a> {
    pub fn new(model: &'a Bound<'_, MjModel>, data: &'a Bound<'_, MjData>) -> Self {
        Interrupts { model: model.as_unbound(), data: data.as_unbound(), pulse: Pulse::default() }
    }

    /// Runs the handlers of pending signals, after a step, if a check is due; an exception raised there ends the call.
    pub fn look(&mut self, m: &Model, d: &mut Data) -> PyResult<()> {
        if !self.pulse.due() {
            return Ok(());
        }
        // a handler may read and write the simulation
        self.data.get().cell.lend(d, || Python::attach(|py| py.check_signals()))?;
        self.model.get().check(m)?;
        self.data.get().check(m, d)
    }
}

thread_local! {
    /// The exception that a handler raised during a call on this thread.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// [`Look`](sinew::batch::Look) of rollouts and batches: runs the handlers of pending signals.
pub fn look() -> bool {
    let done = Python::attach(|py| py.check_signals());
    done.is_err_and(|e| {
        RAISED.set(Some(e));
        true
    })
}

/// The exception that ended the last call on this thread.
pub fn raised() -> PyErr {
    RAISED.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
}
