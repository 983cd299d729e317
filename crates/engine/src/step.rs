//! One step, as the list of its stages. Every other file is one entry of this table of contents.

use crate::actuation::transmission::Inputs;
use crate::data::{Data, Scratch};
use crate::hooks::Hooks;
use crate::inverse;
use crate::model::Model;
use crate::model::enums::{BiasType, DisableBit, DynType, EnableBit, GainType, Integrator, Stage, Timer, Warning};
use crate::sensor::{self, Sample};
use crate::support::activation;
use crate::support::awake as subset;
use crate::support::check::is_bad;
use crate::support::inertia as mass;
use crate::{
    acceleration, actuation, collision, constraint, derivative, inertia, integrate, island, kinematics, passive, sleep,
    solver, velocity,
};
use sinew_math::lu::SmallPivot;

/// Why a step could not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// A position is not a number, or huge.
    #[error("position {0} is not a number or huge: the simulation is unstable")]
    BadQpos(usize),
    /// A velocity is not a number, or huge.
    #[error("velocity {0} is not a number or huge: the simulation is unstable")]
    BadQvel(usize),
    /// A control is not a number, or huge.
    #[error("control {0} is not a number or huge")]
    BadCtrl(usize),
    /// An acceleration is not a number, or huge.
    #[error("acceleration {0} is not a number or huge: the simulation is unstable")]
    BadQacc(usize),
    /// The matrix of the implicit integrator cannot be factored.
    #[error("M − h·D is singular at degree of freedom {0}; use a smaller time step or another integrator")]
    Singular(usize),
    /// Inverse dynamics of a whole step has no meaning for Runge–Kutta.
    #[error("discrete-time inverse dynamics is not possible with the Runge–Kutta integrator")]
    DiscreteRungeKutta,
}

/// Advances the simulation by one time step. A state that has become bad is reset, with a warning.
#[doc(alias = "mj_step")]
pub fn step(m: &Model, d: &mut Data) {
    step_with(m, d, &mut ());
}

/// [`step`] with callbacks.
pub fn step_with(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let start = hooks.time();
    check_pos(m, d);
    check_vel(m, d);
    forward_with(m, d, hooks);
    check_acc(m, d, hooks);
    // without a discrete inverse there is nothing to compare
    let _ = compare_inverse(m, d, hooks);
    warn_singular(d, |d| advance(m, d, hooks));
    d.count_time(Timer::Step, start, hooks);
}

/// [`step`] that leaves a bad state as it is and says so.
///
/// # Errors
/// A position, velocity, control or acceleration that is not a number or huge, or a singular matrix of the implicit
/// integrator; time has not advanced then.
pub fn try_step(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) -> Result<(), StepError> {
    find_bad(&d.state.qpos).map_or(Ok(()), |i| Err(StepError::BadQpos(i)))?;
    find_bad(&d.state.qvel).map_or(Ok(()), |i| Err(StepError::BadQvel(i)))?;
    find_bad(&d.state.ctrl).map_or(Ok(()), |i| Err(StepError::BadCtrl(i)))?;
    forward_with(m, d, hooks);
    find_bad(&d.accel.qacc).map_or(Ok(()), |i| Err(StepError::BadQacc(i)))?;
    compare_inverse(m, d, hooks)?;
    advance(m, d, hooks)
}

/// [`step_with`] without the stages up to `done`, whose inputs have not changed since the last step from this state, and
/// without sensors if `skip_sensor`. Past the velocity stage, implicit integrators keep their matrix too.
#[doc(alias = "mj_stepSkip")]
pub fn step_skip(m: &Model, d: &mut Data, hooks: &mut dyn Hooks, done: Stage, skip_sensor: bool) {
    check_pos(m, d);
    check_vel(m, d);
    forward_skip(m, d, hooks, done, skip_sensor);
    check_acc(m, d, hooks);
    let _ = compare_inverse(m, d, hooks);
    match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Implicit) if done >= Stage::Vel => {
            integrate::implicit::solve(m, &d.force, &d.accel, &d.deriv, &mut d.scratch.qacc);
            update(m, d, hooks);
        }
        Ok(Integrator::Implicitfast) if done >= Stage::Vel => {
            integrate::implicit::solve_fast(m, &d.awake, &d.force, &d.accel, &d.deriv, &mut d.scratch.qacc);
            update(m, d, hooks);
        }
        _ => warn_singular(d, |d| advance(m, d, hooks)),
    }
}

