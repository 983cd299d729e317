//! One simulation step as the sequence of its stages; start reading the engine here.

mod advance;
mod check;
mod sense;

use crate::actuation::Actuators;
use crate::actuation::transmission::Inputs;
use crate::collision::Candidate;
use crate::data::{Awake, Data, Pose, history};
use crate::hooks::Hooks;
use crate::model::Model;
use crate::model::enums::{
    BiasType, DisableFlags, DynType, GainType, Integrator, PluginCapabilities, Stage, Timer, Warning,
};
use crate::parts::Parts;
use crate::plugin::Part;
use crate::solver::ConstraintSolver;
use crate::support::activation;
use crate::support::awake as subset;
use crate::support::bending::{self, Bending, HingeRest};
use crate::support::flex_spring::{self, FlexLaws};
use crate::support::spring::{SpringRows, is_implicit};
use crate::{
    acceleration, actuation, collision, constraint, deformable, inertia, integrate, island, kinematics, passive, sleep,
    solver, velocity,
};
use advance::{advance, judged_runge_kutta, spring_damper, update};
pub use advance::{euler, implicit, runge_kutta, smooth_vel};
pub(crate) use advance::{sleep, smooth_vel_with};
pub use check::{StepError, check_acc, check_pos, check_vel};
use check::{compare_inverse, find_bad, warn_singular};
pub(crate) use sense::{energy_pos, energy_vel};
pub use sense::{rne_post_constraint, sensor_acc, sensor_pos, sensor_vel};

/// Advances the simulation by one time step. A state with NaN or huge values is reset, with a warning.
#[doc(alias = "mj_step")]
pub fn step(m: &Model, d: &mut Data) {
    step_with(m, d, &mut ());
}

/// [`step`] with callbacks.
pub fn step_with<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let start = parts.hooks().time();
    check_pos(m, d);
    check_vel(m, d);
    forward_with(m, d, parts);
    check_acc(m, d, parts);
    // fails only for the discrete inverse with Runge–Kutta: then there is nothing to compare
    let _ = compare_inverse(m, d, parts);
    warn_singular(d, |d| advance(m, d, parts));
    d.count_time(Timer::Step, start, parts);
}

/// [`step`] that returns an error for a bad state instead of resetting it.
///
/// # Errors
/// A position, velocity, control or acceleration that is NaN or huge, a singular matrix of the implicit integrator, or
/// history buffers without a positive timestep. Time has then not advanced.
pub fn try_step<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    try_forward(m, d, parts)?;
    compare_inverse(m, d, parts)?;
    advance(m, d, parts)
}

/// [`try_step`] that also requires the solver to converge to its tolerance, in all four evaluations of a Runge–Kutta
/// step.
///
/// # Errors
/// Those of [`try_step`], and [`StepError::NotConverged`]. Time has then not advanced.
pub fn try_step_strict<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    try_forward(m, d, parts)?;
    converged(m, d, parts)?;
    compare_inverse(m, d, parts)?;
    if m.opt.integrator == Integrator::Rk4 { judged_runge_kutta(m, d, parts, converged) } else { advance(m, d, parts) }
}

/// Checks that the solver converged to its tolerance.
fn converged<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &P) -> Result<(), StepError> {
    if !parts.solver().iterates_to_tolerance(m) {
        return Ok(());
    }
    solver_springs(m, d, parts);
    let Data { inertia, island, force, accel, efc, solver: stats, scratch, .. } = d;
    let solved = solver::Solved { inertia, island, force, accel };
    match solver::unsolved(m, efc.nefc as usize, solved, stats, &mut scratch.solver) {
        Some((island, iterations)) => Err(StepError::NotConverged { island, iterations }),
        None => Ok(()),
    }
}

/// [`forward_with`] with checks of its inputs and its result.
fn try_forward<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    parts.solver().check(m).map_err(|_| StepError::Solver)?;
    find_bad(&d.state.qpos).map_or(Ok(()), |i| Err(StepError::BadQpos(i)))?;
    find_bad(&d.state.qvel).map_or(Ok(()), |i| Err(StepError::BadQvel(i)))?;
    find_bad(&d.state.ctrl).map_or(Ok(()), |i| Err(StepError::BadCtrl(i)))?;
    if !history::has_times(m) {
        return Err(StepError::Timestep);
    }
    forward_with(m, d, parts);
    find_bad(&d.accel.qacc).map_or(Ok(()), |i| Err(StepError::BadQacc(i)))
}

