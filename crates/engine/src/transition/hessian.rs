//! Constraints with a fixed active set.
//!
//! Constraint forces are `F = −∇s(J a − aref)` with `aref = −b J q̇ − k r`. With `C = ∇²s`, which is diagonal except
//! for friction cones, a change of acceleration changes them by `−C J ∂a`, and a change of velocity by `−C b J ∂q̇`.
//! The rest, at fixed acceleration and velocity, is the derivative with respect to position.

use super::partials::Partials;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::ConstraintState;
use crate::solver;
use crate::support::inertia::pattern;
use crate::support::row::Jacobian;
use crate::support::spring::{Springs, is_implicit};
use sinew_math::sparse::add_scaled;
use sinew_math::sparse_chol::SparseChol;
use sinew_math::{MINVAL, factor};

const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const CONE: i32 = ConstraintState::Cone as i32;

/// Rows of the Jacobian stored without gaps, and their products with the Hessian of the cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// For each constraint: first row, end row, number of columns, start of columns, start of values.
    groups: Vec<[usize; 5]>,
    cols: Vec<i32>,
    /// `J`, row by row.
    jac: Vec<f64>,
    /// `C J`.
    stiff: Vec<f64>,
    /// Vectors `v` with `Σ v vᵀ = Jᵀ C J`, for one constraint.
    pack: Vec<f64>,
    weights: Vec<f64>,
    jar: Vec<f64>,
    /// Contact of each row of an elliptic cone.
    of_contact: Vec<i32>,
}

impl Rows {
    /// Copies the rows of `d` and recomputes their forces from its acceleration.
    pub(super) fn gather(&mut self, m: &Model, d: &mut Data) {
        let rows = d.efc.nefc as usize;
        self.jar.resize(rows, 0.0);
        Jacobian::efc(m, &d.efc).mul_vec(&mut self.jar, &d.accel.qacc);
        self.jar.iter_mut().zip(&d.efc.efc_aref).for_each(|(x, a)| *x -= a);
        let Data { contact, efc, solution, accel, scratch, row_groups, .. } = d;
        solver::constraint_update(m, contact, efc, (&self.jar, true), solution, accel, &mut scratch.solver.works[0]);
        self.of_contact.clear();
        self.of_contact.resize(rows, -1);
        for (k, con) in contact.iter().enumerate() {
            if let Some(of) = usize::try_from(con.efc_address).ok().and_then(|r| self.of_contact.get_mut(r)) {
                *of = k as i32;
            }
        }
        self.groups.clear();
        self.cols.clear();
        self.jac.clear();
        let jac = Jacobian::efc(m, efc);
        for (range, own) in row_groups.iter() {
            self.groups.push([range.start, range.end, own.len(), self.cols.len(), self.jac.len()]);
            self.cols.extend_from_slice(own);
            for r in range {
                match jac {
                    Jacobian::Dense { nv, values } => {
                        self.jac.extend(own.iter().map(|&c| values[r * nv + c as usize]));
                    }
                    Jacobian::Sparse(p, values) => self.jac.extend_from_slice(&values[p.range(r)]),
                }
            }
        }
        self.stiffen(d);
    }

    /// `C J`.
    fn stiffen(&mut self, d: &Data) {
        self.stiff.clear();
        self.stiff.resize(self.jac.len(), 0.0);
        let state = &d.solution.efc_state;
        for &[start, end, n, _, at] in &self.groups {
            let mut r = start;
            while r < end {
                let row = |k: usize| at + (k - start) * n..at + (k - start + 1) * n;
                if state[r] == QUADRATIC {
                    add_scaled(&mut self.stiff[row(r)], &self.jac[row(r)], d.efc.efc_D[r]);
                } else if state[r] == CONE {
                    let con = &d.contact[self.of_contact[r] as usize];
                    let dim = con.dim as usize;
                    for (a, b) in (0..dim).flat_map(|a| (0..dim).map(move |b| (a, b))) {
                        add_scaled(&mut self.stiff[row(r + a)], &self.jac[row(r + b)], con.H[a * dim + b]);
                    }
                    r += dim - 1;
                }
                r += 1;
            }
        }
    }

    /// Factors `M + Jᵀ C J`, including implicit springs.
    pub(super) fn factor(&mut self, m: &Model, d: &Data, chol: &mut SparseChol) {
        let springs = if is_implicit(m) { d.scratch.integrate.spring.rows.all() } else { Springs::NONE };
        let tree = pattern(m);
        let Rows { groups, cols, jac, pack, weights, of_contact, .. } = self;
        let columns = |k: usize| match k.checked_sub(springs.len()) {
            Some(k) => &cols[groups[k][3]..groups[k][3] + groups[k][2]],
            None => springs.row(k).0,
        };
        chol.analyse(tree, springs.len() + groups.len(), columns, false);
        chol.clear();
        chol.add_tree(tree, &d.inertia.M);
        springs.add_to(chol);
        for &[start, end, n, first, at] in groups.iter() {
            pack.clear();
            weights.clear();
            let row = |k: usize| &jac[at + (k - start) * n..][..n];
            let mut r = start;
            while r < end {
                match d.solution.efc_state[r] {
                    QUADRATIC => {
                        pack.extend_from_slice(row(r));
                        weights.push(d.efc.efc_D[r]);
                    }
                    CONE => {
                        let con = &d.contact[of_contact[r] as usize];
                        let dim = con.dim as usize;
                        let mut upper = con.H;
                        factor::chol_factor(&mut upper[..dim * dim], dim, MINVAL);
                        for a in 0..dim {
                            let v = pack.len();
                            pack.resize(v + n, 0.0);
                            (a..dim).for_each(|b| add_scaled(&mut pack[v..], row(r + b), upper[a * dim + b]));
                            weights.push(1.0);
                        }
                        r += dim - 1;
                    }
                    _ => {}
                }
                r += 1;
            }
            chol.add_block(&cols[first..first + n], pack, weights);
        }
        chol.factor();
    }

    /// Adds the derivative of constraint forces with respect to velocity: `−Jᵀ C b J`.
    pub(super) fn add_by_velocity(&self, d: &Data, out: &mut Partials) {
        self.add_products(|r| -d.efc.efc_KBIP[r][1], |j, i, x| *out.v(j, i) += x);
    }

    /// Adds `Σ_r w_r J_rᵀ (C J)_r`, entry by entry.
    pub(super) fn add_products(&self, weight: impl Fn(usize) -> f64, mut add: impl FnMut(usize, usize, f64)) {
        for &[start, end, n, first, at] in &self.groups {
            let cols = &self.cols[first..first + n];
            for r in start..end {
                let w = weight(r);
                let span = at + (r - start) * n..at + (r - start + 1) * n;
                let stiff = &self.stiff[span.clone()];
                if w == 0.0 || stiff.iter().all(|x| *x == 0.0) {
                    continue;
                }
                for (&j, x) in cols.iter().zip(&self.jac[span]) {
                    cols.iter().zip(stiff).for_each(|(&i, s)| add(j as usize, i as usize, w * x * s));
                }
            }
        }
    }
}
