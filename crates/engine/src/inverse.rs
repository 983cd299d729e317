//! Inverse dynamics: the same stages, from accelerations to the forces that cause them.

use crate::data::Data;
use crate::hooks::Hooks;
use crate::integrate::{implicit, spring_damper};
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, Integrator, Stage, Timer};
use crate::step::{self, StepError};
use crate::support::{force::xfrc_accumulate, inertia as mass};
use crate::{derivative, solver, velocity};
use sinew_math::sparse;

/// Forces `qfrc_inverse` that must be applied to get the acceleration `qacc` in the present state.
///
/// # Errors
/// [`StepError::DiscreteRungeKutta`].
#[doc(alias = "mj_inverse")]
pub fn inverse(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) -> Result<(), StepError> {
    inverse_skip(m, d, hooks, Stage::None, false)
}

/// [`inverse`] without the stages up to `done`, whose inputs have not changed since the last call, and
/// without sensors if `skip_sensor`.
///
/// # Errors
/// [`StepError::DiscreteRungeKutta`].
#[doc(alias = "mj_inverseSkip")]
pub fn inverse_skip(
    m: &Model,
    d: &mut Data,
    hooks: &mut dyn Hooks,
    done: Stage,
    skip_sensor: bool,
) -> Result<(), StepError> {
    let start = hooks.time();
    if done < Stage::Pos {
        step::fwd_position(m, d, hooks);
        if !skip_sensor {
            step::sensor_pos(m, d, hooks);
        }
        if m.opt.enabled(EnableFlags::ENERGY) {
            step::energy_pos(m, d);
        }
    }
    if done < Stage::Vel {
        step::fwd_velocity(m, d, hooks);
        if !skip_sensor {
            step::sensor_vel(m, d, hooks);
        }
        step::energy_vel(m, d);
    }
    let discrete = m.opt.enabled(EnableFlags::INVDISCRETE);
    if discrete {
        d.scratch.qacc.copy_from_slice(&d.accel.qacc);
        continuous_acc(m, d)?;
    }
    let begun = hooks.time();
    inv_constraint(m, d);
    d.count_time(Timer::Constraint, begun, hooks);
    bias(m, d);
    if !skip_sensor {
        step::sensor_acc(m, d, hooks);
    }
    let ma = &mut d.scratch.row;
    mass::mul_m(m, &d.inertia, ma, &d.accel.qacc);
    for i in 0..m.nv {
        d.accel.qfrc_inverse[i] += ma[i] - d.force.qfrc_passive[i] - d.accel.qfrc_constraint[i];
    }
    if discrete {
        d.accel.qacc.copy_from_slice(&d.scratch.qacc);
    }
    d.count_time(Timer::Inverse, start, hooks);
    Ok(())
}

/// Constraint forces at the acceleration `qacc`.
#[doc(alias = "mj_invConstraint")]
pub fn inv_constraint(m: &Model, d: &mut Data) {
    solver::inv_constraint(m, d);
}

/// Coriolis, centrifugal, gravity and tendon armature forces, into `qfrc_inverse`.
fn bias(m: &Model, d: &mut Data) {
    let Data { state, awake, pose, motion, accel, scratch, .. } = d;
    velocity::rne(m, awake, state, pose, motion, None, &mut scratch.body, &mut accel.qfrc_inverse);
    velocity::tendon_bias(m, awake, state, pose, motion, &mut accel.qfrc_inverse);
}

/// Replaces `qacc`, the change of velocity over a step, by the acceleration from which the integrator makes it.
///
/// *Equation*: `M qacc ← (M − h D) qacc`, with the matrix of the integrator.
#[doc(alias = "mj_discreteAcc")]
fn continuous_acc(m: &Model, d: &mut Data) -> Result<(), StepError> {
    match m.opt.integrator {
        Integrator::Rk4 => return Err(StepError::DiscreteRungeKutta),
        Integrator::Implicit => {
            step::smooth_vel(m, d, true);
            implicit::matrix(m, &d.inertia, &mut d.deriv);
            sparse::mul_vec(&mut d.scratch.row, &d.deriv.qLU, derivative::pattern(m), &d.accel.qacc);
        }
        Integrator::Implicitfast => {
            step::smooth_vel(m, d, false);
            implicit::matrix_fast(m, &d.inertia, &mut d.deriv);
            sparse::mul_sym_vec(&mut d.scratch.row, &d.deriv.qH, mass::pattern(m), &d.accel.qacc);
        }
        Integrator::Implicitspringdamper => {
            let Data { state, awake, pose, inertia, motion, accel, scratch, .. } = d;
            let present = spring_damper::Present { awake, state, pose, inertia, motion };
            spring_damper::inverse(m, present, &accel.qacc, &mut scratch.spring, &mut scratch.row);
        }
        Integrator::Euler => {
            if m.opt.disabled(DisableFlags::EULERDAMP) || m.dof_damping.iter().all(|&b| b <= 0.0) {
                return Ok(());
            }
            let (qfrc, qacc) = (&mut d.scratch.row, &d.accel.qacc);
            mass::mul_m(m, &d.inertia, qfrc, qacc);
            (0..m.nv).for_each(|i| qfrc[i] += m.opt.timestep * m.dof_damping[i] * qacc[i]);
        }
    }
    d.accel.qacc.copy_from_slice(&d.scratch.row);
    mass::solve_m(m, &d.inertia, &mut d.accel.qacc);
    Ok(())
}

/// Compares forward with inverse dynamics, without changing the results of the former.
///
/// *Writes* `solver_fwdinv`: norms of the differences of constraint forces and of applied forces.
///
/// # Errors
/// [`StepError::DiscreteRungeKutta`].
#[doc(alias = "mj_compareFwdInv")]
pub fn compare_fwd_inv(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) -> Result<(), StepError> {
    d.accel.solver_fwdinv = [0.0; 2];
    if d.efc.nefc == 0 {
        return Ok(());
    }
    let Data { state, pose, force, efc, accel, scratch, .. } = d;
    let [applied, constraint] = &mut scratch.fwdinv;
    (0..m.nv).for_each(|i| applied[i] = state.qfrc_applied[i] + force.qfrc_actuator[i]);
    xfrc_accumulate(m, state, pose, applied);
    constraint.copy_from_slice(&accel.qfrc_constraint);
    // inverse dynamics writes into the borrowed rows; the solver's own come back below
    scratch.solver.jv.resize(efc.efc_force.len(), 0.0);
    std::mem::swap(&mut efc.efc_force, &mut scratch.solver.jv);
    let outcome = inverse_skip(m, d, hooks, Stage::Vel, true);
    let Data { efc, accel, scratch, .. } = d;
    std::mem::swap(&mut efc.efc_force, &mut scratch.solver.jv);
    let [applied, constraint] = &scratch.fwdinv;
    accel.solver_fwdinv = [distance(constraint, &accel.qfrc_constraint), distance(applied, &accel.qfrc_inverse)];
    accel.qfrc_constraint.copy_from_slice(constraint);
    outcome
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
