//! Delayed controls in gradients of rollouts.
//!
//! A step whose actuators read past controls equals the step of a model without delays under the controls read. These
//! are weighted means of recorded controls, with weights that do not depend on the controls, so gradients propagate to
//! earlier steps with the same weights.

use super::DifferenceError;
use crate::data::State;
use crate::data::history::{Interp, Layout, read_ctrl};
use crate::model::Model;
use crate::model::enums::Integrator;

/// A rollout of a model with delays.
#[derive(Debug)]
pub(super) struct Delays {
    /// The model without delays.
    pub plain: Model,
    /// Gradient with respect to the controls that act in the current step.
    pub acting: Vec<f64>,
    history: Vec<f64>,
    /// Time at which the first step starts.
    start: f64,
}

impl Delays {
    /// Delays of a model, if it has any.
    ///
    /// # Errors
    /// [`DifferenceError::Delays`] for Runge–Kutta, which reads controls within a step.
    pub(super) fn of(m: &Model, start: &State) -> Result<Option<Self>, DifferenceError> {
        if m.actuator_delay.iter().all(|&delay| delay == 0.0) {
            return Ok(None);
        }
        if m.opt.integrator == Integrator::Rk4 {
            return Err(DifferenceError::Delays);
        }
        let mut plain = m.clone();
        plain.actuator_delay.fill(0.0);
        let (acting, history) = (vec![0.0; m.nu], start.history.to_vec());
        Ok(Some(Delays { plain, acting, history, start: start.time }))
    }

    /// Replaces delayed controls by those that act in the current step.
    pub(super) fn read(m: &Model, state: &mut State) {
        for i in (0..m.nu).filter(|&i| m.actuator_delay[i] != 0.0) {
            state.ctrl[i] = read_ctrl(m, state, i, state.time, interp(m, i));
        }
    }

    /// Distributes the gradient with respect to the controls that act in step `t`, given the state of that step, to the
    /// steps in which they were set.
    pub(super) fn spread(&mut self, m: &Model, state: &State, t: usize, by_ctrl: &mut [f64]) {
        for i in 0..m.nu {
            let (delay, by) = (m.actuator_delay[i], self.acting[i]);
            let Some(buffer) = Layout::of_actuator(m, i).filter(|_| delay != 0.0) else {
                by_ctrl[t * m.nu + i] += by;
                continue;
            };
            self.history.copy_from_slice(&state.history);
            buffer.weights(&mut self.history, state.time - delay, interp(m, i), |time, weight| {
                let steps = ((time - self.start) / m.opt.timestep).round();
                // older controls were recorded before the rollout
                if steps >= 0.0 && (steps as usize) < t {
                    by_ctrl[steps as usize * m.nu + i] += weight * by;
                }
            });
        }
    }
}

fn interp(m: &Model, i: usize) -> Interp {
    Interp::from(m.actuator_history[i][1])
}
