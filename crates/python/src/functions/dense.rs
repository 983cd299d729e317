//! Vectors and matrices of any size: MuJoCo's `mju_` functions over numpy arrays.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::add;
use crate::arrays::{Out, is_matrix, numbers};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew_math::factor;

pub(super) fn refuse<T>(message: impl Into<String>) -> PyResult<T> {
    Err(PyTypeError::new_err(message.into()))
}

/// An input vector.
pub(super) struct Vector(pub Vec<f64>);

impl<'py> FromPyObject<'_, 'py> for Vector {
    type Error = PyErr;
    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (shape, values) = numbers(&obj, "it")?;
        let long = shape.iter().filter(|n| **n != 1).count();
        if shape.is_empty() || shape.len() > 2 || long > 1 {
            refuse("it should be a vector")
        } else {
            Ok(Vector(values))
        }
    }
}

/// An input matrix; a vector is one column.
pub(super) struct Matrix {
    pub rows: usize,
    pub cols: usize,
    pub values: Vec<f64>,
}

impl<'py> FromPyObject<'_, 'py> for Matrix {
    type Error = PyErr;
    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match numbers(&obj, "it")? {
            (shape, values) if shape.len() == 2 => Ok(Matrix { rows: shape[0], cols: shape[1], values }),
            (shape, values) if shape.len() == 1 => Ok(Matrix { rows: shape[0], cols: 1, values }),
            _ => refuse("it should be a matrix"),
        }
    }
}

impl Matrix {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.cols + j]
    }
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.cols..][..self.cols]
    }
    fn transposed(&self) -> Matrix {
        let values = (0..self.cols).flat_map(|j| (0..self.rows).map(move |i| self.at(i, j))).collect();
        Matrix { rows: self.cols, cols: self.rows, values }
    }
}

/// An output array.
pub(super) struct Res<'py>(pub Out<'py>);

impl<'py> FromPyObject<'_, 'py> for Res<'py> {
    type Error = PyErr;
    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Out::new(&obj, "it").map(Res)
    }
}

impl Res<'_> {
    pub fn len(&self) -> usize {
        self.0.shape().iter().product()
    }
    pub fn sized(&self, n: usize, message: &str) -> PyResult<()> {
        if self.len() == n { Ok(()) } else { refuse(message) }
    }
    pub fn shaped(&self, rows: usize, cols: usize) -> PyResult<()> {
        if is_matrix(self.0.shape(), rows, cols) {
            Ok(())
        } else {
            refuse(format!("res should be of shape ({rows}, {cols})"))
        }
    }
    pub fn set(&self, values: impl IntoIterator<Item = f64>) -> PyResult<()> {
        self.0.store(&values.into_iter().collect::<Vec<_>>())
    }
    pub fn get(&self) -> PyResult<Vec<f64>> {
        self.0.values()
    }
}

const SAME: &str = "res and vec should have the same size";

fn paired(res: &Res<'_>, a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) -> PyResult<()> {
    if a.len() != b.len() {
        return refuse("vec1 and vec2 should have the same size");
    }
    res.sized(a.len(), "res and vec1 should have the same size")?;
    res.set(a.iter().zip(b).map(|(a, b)| f(*a, *b)))
}

/// Sets a vector to zero.
#[pyfunction]
fn mju_zero(res: Res<'_>) -> PyResult<()> {
    res.set(vec![0.0; res.len()])
}

/// Sets all elements to one value.
#[pyfunction]
fn mju_fill(res: Res<'_>, val: f64) -> PyResult<()> {
    res.set(vec![val; res.len()])
}

/// Copies a vector.
#[pyfunction]
fn mju_copy(res: Res<'_>, vec: Vector) -> PyResult<()> {
    res.sized(vec.0.len(), SAME)?;
    res.set(vec.0)
}

/// Sum of the elements.
#[pyfunction]
fn mju_sum(vec: Vector) -> f64 {
    vec.0.iter().sum()
}

