//! Products with the derivative of a step, without building it.
//!
//! Forward, a change of state and controls becomes one change of force and one solve:
//! `dv⁺ = dv + h L⁻¹ (M H⁻¹ G dx + E dx)`. Backward, the gradient of a loss with respect to the next state is pulled
//! back to the current one, with the same matrices transposed: `w_1 = h L⁻ᵀ (λ_v + Pᵀ λ_q)`, `w_2 = H⁻¹ M w_1`,
//! `λ = Gᵀ w_2 + Eᵀ w_1 + …`. `G` is the derivative of the force balance, `E` that of the integrator's own terms; see
//! `assemble.rs`.

use super::actuator::{is_held, listens, next_activation, slopes};
use super::assemble::{Step, acts};
use super::{TransitionWork, left, moment};
use crate::data::Data;
use crate::model::Model;
use crate::support::inertia::mul_m;
use sinew_math::factor::dot;
use sinew_math::lanes::LANES;
use sinew_math::mat3;
use sinew_math::sparse::add_scaled;

/// Derivatives of an actuator's force, and of its next activation, with respect to activation and control.
pub(super) struct Inputs {
    pub activation: Option<usize>,
    pub force: [f64; 2],
    pub next: [f64; 2],
}

/// Computes them for actuator `i`.
pub(super) fn inputs(m: &Model, d: &Data, i: usize) -> Inputs {
    let gain = if acts(m, i) { slopes(m, d, i).by_input } else { 0.0 };
    match m.actuator_act(i) {
        None => Inputs { activation: None, force: [0.0, gain * f64::from(listens(m, d, i))], next: [0.0; 2] },
        Some(a) => {
            let next = next_activation(m, d, i, a);
            let early = m.actuator_actearly[i] != 0;
            let force = if early { next.map(|x| gain * x) } else { [gain, 0.0] };
            Inputs { activation: Some(a), force, next }
        }
    }
}

impl TransitionWork {
    /// `out = A dx + B du`.
    pub(super) fn forward(&mut self, m: &Model, step: Step, dx: &[f64], du: &[f64], out: &mut [f64]) {
        let (nv, h) = (m.nv, m.opt.timestep);
        let (dq, rest) = dx.split_at(nv);
        let (dv, da) = rest.split_at(nv);
        let (mut force, mut shift) = (std::mem::take(&mut self.vectors[0]), std::mem::take(&mut self.vectors[1]));
        force.fill(0.0);
        shift.fill(0.0);
        for j in 0..nv {
            let row = j * nv..(j + 1) * nv;
            add_scaled(&mut force, &self.balance.by_q[row.clone()], dq[j]);
            add_scaled(&mut force, &self.balance.by_v[row.clone()], dv[j]);
            if step.constrained && step.shifts {
                add_scaled(&mut shift, &self.shift.by_q[row.clone()], dq[j]);
                add_scaled(&mut shift, &self.shift.by_v[row], dv[j]);
            }
        }
        out[2 * nv..].copy_from_slice(da);
        for i in 0..m.nu {
            let by = inputs(m, &self.inner.data, i);
            let pushed = by.activation.map_or(0.0, |a| by.force[0] * da[a]) + by.force[1] * du[i];
            if pushed != 0.0 {
                let d = &self.inner.data;
                moment::row(d, i).filter(|e| !is_held(m, d, e.0)).for_each(|(dof, v)| force[dof] += v * pushed);
            }
            if let Some(a) = by.activation {
                out[2 * nv + a] = by.next[0] * da[a] + by.next[1] * du[i];
            }
        }
        if step.constrained {
            self.chol.solve(&mut force);
            if step.shifts {
                mul_m(m, &self.inner.data.inertia, &mut self.inner.nudged, &force);
                force.iter_mut().zip(&self.inner.nudged).zip(&shift).for_each(|((f, x), s)| *f = x + s);
            }
        }
        if !step.constrained || step.shifts {
            self.divide(m, step, &mut force, false);
        }
        for i in 0..nv {
            out[nv + i] = dv[i] + h * force[i];
            out[i] = dq[i] + h * out[nv + i];
        }
        for (dof, turn) in &self.turns {
            let [q, v] = [0, nv].map(|at| -> [f64; 3] {
                std::array::from_fn(|k| if at == 0 { dq[dof + k] } else { out[nv + dof + k] })
            });
            let (q, v) = (mat3::mul_vec(&turn.quat, q), mat3::mul_vec(&turn.vel, v));
            (0..3).for_each(|k| out[dof + k] = q[k] + h * v[k]);
        }
        (self.vectors[0], self.vectors[1]) = (force, shift);
    }

