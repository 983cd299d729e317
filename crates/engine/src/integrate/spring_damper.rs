//! Integrator that is implicit in the springs and dampers of joints, tendons and flexes; MuJoCo has no such method.

use super::work::SpringWork;
use crate::data::{Accel, Awake, Force, Inertia, State};
use crate::model::Model;
use crate::support::awake as subset;
use crate::support::inertia::{mul_m, pattern};
use crate::support::spring::SpringRows;

/// Replaces the smooth acceleration by that of a step implicit in springs and dampers.
///
/// *Equation*: `(M + h B + h² K) a = qfrc_smooth − h K qvel`, which is `M a = f − K (q + h v⁺) − B v⁺` with
/// `v⁺ = qvel + h a`. `K` and `B` are diagonal for joints; a tendon adds `k JᵀJ` and `b JᵀJ`, with `k` only while it
/// is stretched beyond its dead band; flexes add the positive part of their stiffness. Terms that would make the matrix
/// less positive definite stay explicit.
/// *Reads* `qfrc_smooth` with explicit springs and dampers, `M`, `qvel`, springs from `work`.
/// *Writes* the right-hand side of the equation to `qfrc_smooth`, and `qacc_smooth = a`.
pub fn smooth(
    m: &Model,
    awake: &Awake,
    state: &State,
    inertia: &Inertia,
    (force, accel): (&mut Force, &mut Accel),
    work: &mut SpringWork,
) {
    let SpringWork { rows, chol, row: a } = work;
    rows.all().add_pull(&mut force.qfrc_smooth, &state.qvel, -1.0);
    rows.all().factor(pattern(m), &inertia.M, chol);
    let dofs = subset::dofs(m, awake);
    a.clear();
    a.resize(m.nv, 0.0);
    dofs.iter().for_each(|i| a[i] = force.qfrc_smooth[i]);
    chol.solve(a);
    dofs.iter().for_each(|i| accel.qacc_smooth[i] = a[i]);
}

/// Inverse of [`smooth`]: force that gives the acceleration `a` over a step, minus the explicit springs and dampers:
/// `(M + h B + h² K) a + h K qvel`.
pub fn inverse(m: &Model, state: &State, inertia: &Inertia, a: &[f64], rows: &SpringRows, qfrc: &mut [f64]) {
    mul_m(m, inertia, qfrc, a);
    rows.all().add_product(qfrc, a);
    rows.all().add_pull(qfrc, &state.qvel, 1.0);
}