/// Sum of the absolute values.
#[pyfunction]
fn mju_L1(vec: Vector) -> f64 {
    vec.0.iter().map(|x| x.abs()).sum()
}

/// Scales a vector.
#[pyfunction]
fn mju_scl(res: Res<'_>, vec: Vector, scl: f64) -> PyResult<()> {
    res.sized(vec.0.len(), SAME)?;
    res.set(vec.0.iter().map(|x| x * scl))
}

/// Sum of two vectors.
#[pyfunction]
fn mju_add(res: Res<'_>, vec1: Vector, vec2: Vector) -> PyResult<()> {
    paired(&res, &vec1.0, &vec2.0, |a, b| a + b)
}

/// Difference of two vectors.
#[pyfunction]
fn mju_sub(res: Res<'_>, vec1: Vector, vec2: Vector) -> PyResult<()> {
    paired(&res, &vec1.0, &vec2.0, |a, b| a - b)
}

/// Sum of a vector and a scaled vector.
#[pyfunction]
fn mju_addScl(res: Res<'_>, vec1: Vector, vec2: Vector, scl: f64) -> PyResult<()> {
    paired(&res, &vec1.0, &vec2.0, |a, b| a + b * scl)
}

/// Adds a vector.
#[pyfunction]
fn mju_addTo(res: Res<'_>, vec: Vector) -> PyResult<()> {
    mju_addToScl(res, vec, 1.0)
}

/// Subtracts a vector.
#[pyfunction]
fn mju_subFrom(res: Res<'_>, vec: Vector) -> PyResult<()> {
    mju_addToScl(res, vec, -1.0)
}

/// Adds a scaled vector.
#[pyfunction]
fn mju_addToScl(res: Res<'_>, vec: Vector, scl: f64) -> PyResult<()> {
    res.sized(vec.0.len(), SAME)?;
    paired(&res, &res.get()?, &vec.0, |a, b| a + b * scl)
}

/// Dot product.
#[pyfunction]
fn mju_dot(vec1: Vector, vec2: Vector) -> PyResult<f64> {
    if vec1.0.len() != vec2.0.len() {
        return refuse("vec1 and vec2 should have the same size");
    }
    Ok(factor::dot(&vec1.0, &vec2.0))
}

/// Length of a vector.
#[pyfunction]
fn mju_norm(res: Vector) -> f64 {
    factor::dot(&res.0, &res.0).sqrt()
}

/// Normalises a vector; returns its previous length.
#[pyfunction]
fn mju_normalize(res: Res<'_>) -> PyResult<f64> {
    let v = res.get()?;
    let length = factor::dot(&v, &v).sqrt();
    if length < sinew_math::MINVAL {
        let unit = (0..v.len()).map(|i| if i == 0 { 1.0 } else { 0.0 });
        res.set(unit)?;
    } else {
        res.set(v.iter().map(|x| x * (1.0 / length)))?;
    }
    Ok(length)
}

/// Whether all elements are zero.
#[pyfunction]
fn mju_isZero(vec: Vector) -> i32 {
    i32::from(vec.0.iter().all(|x| *x == 0.0))
}

/// Sets a square matrix to the identity.
#[pyfunction]
fn mju_eye(mat: Res<'_>) -> PyResult<()> {
    let n = mat.0.shape()[0];
    if mat.0.shape() != [n, n] {
        return refuse("mat should be square");
    }
    mat.set((0..n * n).map(|k| if k / n == k % n { 1.0 } else { 0.0 }))
}

/// Transpose of a matrix.
#[pyfunction]
fn mju_transpose(res: Res<'_>, mat: Matrix) -> PyResult<()> {
    res.shaped(mat.cols, mat.rows)?;
    res.set(mat.transposed().values)
}

