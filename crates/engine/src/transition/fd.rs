//! Finite differences of a whole step.

use super::report::Term;
use crate::data::Data;
use crate::data::state::state_size;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::model::enums::{DisableFlags, Integrator, Stage, StateFlags};
use crate::step::{self, StepError};
use crate::support::position::{differentiate_pos, integrate_pos};

/// Why differences cannot be formed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DifferenceError {
    /// A difference step that is NaN, not positive, or too large to approximate a derivative.
    #[error("eps = {0} is not in (0, {MAX_EPS}]; 1e-6 suits most models")]
    Eps(f64),
    /// A step of the Runge–Kutta method is not one evaluation of the dynamics.
    #[error("RK4 integrator is not supported")]
    RungeKutta,
    /// Histories are not part of the state that is varied.
    #[error("delays are not supported")]
    Delays,
    /// The no-slip solver has no inverse.
    #[error("noslip solver is not supported")]
    Noslip,
    /// A term that has no closed derivative, where only those were asked for.
    #[error("{} has no closed derivative here; the hybrid method differences it", .0.name())]
    NotClosed(Term),
    /// A vector that does not fit the model.
    #[error("{what} has {found} numbers, should have {expected}")]
    Length {
        /// Which.
        what: &'static str,
        /// Numbers it has.
        found: usize,
        /// Numbers it should have.
        expected: usize,
    },
    /// Inverse dynamics failed.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// Largest step of differences.
const MAX_EPS: f64 = 1e-2;

/// Matrices of the linear system about a step: `dx⁺ = A dx + B du`, `ds = C dx + D du`, with `x` of length `2 nv + na`
/// (position in tangent space, velocity, activation), controls `u` and sensor outputs `s`. Those not asked for are
/// empty. Row-major.
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
    /// Makes the wanted matrices as large as a model needs, all zero, and the others empty.
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
#[derive(Clone, Default)]
struct Outcome {
    state: Vec<f64>,
    sensor: Vec<f64>,
}

const PHYSICS: i32 = StateFlags::PHYSICS.bits();

/// A state to come back to, and the step from it.
struct Trial<'a> {
    m: &'a Model,
    hooks: &'a mut dyn Hooks,
    saved: Vec<f64>,
    signature: i32,
    skip_sensor: bool,
}

impl Trial<'_> {
    /// Steps from the present, changed state, and comes back.
    fn outcome(&mut self, d: &mut Data, done: Stage) -> Outcome {
        let m = self.m;
        // a method of several evaluations leaves the stages of its last one
        let done = if m.opt.integrator == Integrator::Rk4 { Stage::None } else { done };
        // every trial begins without memories, whatever the last one left
        d.multipliers.clear();
        step::step_skip(m, d, self.hooks, done, self.skip_sensor);
        let mut state = vec![0.0; m.nq + m.nv + m.na];
        d.state.get(m, &mut state, PHYSICS).expect("positions, velocities and activations");
        let sensor = if self.skip_sensor { Vec::new() } else { d.sensor.sensordata.to_vec() };
        d.state.set(m, &self.saved, self.signature).expect("a state of this model");
        Outcome { state, sensor }
    }
}

/// Differences of states over `h`, in tangent space.
fn state_difference(m: &Model, from: &[f64], to: &[f64], h: f64) -> Vec<f64> {
    let mut diff = vec![0.0; 2 * m.nv + m.na];
    if m.nq == m.nv {
        diff.copy_from_slice(&difference(from, to, h));
    } else {
        differentiate_pos(m, &mut diff[..m.nv], h, &from[..m.nq], &to[..m.nq]);
        diff[m.nv..].copy_from_slice(&difference(&from[m.nq..], &to[m.nq..], h));
    }
    diff
}

pub(super) fn difference(from: &[f64], to: &[f64], h: f64) -> Vec<f64> {
    let inv = 1.0 / h;
    from.iter().zip(to).map(|(a, b)| inv * (b - a)).collect()
}

fn set_column(matrix: &mut [f64], cols: usize, col: usize, values: &[f64]) {
    if !matrix.is_empty() {
        values.iter().enumerate().for_each(|(row, v)| matrix[row * cols + col] = *v);
    }
}

/// Whether the control of an actuator may move by `step` without leaving its range.
fn stays_in_range(m: &Model, actuator: usize, ctrl: f64, step: f64) -> bool {
    let [low, high] = m.actuator_ctrlrange[actuator];
    let within = |x: f64| low <= x && x <= high;
    m.actuator_ctrllimited[actuator] == 0 || within(ctrl) && within(ctrl + step)
}

/// Differences of one step with respect to state and controls, forward or centred; the state comes back unchanged.
/// `states`: whether `A` and `B` are wanted; `sensors`: whether `C` and `D` are.
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

/// [`transition_fd`] as MuJoCo 3.5.0 has it: any `eps`, and centred differences of sensors by controls, `D`, with the
/// opposite sign.
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

/// Whether a vector fits.
pub(super) fn length(what: &'static str, found: usize, expected: usize) -> Result<(), DifferenceError> {
    if found == expected { Ok(()) } else { Err(DifferenceError::Length { what, found, expected }) }
}

