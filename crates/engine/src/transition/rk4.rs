//! Runge–Kutta: chains the derivatives of four evaluations.
//!
//! Stage `k + 1` starts at `q_0 ⊕ h n_k v_k`, `v_0 + h n_k a_k`, `act_0 + h n_k ȧ_k`; the step uses the weighted means
//! of all four rates. The derivatives of every stage are rows over all inputs of the step (state and controls).

use super::actuator::{activation_rate, activation_time, is_held, listens, next_activation, slopes};
use super::assemble::acts;
use super::report::Terms;
use super::{DerivativeConfig, DifferenceError, Transition, TransitionWork, forces, moment};
use crate::data::Data;
use crate::integrate::rk4::{self, NODES, WEIGHTS};
use crate::model::Model;
use crate::model::enums::{JointType, Stage};
use crate::step;
use crate::support::inertia::pattern;
use sinew_math::lanes::{self, LANES};
use sinew_math::quat;
use sinew_math::sparse::add_scaled;

/// Derivatives of positions, velocities and activations, one row each, with respect to all inputs of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// State at the current stage.
    state: Vec<f64>,
    /// Accelerations and activation rates at the current stage; then the weighted sums of velocities and of these
    /// rates.
    rate: Vec<f64>,
    mean: Vec<f64>,
    /// Derivatives of accelerations with respect to state and controls at the current stage, `nv` rows.
    acc: Vec<f64>,
}

/// Computes `A` and `B` of a Runge–Kutta step. Returns the terms that were differenced.
pub(super) fn transition(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
    out: &mut Transition,
) -> Result<Terms, DifferenceError> {
    let (nv, ndx, h) = (m.nv, 2 * m.nv + m.na, m.opt.timestep);
    let n = ndx + m.nu;
    let mut chain = std::mem::take(&mut work.chain);
    chain.state.clear();
    chain.state.resize(ndx * n, 0.0);
    (0..ndx).for_each(|i| chain.state[i * n + i] = 1.0);
    chain.mean.clear();
    chain.mean.resize(ndx * n, 0.0);
    chain.rate.resize((nv + m.na) * n, 0.0);
    chain.acc.resize(nv * n, 0.0);
    let mut terms = Terms::default();
    work.inner.data.copy_start(d);
    rk4::begin(&d.state, &mut work.inner.data.scratch.integrate.rk4);
    for k in 0..4 {
        let data = &mut work.inner.data;
        step::forward_skip(m, data, &mut (), Stage::None, true);
        rk4::store(m, &data.state, &data.force, &data.accel, &mut data.scratch.integrate.rk4, k);
        work.qacc.copy_from_slice(&data.accel.qacc);
        work.advance.copy_from_slice(&data.accel.qacc);
        let (constrained, found) = forces(m, config, work, false)?;
        terms = terms.with(found);
        work.accelerations(m, constrained, &mut chain.acc);
        chain.rates(m, &work.inner.data);
        chain.add_mean(m, WEIGHTS[k]);
        if let Some(&node) = NODES.get(k) {
            chain.next(m, &work.inner.data.scratch.integrate.rk4.x[k], node * h);
            let data = &mut work.inner.data;
            rk4::advance(m, &mut data.state, &mut data.scratch.integrate.rk4, k, d.state.time);
        }
    }
    let data = &mut work.inner.data;
    rk4::finish(m, &mut data.state, &mut data.scratch.integrate.rk4, d.state.time);
    chain.finish(m, &work.inner.data, out);
    work.chain = chain;
    Ok(terms)
}

impl TransitionWork {
    /// Derivatives of accelerations with respect to state and controls, `nv` rows.
    fn accelerations(&mut self, m: &Model, constrained: bool, out: &mut [f64]) {
        let nv = m.nv;
        let n = 2 * nv + m.na + m.nu;
        out.fill(0.0);
        for first in (0..2 * nv).step_by(LANES) {
            let columns = first..(first + LANES).min(2 * nv);
            self.lanes.fill([0.0; LANES]);
            for (l, j) in columns.clone().enumerate() {
                let by = if j < nv { &self.balance.by_q[j * nv..] } else { &self.balance.by_v[(j - nv) * nv..] };
                self.lanes.iter_mut().zip(by).for_each(|(lane, x)| lane[l] = *x);
            }
            self.divide_by_inertia(m, constrained);
            for (row, lane) in out.chunks_exact_mut(n).zip(&self.lanes) {
                row[columns.clone()].copy_from_slice(&lane[..columns.len()]);
            }
        }
        for first in (0..m.nu).step_by(LANES) {
            let actuators = first..(first + LANES).min(m.nu);
            self.lanes.fill([0.0; LANES]);
            let d = &self.inner.data;
            for (l, i) in actuators.clone().enumerate().filter(|&(_, i)| acts(m, i)) {
                let gain = slopes(m, d, i).by_input;
                for (dof, v) in moment::row(d, i).filter(|e| !is_held(m, d, e.0)) {
                    self.lanes[dof][l] = v * gain;
                }
            }
            self.divide_by_inertia(m, constrained);
            for (l, i) in actuators.enumerate() {
                let d = &self.inner.data;
                let act = m.actuator_act(i);
                let [by_act, by_ctrl] = match act {
                    None => [0.0, f64::from(listens(m, d, i))],
                    Some(a) if m.actuator_actearly[i] != 0 => next_activation(m, d, i, a),
                    Some(_) => [1.0, 0.0],
                };
                for (row, lane) in out.chunks_exact_mut(n).zip(&self.lanes) {
                    row[2 * nv + m.na + i] = by_ctrl * lane[l];
                    if let Some(a) = act {
                        row[2 * nv + a] = by_act * lane[l];
                    }
                }
            }
        }
    }