/// The part of [`step`] before controls are needed; they and applied forces may be set before [`step2`].
#[doc(alias = "mj_step1")]
pub fn step1(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let start = hooks.time();
    check_pos(m, d);
    check_vel(m, d);
    fwd_position(m, d, hooks);
    sensor_pos(m, d, hooks);
    energy_pos(m, d);
    fwd_velocity(m, d, hooks);
    sensor_vel(m, d, hooks);
    energy_vel(m, d);
    hooks.control(m, d);
    d.count_time(Timer::Step, start, hooks);
}

/// The part of [`step`] that follows [`step1`]. Runge–Kutta needs the whole step; Euler takes its place.
#[doc(alias = "mj_step2")]
pub fn step2(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let start = hooks.time();
    fwd_actuation(m, d, hooks);
    fwd_acceleration(m, d);
    solve(m, d, hooks);
    sensor_acc(m, d, hooks);
    check_acc(m, d, hooks);
    let _ = compare_inverse(m, d, hooks);
    warn_singular(d, |d| match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Implicit | Integrator::Implicitfast) => implicit(m, d, hooks),
        Ok(Integrator::Implicitspringdamper) => {
            spring_damper(m, d, hooks);
            Ok(())
        }
        _ => {
            euler(m, d, hooks);
            Ok(())
        }
    });
    d.count_time(Timer::Step, start, hooks);
}

/// Positions, velocities, forces and accelerations of the present state.
#[doc(alias = "mj_forward")]
pub fn forward(m: &Model, d: &mut Data) {
    forward_with(m, d, &mut ());
}

/// [`forward`] with callbacks.
pub fn forward_with(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    forward_skip(m, d, hooks, Stage::None, false);
}

/// [`forward`] without the stages up to `done`, whose inputs have not changed since the last call, and without
/// sensors if `skip_sensor`.
#[doc(alias = "mj_forwardSkip")]
pub fn forward_skip(m: &Model, d: &mut Data, hooks: &mut dyn Hooks, done: Stage, skip_sensor: bool) {
    let start = hooks.time();
    if done < Stage::Pos {
        fwd_position(m, d, hooks);
        if !skip_sensor {
            sensor_pos(m, d, hooks);
        }
        energy_pos(m, d);
    }
    if done < Stage::Vel {
        fwd_velocity(m, d, hooks);
        if !skip_sensor {
            sensor_vel(m, d, hooks);
        }
        energy_vel(m, d);
    }
    if !m.opt.disabled(DisableBit::Actuation) {
        hooks.control(m, d);
    }
    fwd_actuation(m, d, hooks);
    fwd_acceleration(m, d);
    solve(m, d, hooks);
    if !skip_sensor {
        sensor_acc(m, d, hooks);
    }
    d.count_time(Timer::Forward, start, hooks);
}

/// [`fwd_constraint`], timed.
fn solve(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let start = hooks.time();
    fwd_constraint(m, d);
    d.count_time(Timer::Constraint, start, hooks);
}

/// Everything that depends on positions only.
#[doc(alias = "mj_fwdPosition")]
pub fn fwd_position(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    d.sensor.flg_energypos = 0;
    let start = hooks.time();
    fwd_kinematics(m, d);
    let next = d.count_time(Timer::PosKinematics, start, hooks);
    make_m(m, d);
    factor_m(m, d);
    let next = d.count_time(Timer::PosInertia, next, hooks);
    collision(m, d, hooks);
    if sleep::wake_collision(m, &d.contact, &mut d.state, &d.awake) > 0 {
        update_sleep(m, d);
        collision(m, d, hooks);
    }
    if sleep::wake_equality(m, &mut d.state, &d.awake) > 0 {
        update_sleep(m, d);
    }
    let next = d.count_time(Timer::PosCollision, next, hooks);
    make_constraint(m, d);
    island(m, d);
    let next = d.count_time(Timer::PosMake, next, hooks);
    transmission(m, d);
    let next = d.add_time(Timer::PosKinematics, next, hooks);
    project_constraint(m, d);
    d.count_time(Timer::PosProject, next, hooks);
    d.count_time(Timer::Position, start, hooks);
}