/// Whether a step of differences makes sense.
pub(super) fn check_eps(eps: f64) -> Result<(), DifferenceError> {
    if eps > 0.0 && eps <= MAX_EPS { Ok(()) } else { Err(DifferenceError::Eps(eps)) }
}

/// [`transition_fd`] of any step, with several evaluations and delays too: whatever is not part of the state comes back
/// after each trial. Into the wanted matrices of `out`.
pub(super) fn whole(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
    wanted: [bool; 4],
    out: &mut Transition,
) -> Result<(), DifferenceError> {
    let t = matrices(m, d, &mut (), Steps { eps, centered, centered_d: 1.0 }, wanted);
    for ((to, from), wanted) in
        [&mut out.A, &mut out.B, &mut out.C, &mut out.D].into_iter().zip([t.A, t.B, t.C, t.D]).zip(wanted)
    {
        if wanted {
            *to = from;
        }
    }
    Ok(())
}

/// How differences are taken.
#[derive(Clone, Copy)]
struct Steps {
    eps: f64,
    centered: bool,
    /// Sign of centred differences of sensors by controls.
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
    Ok(matrices(m, d, hooks, steps, wanted))
}

fn matrices(m: &Model, d: &mut Data, hooks: &mut dyn Hooks, steps: Steps, wanted: [bool; 4]) -> Transition {
    let warm = if m.opt.disabled(DisableFlags::WARMSTART) { 0 } else { StateFlags::WARMSTART.bits() };
    let signature = StateFlags::FULLPHYSICS.bits() | StateFlags::CTRL.bits() | warm;
    let mut saved = vec![0.0; state_size(m, signature).expect("a valid signature")];
    d.state.get(m, &mut saved, signature).expect("a vector of that size");
    let (ndx, nu, ns) = (2 * m.nv + m.na, m.nu, m.nsensordata);
    let room = |wanted: bool, n: usize| vec![0.0; if wanted { n } else { 0 }];
    let [a, b, c, dd] = wanted;
    let mut out =
        Transition { A: room(a, ndx * ndx), B: room(b, ndx * nu), C: room(c, ns * ndx), D: room(dd, ns * nu) };
    let mut trial = Trial { m, hooks, saved, signature, skip_sensor: !(c || dd) };
    let base = trial.outcome(d, Stage::None);
    if b || dd {
        control_columns(&mut trial, d, &base, steps, &mut out);
    }
    if a || c {
        state_columns(&mut trial, d, &base, steps, &mut out);
    }
    out
}

/// Columns of `B` and `D`. At the limits of a control the difference is one-sided.
fn control_columns(trial: &mut Trial, d: &mut Data, base: &Outcome, steps: Steps, out: &mut Transition) {
    let Steps { eps, centered, centered_d } = steps;
    let (m, nu) = (trial.m, trial.m.nu);
    for i in 0..nu {
        let ctrl = d.state.ctrl[i];
        let mut nudged = |step: f64, allowed: bool| {
            (allowed && stays_in_range(m, i, ctrl, step)).then(|| {
                d.state.ctrl[i] += step;
                trial.outcome(d, Stage::Vel)
            })
        };
        let plus = nudged(eps, true);
        let minus = nudged(-eps, centered || plus.is_none());
        let (from, to, h) = match (&plus, &minus) {
            (Some(plus), None) => (base, plus, eps),
            (None, Some(minus)) => (minus, base, eps),
            (Some(plus), Some(minus)) => (minus, plus, 2.0 * eps),
            (None, None) => (base, base, eps),
        };
        set_column(&mut out.B, nu, i, &state_difference(m, &from.state, &to.state, h));
        let sign = if plus.is_some() && minus.is_some() { centered_d } else { 1.0 };
        set_column(&mut out.D, nu, i, &difference(&from.sensor, &to.sensor, sign * h));
    }
}

/// Columns of `A` and `C`: activations, then velocities, then positions.
fn state_columns(trial: &mut Trial, d: &mut Data, base: &Outcome, steps: Steps, out: &mut Transition) {
    let Steps { eps, centered, .. } = steps;
    let (m, nv) = (trial.m, trial.m.nv);
    let ndx = 2 * nv + m.na;
    let mut dpos = vec![0.0; nv];
    for col in (2 * nv..ndx).chain(nv..2 * nv).chain(0..nv) {
        let mut nudged = |step: f64| {
            let done = if col < nv {
                dpos.fill(0.0);
                dpos[col] = 1.0;
                integrate_pos(m, &mut d.state.qpos, &dpos, step);
                Stage::None
            } else if col < 2 * nv {
                d.state.qvel[col - nv] += step;
                Stage::Pos
            } else {
                d.state.act[col - 2 * nv] += step;
                Stage::Vel
            };
            trial.outcome(d, done)
        };
        let plus = nudged(eps);
        let minus = centered.then(|| nudged(-eps));
        let (from, h) = minus.as_ref().map_or((base, eps), |minus| (minus, 2.0 * eps));
        set_column(&mut out.A, ndx, col, &state_difference(m, &from.state, &plus.state, h));
        set_column(&mut out.C, ndx, col, &difference(&from.sensor, &plus.sensor, h));
    }
}
