//! Stages of a step, one by one and together.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, call, call_anew, call_with, watched};
use crate::arrays::Out;
use crate::callbacks::UserHooks;
use crate::data::MjData;
use crate::error;
use crate::interrupt::Interrupts;
use crate::model::MjModel;
use pyo3::prelude::*;
use sinew_engine::hooks::Hooks;
use sinew_engine::model::enums::Stage;
use sinew_engine::{constraint, inertia, inverse, sensor, step, velocity};

macro_rules! stages {
    ($($call:ident $name:ident: $doc:literal, $work:expr;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            fn $name(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
                $call(py, m, d, $work)
            }
        )*
        /// Adds the functions.
        pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            add!(module, $($name),*);
            add!(module, mj_resetData, mj_rne, mj_step, step_strict, mj_forwardSkip, mj_RungeKutta);
            Ok(())
        }
    };
}

/// Sets everything to zero, then the state to the model's initial state.
#[pyfunction]
fn mj_resetData(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    call_anew(py, m, d, |m, d, hooks| d.try_reset(m, hooks))?.map_err(|e| error::fatal(e.to_string()))
}

stages! {
    call_with mj_forward: "Positions, velocities, forces and accelerations of the present state.",
        |m, d, h| step::forward_with(m, d, h);
    call_with mj_step1: "The part of a step before controls are needed.",
        |m, d, h| step::step1(m, d, h);
    call_with mj_step2: "The part of a step that follows mj_step1.",
        |m, d, h| step::step2(m, d, h);
    call mj_checkPos: "Checks positions; bad ones reset the state, with a warning.",
        step::check_pos;
    call mj_checkVel: "Checks velocities; bad ones reset the state, with a warning.",
        step::check_vel;
    call_with mj_checkAcc: "Checks accelerations; bad ones reset the state, with a warning.",
        |m, d, h| step::check_acc(m, d, h);
    call_with mj_Euler: "Advances the state with semi-implicit Euler.",
        |m, d, h| step::euler(m, d, h);
    call_with mj_sensorPos: "Sensors of the position stage.",
        |m, d, h| step::sensor_pos(m, d, h);
    call_with mj_sensorVel: "Sensors of the velocity stage.",
        |m, d, h| step::sensor_vel(m, d, h);
    call_with mj_sensorAcc: "Sensors of the acceleration stage.",
        |m, d, h| step::sensor_acc(m, d, h);
    call mj_energyPos: "Potential energy.",
        |m, d| sensor::energy_pos(m, &d.awake, &d.state, &d.pose, &mut d.sensor);
    call mj_energyVel: "Kinetic energy.",
        |m, d| sensor::energy_vel(m, &d.state, &d.inertia, &mut d.scratch.sensor.row, &mut d.sensor);
    call mj_makeConstraint: "Constraint rows of the present positions.",
        step::make_constraint;
    call_with mj_invPosition: "Everything that inverse dynamics needs of positions.",
        |m, d, h| inverse::inv_position(m, d, h);
    call_with mj_invVelocity: "Everything that inverse dynamics needs of velocities.",
        |m, d, h| step::fwd_velocity(m, d, h);
    call mj_island: "Groups of trees that constraints tie together.",
        step::island;
    call mj_projectConstraint: "Matrix of the dual solvers.",
        step::project_constraint;
    call mj_referenceConstraint: "Velocities of constraint rows and the accelerations they ask for.",
        |m, d| constraint::reference_constraint(m, &d.state, &d.row_groups, &mut d.efc);
    call mj_fwdConstraint: "Constraint forces and the final acceleration.",
        step::fwd_constraint;
    call_with mj_collision: "Contacts of the present positions.",
        |m, d, h| step::collision(m, d, h);
    call_with mj_fwdPosition: "Everything that depends on positions only.",
        |m, d, h| step::fwd_position(m, d, h);
    call mj_fwdKinematics: "Poses and everything attached to them.",
        step::fwd_kinematics;
    call mj_kinematics: "Frames of bodies, then of what is attached to them.",
        step::kinematics;
    call mj_comPos: "Frames, inertias and motion axes about centres of mass.",
        step::com_pos;
    call mj_camlight: "Frames of cameras and lights.",
        step::camlight;
    call mj_crb: "Composite inertias and the mass matrix.",
        |m, d| inertia::crb(m, &d.awake, &d.pose, &mut d.inertia);
    call mj_flex: "Vertices, boxes and edges of flexes.",
        step::flex;
    call mj_tendon: "Tendon paths, lengths and their Jacobians.",
        step::tendon;
    call mj_transmission: "Actuator lengths and moments.",
        step::transmission;
    call mj_makeM: "Mass matrix, in both storage orders.",
        step::make_m;
    call mj_factorM: "Factor of the mass matrix.",
        step::factor_m;
    call_with mj_fwdVelocity: "Everything that depends on velocities, besides positions.",
        |m, d, h| step::fwd_velocity(m, d, h);
    call_with mj_fwdActuation: "Activation rates and actuator forces.",
        |m, d, h| step::fwd_actuation(m, d, h);
    call mj_fwdAcceleration: "Sum of all forces but those of constraints, and the acceleration they cause.",
        step::fwd_acceleration;
    call mj_comVel: "Velocities of bodies and rates of motion axes.",
        |m, d| velocity::com_vel(m, &d.awake, &d.state, &d.pose, &mut d.motion);
    call_with mj_passive: "Springs, dampers, gravity compensation and fluid forces.",
        |m, d, h| step::passive(m, d, h);
    call mj_subtreeVel: "Linear velocity and angular momentum of subtrees.",
        |m, d| velocity::subtree_vel(m, &d.awake, &d.pose, &mut d.motion, &mut d.scratch.velocity.acc);
    call mj_rnePostConstraint: "Accelerations of bodies and the forces between them.",
        step::rne_post_constraint;
}