/// Poses and everything attached to them.
#[doc(alias = "mj_fwdKinematics")]
pub fn fwd_kinematics(m: &Model, d: &mut Data) {
    kinematics(m, d);
    com_pos(m, d);
    camlight(m, d);
    tendon(m, d);
    if sleep::wake_tendon(m, &d.pose, &mut d.state, &d.awake) > 0 {
        update_sleep(m, d);
    }
}

/// Lists of what is awake.
#[doc(alias = "mj_updateSleep")]
pub fn update_sleep(m: &Model, d: &mut Data) {
    subset::update_sleep(m, &d.state, &mut d.awake, false);
}

/// Frames of bodies, then of what is attached to them.
#[doc(alias = "mj_kinematics")]
pub fn kinematics(m: &Model, d: &mut Data) {
    kinematics::kinematics1(m, &d.state, &mut d.awake, &mut d.pose);
    if sleep::wake(m, &mut d.state, &d.awake) > 0 {
        update_sleep(m, d);
    }
    kinematics::kinematics2(m, &d.awake, &mut d.pose);
}

/// Centres of mass, and inertias and motion axes about them.
#[doc(alias = "mj_comPos")]
pub fn com_pos(m: &Model, d: &mut Data) {
    kinematics::com_pos(m, &d.awake, &mut d.pose);
}

/// Camera and light frames.
#[doc(alias = "mj_camlight")]
pub fn camlight(m: &Model, d: &mut Data) {
    kinematics::camlight(m, &d.awake, &mut d.pose);
}

/// Tendon paths, lengths and Jacobians.
#[doc(alias = "mj_tendon")]
pub fn tendon(m: &Model, d: &mut Data) {
    kinematics::tendon(m, &d.state, &d.awake, &mut d.pose, &mut d.scratch);
}

/// Mass matrix, in both storage orders.
#[doc(alias = "mj_makeM")]
pub fn make_m(m: &Model, d: &mut Data) {
    inertia::crb(m, &d.awake, &d.pose, &mut d.inertia);
    inertia::tendon_armature(m, &d.awake, &d.pose, &mut d.inertia);
}

/// Factor of the mass matrix.
#[doc(alias = "mj_factorM")]
pub fn factor_m(m: &Model, d: &mut Data) {
    inertia::factor_m(m, &d.awake, &mut d.inertia);
}

/// Contacts of the present position.
#[doc(alias = "mj_collision")]
pub fn collision(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    collision::collision(m, d, hooks);
}

/// Constraint rows of the present position.
#[doc(alias = "mj_makeConstraint")]
pub fn make_constraint(m: &Model, d: &mut Data) {
    constraint::make_constraint(m, d);
}

/// Matrix of the dual solvers, if one is in use.
#[doc(alias = "mj_projectConstraint")]
pub fn project_constraint(m: &Model, d: &mut Data) {
    let room = m.narena.saturating_sub(constraint::memory(m, d.contact.len(), &d.efc));
    if !solver::project_constraint(m, &d.inertia, &mut d.efc, &mut d.scratch.solver.dual, room) {
        constraint::drop_rows(m, d);
    }
}

/// Groups of trees that constraints tie together.
#[doc(alias = "mj_island")]
pub fn island(m: &Model, d: &mut Data) {
    island::island(m, &d.contact, &d.efc, &d.inertia, &mut d.island, &mut d.scratch.island);
}

/// Actuator lengths and moments.
#[doc(alias = "mj_transmission")]
pub fn transmission(m: &Model, d: &mut Data) {
    let inputs = Inputs { state: &d.state, awake: &d.awake, pose: &d.pose, contact: &d.contact, efc: &d.efc };
    actuation::transmission(m, inputs, &mut d.trn, &mut d.scratch);
}

