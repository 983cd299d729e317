//! Finite differences of a whole step.

use super::DerivativeConfig;
use super::report::Term;
use crate::data::Data;
use crate::data::state::state_size;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::model::enums::{DisableFlags, Integrator, Stage, StateFlags};
use crate::step::{self, StepError};
use crate::support::position::{differentiate_pos, integrate_pos};

/// Why finite differences are refused or failed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DifferenceError {
    /// A step size that is NaN, not positive, or too large to approximate a derivative.
    #[error("eps = {0} is not in (0, {MAX_EPS}]; 1e-6 suits most models")]
    Eps(f64),
    /// A Runge–Kutta step is more than one evaluation of the dynamics.
    #[error("RK4 integrator is not supported")]
    RungeKutta,
    /// Histories are not part of the perturbed state.
    #[error("delays are not supported")]
    Delays,
    /// The no-slip solver has no inverse.
    #[error("noslip solver is not supported")]
    Noslip,
    /// A term without a closed-form derivative, where only closed forms were requested.
    #[error("{} has no closed derivative here; the hybrid method differences it", .0.name())]
    NotClosed(Term),
    /// A vector whose length does not fit the model.
    #[error("{what} has {found} numbers, should have {expected}")]
    Length {
        /// Name of the vector.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Expected length.
        expected: usize,
    },
    /// Inverse dynamics failed.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// Maximum step size of differences.
const MAX_EPS: f64 = 1e-2;

/// Matrices of the linear system about a step: `dx⁺ = A dx + B du`, `ds = C dx + D du`, with `x` of length `2 nv + na`
/// (position in tangent space, velocity, activation), controls `u` and sensor outputs `s`. Row-major; matrices that
/// were not requested are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transition {
    /// `(2 nv + na) × (2 nv + na)`.
    pub A: Vec<f64>,
    /// `(2 nv + na) × nu`.
    pub B: Vec<f64>,
    /// `nsensordata × (2 nv + na)`.
    pub C: Vec<f64>,
    /// `nsensordata × nu`.
    pub D: Vec<f64>,
}

impl Transition {
    /// Resizes the wanted matrices for a model and zeroes them; empties the others.
    pub(super) fn fit(&mut self, m: &Model, wanted: [bool; 4]) {
        let (ndx, nu, ns) = (2 * m.nv + m.na, m.nu, m.nsensordata);
        let sizes = [ndx * ndx, ndx * nu, ns * ndx, ns * nu];
        for ((matrix, size), wanted) in
            [&mut self.A, &mut self.B, &mut self.C, &mut self.D].into_iter().zip(sizes).zip(wanted)
        {
            matrix.clear();
            matrix.resize(if wanted { size } else { 0 }, 0.0);
        }
    }
}

/// State and sensors after a step.
#[derive(Clone, Debug, Default)]
struct Outcome {
    state: Vec<f64>,
    sensor: Vec<f64>,
}

/// Workspace of differences; allocated at first use.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// The state to restore.
    saved: Vec<f64>,
    dpos: Vec<f64>,
    column: Vec<f64>,
    /// The step from that state, and those from the states perturbed forward and backward.
    base: Outcome,
    plus: Outcome,
    minus: Outcome,
}

/// Takes steps from perturbed states.
struct Trial<'a> {
    m: &'a Model,
    hooks: &'a mut dyn Hooks,
    signature: i32,
    skip_sensor: bool,
}

impl Trial<'_> {
    /// Steps from the current, perturbed state, and restores the saved one.
    fn outcome(&mut self, d: &mut Data, done: Stage, saved: &[f64], out: &mut Outcome) {
        let m = self.m;
        // multi-evaluation methods leave the stages of their last evaluation
        let done = if m.opt.integrator == Integrator::Rk4 { Stage::None } else { done };
        // every trial starts without solver memories, so that it does not depend on the previous one
        d.multipliers.clear();
        step::step_skip(m, d, self.hooks, done, self.skip_sensor);
        out.state.clear();
        [&d.state.qpos, &d.state.qvel, &d.state.act].into_iter().for_each(|x| out.state.extend_from_slice(x));
        out.sensor.clear();
        if !self.skip_sensor {
            out.sensor.extend_from_slice(&d.sensor.sensordata);
        }
        d.state.set(m, saved, self.signature).expect("a state of this model");
    }
}

