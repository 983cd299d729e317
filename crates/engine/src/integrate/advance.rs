//! Update of activations, velocities, positions and time.

use crate::data::history::Layout;
use crate::data::{Accel, Awake, State};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::position::integrate_pos_of;
use crate::support::{activation, awake as subset};

/// Records the current controls of actuators with a history, which may act with a delay.
///
/// *Reads* `ctrl`, `time`. *Writes* `history`.
pub fn record_ctrl(m: &Model, state: &mut State) {
    for i in 0..m.nu {
        if let Some(buffer) = Layout::of_actuator(m, i) {
            buffer.insert(&mut state.history, state.time)[0] = state.ctrl[i];
        }
    }
}

/// Advances activations by one time step; those of disabled actuators keep their value.
///
/// *Reads* `act_dot`. *Writes* `act`.
pub fn activations(m: &Model, state: &mut State, act_dot: &[f64]) {
    if m.na == 0 || m.opt.disabled(DisableFlags::ACTUATION) {
        return;
    }
    for i in 0..m.nu {
        let off = activation::is_disabled(m, i);
        for a in m.actuator_acts(i) {
            let rate = if off { 0.0 } else { act_dot[a] };
            state.act[a] = activation::next(m, i, state.act[a], rate);
        }
    }
}

/// Advances velocity, position and time by one time step, and saves `qacc` as warm start of the next solve.
///
/// *Equation*: `qvel += h qacc`, then `qpos ⊕= h v` with `v` the given mean velocity or the new `qvel`.
/// *Reads* `qacc` (the argument). *Writes* `qvel`, `qpos`, `time`, `qacc_warmstart`.
#[doc(alias = "mj_advance")]
pub fn advance(m: &Model, awake: &Awake, state: &mut State, accel: &Accel, qacc: &[f64], mean: Option<&[f64]>) {
    let h = m.opt.timestep;
    for i in subset::dofs(m, awake).iter() {
        state.qvel[i] += qacc[i] * h;
    }
    let State { qpos, qvel, .. } = state;
    integrate_pos_of(m, qpos, mean.unwrap_or(qvel), h, subset::bodies(m, awake));
    state.time += h;
    state.qacc_warmstart.copy_from_slice(&accel.qacc);
}
