//! Signals during calls that take many steps: without a look at them Ctrl-C would wait for the last step.

use crate::data::MjData;
use crate::model::MjModel;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sinew::batch::Pulse;
use sinew_engine::{Data, Model};
use std::cell::RefCell;

/// Looks at signals now and then.
pub struct Interrupts<'a> {
    model: &'a Py<MjModel>,
    data: &'a Py<MjData>,
    pulse: Pulse,
}

impl<'a> Interrupts<'a> {
    pub fn new(model: &'a Bound<'_, MjModel>, data: &'a Bound<'_, MjData>) -> Self {
        Interrupts { model: model.as_unbound(), data: data.as_unbound(), pulse: Pulse::default() }
    }

    /// Runs the handlers of signals that have come, after a step, if it is time; what they raise ends the call.
    pub fn look(&mut self, m: &Model, d: &mut Data) -> PyResult<()> {
        if !self.pulse.due() {
            return Ok(());
        }
        // a handler may look at the simulation, and write to it
        self.data.get().cell.lend(d, || Python::attach(|py| py.check_signals()))?;
        self.model.get().check(m)?;
        self.data.get().check(m, d)
    }
}

thread_local! {
    /// What a handler has raised during a call on this thread.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// [`Look`](sinew::batch::Look) of roll-outs and batches: runs the handlers of signals that have come.
pub fn look() -> bool {
    let done = Python::attach(|py| py.check_signals());
    done.is_err_and(|e| {
        RAISED.set(Some(e));
        true
    })
}

/// What has ended the last call on this thread.
pub fn raised() -> PyErr {
    RAISED.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
}