/// Difference of two states divided by `h`, in tangent space.
fn state_difference(m: &Model, from: &[f64], to: &[f64], h: f64, out: &mut Vec<f64>) {
    out.clear();
    let plain = m.nq == m.nv;
    if !plain {
        out.resize(m.nv, 0.0);
        differentiate_pos(m, out, h, &from[..m.nq], &to[..m.nq]);
    }
    let first = if plain { 0 } else { m.nq };
    out.extend(difference(&from[first..], &to[first..], h));
}

pub(super) fn difference(from: &[f64], to: &[f64], h: f64) -> impl ExactSizeIterator<Item = f64> {
    let inv = 1.0 / h;
    from.iter().zip(to).map(move |(a, b)| inv * (b - a))
}

fn set_column(matrix: &mut [f64], cols: usize, col: usize, values: impl Iterator<Item = f64>) {
    if !matrix.is_empty() {
        values.enumerate().for_each(|(row, v)| matrix[row * cols + col] = v);
    }
}

/// Whether the control of an actuator can be perturbed by `step` within its range.
fn stays_in_range(m: &Model, actuator: usize, ctrl: f64, step: f64) -> bool {
    let [low, high] = m.actuator_ctrlrange[actuator];
    let within = |x: f64| low <= x && x <= high;
    m.actuator_ctrllimited[actuator] == 0 || within(ctrl) && within(ctrl + step)
}

/// Forward or centred differences of one step with respect to state and controls; the state is restored. `wanted`
/// selects `A`, `B`, `C` and `D`.
///
/// # Errors
/// [`DifferenceError::Eps`], [`DifferenceError::RungeKutta`], [`DifferenceError::Delays`].
pub fn transition_fd(
    m: &Model,
    d: &mut Data,
    hooks: &mut dyn Hooks,
    eps: f64,
    centered: bool,
    wanted: [bool; 4],
) -> Result<Transition, DifferenceError> {
    check_eps(eps)?;
    differences(m, d, hooks, Steps { eps, centered, centered_d: 1.0 }, wanted)
}

/// [`transition_fd`] as in MuJoCo 3.5.0: with any `eps`, and with the opposite sign for centred differences of sensors
/// with respect to controls, `D`.
///
/// # Errors
/// [`DifferenceError::RungeKutta`], [`DifferenceError::Delays`].
#[doc(alias = "mjd_transitionFD")]
pub fn mujoco_transition_fd(
    m: &Model,
    d: &mut Data,
    hooks: &mut dyn Hooks,
    eps: f64,
    centered: bool,
    wanted: [bool; 4],
) -> Result<Transition, DifferenceError> {
    differences(m, d, hooks, Steps { eps, centered, centered_d: -1.0 }, wanted)
}

/// Checks the length of a vector.
pub(super) fn length(what: &'static str, found: usize, expected: usize) -> Result<(), DifferenceError> {
    if found == expected { Ok(()) } else { Err(DifferenceError::Length { what, found, expected }) }
}

/// Checks the step size of differences.
pub(super) fn check_eps(eps: f64) -> Result<(), DifferenceError> {
    if eps > 0.0 && eps <= MAX_EPS { Ok(()) } else { Err(DifferenceError::Eps(eps)) }
}

/// [`transition_fd`] of any step, also with several evaluations or delays: anything outside the state vector is
/// restored after each trial. Fills the matrices of `out` that are not empty, `C` and `D` only with `sensors`.
pub(super) fn whole(
    m: &Model,
    d: &mut Data,
    config: &DerivativeConfig,
    sensors: bool,
    room: &mut Room,
    out: &mut Transition,
) {
    let steps = Steps { eps: config.eps, centered: config.centered, centered_d: 1.0 };
    matrices(m, d, (&mut (), steps, sensors), room, out);
}

/// Options of the differences.
#[derive(Clone, Copy)]
struct Steps {
    eps: f64,
    centered: bool,
    /// Sign of centred differences of sensors with respect to controls.
    centered_d: f64,
}

fn differences(
    m: &Model,
    d: &mut Data,
    hooks: &mut dyn Hooks,
    steps: Steps,
    wanted: [bool; 4],
) -> Result<Transition, DifferenceError> {
    if m.opt.integrator == Integrator::Rk4 {
        return Err(DifferenceError::RungeKutta);
    }
    if m.nhistory > 0 {
        return Err(DifferenceError::Delays);
    }
    let mut out = Transition::default();
    out.fit(m, wanted);
    matrices(m, d, (hooks, steps, wanted[2] || wanted[3]), &mut Room::default(), &mut out);
    Ok(out)
}

