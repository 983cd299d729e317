//! Band matrices, sparse matrices and bounded quadratic programs.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::add;
use super::dense::{Matrix, Res, Vector, refuse};
use crate::arrays::Out;
use crate::error;
use pyo3::prelude::*;
use sinew_math::band::Band;
use sinew_math::box_qp::BoxQp;

fn band(ntotal: usize, nband: usize, ndense: usize) -> PyResult<Band> {
    if nband == 0 || ndense > ntotal || ntotal > 1 << 16 || nband > 1 << 16 {
        return refuse("ntotal, nband and ndense do not fit together");
    }
    Ok(Band { ntotal, nband, ndense })
}

fn stored(band: Band, len: usize) -> PyResult<()> {
    if len == band.len() {
        Ok(())
    } else {
        refuse(format!("mat should have (ntotal-ndense)*nband + ndense*ntotal = {} elements", band.len()))
    }
}

/// Index of the diagonal entry of row i of a band matrix.
#[pyfunction]
fn mju_bandDiag(i: i64, ntotal: i64, nband: i64, ndense: i64) -> i64 {
    let nsparse = ntotal - ndense;
    if i < nsparse { i * nband + nband - 1 } else { nsparse * nband + (i - nsparse) * ntotal + i }
}

/// Converts a band matrix to a dense matrix.
#[pyfunction]
fn mju_band2Dense(res: Res<'_>, mat: Vector, ntotal: usize, nband: usize, ndense: usize, flg_sym: u8) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    stored(band, mat.0.len())?;
    res.shaped(ntotal, ntotal)?;
    let mut out = vec![0.0; ntotal * ntotal];
    band.to_dense(&mut out, &mat.0, flg_sym != 0);
    res.set(out)
}

/// Converts a dense matrix to a band matrix.
#[pyfunction]
fn mju_dense2Band(res: Res<'_>, mat: Matrix, ntotal: usize, nband: usize, ndense: usize) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    if (mat.rows, mat.cols) != (ntotal, ntotal) {
        return refuse("mat should be a square matrix of size ntotal");
    }
    stored(band, res.len())?;
    let mut out = res.get()?;
    band.of_dense(&mut out, &mat.values);
    res.set(out)
}

/// Band matrix times nvec vectors, one per row.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mju_bandMulMatVec(
    res: Res<'_>,
    mat: Matrix,
    vec: Matrix,
    ntotal: usize,
    nband: usize,
    ndense: usize,
    nvec: usize,
    flg_sym: u8,
) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    stored(band, mat.values.len())?;
    if vec.values.len() != ntotal.saturating_mul(nvec) {
        return refuse("vec should have ntotal*nvec elements");
    }
    res.sized(vec.values.len(), "res should have ntotal*nvec elements")?;
    let mut out = vec![0.0; vec.values.len()];
    for (x, y) in vec.values.chunks(ntotal.max(1)).zip(out.chunks_mut(ntotal.max(1))) {
        band.mul_vec(y, &mat.values, x, flg_sym != 0);
    }
    res.set(out)
}

/// Cholesky factor of a band matrix in place; returns the smallest diagonal entry before its square root, 0 on failure.
#[pyfunction]
fn mju_cholFactorBand(
    mat: Res<'_>,
    ntotal: usize,
    nband: usize,
    ndense: usize,
    diagadd: f64,
    diagmul: f64,
) -> PyResult<f64> {
    let band = band(ntotal, nband, ndense)?;
    stored(band, mat.len())?;
    let mut values = mat.get()?;
    let mindiag = band.factor(&mut values, diagadd, diagmul);
    mat.set(values)?;
    Ok(mindiag)
}

/// Solves with a band Cholesky factor.
#[pyfunction]
fn mju_cholSolveBand(
    res: Res<'_>,
    mat: Vector,
    vec: Vector,
    ntotal: usize,
    nband: usize,
    ndense: usize,
) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    stored(band, mat.0.len())?;
    if vec.0.len() != ntotal {
        return refuse("size of vec should equal ntotal");
    }
    res.sized(ntotal, "size of res should equal ntotal")?;
    let mut x = vec.0;
    band.solve(&mut x, &mat.0);
    res.set(x)
}

/// A vector of integers that is read.
struct Ints(Vec<usize>);

impl<'py> FromPyObject<'_, 'py> for Ints {
    type Error = PyErr;
    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Vector(values) = obj.extract()?;
        if values.iter().any(|v| *v < 0.0 || v.fract() != 0.0) {
            return refuse("it should hold counts or indices");
        }
        Ok(Ints(values.into_iter().map(|v| v as usize).collect()))
    }
}