/// Everything that depends on velocities, besides positions.
#[doc(alias = "mj_fwdVelocity")]
pub fn fwd_velocity(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let start = hooks.time();
    d.motion.flg_subtreevel = 0;
    d.sensor.flg_energyvel = 0;
    velocity::lengths(m, &d.state, &d.pose, &d.trn, &mut d.motion);
    velocity::com_vel(m, &d.awake, &d.state, &d.pose, &mut d.motion);
    passive(m, d, hooks);
    constraint::reference_constraint(m, &d.state, &d.scratch.groups, &mut d.efc);
    bias(m, d);
    d.count_time(Timer::Velocity, start, hooks);
}

/// Springs, dampers, gravity compensation and fluid forces, then those of the callback.
#[doc(alias = "mj_passive")]
pub fn passive(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    passive::passive(m, &d.awake, &d.state, &d.pose, &d.motion, &mut d.force);
    if !(m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper)) {
        hooks.passive(m, d);
    }
}

/// Coriolis, centrifugal and gravity forces, with those of tendon armature.
fn bias(m: &Model, d: &mut Data) {
    let Data { state, awake, pose, motion, force, scratch, .. } = d;
    velocity::rne(m, awake, state, pose, motion, None, &mut scratch.body, &mut force.qfrc_bias);
    velocity::tendon_bias(m, awake, state, pose, motion, &mut force.qfrc_bias);
}

/// Activation rates and actuator forces.
#[doc(alias = "mj_fwdActuation")]
pub fn fwd_actuation(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        d.force.actuator_force.fill(0.0);
        d.force.qfrc_actuator.fill(0.0);
        return;
    }
    let start = hooks.time();
    if let Some(bad) = actuation::controls(m, &d.state, &mut d.scratch.actuator.ctrl) {
        d.warn(Warning::Badctrl, bad);
    }
    actuation::act_dot(m, &d.awake, &d.state, &d.scratch.actuator.ctrl, &mut d.force);
    user_actuators(m, d, hooks);
    let Data { state, awake, trn, motion, force, scratch, .. } = d;
    actuation::actuator_force(m, awake, state, trn, motion, &scratch.actuator, force);
    actuation::clamp_force(m, &mut scratch.actuator.tendon, force);
    actuation::joint_force(m, trn, force);
    d.count_time(Timer::Actuation, start, hooks);
}

/// Asks the callbacks for what user actuators contribute.
fn user_actuators(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    for i in 0..m.nu {
        if m.actuator_dyntype[i] == DynType::User as i32
            && let Some(last) = m.actuator_act(i)
        {
            let rate = hooks.act_dyn(m, d, i);
            if m.actuator_actnum[i] == 1 {
                d.force.act_dot[last] = rate;
            }
        }
    }
    for i in (0..m.nu).filter(|&i| !activation::is_disabled(m, i)) {
        if m.actuator_gaintype[i] == GainType::User as i32 {
            d.scratch.actuator.gain[i] = hooks.act_gain(m, d, i);
        }
        if m.actuator_biastype[i] == BiasType::User as i32 {
            d.scratch.actuator.bias[i] = hooks.act_bias(m, d, i);
        }
    }
}

/// Sum of all forces but those of constraints, and the acceleration they cause.
#[doc(alias = "mj_fwdAcceleration")]
pub fn fwd_acceleration(m: &Model, d: &mut Data) {
    acceleration::smooth(m, &d.awake, &d.state, &d.pose, &d.inertia, &mut d.force, &mut d.accel);
    if m.opt.integrator == Integrator::Implicitspringdamper as i32 {
        let Data { state, awake, pose, inertia, motion, force, accel, deriv, scratch, .. } = d;
        let present = integrate::spring_damper::Present { awake, state, pose, inertia, motion };
        integrate::spring_damper::smooth(m, present, force, accel, deriv, &mut scratch.spring);
        if solver::is_dual(m) {
            // their matrix is that of M alone
            mass::mul_m(m, inertia, &mut force.qfrc_smooth, &accel.qacc_smooth);
        }
    }
}

