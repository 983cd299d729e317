//! Derivatives of smooth forces with respect to velocity, for the implicit integrators.
//!
//! `qDeriv` has entries only for pairs of dofs where one is an ancestor of the other; coupling between branches is
//! dropped, as in MuJoCo.

pub mod actuator;
pub mod fluid;
pub mod passive;
pub mod rne;
pub mod work;

pub use actuator::actuator_vel;
pub use passive::passive_vel;
pub use rne::rne_vel;
pub use work::DerivativeWork;

use crate::model::Model;
use sinew_math::sparse::{Pattern, add_common};

/// Sparsity of `qDeriv`: ancestors, the dof itself, descendants.
#[inline]
pub fn pattern(m: &Model) -> Pattern<'_> {
    Pattern { rownnz: &m.D_rownnz, rowadr: &m.D_rowadr, colind: &m.D_colind }
}

/// `qDeriv += b jᵀ j` for one sparse row `j`, within the pattern.
fn add_outer(m: &Model, deriv: &mut [f64], cols: &[i32], row: &[f64], b: f64) {
    let at = pattern(m);
    if let (&[v], &[dof]) = (row, cols) {
        let dof = dof as usize;
        deriv[m.D_rowadr[dof] as usize + m.D_diag[dof] as usize] += v * (v * b);
        return;
    }
    for (&v, &dof) in row.iter().zip(cols) {
        if v != 0.0 {
            let dof = dof as usize;
            add_common(&mut deriv[at.range(dof)], at.cols(dof), row, cols, v * b);
        }
    }
}