fn matrices(
    m: &Model,
    d: &mut Data,
    (hooks, steps, sensors): (&mut dyn Hooks, Steps, bool),
    room: &mut Room,
    out: &mut Transition,
) {
    let warm = if m.opt.disabled(DisableFlags::WARMSTART) { 0 } else { StateFlags::WARMSTART.bits() };
    let signature = StateFlags::FULLPHYSICS.bits() | StateFlags::CTRL.bits() | warm;
    room.saved.resize(state_size(m, signature).expect("a valid signature"), 0.0);
    d.state.get(m, &mut room.saved, signature).expect("a vector of that size");
    let mut trial = Trial { m, hooks, signature, skip_sensor: !sensors };
    trial.outcome(d, Stage::None, &room.saved, &mut room.base);
    if !out.B.is_empty() || sensors && !out.D.is_empty() {
        control_columns(&mut trial, d, steps, room, out);
    }
    if !out.A.is_empty() || sensors && !out.C.is_empty() {
        state_columns(&mut trial, d, steps, room, out);
    }
}

/// Computes the columns of `B` and `D`. At the limits of a control the difference is one-sided.
fn control_columns(trial: &mut Trial, d: &mut Data, steps: Steps, room: &mut Room, out: &mut Transition) {
    let Steps { eps, centered, centered_d } = steps;
    let (m, nu) = (trial.m, trial.m.nu);
    let Room { saved, column, base, plus, minus, .. } = room;
    for i in 0..nu {
        let ctrl = d.state.ctrl[i];
        let mut nudged = |step: f64, allowed: bool, to: &mut Outcome| {
            let moves = allowed && stays_in_range(m, i, ctrl, step);
            if moves {
                d.state.ctrl[i] += step;
                trial.outcome(d, Stage::Vel, saved, to);
            }
            moves
        };
        let ahead = nudged(eps, true, plus);
        let behind = nudged(-eps, centered || !ahead, minus);
        let (from, to, h) = match (ahead, behind) {
            (true, false) => (&*base, &*plus, eps),
            (false, true) => (&*minus, &*base, eps),
            (true, true) => (&*minus, &*plus, 2.0 * eps),
            (false, false) => (&*base, &*base, eps),
        };
        state_difference(m, &from.state, &to.state, h, column);
        set_column(&mut out.B, nu, i, column.iter().copied());
        let sign = if ahead && behind { centered_d } else { 1.0 };
        set_column(&mut out.D, nu, i, difference(&from.sensor, &to.sensor, sign * h));
    }
}

/// Computes the columns of `A` and `C`: activations, then velocities, then positions.
fn state_columns(trial: &mut Trial, d: &mut Data, steps: Steps, room: &mut Room, out: &mut Transition) {
    let Steps { eps, centered, .. } = steps;
    let (m, nv) = (trial.m, trial.m.nv);
    let ndx = 2 * nv + m.na;
    let Room { saved, dpos, column, base, plus, minus } = room;
    dpos.resize(nv, 0.0);
    for col in (2 * nv..ndx).chain(nv..2 * nv).chain(0..nv) {
        let mut nudged = |step: f64, to: &mut Outcome| {
            let done = if col < nv {
                dpos.fill(0.0);
                dpos[col] = 1.0;
                integrate_pos(m, &mut d.state.qpos, dpos, step);
                Stage::None
            } else if col < 2 * nv {
                d.state.qvel[col - nv] += step;
                Stage::Pos
            } else {
                d.state.act[col - 2 * nv] += step;
                Stage::Vel
            };
            trial.outcome(d, done, saved, to);
        };
        nudged(eps, plus);
        if centered {
            nudged(-eps, minus);
        }
        let (from, h) = if centered { (&*minus, 2.0 * eps) } else { (&*base, eps) };
        state_difference(m, &from.state, &plus.state, h, column);
        set_column(&mut out.A, ndx, col, column.iter().copied());
        set_column(&mut out.C, ndx, col, difference(&from.sensor, &plus.sensor, h));
    }
}
