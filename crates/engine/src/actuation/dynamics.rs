//! Effective controls and the activation rates they drive.

use crate::data::history::{Interp, read_ctrl};
use crate::data::{Awake, Force, State};
use crate::model::Model;
use crate::model::enums::{DisableFlags, DynType, EnableFlags};
use crate::support::awake as subset;
use crate::support::check::is_bad;
use crate::support::muscle;
use sinew_math::{MINVAL, clip};

/// Controls after delay and clamping. If one of them is bad, all are set to zero and its index is returned.
///
/// *Reads* `ctrl`, `history`, `time`. *Writes* `ctrl` (the argument).
pub fn controls(m: &Model, state: &State, ctrl: &mut [f64]) -> Option<usize> {
    let clamps = !m.opt.disabled(DisableFlags::CLAMPCTRL);
    for (i, u) in ctrl.iter_mut().enumerate() {
        *u = if m.actuator_delay[i] != 0.0 {
            read_ctrl(m, state, i, state.time, Interp::from(m.actuator_history[i][1]))
        } else {
            state.ctrl[i]
        };
        if clamps && m.actuator_ctrllimited[i] != 0 {
            *u = clip(*u, m.actuator_ctrlrange[i][0], m.actuator_ctrlrange[i][1]);
        }
    }
    let bad = ctrl.iter().position(|&u| is_bad(u));
    if bad.is_some() {
        ctrl.fill(0.0);
    }
    bad
}

/// Rates of activation states.
///
/// *Equation*: integrator `ȧ = u`; filter `ȧ = (u − a)/τ`; muscle see [`muscle::dynamics`]; user dynamics are
/// zero until a callback sets them.
/// *Reads* `act`, `ctrl` (the argument). *Writes* `act_dot`.
pub fn act_dot(m: &Model, awake: &Awake, state: &State, ctrl: &[f64], force: &mut Force) {
    let sleeps = m.opt.enabled(EnableFlags::SLEEP);
    for i in 0..m.nu {
        let acts = m.actuator_acts(i);
        let Some(last) = acts.clone().last() else { continue };
        if sleeps && subset::actuator_asleep(m, awake, i) {
            continue;
        }
        let (u, prm) = (ctrl[i], &m.actuator_dynprm[i]);
        force.act_dot[acts].fill(0.0);
        match m.actuator_dyntype(i) {
            DynType::Integrator => force.act_dot[last] = u,
            DynType::Filter | DynType::Filterexact => force.act_dot[last] = (u - state.act[last]) / MINVAL.max(prm[0]),
            DynType::Muscle => force.act_dot[last] = muscle::dynamics(u, state.act[last], prm),
            _ => {}
        }
    }
}
