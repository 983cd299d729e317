//! An integrator that is implicit in the springs and dampers of joints and tendons; MuJoCo has no such method.

use crate::data::scratch::SpringWork;
use crate::data::{Accel, Awake, Deriv, Force, Inertia, Motion, Pose, State};
use crate::model::Model;
use crate::model::enums::DisableBit;
use crate::support::inertia::{mul_m, pattern};
use crate::support::row::{JacRow, tendon_row};
use crate::support::{awake as subset, spring::stretch};
use sinew_math::{factor, sparse};

/// What the method reads.
#[derive(Clone, Copy)]
pub struct Present<'a> {
    /// What is awake.
    pub awake: &'a Awake,
    /// Velocities.
    pub state: &'a State,
    /// Tendon lengths and Jacobians.
    pub pose: &'a Pose,
    /// Mass matrix.
    pub inertia: &'a Inertia,
    /// Tendon velocities.
    pub motion: &'a Motion,
}

/// Replaces the smooth acceleration by one that the springs and dampers allow over a whole step.
///
/// *Equation*: `(M + h B + h² K) a = qfrc_smooth − h K qvel`, which is `M a = f − K (q + h v⁺) − B v⁺` with
/// `v⁺ = qvel + h a`. `K` and `B` are diagonal for joints; a tendon adds `k JᵀJ` and `b JᵀJ`, and `k` only while it is
/// stretched beyond its dead band. What would make the matrix smaller stays explicit.
/// *Reads* `qfrc_smooth` with explicit springs and dampers, `M`, `qvel`, `ten_J`, `ten_length`, `ten_velocity`.
/// *Writes* `qacc_smooth = a`, `qfrc_smooth = M a`, `qH`, `qHDiagInv`.
pub fn smooth(m: &Model, x: Present, force: &mut Force, accel: &mut Accel, deriv: &mut Deriv, work: &mut SpringWork) {
    if !matrix(m, x, deriv, work) {
        return;
    }
    let (dofs, at) = (subset::dofs(m, x.awake), pattern(m));
    let SpringWork { pull, row: a, chol, .. } = work;
    a.fill(0.0);
    dofs.iter().for_each(|i| a[i] = force.qfrc_smooth[i] - pull[i]);
    if work.weights.is_empty() {
        let Deriv { qH, qHDiagInv, .. } = deriv;
        factor::factor_ldl(qH, qHDiagInv, at, dofs);
        factor::solve_ldl(a, qH, qHDiagInv, at, dofs);
    } else {
        let (ends, cols, values) = (&work.ends, &work.cols, &work.values);
        chol.analyse(at, work.weights.len(), |k| &cols[span(ends, k)]);
        chol.clear();
        chol.add_tree(at, &deriv.qH);
        for (k, &w) in work.weights.iter().enumerate() {
            chol.add_block(&cols[span(ends, k)], &values[span(ends, k)], &[w]);
        }
        chol.factor();
        chol.solve(a);
    }
    mul_m(m, x.inertia, pull, a);
    for i in dofs.iter() {
        accel.qacc_smooth[i] = a[i];
        force.qfrc_smooth[i] = pull[i];
    }
}

/// Force that gives the acceleration `a` over a step, less the explicit springs and dampers:
/// `(M + h B + h² K) a + h K qvel`.
pub fn inverse(m: &Model, x: Present, a: &[f64], deriv: &mut Deriv, work: &mut SpringWork, qfrc: &mut [f64]) {
    matrix(m, x, deriv, work);
    sparse::mul_sym_vec(qfrc, &deriv.qH, pattern(m), a);
    for (k, &w) in work.weights.iter().enumerate() {
        let row = JacRow::Sparse(&work.cols[span(&work.ends, k)], &work.values[span(&work.ends, k)]);
        row.add_to(qfrc, w * row.dot(a));
    }
    qfrc.iter_mut().zip(&work.pull).for_each(|(f, p)| *f += p);
}

/// Entries of tendon `k` among those that act.
fn span(ends: &[usize], k: usize) -> std::ops::Range<usize> {
    k.checked_sub(1).map_or(0, |last| ends[last])..ends[k]
}

/// `M + h B + h² K` of the joints in `qH`, weights and Jacobians of the tendons and `h K qvel` in `work`. Says whether
/// there is any spring or damper.
fn matrix(m: &Model, x: Present, deriv: &mut Deriv, work: &mut SpringWork) -> bool {
    let h = m.opt.timestep;
    let of = |bit, value: f64| if m.opt.disabled(bit) { 0.0 } else { value };
    let (dofs, at) = (subset::dofs(m, x.awake), pattern(m));
    deriv.qH.copy_from_slice(&x.inertia.M);
    work.clear(m.nv);
    let mut any = false;
    for i in dofs.iter() {
        let k = of(DisableBit::Spring, m.jnt_stiffness[m.dof_jntid[i] as usize]);
        let weight = h * (h * k + of(DisableBit::Damper, m.dof_damping[i]));
        if weight > 0.0 {
            any = true;
            deriv.qH[at.range(i).end - 1] += weight;
            work.pull[i] += h * k * x.state.qvel[i];
        }
    }
    let skips = subset::skips_trees(m, x.awake);
    for t in 0..m.ntendon {
        let slack = stretch(x.pose.ten_length[t], m.tendon_lengthspring[t]) == 0.0;
        let k = if slack { 0.0 } else { of(DisableBit::Spring, m.tendon_stiffness[t]) };
        let weight = h * (h * k + of(DisableBit::Damper, m.tendon_damping[t]));
        if weight <= 0.0 || skips && subset::tendon_asleep(m, x.awake, t) {
            continue;
        }
        any = true;
        let row = tendon_row(m, x.pose, t);
        row.add_to(&mut work.pull, h * k * x.motion.ten_velocity[t]);
        work.push(row.entries().filter(|e| e.1 != 0.0), weight);
    }
    any
}
