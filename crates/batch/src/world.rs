//! One world: the stored state from which it continues, and how its last results can be recomputed.

use crate::Task;
use crate::bench::Benches;
use crate::call::Call;
use crate::watch::{Values, Watched};
use sinew_engine::data::{Start, State};
use sinew_engine::fields::Fields;
use sinew_engine::parts::Parts;
use sinew_engine::step::{self, StepError, try_step, try_step_strict};
use sinew_engine::{Data, Model};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// A world between calls.
#[derive(Debug)]
pub(crate) struct World {
    now: Start,
    /// State in which `act` started.
    before: Start,
    act: Act,
    /// Whether forces between bodies were computed after `act`.
    forces: bool,
    /// Whether the world has been modified since.
    touched: bool,
    /// The last step failed: the next call resets the world first.
    failed: bool,
    /// A separate simulation, for callers who need all fields. If there is one, it is valid instead of `now`.
    whole: OnceLock<Box<Data>>,
    /// Values of the watched fields.
    kept: Vec<f64>,
}

/// The last computation, so that it can be repeated.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Nothing since the reset.
    Nothing,
    /// Everything that depends on the state.
    Forward,
    /// Steps; the last one may have failed.
    Steps { count: usize, strict: bool, failed: bool },
}

/// Settings of the steps of a call.
pub(crate) struct Steps<'a, P> {
    pub(crate) m: &'a Model,
    /// Each world starts with a copy of these parts.
    pub(crate) parts: &'a P,
    pub(crate) count: usize,
    pub(crate) strict: bool,
    /// Whether forces between bodies are computed at the end.
    pub(crate) forces: bool,
    pub(crate) watched: &'a Watched,
}

impl<P: Parts + Clone> Steps<'_, P> {
    /// Takes `count` steps, or fewer if the call is interrupted. Returns how many were taken, including one that
    /// failed.
    fn run(&self, count: usize, d: &mut Data, call: &Call) -> (usize, Result<(), StepError>) {
        let mut parts = self.parts.clone();
        let step = if self.strict { try_step_strict } else { try_step };
        let mut taken = 0;
        let steps = AssertUnwindSafe(|| {
            while taken < count && (taken == 0 || !call.over()) {
                taken += 1;
                step(self.m, d, &mut parts)?;
            }
            Ok(())
        });
        let done = catch_unwind(steps).unwrap_or_else(|_| {
            d.renew_workspaces(self.m);
            Err(StepError::Panicked)
        });
        (taken, done)
    }
}

impl World {
    pub(crate) fn new(m: &Model) -> Self {
        let now = Start::new(m);
        // trees that start asleep have poses from the beginning
        let whole = if Start::suffices(m) { OnceLock::new() } else { Box::new(Data::new(m)).into() };
        World {
            before: now.clone(),
            now,
            act: Act::Nothing,
            forces: false,
            touched: false,
            failed: false,
            whole,
            kept: Vec::new(),
        }
    }

    pub(crate) fn failed(&self) -> bool {
        self.failed
    }

    pub(crate) fn nbytes(&self) -> usize {
        let whole = self.whole.get().map_or(0, |d| d.nbytes());
        self.now.nbytes() + self.before.nbytes() + size_of_val(&self.kept[..]) + whole
    }

    pub(crate) fn state(&self) -> &State {
        self.whole.get().map_or(&self.now.state, |d| &d.state)
    }

    /// Mutable state. Clears the failure of a failed world.
    pub(crate) fn state_mut(&mut self) -> &mut State {
        (self.touched, self.failed) = (true, false);
        match self.whole.get_mut() {
            Some(d) => &mut d.state,
            None => &mut self.now.state,
        }
    }

    /// Clears the solver's warm start.
    pub(crate) fn forget(&mut self) {
        self.now.forget();
        self.whole.get_mut().into_iter().for_each(|d| d.multipliers.clear());
    }

    /// All fields; recomputed if necessary.
    pub(crate) fn whole(&self, m: &Model, benches: &Benches) -> &Data {
        self.whole.get_or_init(|| {
            let mut d = benches.take(m);
            self.show(m, &mut d);
            d
        })
    }