/// [`step_with`] that skips the stages up to `done`, whose inputs must be unchanged since the last step from this
/// state, and the sensors if `skip_sensor`. Past the velocity stage, implicit integrators reuse their matrix as well.
#[doc(alias = "mj_stepSkip")]
pub fn step_skip<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P, done: Stage, skip_sensor: bool) {
    check_pos(m, d);
    check_vel(m, d);
    forward_skip(m, d, parts, done, skip_sensor);
    check_acc(m, d, parts);
    let _ = compare_inverse(m, d, parts);
    match m.opt.integrator {
        Integrator::Implicit if done >= Stage::Vel => {
            integrate::implicit::solve(m, &d.force, &d.accel, &d.deriv, &mut d.scratch.integrate.qacc);
            update(m, d, parts);
        }
        Integrator::Implicitfast if done >= Stage::Vel => {
            integrate::implicit::solve_fast(m, &d.awake, &d.force, &d.accel, &d.deriv, &mut d.scratch.integrate.qacc);
            update(m, d, parts);
        }
        _ => warn_singular(d, |d| advance(m, d, parts)),
    }
}

/// First half of [`step`], up to where controls are needed; set controls and applied forces before [`step2`].
#[doc(alias = "mj_step1")]
pub fn step1<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let start = parts.hooks().time();
    check_pos(m, d);
    check_vel(m, d);
    fwd_position(m, d, parts);
    sensor_pos(m, d, parts);
    energy_pos(m, d);
    fwd_velocity(m, d, parts);
    sensor_vel(m, d, parts);
    energy_vel(m, d);
    parts.hooks().control(m, d);
    d.count_time(Timer::Step, start, parts);
}

/// Second half of [`step`], after [`step1`]. Runge–Kutta cannot be split in two, so Euler is used instead.
#[doc(alias = "mj_step2")]
pub fn step2<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let start = parts.hooks().time();
    fwd_actuation(m, d, parts);
    accelerate(m, d, parts, false);
    solve(m, d, parts);
    sensor_acc(m, d, parts);
    check_acc(m, d, parts);
    let _ = compare_inverse(m, d, parts);
    warn_singular(d, |d| match m.opt.integrator {
        Integrator::Implicit | Integrator::Implicitfast => implicit(m, d, parts),
        Integrator::Implicitspringdamper => {
            spring_damper(m, d, parts);
            Ok(())
        }
        Integrator::Euler | Integrator::Rk4 => {
            euler(m, d, parts);
            Ok(())
        }
    });
    d.count_time(Timer::Step, start, parts);
}

/// Computes positions, velocities, forces and accelerations of the current state, without advancing it.
#[doc(alias = "mj_forward")]
pub fn forward(m: &Model, d: &mut Data) {
    forward_with(m, d, &mut ());
}

/// [`forward`] with callbacks.
pub fn forward_with<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    forward_skip(m, d, parts, Stage::None, false);
}

/// [`forward`] that skips the stages up to `done`, whose inputs must be unchanged since the last call, and the sensors
/// if `skip_sensor`.
#[doc(alias = "mj_forwardSkip")]
pub fn forward_skip<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P, done: Stage, skip_sensor: bool) {
    let start = parts.hooks().time();
    if done < Stage::Pos {
        fwd_position(m, d, parts);
        if !skip_sensor {
            sensor_pos(m, d, parts);
        }
        energy_pos(m, d);
    }
    if done < Stage::Vel {
        fwd_velocity(m, d, parts);
        if !skip_sensor {
            sensor_vel(m, d, parts);
        }
        energy_vel(m, d);
    }
    if !m.opt.disabled(DisableFlags::ACTUATION) {
        parts.hooks().control(m, d);
    }
    fwd_actuation(m, d, parts);
    accelerate(m, d, parts, false);
    solve(m, d, parts);
    if !skip_sensor {
        sensor_acc(m, d, parts);
    }
    d.count_time(Timer::Forward, start, parts);
}

