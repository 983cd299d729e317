//! Finite differences of inverse dynamics.

use super::DifferenceError;
use super::fd::difference;
use crate::data::Data;
use crate::hooks::Hooks;
use crate::inverse::inverse_skip;
use crate::model::Model;
use crate::model::enums::{Integrator, Stage};
use crate::step;
use crate::support::position::integrate_pos;

/// Derivatives of inverse dynamics; row `i` holds those with respect to input `i`. Those not requested are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InverseDerivatives {
    /// Force with respect to position, velocity and acceleration, each `nv × nv`.
    pub force: [Vec<f64>; 3],
    /// Sensors with respect to position, velocity and acceleration, each `nv × nsensordata`.
    pub sensor: [Vec<f64>; 3],
    /// Mass matrix with respect to position, `nv × nM`.
    pub mass: Vec<f64>,
}

/// Which of [`InverseDerivatives`] are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InverseWanted {
    /// As [`InverseDerivatives::force`].
    pub force: [bool; 3],
    /// As [`InverseDerivatives::sensor`].
    pub sensor: [bool; 3],
    /// As [`InverseDerivatives::mass`].
    pub mass: bool,
}

impl InverseWanted {
    /// Whether any derivative of sensors is wanted.
    pub(super) fn sensors(&self) -> bool {
        self.sensor.contains(&true)
    }
}

impl InverseDerivatives {
    /// Resizes the wanted matrices for a model and zeroes them; empties the others.
    pub(super) fn fit(&mut self, m: &Model, wanted: InverseWanted) {
        let fit = |matrix: &mut Vec<f64>, wanted: bool, cols: usize| {
            matrix.clear();
            matrix.resize(if wanted { m.nv * cols } else { 0 }, 0.0);
        };
        for k in 0..3 {
            fit(&mut self.force[k], wanted.force[k], m.nv);
            fit(&mut self.sensor[k], wanted.sensor[k], m.nsensordata);
        }
        fit(&mut self.mass, wanted.mass, m.nM);
    }
}

/// Forces, sensors and mass matrix of one evaluation.
#[derive(Clone, Debug, Default)]
struct Values {
    force: Vec<f64>,
    sensor: Vec<f64>,
    mass: Vec<f64>,
}

/// Workspace of differences; allocated at first use.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    base: Values,
    plus: Values,
    minus: Values,
    qpos: Vec<f64>,
    dpos: Vec<f64>,
}

/// Options of the differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub eps: f64,
    pub centered: bool,
    /// Whether actuator forces are subtracted.
    pub actuation: bool,
}

/// Forward differences of inverse dynamics with respect to position, velocity and acceleration; with `actuation`,
/// actuator forces are subtracted from the force.
///
/// # Errors
/// [`DifferenceError::RungeKutta`], [`DifferenceError::Noslip`], and those of inverse dynamics.
#[doc(alias = "mjd_inverseFD")]
pub fn inverse_fd(
    m: &Model,
    d: &mut Data,
    hooks: &mut dyn Hooks,
    eps: f64,
    actuation: bool,
    wanted: InverseWanted,
) -> Result<InverseDerivatives, DifferenceError> {
    if m.opt.integrator == Integrator::Rk4 {
        return Err(DifferenceError::RungeKutta);
    }
    if m.opt.noslip_iterations != 0 {
        return Err(DifferenceError::Noslip);
    }
    let mut out = InverseDerivatives::default();
    out.fit(m, wanted);
    differences(m, d, hooks, Steps { eps, centered: false, actuation }, &mut Room::default(), &mut out)?;
    Ok(out)
}

/// Evaluates inverse dynamics, reusing the stages up to `done`.
fn evaluate(
    m: &Model,
    d: &mut Data,
    hooks: &mut dyn Hooks,
    (done, actuation, skip_sensor): (Stage, bool, bool),
    to: &mut Values,
) -> Result<(), DifferenceError> {
    inverse_skip(m, d, hooks, done, skip_sensor)?;
    to.force.clear();
    to.force.extend_from_slice(&d.accel.qfrc_inverse);
    to.sensor.clear();
    to.sensor.extend_from_slice(&d.sensor.sensordata);
    to.mass.clear();
    to.mass.extend_from_slice(&d.inertia.qM);
    if actuation {
        step::fwd_actuation(m, d, hooks);
        to.force.iter_mut().zip(d.force.qfrc_actuator.iter()).for_each(|(f, a)| *f -= a);
    }
    Ok(())
}

/// Computes differences for the matrices of `out` that are not empty. The state is restored; the stages remain those of
/// some trial.
pub(super) fn differences(
    m: &Model,
    d: &mut Data,
    hooks: &mut dyn Hooks,
    steps: Steps,
    room: &mut Room,
    out: &mut InverseDerivatives,
) -> Result<(), DifferenceError> {
    let Steps { eps, centered, actuation } = steps;
    let Room { base, plus, minus, qpos, dpos } = room;
    let skip_sensor = out.sensor.iter().all(Vec::is_empty);
    evaluate(m, d, hooks, (Stage::None, actuation, skip_sensor), base)?;
    qpos.clear();
    qpos.extend_from_slice(&d.state.qpos);
    dpos.resize(m.nv, 0.0);
    // in this order, each kind leaves the stages that the next one reuses unchanged
    for (kind, done) in [(2, Stage::Vel), (1, Stage::Pos), (0, Stage::None)] {
        if out.force[kind].is_empty() && out.sensor[kind].is_empty() && (kind != 0 || out.mass.is_empty()) {
            continue;
        }
        for i in 0..m.nv {
            let (qvel, qacc) = (d.state.qvel[i], d.accel.qacc[i]);
            let mut nudged = |step: f64, to: &mut Values| {
                match kind {
                    2 => d.accel.qacc[i] += step,
                    1 => d.state.qvel[i] += step,
                    _ => {
                        dpos.fill(0.0);
                        dpos[i] = 1.0;
                        integrate_pos(m, &mut d.state.qpos, dpos, step);
                    }
                }
                let done = evaluate(m, d, hooks, (done, actuation, skip_sensor), to);
                d.state.qpos.copy_from_slice(qpos);
                (d.state.qvel[i], d.accel.qacc[i]) = (qvel, qacc);
                done
            };
            nudged(eps, plus)?;
            let (from, h) = if centered {
                nudged(-eps, minus)?;
                (&*minus, 2.0 * eps)
            } else {
                (&*base, eps)
            };
            store(&mut out.force[kind], i, difference(&from.force, &plus.force, h));
            store(&mut out.sensor[kind], i, difference(&from.sensor, &plus.sensor, h));
            if kind == 0 {
                store(&mut out.mass, i, difference(&from.mass, &plus.mass, h));
            }
        }
    }
    Ok(())
}

/// Sets row `i` of a matrix, unless the matrix is empty.
fn store(matrix: &mut [f64], i: usize, values: impl ExactSizeIterator<Item = f64>) {
    let n = values.len();
    if !matrix.is_empty() {
        matrix[i * n..][..n].iter_mut().zip(values).for_each(|(to, x)| *to = x);
    }
}
