//! Jacobian rows in dense or sparse storage, and accumulation of sparse rows.

use super::is_sparse;
use crate::data::rows::RowGroups;
use crate::data::{Efc, Pose};
use crate::model::Model;
use sinew_math::rows::each;
use sinew_math::sparse::Pattern;

/// One row of a Jacobian, dense or sparse.
#[derive(Clone, Copy, Debug)]
pub enum JacRow<'a> {
    /// One value per dof.
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
pub fn tendon_row<'a>(m: &Model, pose: &'a Pose, tendon: usize) -> JacRow<'a> {
    if is_sparse(m) {
        let adr = pose.ten_J_rowadr[tendon] as usize;
        let end = adr + pose.ten_J_rownnz[tendon] as usize;
        JacRow::Sparse(&pose.ten_J_colind[adr..end], &pose.ten_J[adr..end])
    } else {
        JacRow::Dense(&pose.ten_J[tendon * m.nv..][..m.nv])
    }
}

/// A constraint Jacobian in dense or sparse storage.
#[derive(Clone, Copy, Debug)]
pub enum Jacobian<'a> {
    /// `nv` values per row.
    Dense {
        /// Row length.
        nv: usize,
        /// Consecutive rows.
        values: &'a [f64],
    },
    /// Compressed rows.
    Sparse(Pattern<'a>, &'a [f64]),
}

impl<'a> Jacobian<'a> {
    /// The Jacobian of all constraint rows.
    #[inline]
    pub fn efc(m: &Model, efc: &'a Efc) -> Self {
        Jacobian::new(m, [&efc.efc_J_rownnz, &efc.efc_J_rowadr, &efc.efc_J_colind], &efc.efc_J)
    }

    /// A Jacobian from its parts: entries per row, row addresses and columns (used if sparse), and values.
    #[inline]
    pub fn new(m: &Model, [rownnz, rowadr, colind]: [&'a [i32]; 3], values: &'a [f64]) -> Self {
        if is_sparse(m) {
            Jacobian::Sparse(Pattern { rownnz, rowadr, colind }, values)
        } else {
            Jacobian::Dense { nv: m.nv, values }
        }
    }

    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> JacRow<'a> {
        match *self {
            Jacobian::Dense { nv, values } => JacRow::Dense(&values[i * nv..][..nv]),
            Jacobian::Sparse(p, values) => JacRow::Sparse(p.cols(i), &values[p.range(i)]),
        }
    }

    /// `res = J x`.
    #[doc(alias = "mj_mulJacVec")]
    pub fn mul_vec(&self, res: &mut [f64], x: &[f64]) {
        res.iter_mut().enumerate().for_each(|(i, r)| *r = self.row(i).dot(x));
    }

    /// [`Jacobian::mul_vec`] that visits only the columns in `groups`, if `groups` covers all rows. For sparse rows,
    /// the result is bitwise the same.
    pub fn mul_vec_within(&self, groups: &RowGroups, res: &mut [f64], x: &[f64]) {
        if groups.rows() != res.len() {
            return self.mul_vec(res, x);
        }
        match *self {
            Jacobian::Sparse(p, values) => mul_sparse_within(p, values, groups, res, x),
            Jacobian::Dense { nv, values } => mul_dense_within(nv, values, groups, res, x),
        }
    }

    /// `res = Jᵀ x`.
    #[doc(alias = "mj_mulJacTVec")]
    pub fn mul_vec_t(&self, res: &mut [f64], x: &[f64]) {
        res.fill(0.0);
        for (i, &s) in x.iter().enumerate().filter(|(_, s)| **s != 0.0) {
            self.row(i).add_to(res, s);
        }
    }
}

/// Maximum number of shared columns of rows that are multiplied together.
const MOST_SHARED: usize = 64;

fn mul_sparse_within(p: Pattern, values: &[f64], groups: &RowGroups, res: &mut [f64], x: &[f64]) {
    let mut room = [0.0; MOST_SHARED];
    for (rows, cols) in groups.iter() {
        match room.get_mut(..cols.len()) {
            Some(local) if rows.len() > 1 => {
                local.iter_mut().zip(cols).for_each(|(l, &c)| *l = x[c as usize]);
                let first = p.range(rows.start).start;
                let values = &values[first..first + rows.len() * cols.len()];
                sinew_math::rows::mul(&mut res[rows], values, local, sinew_math::sparse::add_tail);
            }
            _ => rows.for_each(|r| res[r] = sinew_math::sparse::dot(&values[p.range(r)], p.cols(r), x)),
        }
    }
}

fn mul_dense_within(nv: usize, values: &[f64], groups: &RowGroups, res: &mut [f64], x: &[f64]) {
    for (rows, cols) in groups.iter() {
        let all = each(&values[rows.start * nv..rows.end * nv], nv);
        if 2 * cols.len() > nv {
            // whole rows vectorise
            res[rows].iter_mut().zip(all).for_each(|(r, row)| *r = sinew_math::factor::dot(row, x));
        } else {
            let sum = |row: &[f64]| cols.iter().map(|&c| row[c as usize] * x[c as usize]).sum();
            res[rows].iter_mut().zip(all).for_each(|(r, row)| *r = sum(row));
        }
    }
}

/// Workspace for accumulating a sparse row; see [`RowSum`].
#[derive(Clone, Debug)]
pub struct RowWork {
    /// One value per dof, valid where marked.
    pub values: Vec<f64>,
    /// Which dofs have an entry.
    pub marked: Vec<bool>,
    /// List of the marked dofs.
    pub dofs: Vec<i32>,
}

impl RowWork {
    /// Capacity for rows of `nv` dofs.
    pub fn new(nv: usize) -> Self {
        RowWork { values: vec![0.0; nv], marked: vec![false; nv], dofs: Vec::with_capacity(nv) }
    }
}

/// A sparse row being accumulated in a workspace: a value for each dof that has an entry, and the list of these dofs.
#[derive(Debug)]
pub struct RowSum<'a> {
    values: &'a mut [f64],
    marked: &'a mut [bool],
    dofs: &'a mut Vec<i32>,
}

impl<'a> RowSum<'a> {
    /// An empty row.
    #[inline]
    pub fn new(work: &'a mut RowWork) -> Self {
        let RowWork { values, marked, dofs } = work;
        RowSum { values, marked, dofs }
    }

    /// Value of a dof; a new entry starts at zero.
    #[inline(always)]
    pub fn at(&mut self, dof: usize) -> &mut f64 {
        if !self.marked[dof] {
            self.marked[dof] = true;
            self.dofs.push(dof as i32);
            self.values[dof] = 0.0;
        }
        &mut self.values[dof]
    }

    /// Scales the row.
    pub fn scale(&mut self, s: f64) {
        for &dof in self.dofs.iter() {
            self.values[dof as usize] *= s;
        }
    }

    /// Passes the dofs and their values to `take`, in increasing order, and empties the row.
    #[inline]
    pub fn drain(self, mut take: impl FnMut(i32, f64)) {
        self.dofs.sort_unstable();
        for dof in self.dofs.drain(..) {
            self.marked[dof as usize] = false;
            take(dof, self.values[dof as usize]);
        }
    }
}
