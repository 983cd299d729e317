//! Inverse dynamics: from accelerations to the forces that cause them, with the stages of forward dynamics.

use crate::data::Data;
use crate::data::capacity::Capacity;
use crate::hooks::Hooks;
use crate::integrate::{implicit, spring_damper};
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, Integrator, Stage, Timer};
use crate::parts::Parts;
use crate::step::{self, StepError};
use crate::support::spring::{SpringRows, is_implicit};
use crate::support::{force::xfrc_accumulate, inertia as mass};
use crate::{derivative, solver, velocity};
use sinew_math::sparse;

/// Workspace of inverse dynamics.
#[derive(Clone, Debug)]
pub struct InverseWork {
    /// The given acceleration, while `qacc` holds the continuous-time one.
    qacc: Vec<f64>,
    /// A vector of length `nv`.
    row: Vec<f64>,
    /// Applied forces of forward dynamics, for the comparison with inverse dynamics.
    applied: Vec<f64>,
    /// Joint-space constraint forces of forward dynamics.
    constraint: Vec<f64>,
    /// Constraint forces of forward dynamics, by row.
    force: Vec<f64>,
    /// Springs and dampers of the implicit integrator.
    springs: SpringRows,
}

impl InverseWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let of_nv = || vec![0.0; m.nv];
        let rows = if m.opt.enabled(EnableFlags::FWDINV) { Capacity::new(m).rows } else { 0 };
        InverseWork {
            qacc: of_nv(),
            row: of_nv(),
            applied: of_nv(),
            constraint: of_nv(),
            force: Vec::with_capacity(rows),
            springs: SpringRows::new(m),
        }
    }
}

/// Computes `qfrc_inverse`: the forces that must be applied to get the acceleration `qacc` in the current state.
///
/// # Errors
/// [`StepError::DiscreteRungeKutta`].
#[doc(alias = "mj_inverse")]
pub fn inverse<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    inverse_skip(m, d, parts, Stage::None, false)
}

/// [`inverse`] that skips the stages up to `done`, whose inputs must be unchanged since the last call, and the sensors
/// if `skip_sensor`.
///
/// # Errors
/// [`StepError::DiscreteRungeKutta`].
#[doc(alias = "mj_inverseSkip")]
pub fn inverse_skip<P: Parts + ?Sized>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    done: Stage,
    skip_sensor: bool,
) -> Result<(), StepError> {
    let start = parts.hooks().time();
    if done < Stage::Pos {
        inv_position(m, d, parts);
        if !skip_sensor {
            step::sensor_pos(m, d, parts);
        }
        if m.opt.enabled(EnableFlags::ENERGY) {
            step::energy_pos(m, d);
        }
    }
    if done < Stage::Vel {
        step::fwd_velocity(m, d, parts);
        if !skip_sensor {
            step::sensor_vel(m, d, parts);
        }
        step::energy_vel(m, d);
    }
    let discrete = m.opt.enabled(EnableFlags::INVDISCRETE);
    // with implicit springs, the constraints act on the velocity change over the step
    let springs = discrete && is_implicit(m);
    if springs {
        timed_constraint(m, d, parts);
    }
    if discrete {
        d.scratch.inverse.qacc.copy_from_slice(&d.accel.qacc);
        continuous_acc(m, d, parts)?;
    }
    if !springs {
        timed_constraint(m, d, parts);
    }
    bias(m, d);
    if !skip_sensor {
        step::sensor_acc(m, d, parts);
    }
    let ma = &mut d.scratch.inverse.row;
    mass::mul_m(m, &d.inertia, ma, &d.accel.qacc);
    for i in 0..m.nv {
        d.accel.qfrc_inverse[i] += ma[i] - d.force.qfrc_passive[i] - d.accel.qfrc_constraint[i];
    }
    if discrete {
        d.accel.qacc.copy_from_slice(&d.scratch.inverse.qacc);
    }
    d.count_time(Timer::Inverse, start, parts);
    Ok(())
}

/// Computes everything that inverse dynamics needs from positions. It skips islands and the matrix of a dual solver,
/// which would use up part of the model's arena, and wakes no tree.
#[doc(alias = "mj_invPosition")]
pub fn inv_position<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    d.sensor.flg_energypos = 0;
    let start = parts.hooks().time();
    step::poses(m, d);
    let next = d.count_time(Timer::PosKinematics, start, parts);
    step::make_m(m, d);
    step::factor_m(m, d);
    let next = d.count_time(Timer::PosInertia, next, parts);
    step::collision(m, d, parts);
    let next = d.count_time(Timer::PosCollision, next, parts);
    d.clear_rows();
    step::make_constraint(m, d);
    let next = d.count_time(Timer::PosMake, next, parts);
    step::transmission(m, d);
    d.add_time(Timer::PosKinematics, next, parts);
    d.count_time(Timer::Position, start, parts);
}

/// [`inv_constraint`], timed.
fn timed_constraint<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let begun = parts.hooks().time();
    inv_constraint(m, d);
    d.count_time(Timer::Constraint, begun, parts);
}

