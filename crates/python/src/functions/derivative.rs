//! Derivatives, analytic and by finite differences.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::util::{In, Res};
use super::{add, call, call_with};
use crate::arrays::{Input, Out};
use crate::callbacks;
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew_engine::transition::{
    self, DerivativeConfig, DifferenceError, InverseConfig, InverseDerivatives, InverseWanted, Method, Report,
    RolloutWork, Term, Terms, Transition, TransitionWork,
};
use sinew_engine::{Data, Model};
use sinew_math::quat;
use std::sync::{Mutex, PoisonError};

type Arg<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

fn wrong(name: &str, e: DifferenceError) -> PyErr {
    error::fatal(format!("{name}: {e}"))
}

fn matrix<'py>(arg: Arg<'_, 'py>, name: &'static str, rows: usize, cols: usize) -> PyResult<Option<Out<'py>>> {
    arg.map(|a| Out::new(a, name)?.matrix(rows, cols)).transpose()
}

fn store(out: Option<Out<'_>>, values: &[f64]) -> PyResult<()> {
    out.map_or(Ok(()), |out| out.store(values))
}

/// Derivatives of mju_subQuat with respect to its two arguments, in their tangent spaces.
#[pyfunction]
fn mjd_subQuat<'py>(qa: In<4>, qb: In<4>, Da: Arg<'_, 'py>, Db: Arg<'_, 'py>) -> PyResult<()> {
    let nine = |arg: Arg<'_, 'py>, name| arg.map(|a| Out::new(a, name)?.sized(3, 3)).transpose();
    let (first, second) = (nine(Da, "Da")?, nine(Db, "Db")?);
    let d = quat::sub_derivative(qa.0, qb.0);
    let transposed: [f64; 9] = std::array::from_fn(|k| -d[k % 3 * 3 + k / 3]);
    store(first, &d)?;
    store(second, &transposed)
}

/// Derivatives of mju_quatIntegrate with respect to quaternion, velocity and scale.
#[pyfunction]
fn mjd_quatIntegrate(vel: In<3>, scale: f64, Dquat: Res<'_, 9>, Dvel: Res<'_, 9>, Dscale: Res<'_, 3>) -> PyResult<()> {
    let d = quat::integrate_derivative(vel.0, scale);
    Dquat.set(d.quat)?;
    Dvel.set(d.vel)?;
    Dscale.set(d.scale)
}

/// Matrices of the linear system about a step, by finite differences: dx' = A dx + B du, ds = C dx + D du.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mjd_transitionFD(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    eps: f64,
    flg_centered: u8,
    A: Arg<'_, '_>,
    B: Arg<'_, '_>,
    C: Arg<'_, '_>,
    D: Arg<'_, '_>,
) -> PyResult<()> {
    let s = m.get().sizes();
    let (ndx, nu, ns) = (2 * s.nv + s.na, s.nu, s.nsensordata);
    let out = [matrix(A, "A", ndx, ndx)?, matrix(B, "B", ndx, nu)?, matrix(C, "C", ns, ndx)?, matrix(D, "D", ns, nu)?];
    let wanted = out.each_ref().map(Option::is_some);
    let t = call_with(py, m, d, |m, d, h| transition::mujoco_transition_fd(m, d, h, eps, flg_centered != 0, wanted))?
        .map_err(|e| wrong("mjd_transitionFD", e))?;
    for (out, values) in out.into_iter().zip([t.A, t.B, t.C, t.D]) {
        store(out, &values)?;
    }
    Ok(())
}

fn refused(e: DifferenceError) -> PyErr {
    match e {
        DifferenceError::Eps(_) | DifferenceError::NotClosed(_) | DifferenceError::Length { .. } => {
            PyValueError::new_err(e.to_string())
        }
        _ => error::fatal(e.to_string()),
    }
}

/// The method with a given name.
pub fn method(name: &str) -> PyResult<Method> {
    match name {
        "fd" => Ok(Method::Fd),
        "analytic" => Ok(Method::Analytic),
        "hybrid" => Ok(Method::Hybrid),
        _ => Err(PyValueError::new_err(format!("method = '{name}' is none of 'fd', 'analytic' and 'hybrid'"))),
    }
}

/// Names of the terms that were computed by finite differences, for columns of positions, velocities, activations and
/// controls.
pub fn names(report: &Report) -> [Vec<&'static str>; 4] {
    [report.positions, report.velocities, report.activations, report.controls].map(words)
}

fn words(terms: Terms) -> Vec<&'static str> {
    terms.iter().map(Term::name).collect()
}