/// Mean of a square matrix and its transpose.
#[pyfunction]
fn mju_symmetrize(res: Res<'_>, mat: Matrix) -> PyResult<()> {
    if mat.rows != mat.cols {
        return refuse("mat should be square");
    }
    res.shaped(mat.rows, mat.cols)?;
    let n = mat.rows;
    res.set((0..n * n).map(|k| 0.5 * (mat.at(k / n, k % n) + mat.at(k % n, k / n))))
}

/// A matrix times a vector.
#[pyfunction]
fn mju_mulMatVec(res: Res<'_>, mat: Matrix, vec: Vector) -> PyResult<()> {
    if vec.0.len() != mat.cols {
        return refuse("size of vec should equal the number of columns in mat");
    }
    res.sized(mat.rows, "size of res should equal the number of rows in mat")?;
    res.set((0..mat.rows).map(|i| factor::dot(mat.row(i), &vec.0)))
}

/// A transposed matrix times a vector.
#[pyfunction]
fn mju_mulMatTVec(res: Res<'_>, mat: Matrix, vec: Vector) -> PyResult<()> {
    if vec.0.len() != mat.rows {
        return refuse("size of vec should equal the number of rows in mat");
    }
    res.sized(mat.cols, "size of res should equal the number of columns in mat")?;
    let mut out = vec![0.0; mat.cols];
    for (i, v) in vec.0.iter().enumerate().filter(|(_, v)| **v != 0.0) {
        out.iter_mut().zip(mat.row(i)).for_each(|(o, m)| *o += m * v);
    }
    res.set(out)
}

/// `vec1` times a matrix times `vec2`.
#[pyfunction]
fn mju_mulVecMatVec(vec1: Vector, mat: Matrix, vec2: Vector) -> PyResult<f64> {
    if mat.rows != mat.cols || vec1.0.len() != mat.rows || vec2.0.len() != mat.rows {
        return refuse("mat should be a square matrix of the size of both vectors");
    }
    Ok((0..mat.rows).map(|i| vec1.0[i] * factor::dot(mat.row(i), &vec2.0)).sum())
}

fn product(res: &Res<'_>, a: &Matrix, b: &Matrix) -> PyResult<()> {
    if a.cols != b.rows {
        return refuse("the inner dimensions of the two matrices differ");
    }
    res.shaped(a.rows, b.cols)?;
    let mut out = vec![0.0; a.rows * b.cols];
    for i in 0..a.rows {
        let row = &mut out[i * b.cols..][..b.cols];
        for (k, x) in a.row(i).iter().enumerate().filter(|(_, x)| **x != 0.0) {
            row.iter_mut().zip(b.row(k)).for_each(|(o, y)| *o += y * x);
        }
    }
    res.set(out)
}

/// Product of two matrices.
#[pyfunction]
fn mju_mulMatMat(res: Res<'_>, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
    product(&res, &mat1, &mat2)
}

/// Product of a matrix and a transposed one.
#[pyfunction]
fn mju_mulMatMatT(res: Res<'_>, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
    product(&res, &mat1, &mat2.transposed())
}

/// Product of a transposed matrix and another.
#[pyfunction]
fn mju_mulMatTMat(res: Res<'_>, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
    product(&res, &mat1.transposed(), &mat2)
}

/// Cholesky factor in place; returns the rank.
#[pyfunction]
fn mju_cholFactor(mat: Res<'_>, mindiag: f64) -> PyResult<usize> {
    let n = mat.0.shape()[0];
    if mat.0.shape() != [n, n] {
        return refuse("mat should be a square matrix");
    }
    // MuJoCo keeps the factor in the lower triangle
    let mut upper = Matrix { rows: n, cols: n, values: mat.get()? }.transposed();
    let rank = factor::chol_factor(&mut upper.values, n, mindiag);
    mat.set(upper.transposed().values)?;
    Ok(rank)
}

