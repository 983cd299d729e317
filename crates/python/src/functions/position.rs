//! Arithmetic on joint positions.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::add;
use crate::arrays::{Out, vector};
use crate::error;
use crate::model::MjModel;
use pyo3::prelude::*;
use sinew_engine::support::position;

/// Advances `qpos` by `qvel` times `dt`.
#[pyfunction]
fn mj_integratePos(m: &Bound<'_, MjModel>, qpos: &Bound<'_, PyAny>, qvel: &Bound<'_, PyAny>, dt: f64) -> PyResult<()> {
    let s = m.get().sizes();
    let out = Out::new(qpos, "qpos")?.vector(s.nq)?;
    let (mut q, v) = (out.values()?, vector(qvel, "qvel", s.nv)?);
    let model = m.get().read()?;
    error::guarded(|| position::integrate_pos(&model, &mut q, &v, dt))?;
    out.store(&q)
}

/// The velocity that takes `qpos1` to `qpos2` in `dt`.
#[pyfunction]
fn mj_differentiatePos(
    m: &Bound<'_, MjModel>,
    qvel: &Bound<'_, PyAny>,
    dt: f64,
    qpos1: &Bound<'_, PyAny>,
    qpos2: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let s = m.get().sizes();
    let out = Out::new(qvel, "qvel")?.vector(s.nv)?;
    let (a, b) = (vector(qpos1, "qpos1", s.nq)?, vector(qpos2, "qpos2", s.nq)?);
    let mut v = out.values()?;
    let model = m.get().read()?;
    error::guarded(|| position::differentiate_pos(&model, &mut v, dt, &a, &b))?;
    out.store(&v)
}

/// Normalises the quaternions in `qpos`.
#[pyfunction]
fn mj_normalizeQuat(m: &Bound<'_, MjModel>, qpos: &Bound<'_, PyAny>) -> PyResult<()> {
    let out = Out::new(qpos, "qpos")?.vector(m.get().sizes().nq)?;
    let mut q = out.values()?;
    let model = m.get().read()?;
    error::guarded(|| position::normalize_quat(&model, &mut q))?;
    out.store(&q)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_integratePos, mj_differentiatePos, mj_normalizeQuat);
    Ok(())
}
