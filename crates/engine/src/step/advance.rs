//! From accelerations to the next state, with the chosen integrator.

use super::sense::record;
use super::{StepError, forward_skip, update_sleep};
use crate::data::Data;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::model::enums::{Integrator, Stage, Timer};
use crate::plugin::Part;
use crate::{derivative, integrate, sleep};
use sinew_math::lu::SmallPivot;

/// Advances the state with the chosen integrator.
pub(super) fn advance(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) -> Result<(), StepError> {
    match m.opt.integrator {
        Integrator::Rk4 => runge_kutta(m, d, hooks),
        Integrator::Implicit | Integrator::Implicitfast => implicit(m, d, hooks)?,
        Integrator::Implicitspringdamper => spring_damper(m, d, hooks),
        Integrator::Euler => euler(m, d, hooks),
    }
    Ok(())
}

/// Advances with semi-implicit Euler.
#[doc(alias = "mj_Euler")]
pub fn euler(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let Data { awake, inertia, force, accel, deriv, scratch, .. } = d;
    integrate::euler(m, awake, inertia, force, accel, deriv, &mut scratch.integrate.qacc);
    update(m, d, hooks);
}

/// Advances with an integrator that is implicit in velocity.
///
/// # Errors
/// [`StepError::Singular`]; the state is then unchanged.
#[doc(alias = "mj_implicit")]
pub fn implicit(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) -> Result<(), StepError> {
    let full = m.opt.integrator == Integrator::Implicit;
    smooth_vel(m, d, full);
    let Data { state, awake, pose, inertia, force, accel, deriv, scratch, .. } = d;
    let a = &mut scratch.integrate.qacc[..];
    if full {
        integrate::implicit(m, inertia, force, accel, deriv, &mut scratch.integrate.left, a)
            .map_err(|SmallPivot { row }| StepError::Singular(row))?;
    } else {
        integrate::implicit_fast(m, awake, inertia, force, accel, deriv, a);
    }
    let inputs = integrate::flex::Inputs { state, pose, inertia, force, accel, deriv };
    integrate::flex::stiffen(m, awake, inputs, &mut scratch.integrate.flex, a);
    update(m, d, hooks);
    Ok(())
}

/// Advances with accelerations that already hold the springs and dampers of the whole step.
pub(super) fn spring_damper(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    d.scratch.integrate.qacc.copy_from_slice(&d.accel.qacc);
    update(m, d, hooks);
}

/// Derivative of smooth forces with respect to velocity, into `qDeriv`; bias forces only if `with_bias`.
#[doc(alias = "mjd_smooth_vel")]
pub fn smooth_vel(m: &Model, d: &mut Data, with_bias: bool) {
    let Data { state, pose, inertia, awake, trn, motion, force, deriv, scratch, .. } = d;
    deriv.qDeriv.fill(0.0);
    derivative::actuator_vel(m, awake, state, trn, motion, force, &mut deriv.qDeriv);
    derivative::passive_vel(m, awake, pose, motion, &mut scratch.derivative.chain, &mut deriv.qDeriv);
    if with_bias {
        derivative::rne_vel(m, awake, state, pose, inertia, motion, &mut scratch.derivative.rne, &mut deriv.qDeriv);
    }
}

/// Advances with the classical Runge–Kutta method, which evaluates the dynamics three times more.
#[doc(alias = "mj_RungeKutta")]
pub fn runge_kutta(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    // nothing is judged
    let _ = judged_runge_kutta(m, d, hooks, |_, _| Ok(()));
}

/// [`runge_kutta`] that gives up, with the state as it was, if `judge` finds fault with an evaluation.
pub(super) fn judged_runge_kutta(
    m: &Model,
    d: &mut Data,
    hooks: &mut dyn Hooks,
    judge: impl Fn(&Model, &mut Data) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let start = d.state.time;
    integrate::rk4::begin(&d.state, &mut d.scratch.integrate.rk4);
    for k in 0..3 {
        integrate::rk4::store(m, &d.state, &d.force, &d.accel, &mut d.scratch.integrate.rk4, k);
        integrate::rk4::advance(m, &mut d.state, &mut d.scratch.integrate.rk4, k, start);
        forward_skip(m, d, hooks, Stage::None, true);
        if let Err(fault) = judge(m, d) {
            integrate::rk4::restore(m, &mut d.state, &d.scratch.integrate.rk4, start);
            return Err(fault);
        }
    }
    integrate::rk4::store(m, &d.state, &d.force, &d.accel, &mut d.scratch.integrate.rk4, 3);
    integrate::rk4::finish(m, &mut d.state, &mut d.scratch.integrate.rk4, start);
    record(m, d);
    integrate::activations(m, &mut d.state, &d.scratch.integrate.rk4.dv[m.nv..]);
    rest(m, d, hooks);
    let Data { state, awake, accel, scratch, .. } = d;
    integrate::advance(m, awake, state, accel, &scratch.integrate.rk4.dv[..m.nv], Some(&scratch.integrate.rk4.dq));
    advance_plugins(m, d, hooks);
    Ok(())
}

/// Histories, activations, velocities, positions and time, with the acceleration an integrator has left.
pub(super) fn update(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let start = hooks.time();
    record(m, d);
    integrate::activations(m, &mut d.state, &d.force.act_dot);
    rest(m, d, hooks);
    let Data { state, awake, accel, scratch, .. } = d;
    integrate::advance(m, awake, state, accel, &scratch.integrate.qacc, None);
    advance_plugins(m, d, hooks);
    d.count_time(Timer::Advance, start, hooks);
}

/// States of plugin instances, whatever they compute.
fn advance_plugins(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    m.plugins().list().iter().for_each(|plugin| hooks.plugin(m, d, plugin.object.as_ref(), Part::Advance));
}

/// Puts trees to sleep that are at rest. What depends on velocity then shows them standing still.
fn rest(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    if sleep(m, d) > 0 {
        forward_skip(m, d, hooks, Stage::Pos, false);
        update_sleep(m, d);
    }
}

/// Puts trees to sleep that have been slow for long enough. Returns how many.
#[doc(alias = "mj_sleep")]
pub(crate) fn sleep(m: &Model, d: &mut Data) -> usize {
    sleep::sleep(m, d.efc.nefc, &d.island, &mut d.state, &mut d.accel)
}