/// Solves with a Cholesky factor.
#[pyfunction]
fn mju_cholSolve(res: Res<'_>, mat: Matrix, vec: Vector) -> PyResult<()> {
    if mat.rows != mat.cols || vec.0.len() != mat.rows {
        return refuse("mat should be a square matrix of the size of vec");
    }
    res.sized(mat.rows, SAME)?;
    let mut x = vec.0;
    factor::chol_solve(&mut x, &mat.transposed().values, mat.rows);
    res.set(x)
}

/// Rank-one update of a Cholesky factor: `L Lᵀ ± x xᵀ`; returns the rank.
#[pyfunction]
fn mju_cholUpdate(mat: Res<'_>, x: Res<'_>, flg_plus: i32) -> PyResult<usize> {
    let n = x.len();
    if mat.0.shape() != [n, n] {
        return refuse("mat should be a square matrix of the size of x");
    }
    let mut upper = Matrix { rows: n, cols: n, values: mat.get()? }.transposed();
    let mut used = x.get()?;
    let rank = factor::chol_update(&mut upper.values, &mut used, flg_plus != 0);
    mat.set(upper.transposed().values)?;
    x.set(used)?;
    Ok(rank)
}

/// `res = matᵀ diag(diag) mat`, or without `diag`.
#[pyfunction]
fn mju_sqrMatTD(res: Res<'_>, mat: Matrix, diag: Option<Vector>) -> PyResult<()> {
    if diag.as_ref().is_some_and(|d| d.0.len() != mat.rows) {
        return refuse("size of diag should equal the number of rows in mat");
    }
    let mut scaled = mat.transposed();
    if let Some(diag) = diag {
        scaled.values.chunks_mut(mat.rows.max(1)).for_each(|row| {
            row.iter_mut().zip(&diag.0).for_each(|(v, d)| *v *= d);
        });
    }
    product(&res, &scaled, &mat)
}

/// Copies values.
#[pyfunction]
fn mju_d2n(res: Res<'_>, vec: Vector) -> PyResult<()> {
    mju_copy(res, vec)
}

/// Copies values.
#[pyfunction]
fn mju_n2d(res: Res<'_>, vec: Vector) -> PyResult<()> {
    mju_copy(res, vec)
}

/// Copies single-precision values.
#[pyfunction]
fn mju_f2n(res: Res<'_>, vec: Vector) -> PyResult<()> {
    mju_copy(res, vec)
}

/// Converts values to single precision.
#[pyfunction]
fn mju_n2f(res: &Bound<'_, PyAny>, vec: Vector) -> PyResult<()> {
    let out = Out::floats(res, "res")?.vector(vec.0.len())?;
    out.store(&vec.0.iter().map(|v| *v as f32).collect::<Vec<_>>())
}

/// Sorts values in increasing order.
#[pyfunction]
fn mju_insertionSort(list: Res<'_>) -> PyResult<()> {
    let mut values = list.get()?;
    values.sort_by(f64::total_cmp);
    list.set(values)
}

/// Sorts integers in increasing order.
#[pyfunction]
fn mju_insertionSortInt(list: &Bound<'_, PyAny>) -> PyResult<()> {
    let out = Out::ints(list, "list")?;
    let mut values = out.values()?;
    values.sort_unstable();
    out.store(&values)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mju_zero, mju_fill, mju_copy, mju_sum, mju_L1, mju_scl, mju_add, mju_sub, mju_addScl, mju_addTo);
    add!(module, mju_subFrom, mju_addToScl, mju_dot, mju_norm, mju_normalize, mju_isZero, mju_eye, mju_transpose);
    add!(module, mju_symmetrize, mju_mulMatVec, mju_mulMatTVec, mju_mulVecMatVec, mju_mulMatMat, mju_mulMatMatT);
    add!(module, mju_mulMatTMat, mju_cholFactor, mju_cholSolve, mju_cholUpdate, mju_sqrMatTD, mju_d2n, mju_n2d);
    add!(module, mju_f2n, mju_n2f, mju_insertionSort, mju_insertionSortInt);
    Ok(())
}
