//! Products and solves with the mass matrix.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, call, look};
use crate::arrays::{Out, numbers, vector};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew_engine::support::inertia;
use sinew_math::sparse::add_common;

/// Dense matrix of a matrix stored like `d.qM`.
#[pyfunction]
fn mj_fullM(m: &Bound<'_, MjModel>, dst: &Bound<'_, PyAny>, M: &Bound<'_, PyAny>) -> PyResult<()> {
    let s = m.get().sizes();
    let values = vector(M, "M", s.nM)?;
    let out = Out::new(dst, "dst")?.matrix(s.nv, s.nv)?;
    let mut full = vec![0.0; s.nv * s.nv];
    let model = m.get().read()?;
    error::guarded(|| inertia::full_m(&model, &mut full, &values))?;
    out.store(&full)
}

fn product(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    res: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    mul: fn(&sinew_engine::Model, &sinew_engine::data::Inertia, &mut [f64], &[f64]),
) -> PyResult<()> {
    let nv = m.get().sizes().nv;
    let x = vector(vec, "vec", nv)?;
    let out = Out::new(res, "res")?.vector(nv)?;
    let mut y = vec![0.0; nv];
    look(m, d, |m, d| mul(m, &d.inertia, &mut y, &x))?;
    out.store(&y)
}

/// `res = M vec`.
#[pyfunction]
fn mj_mulM(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    res: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    product(m, d, res, vec, inertia::mul_m)
}

/// `res = √D L vec`, half of a product with M.
#[pyfunction]
fn mj_mulM2(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    res: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    product(m, d, res, vec, inertia::mul_m2)
}

/// Adds the lower triangle of M to a matrix in compressed rows whose sparsity pattern contains it.
#[pyfunction]
fn mj_addM(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    dst: &Bound<'_, PyAny>,
    rownnz: &Bound<'_, PyAny>,
    rowadr: &Bound<'_, PyAny>,
    colind: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let nv = m.get().sizes().nv;
    let out = Out::new(dst, "dst")?;
    let mut values = out.values()?;
    let ints = |a, name| Out::ints(a, name)?.values();
    let (nnz, adr, cols) = (ints(rownnz, "rownnz")?, ints(rowadr, "rowadr")?, ints(colind, "colind")?);
    let fits = |r: usize| {
        let (start, n) = (usize::try_from(adr[r]).ok()?, usize::try_from(nnz[r]).ok()?);
        (start + n <= values.len() && start + n <= cols.len()).then_some(start..start + n)
    };
    if nnz.len() != nv || adr.len() != nv {
        return Err(PyTypeError::new_err("rownnz and rowadr should be of size nv"));
    }
    let Some(rows) = (0..nv).map(fits).collect::<Option<Vec<_>>>() else {
        return Err(PyTypeError::new_err("rownnz and rowadr reach beyond dst or colind"));
    };
    let missing = look(m, d, |m, d| {
        let p = inertia::pattern(m);
        let holds = |r: usize| p.cols(r).iter().all(|c| cols[rows[r].clone()].contains(c));
        if !(0..nv).all(holds) {
            return true;
        }
        for (r, range) in rows.iter().enumerate() {
            add_common(&mut values[range.clone()], &cols[range.clone()], &d.inertia.M[p.range(r)], p.cols(r), 1.0);
        }
        false
    })?;
    if missing {
        return Err(PyTypeError::new_err("colind should hold the columns of M"));
    }
    out.store(&values)
}

/// Rows of length `nv`, one right-hand side each; a vector counts as one row.
fn right_sides(x: &Out<'_>, y: &Bound<'_, PyAny>, nv: usize) -> PyResult<Vec<f64>> {
    let (shape, values) = numbers(y, "y")?;
    if shape != x.shape() {
        return Err(PyTypeError::new_err("the first dimension of x and y should be of the same size"));
    }
    if shape.last() != Some(&nv) || shape.len() > 2 {
        return Err(PyTypeError::new_err("the last dimension of x and y should be of size nv"));
    }
    Ok(values)
}

/// Solves `M x = y` for each row of `y`.
#[pyfunction]
fn mj_solveM(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    x: &Bound<'_, PyAny>,
    y: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let out = Out::new(x, "x")?;
    let mut values = right_sides(&out, y, m.get().sizes().nv)?;
    call(py, m, d, |m, d| inertia::solve_m(m, &d.inertia, &mut values))?;
    out.store(&values)
}

/// Half of a solve, `x = √D⁻¹ L⁻ᵀ y`, for each row of `y`.
#[pyfunction]
fn mj_solveM2(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    x: &Bound<'_, PyAny>,
    y: &Bound<'_, PyAny>,
    sqrtInvD: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let nv = m.get().sizes().nv;
    let out = Out::new(x, "x")?;
    let mut values = right_sides(&out, y, nv)?;
    let scale = vector(sqrtInvD, "sqrtInvD", nv)?;
    call(py, m, d, |m, d| inertia::solve_m2(m, &d.inertia, &mut values, &scale))?;
    out.store(&values)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_fullM, mj_addM, mj_mulM, mj_mulM2, mj_solveM, mj_solveM2);
    Ok(())
}