    /// All fields, mutable. Clears the failure of a failed world.
    pub(crate) fn whole_mut(&mut self, m: &Model, benches: &Benches) -> Option<&mut Data> {
        self.whole(m, benches);
        (self.touched, self.failed) = (true, false);
        self.whole.get_mut().map(|d| &mut **d)
    }

    /// Resets to the model's initial state, as modified by the task.
    pub(crate) fn reset(&mut self, m: &Model, benches: &Benches, task: &dyn Task, index: usize) {
        match self.whole.get_mut() {
            Some(d) => {
                d.reset(m);
                task.reset(m, d, index);
            }
            None => {
                self.now.reset(m);
                if task.resets() {
                    benches.with(m, |d| {
                        d.reset(m);
                        d.go_from(&self.now);
                        task.reset(m, d, index);
                        self.now.copy_from(d);
                    });
                }
            }
        }
        self.kept.fill(0.0);
        (self.act, self.forces, self.touched, self.failed) = (Act::Nothing, false, false, false);
    }

    /// Prepares for steps under the given controls.
    pub(crate) fn begin(&mut self, m: &Model, ctrl: &[f64], benches: &Benches) {
        if let Some(mut own) = self.whole.take() {
            self.now.copy_from(&own);
            // the caller may have computed anything in it
            own.reset(m);
            benches.give(own);
        }
        self.now.state.ctrl.copy_from_slice(ctrl);
    }

    /// Takes some of a call's steps in this thread's simulation. Returns how many of the call's steps have then been
    /// taken, fewer than requested if the call was interrupted.
    pub(crate) fn step<P: Parts + Clone>(
        &mut self,
        how: &Steps<'_, P>,
        some: &Range<usize>,
        d: &mut Data,
        call: &Call,
    ) -> Result<usize, StepError> {
        d.go_from(&self.now);
        let (taken, done) = how.run(some.len(), d, call);
        let taken = some.start + taken;
        if some.start == 0 {
            std::mem::swap(&mut self.before, &mut self.now);
        }
        self.computed(Act::Steps { count: taken, strict: how.strict, failed: done.is_err() }, d);
        self.failed = done.is_err();
        let last = taken == how.count || taken < some.end;
        if done.is_ok() && last {
            if how.forces {
                step::rne_post_constraint(how.m, d);
                self.forces = true;
            }
            how.watched.keep(d, &mut self.kept);
        }
        done.map(|()| taken)
    }

    /// Takes steps under the given controls in the world's separate simulation.
    pub(crate) fn step_whole<P: Parts + Clone>(
        &mut self,
        how: &Steps<'_, P>,
        ctrl: &[f64],
        call: &Call,
    ) -> Result<(), StepError> {
        let Some(d) = self.whole.get_mut() else { return Ok(()) };
        d.state.ctrl.copy_from_slice(ctrl);
        let (_, done) = how.run(how.count, d, call);
        self.failed = done.is_err();
        done
    }

    /// Starts at a state, and computes everything that depends on it.
    pub(crate) fn start<P>(&mut self, how: &Steps<'_, P>, [qpos, qvel]: [&[f64]; 2], d: &mut Data) {
        let state = self.state_mut();
        state.qpos.copy_from_slice(qpos);
        state.qvel.copy_from_slice(qvel);
        self.forward(how.m, how.watched, d);
    }

    /// The simulation that holds the results of the last call: the world's own, or the one given.
    pub(crate) fn seen_last<'a>(&'a self, d: &'a Data) -> &'a Data {
        self.whole.get().map_or(d, |own| own)
    }

    /// Computes everything that depends on the state.
    pub(crate) fn forward(&mut self, m: &Model, watched: &Watched, d: &mut Data) {
        if let Some(own) = self.whole.get_mut() {
            return step::forward(m, own);
        }
        d.go_from(&self.now);
        step::forward(m, d);
        std::mem::swap(&mut self.before, &mut self.now);
        self.computed(Act::Forward, d);
        watched.keep(d, &mut self.kept);
    }