/// Converts a sparse matrix in compressed rows to a dense one.
#[pyfunction]
fn mju_sparse2dense(res: Res<'_>, mat: Vector, rownnz: Ints, rowadr: Ints, colind: Ints) -> PyResult<()> {
    let (rows, cols) = match *res.0.shape() {
        [rows, cols] => (rows, cols),
        [rows] => (rows, 1),
        _ => return refuse("res should be a matrix"),
    };
    if rownnz.0.len() != rows || rowadr.0.len() != rows {
        return refuse("size of rownnz and rowadr should equal the number of rows in res");
    }
    let mut out = vec![0.0; rows * cols];
    for (r, (&n, &adr)) in rownnz.0.iter().zip(&rowadr.0).enumerate() {
        for k in adr..adr.saturating_add(n) {
            let (Some(&v), Some(&c)) = (mat.0.get(k), colind.0.get(k)) else {
                return refuse("rownnz and rowadr reach beyond mat");
            };
            if c >= cols {
                return refuse("colind reaches beyond res");
            }
            out[r * cols + c] = v;
        }
    }
    res.set(out)
}

/// Converts a dense matrix to compressed rows; returns 1 if there is not enough capacity.
#[pyfunction]
fn mju_dense2sparse(
    res: Res<'_>,
    mat: Matrix,
    rownnz: &Bound<'_, PyAny>,
    rowadr: &Bound<'_, PyAny>,
    colind: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    let [nnz_out, adr_out] = [(rownnz, "rownnz"), (rowadr, "rowadr")].map(|(a, name)| Out::ints(a, name));
    let (nnz_out, adr_out) = (nnz_out?.vector(mat.rows)?, adr_out?.vector(mat.rows)?);
    let col_out = Out::ints(colind, "colind")?.vector(res.len())?;
    let (mut values, mut nnz, mut adr, mut cols) =
        (res.get()?, nnz_out.values()?, adr_out.values()?, col_out.values()?);
    let (mut used, mut full) = (0, res.len() == 0);
    'rows: for r in (0..mat.rows).take_while(|_| !full) {
        (nnz[r], adr[r]) = (0, used as i32);
        for (c, &v) in mat.row(r).iter().enumerate().filter(|(_, v)| **v != 0.0) {
            if used >= values.len() {
                full = true;
                break 'rows;
            }
            (values[used], cols[used]) = (v, c as i32);
            used += 1;
            nnz[r] += 1;
        }
    }
    res.set(values)?;
    nnz_out.store(&nnz)?;
    adr_out.store(&adr)?;
    col_out.store(&cols)?;
    Ok(i32::from(full))
}

/// Minimises a quadratic function within bounds; returns the number of free dimensions, −1 on failure.
#[pyfunction]
fn mju_boxQP(
    res: Res<'_>,
    R: Res<'_>,
    index: Option<&Bound<'_, PyAny>>,
    H: Matrix,
    g: Vector,
    lower: Option<Vector>,
    upper: Option<Vector>,
) -> PyResult<i64> {
    let n = res.len();
    let fits = |v: &Option<Vector>| v.as_ref().is_none_or(|v| v.0.len() == n);
    if (H.rows, H.cols) != (n, n) || g.0.len() != n || !fits(&lower) || !fits(&upper) {
        return refuse("H should be n x n; g, lower and upper of size n");
    }
    R.sized(n * (n + 7), "size of R should be n*(n+7)")?;
    let index = index.map(|a| Out::ints(a, "index")?.vector(n)).transpose()?;
    if n == 0 {
        return Err(error::fatal("mju_boxQP: problem size n must be positive"));
    }
    if let (Some(l), Some(u)) = (&lower, &upper)
        && l.0.iter().zip(&u.0).any(|(l, u)| l >= u)
    {
        return Err(error::fatal("mju_boxQP: upper bounds must be strictly larger than lower bounds"));
    }
    let bounds = [&lower, &upper].map(|b| b.as_ref().map(|b| &b.0[..]));
    let mut x = res.get()?;
    let free = BoxQp { h: &H.values, g: &g.0, lower: bounds[0], upper: bounds[1] }.solve(&mut x);
    res.set(x)?;
    let Some(free) = free else { return Ok(-1) };
    let mut factor = R.get()?;
    let k = free.index.len();
    for i in 0..k {
        factor[i * k..=i * k + i].copy_from_slice(&free.factor[i * k..=i * k + i]);
    }
    R.set(factor)?;
    if let Some(out) = index {
        let mut list = out.values()?;
        list.iter_mut().zip(&free.index).for_each(|(to, i)| *to = *i as i32);
        out.store(&list)?;
    }
    Ok(k as i64)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mju_bandDiag, mju_band2Dense, mju_dense2Band, mju_bandMulMatVec, mju_cholFactorBand);
    add!(module, mju_cholSolveBand, mju_sparse2dense, mju_dense2sparse, mju_boxQP);
    Ok(())
}