type Linear = ([Py<PyArray1<f64>>; 4], [Vec<&'static str>; 4], Vec<usize>);

/// `A`, `B`, `C` and `D` of the linear system about a step, row-major, with the terms and sensors that were computed by
/// finite differences.
#[pyfunction]
fn _transition(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    method_name: &str,
    eps: f64,
    centered: bool,
    sensors: bool,
) -> PyResult<Linear> {
    let config =
        DerivativeConfig { method: method(method_name)?, eps, centered, wanted: [true, true, sensors, sensors] };
    let mut t = Transition::default();
    // callbacks have no known derivatives
    let mut differenced = Vec::new();
    let report = if callbacks::any() {
        let found = call_with(py, m, d, |m, d, h| transition::transition_fd(m, d, h, eps, centered, config.wanted))?;
        t = found.map_err(refused)?;
        Report::stepped()
    } else {
        let found = with_room(py, m, d, |m, d, work| {
            let report = transition::transition(m, d, &config, work, &mut t)?;
            if sensors {
                differenced.extend_from_slice(work.sensors_differenced());
            }
            Ok(report)
        });
        found?.map_err(refused)?
    };
    let matrices = [t.A, t.B, t.C, t.D].map(|values| PyArray1::from_vec(py, values).unbind());
    Ok((matrices, names(&report), differenced))
}

/// Differences of `A`, `B`, `C` and `D` from centred finite differences, and of those from differences with a tenth of
/// the step.
#[pyfunction]
fn _check_transition(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    method_name: &str,
    eps: f64,
    sensors: bool,
) -> PyResult<[[f64; 4]; 2]> {
    let config = DerivativeConfig { wanted: [true, true, sensors, sensors], ..product_config(method_name, eps)? };
    let found = with_room(py, m, d, |m, d, work| transition::validate(m, d, &config, work))?.map_err(refused)?;
    Ok([found.errors, found.differences])
}

/// Derivative of smooth forces with respect to velocity.
#[pyfunction]
fn _smooth_vel<'py>(
    py: Python<'py>,
    m: &Bound<'py, MjModel>,
    d: &Bound<'py, MjData>,
    eps: f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    callbacks::refuse("a derivative of smooth forces")?;
    let nv = m.get().sizes().nv;
    let mut out = vec![0.0; nv * nv];
    with_room(py, m, d, |m, d, work| transition::smooth_vel(m, d, eps, work, &mut out))?.map_err(refused)?;
    Ok(PyArray1::from_vec(py, out))
}

/// Options of products with the derivative of a step; callbacks are refused.
fn product_config(method_name: &str, eps: f64) -> PyResult<DerivativeConfig> {
    callbacks::refuse("a product with the derivative of a step")?;
    Ok(DerivativeConfig { method: method(method_name)?, eps, ..DerivativeConfig::default() })
}

/// Runs native code with the simulation and its workspace for derivatives.
fn with_room<R: Send>(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    work: impl FnOnce(&Model, &Data, &mut TransitionWork) -> R + Send,
) -> PyResult<R> {
    with_kept(py, m, d, &d.get().linear, TransitionWork::new, work)
}

/// Runs native code with the simulation and a workspace that is kept between calls.
fn with_kept<W: Send, R: Send>(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    room: &Mutex<Option<Box<W>>>,
    make: impl FnOnce(&Model) -> W + Send,
    work: impl FnOnce(&Model, &Data, &mut W) -> R + Send,
) -> PyResult<R> {
    let kept = || room.lock().unwrap_or_else(PoisonError::into_inner);
    let mut room = kept().take();
    let done = call(py, m, d, |m, d| work(m, d, room.get_or_insert_with(|| Box::new(make(m)))));
    *kept() = room;
    done
}

/// `A dx + B du`.
#[pyfunction]
fn _jvp<'py>(
    py: Python<'py>,
    m: &Bound<'py, MjModel>,
    d: &Bound<'py, MjData>,
    method_name: &str,
    eps: f64,
    dx: &Bound<'py, PyAny>,
    du: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (config, dx, du) = (product_config(method_name, eps)?, Input::new(dx, "dx")?, Input::new(du, "du")?);
    let (dx, du) = (dx.values()?, du.values()?);
    let s = m.get().sizes();
    let mut out = vec![0.0; 2 * s.nv + s.na];
    with_room(py, m, d, |m, d, work| transition::jvp(m, d, &config, work, (dx, du), &mut out))?.map_err(refused)?;
    Ok(PyArray1::from_vec(py, out))
}

/// `Aᵀ next` and `Bᵀ next`.
#[pyfunction]
fn _vjp<'py>(
    py: Python<'py>,
    m: &Bound<'py, MjModel>,
    d: &Bound<'py, MjData>,
    method_name: &str,
    eps: f64,
    next: &Bound<'py, PyAny>,
) -> PyResult<[Bound<'py, PyArray1<f64>>; 2]> {
    let (config, next) = (product_config(method_name, eps)?, Input::new(next, "next")?);
    let next = next.values()?;
    let s = m.get().sizes();
    let (mut by_x, mut by_u) = (vec![0.0; 2 * s.nv + s.na], vec![0.0; s.nu]);
    with_room(py, m, d, |m, d, work| transition::vjp(m, d, &config, work, next, (&mut by_x, &mut by_u)))?
        .map_err(refused)?;
    Ok([by_x, by_u].map(|values| PyArray1::from_vec(py, values)))
}

