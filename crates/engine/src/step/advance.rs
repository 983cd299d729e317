//! Time integration: from accelerations to the next state, with the chosen integrator.

use super::sense::record;
use super::{StepError, forward_skip, update_sleep};
use crate::actuation::Actuators;
use crate::data::Data;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::model::enums::{DisableFlags, Integrator, Stage, Timer};
use crate::parts::Parts;
use crate::plugin::Part;
use crate::solver::{ConstraintSolver, Made};
use crate::support::actuator::{ActuatorInput, ActuatorModel};
use crate::{actuation, deformable, derivative, integrate, sleep};
use sinew_math::lu::SmallPivot;

/// Advances the state with the chosen integrator.
pub(super) fn advance<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    match m.opt.integrator {
        Integrator::Rk4 => runge_kutta(m, d, parts),
        Integrator::Implicit | Integrator::Implicitfast => implicit(m, d, parts)?,
        Integrator::Implicitspringdamper => spring_damper(m, d, parts),
        Integrator::Euler => euler(m, d, parts),
    }
    Ok(())
}

/// Advances with semi-implicit Euler.
#[doc(alias = "mj_Euler")]
pub fn euler<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let Data { awake, inertia, force, accel, deriv, scratch, .. } = d;
    if parts.solver().mean_velocity(m, &scratch.solver).is_some() {
        // the solver has already applied damping in each of its substeps
        scratch.integrate.qacc.copy_from_slice(&accel.qacc);
    } else {
        integrate::euler(m, awake, inertia, force, accel, deriv, &mut scratch.integrate.qacc);
    }
    update(m, d, parts);
}

/// Advances with an integrator that is implicit in velocity.
///
/// # Errors
/// [`StepError::Singular`]; the state is then unchanged.
#[doc(alias = "mj_implicit")]
pub fn implicit<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    let full = m.opt.integrator == Integrator::Implicit;
    smooth_vel_with(m, d, parts, full);
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
    update(m, d, parts);
    Ok(())
}

/// Advances with accelerations that already contain the implicit springs and dampers of the whole step.
pub(super) fn spring_damper<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    d.scratch.integrate.qacc.copy_from_slice(&d.accel.qacc);
    update(m, d, parts);
}

/// Derivative of smooth forces with respect to velocity, into `qDeriv`; bias forces only if `with_bias`.
#[doc(alias = "mjd_smooth_vel")]
pub fn smooth_vel(m: &Model, d: &mut Data, with_bias: bool) {
    smooth_vel_with(m, d, &(), with_bias);
}

/// [`smooth_vel`] with custom actuator laws.
pub(crate) fn smooth_vel_with<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &P, with_bias: bool) {
    let Data { state, pose, inertia, awake, trn, motion, force, deriv, scratch, .. } = d;
    deriv.qDeriv.fill(0.0);
    let laws = parts.actuators().any(m).then(|| parts.actuators());
    let slope = |i: usize| {
        let law = laws?.law(m, i)?;
        let x = ActuatorInput::new(m, state, trn, motion, force, &scratch.actuation.ctrl, i);
        Some(law.slopes(&x).velocity)
    };
    derivative::actuator_vel(m, awake, state, trn, motion, force, slope, &mut deriv.qDeriv);
    derivative::passive_vel(m, awake, pose, motion, &mut scratch.derivative.chain, &mut deriv.qDeriv);
    if with_bias {
        derivative::rne_vel(m, awake, state, pose, inertia, motion, &mut scratch.derivative.rne, &mut deriv.qDeriv);
    }
}

/// Advances with the classical fourth-order Runge–Kutta method, which evaluates the dynamics three more times.
#[doc(alias = "mj_RungeKutta")]
pub fn runge_kutta<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    // the closure never fails
    let _ = judged_runge_kutta(m, d, parts, |_, _, _| Ok(()));
}