/// Runs the constraint solver, then deformables if there are any; timed.
fn solve<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let start = parts.hooks().time();
    constrain(m, d, parts);
    if !m.extension().deformables.is_empty() {
        deform(m, d, parts);
    }
    d.count_time(Timer::Constraint, start, parts);
}

/// Moves deformables over the coming step, then runs the solver again with the forces they exert.
fn deform<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &P) {
    let Data { state, pose, inertia, accel, scratch, threads, .. } = &mut *d;
    let given = deformable::Given { state, pose, inertia, qacc: &accel.qacc, threads: *threads };
    deformable::deform(m, given, &mut scratch.deformable);
    let refused = scratch.deformable.refused;
    if refused > 0 {
        d.warn(Warning::Contactfull, refused);
    }
    accelerate(m, d, parts, true);
    constrain(m, d, parts);
}

/// Computes everything that depends on positions only.
#[doc(alias = "mj_fwdPosition")]
pub fn fwd_position<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    d.sensor.flg_energypos = 0;
    let start = parts.hooks().time();
    fwd_kinematics(m, d);
    let next = d.count_time(Timer::PosKinematics, start, parts);
    make_m(m, d);
    factor_m(m, d);
    let next = d.count_time(Timer::PosInertia, next, parts);
    collision(m, d, parts);
    if sleep::wake_collision(m, &d.contact, &mut d.state, &d.awake) > 0 {
        update_sleep(m, d);
        collision(m, d, parts);
    }
    if sleep::wake_equality(m, &mut d.state, &d.awake) > 0 {
        update_sleep(m, d);
    }
    let next = d.count_time(Timer::PosCollision, next, parts);
    make_constraint(m, d);
    island(m, d);
    let next = d.count_time(Timer::PosMake, next, parts);
    transmission(m, d);
    let next = d.add_time(Timer::PosKinematics, next, parts);
    if parts.solver().is_dual(m) {
        project_with(m, d, parts);
    }
    d.count_time(Timer::PosProject, next, parts);
    d.count_time(Timer::Position, start, parts);
}

/// Computes the poses of bodies and of everything attached to them.
pub(crate) fn poses(m: &Model, d: &mut Data) {
    kinematics(m, d);
    com_pos(m, d);
    camlight(m, d);
    flex(m, d);
    tendon(m, d);
}

/// Computes poses and everything attached to them; wakes trees that a tendon at its limit ties to an awake tree.
#[doc(alias = "mj_fwdKinematics")]
pub fn fwd_kinematics(m: &Model, d: &mut Data) {
    poses(m, d);
    if sleep::wake_tendon(m, &d.pose, &mut d.state, &d.awake) > 0 {
        update_sleep(m, d);
    }
}

/// Updates the lists of awake trees, bodies and dofs.
#[doc(alias = "mj_updateSleep")]
pub fn update_sleep(m: &Model, d: &mut Data) {
    subset::update_sleep(m, &d.state, &mut d.awake, false);
}

/// Frames of bodies, then of the joints, geoms and sites attached to them.
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

/// Vertices, bounding boxes and edges of flexes.
#[doc(alias = "mj_flex")]
pub fn flex(m: &Model, d: &mut Data) {
    kinematics::flex(m, &mut d.pose);
}

/// Tendon paths, lengths and Jacobians.
#[doc(alias = "mj_tendon")]
pub fn tendon(m: &Model, d: &mut Data) {
    kinematics::tendon(m, &d.state, &d.awake, &mut d.pose, &mut d.scratch.kinematics);
}

/// Mass matrix, in both storage orders.
#[doc(alias = "mj_makeM")]
pub fn make_m(m: &Model, d: &mut Data) {
    inertia::crb(m, &d.awake, &d.pose, &mut d.inertia);
    inertia::tendon_armature(m, &d.awake, &d.pose, &mut d.inertia);
    if !m.extension().pulleys.is_empty() {
        inertia::rotors(m, &d.awake, &d.pose, &mut d.scratch.rotor, &mut d.inertia);
    }
}

/// LDL factor of the mass matrix.
#[doc(alias = "mj_factorM")]
pub fn factor_m(m: &Model, d: &mut Data) {
    inertia::factor_m(m, &d.awake, &mut d.inertia);
}