/// Constraint forces and the acceleration they leave.
#[doc(alias = "mj_fwdConstraint")]
pub fn fwd_constraint(m: &Model, d: &mut Data) {
    solver::fwd_constraint(m, d);
}

/// Sensors of the position stage.
#[doc(alias = "mj_sensorPos")]
pub fn sensor_pos(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    if !m.opt.disabled(DisableBit::Sensor) {
        let needs = present_needs(m, d);
        if needs.energy_pos {
            sensor::energy_pos(m, &d.awake, &d.state, &d.pose, &mut d.sensor);
        }
        if needs.energy_vel {
            sensor::energy_vel(m, &d.state, &d.inertia, &mut d.scratch.row, &mut d.sensor);
        }
        sensors(m, d, hooks, Stage::Pos);
    }
}

/// Sensors of the velocity stage.
#[doc(alias = "mj_sensorVel")]
pub fn sensor_vel(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    if !m.opt.disabled(DisableBit::Sensor) {
        let needs = present_needs(m, d);
        subtree_vel(m, d, needs);
        sensors(m, d, hooks, Stage::Vel);
    }
}

/// Sensors of the acceleration stage.
#[doc(alias = "mj_sensorAcc")]
pub fn sensor_acc(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    d.accel.flg_rnepost = 0;
    if !m.opt.disabled(DisableBit::Sensor) {
        let needs = present_needs(m, d);
        rne_post(m, d, needs);
        sensors(m, d, hooks, Stage::Acc);
    }
}

/// Potential energy, unless a sensor has asked for it already; zero while energy is not enabled.
pub(crate) fn energy_pos(m: &Model, d: &mut Data) {
    if d.sensor.flg_energypos != 0 {
        return;
    }
    if m.opt.enabled(EnableBit::Energy) {
        sensor::energy_pos(m, &d.awake, &d.state, &d.pose, &mut d.sensor);
    } else {
        d.sensor.energy = [0.0; 2];
    }
}

/// Kinetic energy, if enabled.
pub(crate) fn energy_vel(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Energy) && d.sensor.flg_energyvel == 0 {
        sensor::energy_vel(m, &d.state, &d.inertia, &mut d.scratch.row, &mut d.sensor);
    }
}

/// What the sensors need that show the present state: those neither delayed nor asleep.
fn present_needs(m: &Model, d: &Data) -> sensor::Needs {
    let skips = subset::skips_bodies(m, &d.awake);
    sensor::needs(m, |i| !(sensor::is_delayed(m, &d.state, i) || skips && subset::sensor_asleep(m, &d.awake, i)))
}

/// Subtree velocities, if a sensor needs them and they are not there yet.
fn subtree_vel(m: &Model, d: &mut Data, needs: sensor::Needs) {
    if needs.subtree_vel && d.motion.flg_subtreevel == 0 {
        velocity::subtree_vel(m, &d.awake, &d.pose, &mut d.motion, &mut d.scratch.body.acc);
    }
}

/// Body accelerations and forces between bodies, if a sensor needs them and they are not there yet.
fn rne_post(m: &Model, d: &mut Data, needs: sensor::Needs) {
    if needs.rne_post && d.accel.flg_rnepost == 0 {
        velocity::rne_post_constraint(m, &d.state, &d.pose, &d.motion, &d.contact, &d.efc, &mut d.accel);
    }
}

/// Outputs of the sensors of a stage.
fn sensors(m: &Model, d: &mut Data, hooks: &mut dyn Hooks, stage: Stage) {
    let (x, sensordata, room) = d.sensor_inputs(m);
    if sensor::stage(&x, stage, sensordata, &mut room.collision.colliders) {
        hooks.sensor(m, d, stage);
        sensor::user_cutoff(m, stage, &mut d.sensor.sensordata);
    }
}

impl Data {
    /// Adds the time since `start` to a timer; returns the present time.
    fn add_time(&mut self, timer: Timer, start: f64, hooks: &mut dyn Hooks) -> f64 {
        let now = hooks.time();
        self.timer[timer as usize].duration += now - start;
        now
    }