/// [`runge_kutta`] that calls `judge` after each evaluation; on an error, restores the initial state and returns it.
pub(super) fn judged_runge_kutta<P: Parts + ?Sized>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    judge: impl Fn(&Model, &mut Data, &P) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let start = d.state.time;
    integrate::rk4::begin(&d.state, &mut d.scratch.integrate.rk4);
    // deformables move once per step; the intermediate states use the forces from that move
    d.scratch.deformable.frozen = true;
    for k in 0..3 {
        integrate::rk4::store(m, &d.state, &d.force, &d.accel, &mut d.scratch.integrate.rk4, k);
        integrate::rk4::advance(m, &mut d.state, &mut d.scratch.integrate.rk4, k, start);
        forward_skip(m, d, parts, Stage::None, true);
        if let Err(fault) = judge(m, d, parts) {
            integrate::rk4::restore(m, &mut d.state, &d.scratch.integrate.rk4, start);
            d.scratch.deformable.frozen = false;
            return Err(fault);
        }
    }
    integrate::rk4::store(m, &d.state, &d.force, &d.accel, &mut d.scratch.integrate.rk4, 3);
    d.scratch.deformable.frozen = false;
    integrate::rk4::finish(m, &mut d.state, &mut d.scratch.integrate.rk4, start);
    record(m, d);
    integrate::activations(m, &mut d.state, &d.scratch.integrate.rk4.dv[m.nv..]);
    remember(m, d, parts);
    rest(m, d, parts);
    let Data { state, awake, accel, scratch, .. } = d;
    integrate::advance(m, awake, state, accel, &scratch.integrate.rk4.dv[..m.nv], Some(&scratch.integrate.rk4.dq));
    commit_deformables(m, d);
    advance_plugins(m, d, parts);
    Ok(())
}

/// Records histories, then updates activations, velocities, positions and time with the integrator's acceleration.
pub(super) fn update<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let start = parts.hooks().time();
    record(m, d);
    integrate::activations(m, &mut d.state, &d.force.act_dot);
    remember(m, d, parts);
    rest(m, d, parts);
    let Data { state, awake, accel, scratch, .. } = d;
    let made = Made { contact: &d.contact, efc: &d.efc };
    parts.solver().remember(m, made, &scratch.solver, &mut d.multipliers);
    let mean = parts.solver().mean_velocity(m, &scratch.solver);
    integrate::advance(m, awake, state, accel, &scratch.integrate.qacc, mean);
    commit_deformables(m, d);
    advance_plugins(m, d, parts);
    d.count_time(Timer::Advance, start, parts);
}

/// Writes the new poses of deformables to the state.
fn commit_deformables(m: &Model, d: &mut Data) {
    if !m.extension().deformables.is_empty() {
        deformable::commit(m, &d.pose, &d.accel.qfrc_constraint, &mut d.state, &d.scratch.deformable);
    }
}

/// Lets actuator laws store in `act` what they need from this step.
fn remember<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &P) {
    if parts.actuators().any(m) && m.nu > 0 && !m.opt.disabled(DisableFlags::ACTUATION) {
        actuation::remember(m, parts.actuators(), &d.scratch.actuation.ctrl, &mut d.state.act);
    }
}

/// Advances the states of all plugin instances, whatever their capabilities.
fn advance_plugins<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    m.plugins().list().iter().for_each(|plugin| parts.hooks().plugin(m, d, plugin.object.as_ref(), Part::Advance));
}

/// Puts trees at rest to sleep and recomputes what depends on velocity, which is now zero for them.
fn rest<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    if sleep(m, d) > 0 {
        forward_skip(m, d, parts, Stage::Pos, false);
        update_sleep(m, d);
    }
}

/// Puts trees to sleep that have been slow for long enough. Returns how many.
#[doc(alias = "mj_sleep")]
pub(crate) fn sleep(m: &Model, d: &mut Data) -> usize {
    sleep::sleep(m, d.efc.nefc, &d.island, &mut d.state, &mut d.accel)
}