/// Detects the contacts of the current positions.
#[doc(alias = "mj_collision")]
pub fn collision<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    d.contact.clear();
    d.clear_rows();
    d.collision.ncon = 0;
    collision::candidates(m, &d.awake, &d.pose, &mut d.collision, &mut d.scratch.collision);
    let (mut refused, mut next) = (0, 0);
    while let Some(&candidate) = d.scratch.collision.candidates.get(next) {
        next += 1;
        // called only when it is this pair's turn, as the filter may look at the contacts found so far
        if matches!(candidate, Candidate::Geoms([a, b]) if parts.hooks().contact_filter(m, d, a, b)) {
            continue;
        }
        let Data { pose, contact, collision, scratch, .. } = &mut *d;
        refused += collision::contacts(m, pose, candidate, contact, collision, &mut scratch.collision);
    }
    (0..refused).for_each(|_| d.warn(Warning::Contactfull, d.contact.len()));
    d.collision.maxuse_con = d.collision.maxuse_con.max(d.collision.ncon);
}

/// Builds the constraint rows of the current positions.
#[doc(alias = "mj_makeConstraint")]
pub fn make_constraint(m: &Model, d: &mut Data) {
    let Data { state, awake, pose, contact, efc, row_groups, scratch, .. } = d;
    let work = &mut scratch.constraint;
    if !constraint::make_constraint(m, state, awake, pose, contact, efc, row_groups, work) {
        drop_rows(m, d);
    }
    d.solution.fit_rows(d.efc.nefc as usize);
    d.efc.maxuse_efc = d.efc.maxuse_efc.max(d.efc.nefc);
}

/// Removes all constraint rows, because they exceed the capacity.
fn drop_rows(m: &Model, d: &mut Data) {
    d.clear_rows();
    constraint::drop_rows(&mut d.contact);
    d.warn(Warning::Cnstrfull, m.narena);
}

/// Computes the matrix `J M⁻¹ Jᵀ + R`, if the solver is a dual one.
#[doc(alias = "mj_projectConstraint")]
pub fn project_constraint(m: &Model, d: &mut Data) {
    project_with(m, d, &());
}

/// [`project_constraint`] with custom flex laws.
fn project_with<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &P) {
    solver_springs(m, d, parts);
    let room = m.narena.saturating_sub(arena_use(m, d));
    let Data { inertia, efc, dual, scratch, .. } = d;
    if !solver::project_constraint(m, inertia, efc, dual, &mut scratch.solver, room) {
        drop_rows(m, d);
    }
}

/// Bytes that contacts, rows and islands would take in MuJoCo's arena.
fn arena_use(m: &Model, d: &Data) -> usize {
    constraint::memory(m, d.contact.len(), &d.efc) + constraint::island_memory(m, &d.efc)
}

/// Finds islands: groups of trees coupled by constraints. Drops all rows if they exceed the model's arena.
#[doc(alias = "mj_island")]
pub fn island(m: &Model, d: &mut Data) {
    if d.efc.nefc > 0 && arena_use(m, d) > m.narena {
        return drop_rows(m, d);
    }
    island::island(m, &d.pose, &d.contact, &d.efc, &d.inertia, &mut d.island, &mut d.scratch.island);
    d.solution.fit_islands(d.island.nidof as usize, d.island.efc_island.len());
}

/// Actuator lengths and moments.
#[doc(alias = "mj_transmission")]
pub fn transmission(m: &Model, d: &mut Data) {
    let inputs = Inputs { state: &d.state, awake: &d.awake, pose: &d.pose, contact: &d.contact, efc: &d.efc };
    actuation::transmission(m, inputs, &mut d.trn, &mut d.scratch.actuation.row);
}

/// Computes everything that depends on velocities and positions only.
#[doc(alias = "mj_fwdVelocity")]
pub fn fwd_velocity<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let start = parts.hooks().time();
    d.motion.flg_subtreevel = 0;
    d.sensor.flg_energyvel = 0;
    velocity::lengths(m, &d.state, &d.pose, &d.trn, &mut d.motion);
    velocity::com_vel(m, &d.awake, &d.state, &d.pose, &mut d.motion);
    passive(m, d, parts);
    constraint::reference_constraint(m, &d.state, &d.row_groups, &mut d.efc);
    bias(m, d);
    d.count_time(Timer::Velocity, start, parts);
}