/// Gradients over a rollout with respect to the initial state and the controls, and the number of values in
/// checkpoints.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // keyword arguments in Python
fn _rollout_vjp<'py>(
    py: Python<'py>,
    m: &Bound<'py, MjModel>,
    d: &Bound<'py, MjData>,
    method_name: &str,
    eps: f64,
    ctrl: &Bound<'py, PyAny>,
    loss: &Bound<'py, PyAny>,
    every: usize,
) -> PyResult<([Bound<'py, PyArray1<f64>>; 2], usize)> {
    let (config, ctrl, loss) =
        (product_config(method_name, eps)?, Input::new(ctrl, "ctrl")?, Input::new(loss, "loss")?);
    let (ctrl, loss) = (ctrl.values()?, loss.values()?);
    let s = m.get().sizes();
    let (mut by_x, mut by_u) = (vec![0.0; 2 * s.nv + s.na], vec![0.0; ctrl.len()]);
    let kept = with_kept(py, m, d, &d.get().rollout, RolloutWork::new, |m, d, work| {
        let asked = (ctrl, loss, every);
        transition::rollout_vjp(m, d, &config, asked, work, &mut by_x, &mut by_u).map(|()| work.states_kept())
    })?
    .map_err(refused)?;
    Ok(([by_x, by_u].map(|values| PyArray1::from_vec(py, values)), kept))
}

/// Derivatives of inverse dynamics, by finite differences; row i holds the derivatives with respect to input i.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mjd_inverseFD(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    eps: f64,
    flg_actuation: u8,
    DfDq: Arg<'_, '_>,
    DfDv: Arg<'_, '_>,
    DfDa: Arg<'_, '_>,
    DsDq: Arg<'_, '_>,
    DsDv: Arg<'_, '_>,
    DsDa: Arg<'_, '_>,
    DmDq: Arg<'_, '_>,
) -> PyResult<()> {
    let s = m.get().sizes();
    let (nv, ns) = (s.nv, s.nsensordata);
    let force = [matrix(DfDq, "DfDq", nv, nv)?, matrix(DfDv, "DfDv", nv, nv)?, matrix(DfDa, "DfDa", nv, nv)?];
    let sensor = [matrix(DsDq, "DsDq", nv, ns)?, matrix(DsDv, "DsDv", nv, ns)?, matrix(DsDa, "DsDa", nv, ns)?];
    let mass = matrix(DmDq, "DmDq", nv, s.nM)?;
    let wanted = InverseWanted {
        force: force.each_ref().map(Option::is_some),
        sensor: sensor.each_ref().map(Option::is_some),
        mass: mass.is_some(),
    };
    let t = call_with(py, m, d, |m, d, h| transition::inverse_fd(m, d, h, eps, flg_actuation != 0, wanted))?
        .map_err(|e| wrong("mjd_inverseFD", e))?;
    for (out, values) in force.into_iter().chain(sensor).zip(t.force.into_iter().chain(t.sensor)) {
        store(out, &values)?;
    }
    store(mass, &t.mass)
}

type Inverse = ([Py<PyArray1<f64>>; 7], [Vec<&'static str>; 3], Vec<usize>);

/// Derivatives of inverse dynamics in the order of `mjd_inverseFD` (empty if not `wanted`), the terms that were
/// computed by finite differences for position, velocity and acceleration, and the sensors that were.
#[pyfunction]
fn _inverse_derivatives(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    method_name: &str,
    how: (f64, bool, bool),
    what: (bool, bool),
) -> PyResult<Inverse> {
    let ((eps, centered, actuation), (sensors, mass)) = (how, what);
    callbacks::refuse("a derivative of inverse dynamics")?;
    let wanted = InverseWanted { force: [true; 3], sensor: [sensors; 3], mass };
    let config = InverseConfig { method: method(method_name)?, eps, centered, actuation, wanted };
    let mut out = InverseDerivatives::default();
    let (report, ids) = with_room(py, m, d, |m, d, work| {
        let report = transition::inverse(m, d, &config, work, &mut out)?;
        Ok((report, if sensors { work.sensors_differenced().to_vec() } else { Vec::new() }))
    })?
    .map_err(refused)?;
    let ([a, b, c], [d, e, f]) = (out.force, out.sensor);
    let matrices = [a, b, c, d, e, f, out.mass].map(|values| PyArray1::from_vec(py, values).unbind());
    Ok((matrices, [report.positions, report.velocities, report.accelerations].map(words), ids))
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(
        module,
        mjd_subQuat,
        mjd_quatIntegrate,
        mjd_transitionFD,
        mjd_inverseFD,
        _transition,
        _jvp,
        _vjp,
        _rollout_vjp,
        _inverse_derivatives,
        _check_transition,
        _smooth_vel
    );
    Ok(())
}