/// Advances the simulation by a time step. Optionally, repeat nstep times.
#[pyfunction]
#[pyo3(signature = (m, d, nstep=1))]
fn mj_step(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, nstep: i32) -> PyResult<()> {
    let (mut hooks, mut interrupts) = (UserHooks::new(m, d), Interrupts::new(m, d));
    watched(py, m, d, |m, d, watch| {
        (0..nstep).try_for_each(|_| {
            step::step_with(m, d, hooks.get());
            watch.look(d);
            interrupts.look(m, d)
        })
    })?
}

/// Advances the simulation by a time step. Optionally, repeat nstep times. Raises `StepError` and leaves the state
/// unchanged where `mj_step` would warn and reset, and where constraint forces are not within the solver's tolerance.
#[pyfunction]
#[pyo3(signature = (m, d, nstep=1))]
fn step_strict(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, nstep: usize) -> PyResult<()> {
    let mut interrupts = Interrupts::new(m, d);
    call_with(py, m, d, |m: &_, d: &mut _, h: &mut dyn Hooks| {
        (0..nstep).try_for_each(|_| {
            step::try_step_strict(m, d, h).map_err(|e| error::StepError::new_err(e.to_string()))?;
            interrupts.look(m, d)
        })
    })?
}

/// `mj_forward` without the stages up to `skipstage`, and without sensors if `skipsensor`.
#[pyfunction]
fn mj_forwardSkip(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let done = Stage::try_from(skipstage).map_err(|e| error::fatal(e.to_string()))?;
    call_with(py, m, d, |m, d, h| step::forward_skip(m, d, h, done, skipsensor != 0))
}

/// Advances the state with the Runge–Kutta method of order `N`, which must be 4.
#[pyfunction]
fn mj_RungeKutta(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, N: i32) -> PyResult<()> {
    if N != 4 {
        return Err(error::fatal(format!("only Runge-Kutta of order 4 is available, got {N}")));
    }
    call_with(py, m, d, |m, d, h| step::runge_kutta(m, d, h))
}

/// Joint forces of the tree without constraints: Coriolis, centrifugal and gravity, with inertial ones if `flg_acc`.
#[pyfunction]
fn mj_rne(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    flg_acc: i32,
    result: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let nv = m.get().sizes().nv;
    let out = Out::new(result, "result")?.vector(nv)?;
    let mut res = out.values()?;
    call(py, m, d, |m, d| {
        let qacc = (flg_acc != 0).then_some(&d.accel.qacc[..]);
        velocity::rne(m, &d.awake, &d.state, &d.pose, &d.motion, qacc, &mut d.scratch.velocity, &mut res);
    })?;
    out.store(&res)
}