    /// Forces between bodies, for the last computation.
    pub(crate) fn rne_post_constraint(&mut self, m: &Model, watched: &Watched, d: &mut Data) -> bool {
        if let Some(own) = self.whole.get_mut() {
            step::rne_post_constraint(m, own);
        } else if !self.forces || self.touched {
            self.forces = true;
            let same = self.show(m, d);
            watched.keep(d, &mut self.kept);
            return same;
        }
        true
    }

    /// Records what was computed from `before`, and continues from its result.
    fn computed(&mut self, act: Act, d: &Data) {
        self.now.copy_from(d);
        (self.act, self.forces, self.touched) = (act, false, false);
    }

    /// Repeats the last computation. False if the resulting state differs, because the model has changed.
    pub(crate) fn show(&self, m: &Model, d: &mut Data) -> bool {
        let same = match self.act {
            Act::Nothing => {
                d.reset(m);
                true
            }
            Act::Forward => {
                d.go_from(&self.before);
                step::forward(m, d);
                true
            }
            Act::Steps { count, strict, failed } => {
                if failed {
                    // a failed step leaves fields it did not reach
                    d.reset(m);
                }
                d.go_from(&self.before);
                let how = Steps { m, parts: &(), count, strict, forces: false, watched: &Watched::default() };
                let now = &self.now.state;
                let (_, done) = how.run(count, d, &Call::new(None));
                done.is_err() == failed && (self.touched || d.state.qpos == now.qpos && d.state.qvel == now.qvel)
            }
        };
        d.go_from(&self.now);
        if self.forces {
            step::rne_post_constraint(m, d);
        } else if d.accel.flg_rnepost == 0 {
            // the values are those of another world
            let forces = [&mut d.accel.cacc, &mut d.accel.cfrc_int, &mut d.accel.cfrc_ext];
            forces.into_iter().for_each(|rows| rows.fill([0.0; 6]));
        }
        same || matches!(self.act, Act::Steps { failed: true, .. })
    }

    /// Calls `work` with all fields as last computed, in the given simulation unless the world has its own.
    pub(crate) fn seen<R>(&self, m: &Model, d: &mut Data, work: impl FnOnce(&Data) -> R) -> (R, bool) {
        match self.whole.get() {
            Some(own) => (work(own), true),
            None => {
                let same = self.show(m, d);
                (work(d), same)
            }
        }
    }

    /// Calls `work` with the state only; computed fields are not valid.
    pub(crate) fn at_start<R>(&self, d: &mut Data, work: impl FnOnce(&Data) -> R) -> R {
        match self.whole.get() {
            Some(own) => work(own),
            None => {
                d.go_from(&self.now);
                work(d)
            }
        }
    }

    /// Fills in the values of the watched fields.
    pub(crate) fn watch(&mut self, m: &Model, watched: &Watched, d: &mut Data) -> bool {
        self.kept.resize(watched.width(), 0.0);
        if self.whole.get().is_some() {
            return true;
        }
        let same = self.show(m, d);
        watched.keep(d, &mut self.kept);
        same
    }

    /// Values of a field.
    pub(crate) fn values(&self, watched: &Watched, row: usize) -> Option<Values<'_>> {
        match self.whole.get() {
            Some(d) => Some(Values::Field(d.field(row))),
            None if row < State::FIELDS.len() => Some(Values::Field(self.now.state.field(row))),
            None => watched.of(row, &self.kept).map(Values::Kept),
        }
    }

    /// Passes to world `k` the scratch buffers that the previous world has just used: they are in the cache, and their
    /// contents do not matter after a step.
    pub(crate) fn pass_scratch(worlds: &mut [World], k: usize) {
        if let [.., before, world] = &mut worlds[..=k]
            && let (Some(before), Some(world)) = (before.whole.get_mut(), world.whole.get_mut())
        {
            std::mem::swap(&mut before.scratch, &mut world.scratch);
        }
    }
}