    /// `by_x += Aᵀ λ`, `by_u += Bᵀ λ`.
    pub(super) fn backward(&mut self, m: &Model, step: Step, next: &[f64], by_x: &mut [f64], by_u: &mut [f64]) {
        let (nv, h) = (m.nv, m.opt.timestep);
        let (mut w, mut w1) = (std::mem::take(&mut self.vectors[0]), std::mem::take(&mut self.vectors[1]));
        for i in 0..nv {
            by_x[i] += next[i];
            w[i] = next[nv + i] + h * next[i];
        }
        for (dof, turn) in &self.turns {
            let q: [f64; 3] = std::array::from_fn(|k| next[dof + k]);
            let (by_q, by_v) = (mat3::mul_vec_t(&turn.quat, q), mat3::mul_vec_t(&turn.vel, q));
            for k in 0..3 {
                by_x[dof + k] += by_q[k] - q[k];
                w[dof + k] = next[nv + dof + k] + h * by_v[k];
            }
        }
        by_x[nv..2 * nv].iter_mut().zip(&w).for_each(|(sum, x)| *sum += x);
        w.iter_mut().for_each(|x| *x *= h);
        if !step.constrained || step.shifts {
            self.divide(m, step, &mut w, true);
        }
        if step.constrained {
            if step.shifts {
                w1.copy_from_slice(&w);
                mul_m(m, &self.inner.data.inertia, &mut w, &w1);
                for j in 0..nv {
                    let row = j * nv..(j + 1) * nv;
                    by_x[j] += dot(&self.shift.by_q[row.clone()], &w1);
                    by_x[nv + j] += dot(&self.shift.by_v[row], &w1);
                }
            }
            self.chol.solve(&mut w);
        }
        self.pull(m, &w, by_x, by_u);
        by_x[2 * nv..].iter_mut().zip(&next[2 * nv..]).for_each(|(sum, x)| *sum += x);
        for i in 0..m.nu {
            let by = inputs(m, &self.inner.data, i);
            if let Some(a) = by.activation {
                let after = next[2 * nv + a];
                by_x[2 * nv + a] += (by.next[0] - 1.0) * after;
                by_u[i] += by.next[1] * after;
            }
        }
        (self.vectors[0], self.vectors[1]) = (w, w1);
    }

    /// Adds `Gᵀ w`: the adjoint of the force balance with respect to dofs, activations and controls.
    pub(super) fn pull(&self, m: &Model, w: &[f64], by_x: &mut [f64], by_u: &mut [f64]) {
        let nv = m.nv;
        for j in 0..nv {
            let row = j * nv..(j + 1) * nv;
            by_x[j] += dot(&self.balance.by_q[row.clone()], w);
            by_x[nv + j] += dot(&self.balance.by_v[row], w);
        }
        let d = &self.inner.data;
        for i in 0..m.nu {
            let by = inputs(m, d, i);
            let pushed: f64 = moment::row(d, i).filter(|e| !is_held(m, d, e.0)).map(|(dof, v)| v * w[dof]).sum();
            by_u[i] += by.force[1] * pushed;
            if let Some(a) = by.activation {
                by_x[2 * nv + a] += by.force[0] * pushed;
            }
        }
    }

    /// Solves with the matrix that maps accelerations to forces.
    pub(super) fn accelerate(&mut self, m: &Model, constrained: bool, x: &mut [f64]) {
        if constrained {
            self.chol.solve(x);
        } else {
            self.divide(m, Step { constrained, shifts: false }, x, false);
        }
    }

    /// Solves with the matrix of the integrator, or its transpose, for one vector.
    fn divide(&mut self, m: &Model, step: Step, x: &mut [f64], transposed: bool) {
        if transposed && left::is_lopsided(m) {
            left::transposed(m, &self.inner.data, x);
            return;
        }
        self.lanes.iter_mut().zip(x.iter()).for_each(|(lane, x)| {
            *lane = [0.0; LANES];
            lane[0] = *x;
        });
        left::integrator(m, &self.inner.data, step.shifts, &mut self.lanes);
        x.iter_mut().zip(&self.lanes).for_each(|(x, lane)| *x = lane[0]);
    }
}