    /// [`Data::add_time`], counting one run more.
    pub(crate) fn count_time(&mut self, timer: Timer, start: f64, hooks: &mut dyn Hooks) -> f64 {
        self.timer[timer as usize].number += 1;
        self.add_time(timer, start, hooks)
    }

    /// What sensors read, where they write, and room to work in.
    fn sensor_inputs<'a>(&'a mut self, m: &'a Model) -> (sensor::Inputs<'a>, &'a mut [f64], &'a mut Scratch) {
        let Data { state, awake, pose, trn, motion, force, accel, contact, efc, sensor, scratch, .. } = self;
        let x =
            sensor::Inputs { m, state, awake, pose, trn, motion, force, accel, contact, efc, energy: sensor.energy };
        (x, &mut sensor.sensordata, scratch)
    }
}

fn find_bad(values: &[f64]) -> Option<usize> {
    values.iter().position(|&x| is_bad(x))
}

/// Warns of a bad number and, unless that is disabled, starts the simulation anew.
fn unstable(m: &Model, d: &mut Data, warning: Warning, index: usize) {
    d.warn(warning, index);
    if !m.opt.disabled(DisableBit::Autoreset) {
        d.reset(m);
    }
    // the reset has cleared the count; without it the warning counts twice, as in MuJoCo
    d.warn(warning, index);
}

/// Checks positions.
#[doc(alias = "mj_checkPos")]
pub fn check_pos(m: &Model, d: &mut Data) {
    if let Some(i) = find_bad(&d.state.qpos) {
        unstable(m, d, Warning::Badqpos, i);
    }
}

/// Checks velocities.
#[doc(alias = "mj_checkVel")]
pub fn check_vel(m: &Model, d: &mut Data) {
    let bad = subset::dofs(m, &d.awake).iter().find(|&i| is_bad(d.state.qvel[i]));
    if let Some(i) = bad {
        unstable(m, d, Warning::Badqvel, i);
    }
}

/// Checks accelerations; after a reset, computes those of the initial state.
#[doc(alias = "mj_checkAcc")]
pub fn check_acc(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let bad = subset::dofs(m, &d.awake).iter().find(|&i| is_bad(d.accel.qacc[i]));
    if let Some(i) = bad {
        unstable(m, d, Warning::Badqacc, i);
        if !m.opt.disabled(DisableBit::Autoreset) {
            forward_with(m, d, hooks);
        }
    }
}

/// Compares forward with inverse dynamics, if that is enabled.
fn compare_inverse(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) -> Result<(), StepError> {
    if m.opt.enabled(EnableBit::Fwdinv) { inverse::compare_fwd_inv(m, d, hooks) } else { Ok(()) }
}

/// Turns a failed factorisation into a warning; the state has then not advanced.
fn warn_singular(d: &mut Data, advance: impl FnOnce(&mut Data) -> Result<(), StepError>) {
    if let Err(StepError::Singular(dof)) = advance(d) {
        d.warn(Warning::Inertia, dof);
    }
}

/// Advances the state with the chosen integrator.
fn advance(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) -> Result<(), StepError> {
    match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Rk4) => runge_kutta(m, d, hooks),
        Ok(Integrator::Implicit | Integrator::Implicitfast) => implicit(m, d, hooks)?,
        Ok(Integrator::Implicitspringdamper) => spring_damper(m, d, hooks),
        Ok(Integrator::Euler) | Err(_) => euler(m, d, hooks),
    }
    Ok(())
}

/// Advances with semi-implicit Euler.
#[doc(alias = "mj_Euler")]
pub fn euler(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let Data { awake, inertia, force, accel, deriv, scratch, .. } = d;
    integrate::euler(m, awake, inertia, force, accel, deriv, &mut scratch.qacc);
    update(m, d, hooks);
}

