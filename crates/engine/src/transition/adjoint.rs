//! Gradients of a loss over a rollout, computed backwards from its end.
//!
//! Only every `every`-th state is stored; the states between two checkpoints are recomputed when the backward pass
//! reaches them. This stores `(T / every + every) (nq + 2 nv + na + nhistory)` values and costs two additional
//! rollouts: one to recompute the states, one inside the derivatives.

use super::delay::Delays;
use super::fd::length;
use super::{DerivativeConfig, DifferenceError, TransitionWork, vjp};
use crate::data::Data;
use crate::data::multiplier::Multiplier;
use crate::data::state::state_size;
use crate::model::Model;
use crate::model::enums::StateFlags;
use crate::step;

/// Stored parts of a state: everything a step starts from, except controls.
const KEPT: i32 = StateFlags::FULLPHYSICS.bits() | StateFlags::WARMSTART.bits();

/// Workspace of [`rollout_vjp`], reused between calls.
#[derive(Clone, Debug)]
pub struct RolloutWork {
    step: TransitionWork,
    data: Data,
    /// States at the checkpoints, then those of one stretch between two checkpoints.
    kept: Vec<f64>,
    stretch: Vec<f64>,
    /// Solver memories at those states, which are not part of the state vector.
    memories: Vec<Vec<Multiplier>>,
    stretch_memories: Vec<Vec<Multiplier>>,
    /// Gradients with respect to the state after and before the current step.
    after: Vec<f64>,
    before: Vec<f64>,
}

impl RolloutWork {
    /// Workspace for a model; state storage is allocated once the number of steps is known.
    pub fn new(m: &Model) -> Self {
        let ndx = 2 * m.nv + m.na;
        RolloutWork {
            step: TransitionWork::new(m),
            data: Data::new(m),
            kept: Vec::new(),
            stretch: Vec::new(),
            memories: Vec::new(),
            stretch_memories: Vec::new(),
            after: vec![0.0; ndx],
            before: vec![0.0; ndx],
        }
    }

    /// Number of stored state values in the last rollout.
    pub fn states_kept(&self) -> usize {
        self.kept.len() + self.stretch.len()
    }
}

/// Gradient of a loss over a rollout from the state of `d` under `ctrl`, which has one row of controls per step. `loss`
/// has one row per step: derivatives of the loss with respect to the state after it, in tangent space. Writes the
/// gradients with respect to the initial state and to all controls. A checkpoint is stored every `every` steps; the
/// square root of the number of steps needs the least memory. Gradients with respect to delayed controls are attributed
/// to the steps in which these were set; controls from before the rollout are ignored. A model with delays is copied.
///
/// # Errors
/// [`DifferenceError::Length`]; [`DifferenceError::Delays`] with Runge–Kutta; those of [`vjp`].
pub fn rollout_vjp(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    (ctrl, loss, every): (&[f64], &[f64], usize),
    work: &mut RolloutWork,
    by_state: &mut [f64],
    by_ctrl: &mut [f64],
) -> Result<(), DifferenceError> {
    let (nu, ndx, every) = (m.nu, 2 * m.nv + m.na, every.max(1));
    let steps = by_ctrl.len().checked_div(nu).unwrap_or_else(|| loss.len().checked_div(ndx).unwrap_or(0));
    for (what, found, expected) in [
        ("ctrl", ctrl.len(), steps * nu),
        ("by_ctrl", by_ctrl.len(), steps * nu),
        ("loss", loss.len(), steps * ndx),
        ("by_state", by_state.len(), ndx),
    ] {
        length(what, found, expected)?;
    }
    let RolloutWork { step, data, kept, stretch, memories, stretch_memories, after, before } = work;
    let size = state_size(m, KEPT).expect("a valid signature");
    let row = |t: usize, n: usize| t * n..(t + 1) * n;
    let advance = |data: &mut Data, t: usize| {
        data.state.ctrl.copy_from_slice(&ctrl[row(t, nu)]);
        step::step(m, data);
    };
    let save = |data: &Data, to: &mut [f64], memory: &mut Vec<Multiplier>| {
        data.state.get(m, to, KEPT).expect("a vector of that size");
        memory.clone_from(&data.multipliers);
    };
    let load = |data: &mut Data, from: &[f64], memory: &Vec<Multiplier>| {
        data.state.set(m, from, KEPT).expect("a state of this model");
        data.multipliers.clone_from(memory);
    };
    kept.resize(steps.div_ceil(every) * size, 0.0);
    stretch.resize(every * size, 0.0);
    memories.resize(steps.div_ceil(every), Vec::new());
    stretch_memories.resize(every, Vec::new());
    data.copy_from(d);
    for t in 0..steps {
        if t % every == 0 {
            save(data, &mut kept[row(t / every, size)], &mut memories[t / every]);
            if t + every >= steps {
                break;
            }
        }
        advance(data, t);
    }
    after.fill(0.0);
    by_ctrl.fill(0.0);
    let mut delays = Delays::of(m, &d.state)?;
    for first in (0..steps).step_by(every).rev() {
        let last = (first + every).min(steps);
        load(data, &kept[row(first / every, size)], &memories[first / every]);
        for t in first..last {
            save(data, &mut stretch[row(t - first, size)], &mut stretch_memories[t - first]);
            advance(data, t);
        }
        for t in (first..last).rev() {
            load(data, &stretch[row(t - first, size)], &stretch_memories[t - first]);
            data.state.ctrl.copy_from_slice(&ctrl[row(t, nu)]);
            after.iter_mut().zip(&loss[row(t, ndx)]).for_each(|(sum, l)| *sum += l);
            if let Some(delays) = &mut delays {
                Delays::read(m, &mut data.state);
                vjp(&delays.plain, data, config, step, after, (&mut *before, &mut delays.acting))?;
                delays.spread(m, &data.state, t, by_ctrl);
            } else {
                vjp(m, data, config, step, after, (&mut *before, &mut by_ctrl[row(t, nu)]))?;
            }
            std::mem::swap(after, before);
        }
    }
    by_state.copy_from_slice(after);
    Ok(())
}