/// Springs, dampers, gravity compensation and fluid forces, then the forces of the callback and of plugins.
#[doc(alias = "mj_passive")]
pub fn passive<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let laws = flex_laws(m, parts, &mut d.scratch.hinges);
    passive::passive(m, &laws, &d.awake, &d.state, &d.pose, &mut d.contact, &d.motion, &mut d.force);
    if !(m.opt.disabled(DisableFlags::SPRING) && m.opt.disabled(DisableFlags::DAMPER)) {
        parts.hooks().passive(m, d);
        plugins(m, d, parts, PluginCapabilities::PASSIVE, Part::Passive);
    }
}

/// Laws of all flexes, and the rest state of their hinges where a bending law needs it.
fn flex_laws<'a, P: Parts + ?Sized>(
    m: &'a Model,
    parts: &'a P,
    hinges: &'a mut Vec<HingeRest>,
) -> FlexLaws<'a, P::Bending, P::Elasticity> {
    if hinges.len() != m.nflexedge && (0..m.nflex).any(|f| parts.bending().law(m, f).is_some()) {
        *hinges = bending::rest(m);
    }
    FlexLaws { bending: parts.bending(), elasticity: parts.elasticity(), hinges }
}

/// Implicit springs and dampers at the current positions; empty unless the integrator treats them implicitly.
pub(crate) fn springs<P: Parts + ?Sized>(
    m: &Model,
    awake: &Awake,
    pose: &Pose,
    parts: &P,
    hinges: &mut Vec<HingeRest>,
    rows: &mut SpringRows,
) {
    rows.fill(m, awake, pose);
    if is_implicit(m) && m.nflex > 0 {
        flex_spring::add(m, awake, pose, &flex_laws(m, parts, hinges), rows);
    }
}

/// [`springs`] for the constraint solvers.
fn solver_springs<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &P) {
    let Data { awake, pose, scratch, .. } = d;
    springs(m, awake, pose, parts, &mut scratch.hinges, &mut scratch.solver.springs);
}

/// Calls every plugin instance that has capability `kind`.
fn plugins<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P, kind: PluginCapabilities, part: Part) {
    m.plugins().that(kind).for_each(|(_, plugin)| parts.hooks().plugin(m, d, plugin.object.as_ref(), part));
}

/// Coriolis, centrifugal and gravity forces, and the bias force of tendon armature.
fn bias(m: &Model, d: &mut Data) {
    let Data { state, awake, pose, motion, force, scratch, .. } = d;
    velocity::rne(m, awake, state, pose, motion, None, &mut scratch.velocity, &mut force.qfrc_bias);
    velocity::tendon_bias(m, awake, state, pose, motion, &mut force.qfrc_bias);
}

/// Activation rates and actuator forces.
#[doc(alias = "mj_fwdActuation")]
pub fn fwd_actuation<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    if m.nu == 0 || m.opt.disabled(DisableFlags::ACTUATION) {
        d.force.actuator_force.fill(0.0);
        d.force.qfrc_actuator.fill(0.0);
        return;
    }
    let start = parts.hooks().time();
    if let Some(bad) = actuation::controls(m, &d.state, &mut d.scratch.actuation.ctrl) {
        d.warn(Warning::Badctrl, bad);
    }
    actuation::act_dot(m, &d.awake, &d.state, &d.scratch.actuation.ctrl, &mut d.force);
    user_actuators(m, d, parts);
    plugins(m, d, parts, PluginCapabilities::ACTUATOR, Part::ActDot);
    let Data { state, awake, trn, motion, force, scratch, .. } = d;
    actuation::actuator_force(m, awake, state, trn, motion, &scratch.actuation, force);
    if parts.actuators().any(m) {
        actuation::laws(m, parts.actuators(), awake, state, trn, motion, &scratch.actuation, force);
    }
    plugins(m, d, parts, PluginCapabilities::ACTUATOR, Part::Actuate);
    let Data { state, pose, trn, force, scratch, .. } = d;
    actuation::clamp_force(m, &mut scratch.actuation.tendon, force);
    actuation::joint_force(m, state, pose, trn, force);
    d.count_time(Timer::Actuation, start, parts);
}