/// Advances with an integrator that is implicit in velocity.
///
/// # Errors
/// [`StepError::Singular`]; the state is then unchanged.
#[doc(alias = "mj_implicit")]
pub fn implicit(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) -> Result<(), StepError> {
    let full = m.opt.integrator == Integrator::Implicit as i32;
    smooth_vel(m, d, full);
    let Data { awake, inertia, force, accel, deriv, scratch, .. } = d;
    let a = &mut scratch.qacc[..];
    if full {
        integrate::implicit(m, inertia, force, accel, deriv, &mut scratch.left, a)
            .map_err(|SmallPivot { row }| StepError::Singular(row))?;
    } else {
        integrate::implicit_fast(m, awake, inertia, force, accel, deriv, a);
    }
    update(m, d, hooks);
    Ok(())
}

/// Advances with accelerations that already hold the springs and dampers of the whole step.
fn spring_damper(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    d.scratch.qacc.copy_from_slice(&d.accel.qacc);
    update(m, d, hooks);
}

/// Derivative of smooth forces with respect to velocity, into `qDeriv`; bias forces only if `with_bias`.
#[doc(alias = "mjd_smooth_vel")]
pub fn smooth_vel(m: &Model, d: &mut Data, with_bias: bool) {
    let Data { state, pose, inertia, awake, trn, motion, force, deriv, scratch, .. } = d;
    deriv.qDeriv.fill(0.0);
    derivative::actuator_vel(m, awake, state, trn, motion, force, &mut deriv.qDeriv);
    derivative::passive_vel(m, awake, pose, motion, &mut scratch.chain, &mut deriv.qDeriv);
    if with_bias {
        derivative::rne_vel(m, awake, state, pose, inertia, motion, &mut scratch.rne, &mut deriv.qDeriv);
    }
}

/// Advances with the classical Runge–Kutta method, which evaluates the dynamics three times more.
#[doc(alias = "mj_RungeKutta")]
pub fn runge_kutta(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let start = d.state.time;
    integrate::rk4::begin(&d.state, &mut d.scratch.rk4);
    for k in 0..3 {
        integrate::rk4::store(m, &d.state, &d.force, &d.accel, &mut d.scratch.rk4, k);
        integrate::rk4::advance(m, &mut d.state, &mut d.scratch.rk4, k, start);
        forward_skip(m, d, hooks, Stage::None, true);
    }
    integrate::rk4::store(m, &d.state, &d.force, &d.accel, &mut d.scratch.rk4, 3);
    integrate::rk4::finish(m, &mut d.state, &mut d.scratch.rk4, start);
    record(m, d);
    integrate::activations(m, &mut d.state, &d.scratch.rk4.dv[m.nv..]);
    rest(m, d, hooks);
    let Data { state, awake, accel, scratch, .. } = d;
    integrate::advance(m, awake, state, accel, &scratch.rk4.dv[..m.nv], Some(&scratch.rk4.dq));
}

/// Histories, activations, velocities, positions and time, with the acceleration an integrator has left.
fn update(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    let start = hooks.time();
    record(m, d);
    integrate::activations(m, &mut d.state, &d.force.act_dot);
    rest(m, d, hooks);
    let Data { state, awake, accel, scratch, .. } = d;
    integrate::advance(m, awake, state, accel, &scratch.qacc, None);
    d.count_time(Timer::Advance, start, hooks);
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

/// Keeps controls and sensor values that act or are read with a delay.
fn record(m: &Model, d: &mut Data) {
    if m.nhistory == 0 {
        return;
    }
    integrate::record_ctrl(m, &mut d.state);
    let needs = sensor::needs(m, |i| sensor::sample(m, &d.state, i) == Sample::Value);
    subtree_vel(m, d, needs);
    rne_post(m, d, needs);
    for i in 0..m.nsensor {
        let range = m.sensor_range(i);
        match sensor::sample(m, &d.state, i) {
            Sample::Skip => {}
            Sample::Output => sensor::record(m, &mut d.state, i, &d.sensor.sensordata[range]),
            Sample::Value => {
                let (x, _, room) = d.sensor_inputs(m);
                sensor::evaluate(&x, i, &mut room.sensor[..range.len()], &mut room.collision.colliders);
                sensor::record(m, &mut d.state, i, &d.scratch.sensor[..range.len()]);
            }
        }
    }
}
