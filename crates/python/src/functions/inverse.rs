//! Inverse dynamics and the implicit integrators.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, call, call_with};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::prelude::*;
use sinew_engine::inverse;
use sinew_engine::model::enums::Stage;
use sinew_engine::step::{self, StepError};

fn done(outcome: Result<(), StepError>) -> PyResult<()> {
    outcome.map_err(|e| error::fatal(e.to_string()))
}

/// Forces that must be applied to get the acceleration `qacc`.
#[pyfunction]
fn mj_inverse(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    done(call_with(py, m, d, |m, d, h| inverse::inverse(m, d, h))?)
}

/// `mj_inverse` without the stages up to `skipstage`, and without sensors if `skipsensor`.
#[pyfunction]
fn mj_inverseSkip(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let stage = Stage::try_from(skipstage).map_err(|e| error::fatal(e.to_string()))?;
    done(call_with(py, m, d, |m, d, h| inverse::inverse_skip(m, d, h, stage, skipsensor != 0))?)
}

/// Compares forward with inverse dynamics, into `solver_fwdinv`.
#[pyfunction]
fn mj_compareFwdInv(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    done(call_with(py, m, d, |m, d, h| inverse::compare_fwd_inv(m, d, h))?)
}

/// Constraint forces at the acceleration `qacc`.
#[pyfunction]
fn mj_invConstraint(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    call(py, m, d, inverse::inv_constraint)
}

/// Advances the state with an integrator that is implicit in velocity.
#[pyfunction]
fn mj_implicit(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    done(call_with(py, m, d, |m, d, h| step::implicit(m, d, h))?)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_inverse, mj_inverseSkip, mj_compareFwdInv, mj_invConstraint, mj_implicit);
    Ok(())
}