/// Calls the callbacks of user-defined actuators.
fn user_actuators<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    // no early exit, so that the loop vectorises
    let any = |codes: &[i32], user: i32| codes.iter().fold(false, |any, &code| any | (code == user));
    let kinds = [
        any(&m.actuator_dyntype, DynType::User as i32),
        any(&m.actuator_gaintype, GainType::User as i32),
        any(&m.actuator_biastype, BiasType::User as i32),
    ];
    if kinds == [false; 3] {
        return;
    }
    for i in 0..m.nu {
        if m.actuator_dyntype(i) == DynType::User
            && let Some(last) = m.actuator_act(i)
        {
            let rate = parts.hooks().act_dyn(m, d, i);
            if m.actuator_actnum[i] == 1 {
                d.force.act_dot[last] = rate;
            }
        }
    }
    for i in (0..m.nu).filter(|&i| !activation::is_disabled(m, i)) {
        if m.actuator_gaintype(i) == GainType::User {
            d.scratch.actuation.gain[i] = parts.hooks().act_gain(m, d, i);
        }
        if m.actuator_biastype(i) == BiasType::User {
            d.scratch.actuation.bias[i] = parts.hooks().act_bias(m, d, i);
        }
    }
}

/// Sum of all forces except constraint forces, and the acceleration they cause.
#[doc(alias = "mj_fwdAcceleration")]
pub fn fwd_acceleration(m: &Model, d: &mut Data) {
    accelerate(m, d, &(), false);
}

/// [`fwd_acceleration`] with custom flex laws; includes the force of deformables if `deformed`.
fn accelerate<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &P, deformed: bool) {
    let more = deformed.then_some(&d.scratch.deformable.force[..]);
    acceleration::smooth(m, &d.awake, &d.state, &d.pose, &d.inertia, more, (&mut d.force, &mut d.accel));
    if is_implicit(m) {
        let Data { state, awake, pose, inertia, force, accel, scratch, .. } = d;
        let work = &mut scratch.integrate.spring;
        springs(m, awake, pose, parts, &mut scratch.hinges, &mut work.rows);
        integrate::spring_damper::smooth(m, awake, state, inertia, (force, accel), work);
    }
}

/// Constraint forces and the resulting acceleration, by the solver that the model selects.
#[doc(alias = "mj_fwdConstraint")]
pub fn fwd_constraint(m: &Model, d: &mut Data) {
    constrain(m, d, &());
}

/// [`fwd_constraint`] with custom parts.
fn constrain<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &P) {
    let solver = parts.solver();
    // rows were made, or a dual solver was selected, after the position stage
    if solver.is_dual(m) && d.efc.nefc > 0 && d.dual.efc_AR.is_empty() {
        project_with(m, d, parts);
    } else if d.efc.nefc > 0 {
        solver_springs(m, d, parts);
    }
    let Data { state, awake, pose, inertia, force, contact, efc, row_groups, dual, island, solution, accel, .. } = d;
    let memory = &d.multipliers[..];
    let given = solver::Given { state, force, awake, pose, inertia, efc, groups: row_groups, dual, island, memory };
    let sought = solver::Sought { contact, solution, accel, stats: &mut d.solver };
    let room = &mut d.scratch.solver;
    room.fit_threads(m, d.threads);
    solver.solve(m, given, sought, room, d.threads);
}

impl Data {
    /// Adds the time since `start` to a timer; returns the current time.
    pub(crate) fn add_time<P: Parts + ?Sized>(&mut self, timer: Timer, start: f64, parts: &mut P) -> f64 {
        let now = parts.hooks().time();
        self.timer[timer as usize].duration += now - start;
        now
    }

    /// [`Data::add_time`] that also counts one run.
    pub(crate) fn count_time<P: Parts + ?Sized>(&mut self, timer: Timer, start: f64, parts: &mut P) -> f64 {
        self.timer[timer as usize].number += 1;
        self.add_time(timer, start, parts)
    }
}