    fn divide_by_inertia(&mut self, m: &Model, constrained: bool) {
        if constrained {
            self.chol.solve_lanes(&mut self.lanes);
        } else {
            let inertia = &self.inner.data.inertia;
            lanes::solve_ldl(&mut self.lanes, &inertia.qLD, &inertia.qLDiagInv, pattern(m));
        }
    }
}

impl Chain {
    /// Computes the derivatives of accelerations and activation rates at the current stage.
    fn rates(&mut self, m: &Model, d: &Data) {
        let ndx = 2 * m.nv + m.na;
        let n = ndx + m.nu;
        self.rate.fill(0.0);
        for (row, by) in self.rate.chunks_exact_mut(n).zip(self.acc.chunks_exact(n)) {
            for (x, changes) in by[..ndx].iter().zip(self.state.chunks_exact(n)).filter(|(x, _)| **x != 0.0) {
                add_scaled(row, changes, *x);
            }
            add_scaled(&mut row[ndx..], &by[ndx..], 1.0);
        }
        for i in 0..m.nu {
            for a in m.actuator_acts(i) {
                let [by_act, by_ctrl] = activation_rate(m, d, i, a);
                let row = &mut self.rate[(m.nv + a) * n..][..n];
                add_scaled(row, &self.state[(2 * m.nv + a) * n..][..n], by_act);
                row[ndx + i] += by_ctrl;
            }
        }
    }

    /// Adds the rates of the current stage to the means: velocities first, then accelerations and activation rates.
    fn add_mean(&mut self, m: &Model, weight: f64) {
        let n = 2 * m.nv + m.na + m.nu;
        let (velocities, rest) = self.mean.split_at_mut(m.nv * n);
        add_scaled(velocities, &self.state[m.nv * n..][..m.nv * n], weight);
        add_scaled(rest, &self.rate, weight);
    }

    /// Advances to the next stage, over a time `t` with the rates of the current one.
    fn next(&mut self, m: &Model, velocity: &[f64], t: f64) {
        let ndx = 2 * m.nv + m.na;
        let n = ndx + m.nu;
        let (positions, rest) = self.state.split_at_mut(m.nv * n);
        integrate(m, positions, &rest[..m.nv * n], velocity, t, n);
        rest.fill(0.0);
        (0..ndx - m.nv).for_each(|i| rest[i * n + m.nv + i] = 1.0);
        add_scaled(rest, &self.rate, t);
    }

    /// Computes the derivatives after the step.
    fn finish(&mut self, m: &Model, d: &Data, out: &mut Transition) {
        let (nv, h, ndx) = (m.nv, m.opt.timestep, 2 * m.nv + m.na);
        let n = ndx + m.nu;
        let (positions, rest) = self.state.split_at_mut(nv * n);
        let (velocities, rates) = self.mean.split_at(nv * n);
        let rk4 = &d.scratch.integrate.rk4;
        integrate(m, positions, velocities, &rk4.dq, h, n);
        rest.fill(0.0);
        (0..ndx - nv).for_each(|i| rest[i * n + nv + i] = 1.0);
        add_scaled(&mut rest[..nv * n], &rates[..nv * n], h);
        for i in 0..m.nu {
            for a in m.actuator_acts(i) {
                let row = &mut rest[(nv + a) * n..][..n];
                match activation_time(m, i, d.state.act[a], rk4.dv[nv + a]) {
                    Some(time) => add_scaled(row, &rates[(nv + a) * n..][..n], time),
                    None => row.fill(0.0),
                }
            }
        }
        for (i, row) in self.state.chunks_exact(n).enumerate() {
            if !out.A.is_empty() {
                out.A[i * ndx..][..ndx].copy_from_slice(&row[..ndx]);
            }
            if !out.B.is_empty() {
                out.B[i * m.nu..][..m.nu].copy_from_slice(&row[ndx..]);
            }
        }
    }
}

/// Derivatives of `q_0 ⊕ t v` from those of `v`: rows over `n` inputs, the first of which are the positions `q_0`.
fn integrate(m: &Model, positions: &mut [f64], velocities: &[f64], v: &[f64], t: f64, n: usize) {
    positions.fill(0.0);
    for j in 0..m.njnt {
        let dofs = m.joint_dofs(j);
        let turning = match m.jnt_type(j) {
            JointType::Free => dofs.start + 3,
            JointType::Ball => dofs.start,
            _ => dofs.end,
        };
        for i in dofs.start..turning {
            positions[i * n + i] = 1.0;
            add_scaled(&mut positions[i * n..][..n], &velocities[i * n..][..n], t);
        }
        if turning < dofs.end {
            let by = quat::integrate_derivative(std::array::from_fn(|k| v[turning + k]), t);
            for (r, c) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
                let row = &mut positions[(turning + r) * n..][..n];
                row[turning + c] += by.quat[3 * r + c];
                add_scaled(row, &velocities[(turning + c) * n..][..n], t * by.vel[3 * r + c]);
            }
        }
    }
}
