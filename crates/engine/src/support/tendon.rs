//! Rows of the tendon Jacobian, whichever way they are stored.

use super::is_sparse;
use crate::data::Pose;
use crate::model::Model;

/// One row of a Jacobian: dense, or the listed columns.
#[derive(Clone, Copy, Debug)]
pub enum JacRow<'a> {
    /// A value per dof.
    Dense(&'a [f64]),
    /// Columns in increasing order, and their values.
    Sparse(&'a [i32], &'a [f64]),
}

impl<'a> JacRow<'a> {
    /// Stored columns and values, in increasing order of columns.
    #[inline]
    pub fn entries(self) -> impl Iterator<Item = (usize, f64)> + 'a {
        let (cols, values): (&[i32], &[f64]) = match self {
            JacRow::Dense(values) => (&[], values),
            JacRow::Sparse(cols, values) => (cols, values),
        };
        values.iter().enumerate().map(move |(k, &v)| (cols.get(k).map_or(k, |&c| c as usize), v))
    }

    /// Adds `s` times the row to a vector.
    #[inline]
    pub fn add_to(self, res: &mut [f64], s: f64) {
        match self {
            JacRow::Dense(values) => sinew_math::sparse::add_scaled(res, values, s),
            JacRow::Sparse(cols, values) => {
                cols.iter().zip(values).for_each(|(&c, v)| res[c as usize] += v * s);
            }
        }
    }

    /// Product with a vector.
    #[inline]
    pub fn dot(self, x: &[f64]) -> f64 {
        match self {
            JacRow::Dense(values) => sinew_math::factor::dot(values, x),
            JacRow::Sparse(cols, values) => sinew_math::sparse::dot(values, cols, x),
        }
    }
}

/// Jacobian of a tendon's length.
#[inline]
pub fn jacobian_row<'a>(m: &Model, pose: &'a Pose, tendon: usize) -> JacRow<'a> {
    if is_sparse(m) {
        let adr = pose.ten_J_rowadr[tendon] as usize;
        let end = adr + pose.ten_J_rownnz[tendon] as usize;
        JacRow::Sparse(&pose.ten_J_colind[adr..end], &pose.ten_J[adr..end])
    } else {
        JacRow::Dense(&pose.ten_J[tendon * m.nv..][..m.nv])
    }
}
