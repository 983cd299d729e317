//! Products with the constraint Jacobian, constraint costs, friction pyramids.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, call, look};
use crate::arrays::{Out, numbers, vector};
use crate::data::MjData;
use crate::model::MjModel;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew_engine::support::contact;
use sinew_engine::support::row::Jacobian;
use sinew_engine::{inverse, solver};

/// Whether the solver solves the dual problem, with the constraint forces as unknowns.
#[pyfunction]
fn mj_isDual(m: &Bound<'_, MjModel>) -> PyResult<i32> {
    Ok(i32::from(solver::is_dual(&*m.get().read()?)))
}

/// The current number of constraint rows and the number of degrees of freedom.
fn extent(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<(usize, usize)> {
    Ok((look(m, d, |_, d| d.efc.nefc as usize)?, m.get().sizes().nv))
}

/// `res = J vec`.
#[pyfunction]
fn mj_mulJacVec(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    res: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (rows, nv) = extent(m, d)?;
    let out = Out::new(res, "res")?.vector(rows)?;
    let x = vector(vec, "vec", nv)?;
    let mut y = vec![0.0; rows];
    look(m, d, |m, d| Jacobian::efc(m, &d.efc).mul_vec(&mut y, &x))?;
    out.store(&y)
}

/// `res = Jᵀ vec`; left unchanged if there are no constraints.
#[pyfunction]
fn mj_mulJacTVec(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    res: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (rows, nv) = extent(m, d)?;
    let out = Out::new(res, "res")?.vector(nv)?;
    let x = vector(vec, "vec", rows)?;
    if rows == 0 {
        return Ok(());
    }
    let mut y = vec![0.0; nv];
    look(m, d, |m, d| Jacobian::efc(m, &d.efc).mul_vec_t(&mut y, &x))?;
    out.store(&y)
}

/// Forces, states and cost of constraints where `J qacc - aref` is `jar`.
#[pyfunction]
fn mj_constraintUpdate(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jar: &Bound<'_, PyAny>,
    cost: Option<&Bound<'_, PyAny>>,
    flg_coneHessian: i32,
) -> PyResult<()> {
    let (rows, _) = extent(m, d)?;
    let jar = vector(jar, "jar", rows)?;
    let out = cost.map(|c| Out::new(c, "cost")?.vector(1)).transpose()?;
    let value = call(py, m, d, |m, d| inverse::constraint_update(m, d, &jar, flg_coneHessian != 0))?;
    out.map_or(Ok(()), |out| out.store(&[value]))
}

/// Checks the sizes of a pyramid and a force, and returns the dimension: as in MuJoCo's module the length of `mu`, one
/// less than that of the force.
fn dimension(pyramid: usize, force: usize, mu: usize) -> PyResult<usize> {
    if pyramid != 2 * mu {
        return Err(PyTypeError::new_err("size of pyramid should be twice as large as size of mu"));
    }
    if force != mu + 1 {
        return Err(PyTypeError::new_err("size of force should be exactly one larger than size of mu"));
    }
    Ok(mu)
}

/// Forces along the edges of a friction pyramid that add up to a contact force.
#[pyfunction]
fn mju_encodePyramid(pyramid: &Bound<'_, PyAny>, force: &Bound<'_, PyAny>, mu: &Bound<'_, PyAny>) -> PyResult<()> {
    let out = Out::new(pyramid, "pyramid")?;
    let (force, mu) = (numbers(force, "force")?.1, numbers(mu, "mu")?.1);
    let mut values = out.values()?;
    let dim = dimension(values.len(), force.len(), mu.len())?;
    contact::encode_pyramid(&mut values, &force, &mu, dim);
    out.store(&values)
}

/// Contact force from forces along the edges of a friction pyramid.
#[pyfunction]
fn mju_decodePyramid(force: &Bound<'_, PyAny>, pyramid: &Bound<'_, PyAny>, mu: &Bound<'_, PyAny>) -> PyResult<()> {
    let out = Out::new(force, "force")?;
    let (pyramid, mu) = (numbers(pyramid, "pyramid")?.1, numbers(mu, "mu")?.1);
    let mut values = out.values()?;
    let dim = dimension(pyramid.len(), values.len(), mu.len())?;
    if dim > 0 {
        contact::decode_pyramid(&mut values, &pyramid, &mu, dim);
    }
    out.store(&values)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_isDual, mj_mulJacVec, mj_mulJacTVec, mj_constraintUpdate, mju_encodePyramid, mju_decodePyramid);
    Ok(())
}
