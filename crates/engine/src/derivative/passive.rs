//! Velocity derivative of passive forces.

use super::fluid::fluid_vel;
use super::work::ChainWork;
use super::{add_outer, pattern};
use crate::data::{Awake, Motion, Pose};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::awake as subset;
use crate::support::flex;
use crate::support::row::{JacRow, tendon_row};

/// Adds the derivative of fluid, joint damping and tendon damping forces to `deriv`.
///
/// *Equation*: `qDeriv += Jᵀ B J` for fluid (see [`fluid_vel`]), `−b` on the diagonal for joints, `−b JᵀJ` for tendons
/// and flex edges.
/// *Reads* poses, velocities, `ten_J`. *Writes* `qDeriv`.
#[doc(alias = "mjd_passive_vel")]
pub fn passive_vel(m: &Model, awake: &Awake, pose: &Pose, motion: &Motion, work: &mut ChainWork, deriv: &mut [f64]) {
    let dampers = !m.opt.disabled(DisableFlags::DAMPER);
    if !dampers && m.opt.disabled(DisableFlags::SPRING) {
        return;
    }
    fluid_vel(m, awake, pose, motion, work, deriv);
    if !dampers {
        return;
    }
    for i in subset::dofs(m, awake).iter() {
        deriv[m.D_rowadr[i] as usize + m.D_diag[i] as usize] -= m.dof_damping[i];
    }
    for f in (0..m.nflex).filter(|&f| m.flex_rigid[f] == 0 && m.flex_edgedamping[f] != 0.0) {
        for e in flex::edges(m, f).filter(|&e| m.flexedge_rigid[e] == 0) {
            let (cols, values) = flex::edge_entries(m, pose, e);
            add_outer_by_three(m, deriv, cols, values, -m.flex_edgedamping[f]);
        }
    }
    let skips = subset::skips_trees(m, awake);
    for k in 0..m.ntendon {
        let b = -m.tendon_damping[k];
        if b == 0.0 || skips && subset::tendon_asleep(m, awake, k) {
            continue;
        }
        match tendon_row(m, pose, k) {
            JacRow::Sparse(cols, values) => add_outer(m, deriv, cols, values, b),
            JacRow::Dense(values) => add_outer_dense(m, deriv, values, b),
        }
    }
}

/// [`add_outer`] for a row that mostly moves bodies with three dofs each that couple only with each other.
fn add_outer_by_three(m: &Model, deriv: &mut [f64], cols: &[i32], row: &[f64], b: f64) {
    let (([], dofs), (_, values)) = (cols.as_rchunks::<3>(), row.as_rchunks::<3>()) else {
        return add_outer(m, deriv, cols, row, b);
    };
    if !dofs.iter().all(|three| couple_only(m, three)) {
        return add_outer(m, deriv, cols, row, b);
    }
    for (three, v) in dofs.iter().zip(values) {
        let start = m.D_rowadr[three[0] as usize] as usize;
        for (to, x) in deriv[start..start + 9].chunks_exact_mut(3).zip(v) {
            to.iter_mut().zip(v).for_each(|(d, y)| *d += y * (x * b));
        }
    }
}

/// Whether three dofs couple with each other and with no other dof.
#[inline(always)]
fn couple_only(m: &Model, dofs: &[i32; 3]) -> bool {
    let [first, _, last] = dofs.map(|d| d as usize);
    let alone = last == first + 2 && m.D_rownnz[first] == 3 && m.D_rownnz[last] == 3;
    alone && m.D_colind[m.D_rowadr[first] as usize] == dofs[0]
}

/// `qDeriv += b jᵀ j` for a dense row.
fn add_outer_dense(m: &Model, deriv: &mut [f64], row: &[f64], b: f64) {
    let at = pattern(m);
    for (dof, &v) in row.iter().enumerate() {
        if v != 0.0 {
            let range = at.range(dof);
            for (d, &c) in deriv[range.clone()].iter_mut().zip(&at.colind[range]) {
                *d += row[c as usize] * (v * b);
            }
        }
    }
}