/// Constraint forces at the acceleration `qacc`.
#[doc(alias = "mj_invConstraint")]
pub fn inv_constraint(m: &Model, d: &mut Data) {
    let Data { contact, efc, solution, accel, scratch, .. } = d;
    solver::inv_constraint(m, contact, efc, solution, accel, &mut scratch.solver.works[0]);
}

/// Forces and states of all rows, and joint-space constraint force, where `J qacc − aref` is `jar`. Returns the cost.
/// With `with_hessian`, also sets `H` of contacts in the cone state.
#[doc(alias = "mj_constraintUpdate")]
pub fn constraint_update(m: &Model, d: &mut Data, jar: &[f64], with_hessian: bool) -> f64 {
    let Data { contact, efc, solution, accel, scratch, .. } = d;
    solver::constraint_update(m, contact, efc, (jar, with_hessian), solution, accel, &mut scratch.solver.works[0])
}

/// Coriolis, centrifugal, gravity and tendon armature forces, into `qfrc_inverse`.
fn bias(m: &Model, d: &mut Data) {
    let Data { state, awake, pose, motion, accel, scratch, .. } = d;
    velocity::rne(m, awake, state, pose, motion, None, &mut scratch.velocity, &mut accel.qfrc_inverse);
    velocity::tendon_bias(m, awake, state, pose, motion, &mut accel.qfrc_inverse);
}

/// Replaces `qacc`, the velocity change over a step divided by `h`, by the continuous-time acceleration.
///
/// *Equation*: `M qacc ← (M − h D) qacc`, with the matrix of the integrator.
#[doc(alias = "mj_discreteAcc")]
pub(crate) fn continuous_acc<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &P) -> Result<(), StepError> {
    match m.opt.integrator {
        Integrator::Rk4 => return Err(StepError::DiscreteRungeKutta),
        Integrator::Implicit => {
            step::smooth_vel_with(m, d, parts, true);
            implicit::matrix(m, &d.inertia, &mut d.deriv);
            sparse::mul_vec(&mut d.scratch.inverse.row, &d.deriv.qLU, derivative::pattern(m), &d.accel.qacc);
        }
        Integrator::Implicitfast => {
            step::smooth_vel_with(m, d, parts, false);
            implicit::matrix_fast(m, &d.inertia, &mut d.deriv);
            sparse::mul_sym_vec(&mut d.scratch.inverse.row, &d.deriv.qH, mass::pattern(m), &d.accel.qacc);
        }
        Integrator::Implicitspringdamper => {
            let Data { state, awake, pose, inertia, accel, scratch, .. } = d;
            let InverseWork { springs, row, .. } = &mut scratch.inverse;
            step::springs(m, awake, pose, parts, &mut scratch.hinges, springs);
            spring_damper::inverse(m, state, inertia, &accel.qacc, springs, row);
        }
        Integrator::Euler => {
            if m.opt.disabled(DisableFlags::EULERDAMP) || m.dof_damping.iter().all(|&b| b <= 0.0) {
                return Ok(());
            }
            let (qfrc, qacc) = (&mut d.scratch.inverse.row, &d.accel.qacc);
            mass::mul_m(m, &d.inertia, qfrc, qacc);
            (0..m.nv).for_each(|i| qfrc[i] += m.opt.timestep * m.dof_damping[i] * qacc[i]);
        }
    }
    d.accel.qacc.copy_from_slice(&d.scratch.inverse.row);
    mass::solve_m(m, &d.inertia, &mut d.accel.qacc);
    Ok(())
}

/// Compares forward with inverse dynamics, without changing the results of forward dynamics.
///
/// *Writes* `solver_fwdinv`: norms of the differences of constraint forces and of applied forces.
///
/// # Errors
/// [`StepError::DiscreteRungeKutta`].
#[doc(alias = "mj_compareFwdInv")]
pub fn compare_fwd_inv<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    d.accel.solver_fwdinv = [0.0; 2];
    if d.efc.nefc == 0 {
        return Ok(());
    }
    let Data { state, pose, force, solution, accel, scratch, .. } = d;
    let InverseWork { applied, constraint, force: forces, .. } = &mut scratch.inverse;
    (0..m.nv).for_each(|i| applied[i] = state.qfrc_applied[i] + force.qfrc_actuator[i]);
    xfrc_accumulate(m, state, pose, applied);
    constraint.copy_from_slice(&accel.qfrc_constraint);
    forces.clear();
    forces.extend_from_slice(&solution.efc_force);
    let outcome = inverse_skip(m, d, parts, Stage::Vel, true);
    let Data { solution, accel, scratch, .. } = d;
    let InverseWork { applied, constraint, force: forces, .. } = &scratch.inverse;
    solution.efc_force.copy_from_slice(forces);
    accel.solver_fwdinv = [distance(constraint, &accel.qfrc_constraint), distance(applied, &accel.qfrc_inverse)];
    accel.qfrc_constraint.copy_from_slice(constraint);
    outcome
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
