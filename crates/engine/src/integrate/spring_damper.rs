//! An integrator that is implicit in the springs and dampers of joints and tendons; MuJoCo has no such method.

use super::work::SpringWork;
use crate::data::{Accel, Awake, Deriv, Force, Inertia, Motion, Pose, State};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::inertia::pattern;
use crate::support::row::{JacRow, tendon_row};
use crate::support::{awake as subset, spring::stretch};
use sinew_math::factor;
use sinew_math::sparse::{self, Pattern, add_common};

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
/// *Writes* `qacc_smooth = a`; for the constraint solver the matrix without tendons that couple branches, in
/// `work.mass`, its factor in `qH`, `qHDiagInv`, and its product with `a` in `qfrc_smooth`.
pub fn smooth(m: &Model, x: Present, force: &mut Force, accel: &mut Accel, deriv: &mut Deriv, work: &mut SpringWork) {
    matrix(m, x, work);
    let (dofs, at) = (subset::dofs(m, x.awake), pattern(m));
    deriv.qH.copy_from_slice(&work.mass);
    let Deriv { qH, qHDiagInv, .. } = deriv;
    factor::factor_ldl(qH, qHDiagInv, at, dofs);
    let SpringWork { pull, row: a, chol, mass, .. } = work;
    a.fill(0.0);
    dofs.iter().for_each(|i| a[i] = force.qfrc_smooth[i] - pull[i]);
    if work.weights.is_empty() {
        factor::solve_ldl(a, qH, qHDiagInv, at, dofs);
    } else {
        let (ends, cols, values) = (&work.ends, &work.cols, &work.values);
        chol.analyse(at, work.weights.len(), |k| &cols[span(ends, k)]);
        chol.clear();
        chol.add_tree(at, mass);
        for (k, &w) in work.weights.iter().enumerate() {
            chol.add_block(&cols[span(ends, k)], &values[span(ends, k)], &[w]);
        }
        chol.factor();
        chol.solve(a);
    }
    sparse::mul_sym_vec(pull, mass, at, a);
    for i in dofs.iter() {
        accel.qacc_smooth[i] = a[i];
        force.qfrc_smooth[i] = pull[i];
    }
}

/// Force that gives the acceleration `a` over a step, less the explicit springs and dampers:
/// `(M + h B + h² K) a + h K qvel`.
pub fn inverse(m: &Model, x: Present, a: &[f64], work: &mut SpringWork, qfrc: &mut [f64]) {
    matrix(m, x, work);
    sparse::mul_sym_vec(qfrc, &work.mass, pattern(m), a);
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

/// `M + h B + h² K` in `work`: that of joints, and of tendons along one chain of bodies, in `mass`; weights and
/// Jacobians of the other tendons; and `h K qvel`.
fn matrix(m: &Model, x: Present, work: &mut SpringWork) {
    let h = m.opt.timestep;
    let of = |bit, value: f64| if m.opt.disabled(bit) { 0.0 } else { value };
    let at = pattern(m);
    work.clear(m.nv);
    work.mass.extend_from_slice(&x.inertia.M);
    for i in subset::dofs(m, x.awake).iter() {
        let k = of(DisableFlags::SPRING, m.jnt_stiffness[m.dof_jntid[i] as usize]);
        let weight = h * (h * k + of(DisableFlags::DAMPER, m.dof_damping[i]));
        if weight > 0.0 {
            work.mass[at.range(i).end - 1] += weight;
            work.pull[i] += h * k * x.state.qvel[i];
        }
    }
    let skips = subset::skips_trees(m, x.awake);
    for t in 0..m.ntendon {
        let slack = stretch(x.pose.ten_length[t], m.tendon_lengthspring[t]) == 0.0;
        let k = if slack { 0.0 } else { of(DisableFlags::SPRING, m.tendon_stiffness[t]) };
        let weight = h * (h * k + of(DisableFlags::DAMPER, m.tendon_damping[t]));
        if weight <= 0.0 || skips && subset::tendon_asleep(m, x.awake, t) {
            continue;
        }
        let row = tendon_row(m, x.pose, t);
        row.add_to(&mut work.pull, h * k * x.motion.ten_velocity[t]);
        work.push(row.entries().filter(|e| e.1 != 0.0), weight);
        along_chain(at, work);
    }
}

/// Moves the last tendon into the mass matrix, if its dofs are all ancestors of one of them.
fn along_chain(at: Pattern, work: &mut SpringWork) {
    let range = span(&work.ends, work.ends.len() - 1);
    let (cols, values) = (&work.cols[range.clone()], &work.values[range.clone()]);
    let last = cols.last().map_or(&[][..], |&dof| at.cols(dof as usize));
    if !cols.iter().all(|c| last.binary_search(c).is_ok()) {
        return;
    }
    let weight = work.weights.pop().unwrap_or_default();
    for (k, (&dof, v)) in cols.iter().zip(values).enumerate() {
        let row = at.range(dof as usize);
        add_common(&mut work.mass[row], at.cols(dof as usize), &values[..=k], &cols[..=k], weight * v);
    }
    work.ends.pop();
    work.cols.truncate(range.start);
    work.values.truncate(range.start);
}
