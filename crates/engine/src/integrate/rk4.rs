//! Classical fourth-order Runge–Kutta, split into pieces between which the step evaluates the dynamics.

use super::work::Rk4Work;
use crate::data::{Accel, Force, State};
use crate::model::Model;
use crate::support::position::integrate_pos;

/// Fraction of the time step at which each stage after the first is evaluated, using the rates of the previous stage.
pub const NODES: [f64; 3] = [0.5, 0.5, 1.0];
/// Weights of the rates of all stages.
pub const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Saves the position at the beginning of the step.
pub fn begin(state: &State, work: &mut Rk4Work) {
    work.qpos.copy_from_slice(&state.qpos);
}

/// Saves the state and rates of stage `k`.
pub fn store(m: &Model, state: &State, force: &Force, accel: &Accel, work: &mut Rk4Work, k: usize) {
    let (v, a) = work.x[k].split_at_mut(m.nv);
    v.copy_from_slice(&state.qvel);
    a.copy_from_slice(&state.act);
    let (v, a) = work.f[k].split_at_mut(m.nv);
    v.copy_from_slice(&accel.qacc);
    a.copy_from_slice(&force.act_dot);
}

/// Sets the state of stage `k + 1` from the rates of stage `k`.
pub fn advance(m: &Model, state: &mut State, work: &mut Rk4Work, k: usize, start: f64) {
    let (node, h, nv) = (NODES[k], m.opt.timestep, m.nv);
    let Rk4Work { qpos, x, f, dq, .. } = work;
    dq.iter_mut().zip(&x[k]).for_each(|(d, v)| *d = v * node);
    state.qpos.copy_from_slice(qpos);
    integrate_pos(m, &mut state.qpos, dq, h);
    let (v0, a0) = x[0].split_at(nv);
    let (vd, ad) = f[k].split_at(nv);
    let step = |to: &mut [f64], from: &[f64], rate: &[f64]| {
        to.iter_mut().zip(from).zip(rate).for_each(|((to, x), r)| *to = x + (r * node) * h);
    };
    step(&mut state.qvel, v0, vd);
    step(&mut state.act, a0, ad);
    state.time = start + node * h;
}

/// Restores the state at the beginning of the step.
pub fn restore(m: &Model, state: &mut State, work: &Rk4Work, start: f64) {
    state.time = start;
    state.qpos.copy_from_slice(&work.qpos);
    state.qvel.copy_from_slice(&work.x[0][..m.nv]);
    state.act.copy_from_slice(&work.x[0][m.nv..]);
}

/// Restores the state at the beginning of the step and computes the weighted mean rates.
pub fn finish(m: &Model, state: &mut State, work: &mut Rk4Work, start: f64) {
    restore(m, state, work, start);
    let Rk4Work { x, f, dq, dv, .. } = work;
    dq.fill(0.0);
    dv.fill(0.0);
    for k in 0..4 {
        dq.iter_mut().zip(&x[k]).for_each(|(d, v)| *d += v * WEIGHTS[k]);
        dv.iter_mut().zip(&f[k]).for_each(|(d, v)| *d += v * WEIGHTS[k]);
    }
}
