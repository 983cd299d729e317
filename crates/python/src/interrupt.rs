//! Signals during calls that take many steps: without a look at them Ctrl-C would wait for the last step.

use crate::data::MjData;
use crate::model::MjModel;
use pyo3::prelude::*;
use sinew_engine::{Data, Model};
use std::time::{Duration, Instant};

/// Between looks. Taking the GIL may last as long as another thread keeps it, 5 ms by default.
const PERIOD: Duration = Duration::from_millis(200);

/// Steps between looks at the clock, at most: reading it takes as long as a small part of the smallest step.
const MOST_STEPS: u32 = 64;

/// Looks at signals now and then.
pub struct Interrupts<'a> {
    model: &'a Py<MjModel>,
    data: &'a Py<MjData>,
    last: Instant,
    /// Steps until the next look at the clock, of so many.
    left: u32,
    stretch: u32,
}

impl<'a> Interrupts<'a> {
    pub fn new(model: &'a Bound<'_, MjModel>, data: &'a Bound<'_, MjData>) -> Self {
        Interrupts { model: model.as_unbound(), data: data.as_unbound(), last: Instant::now(), left: 1, stretch: 1 }
    }

    /// Runs the handlers of signals that have come, after a step, if it is time; what they raise ends the call.
    pub fn look(&mut self, m: &Model, d: &mut Data) -> PyResult<()> {
        self.left -= 1;
        if self.left > 0 {
            return Ok(());
        }
        let due = self.last.elapsed() >= PERIOD;
        // long steps are looked at one by one, short ones by many
        self.stretch = if due { (self.stretch / 2).max(1) } else { (self.stretch * 2).min(MOST_STEPS) };
        self.left = self.stretch;
        if !due {
            return Ok(());
        }
        // a handler may look at the simulation, and write to it
        let done = self.data.get().cell.lend(d, || Python::attach(|py| py.check_signals()));
        self.last = Instant::now();
        done?;
        self.model.get().check(m)?;
        self.data.get().check(m, d)
    }
}
