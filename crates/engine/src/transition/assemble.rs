//! From derivatives of forces to those of the next state.
//!
//! ```text
//! H ∂a = ∂(f − M a − c + Jᵀ F)        at fixed a; H = M without constraints
//! L ∂y = M ∂a + ∂(M (a − y) + h D y)  y: what the integrator advances with, L y = M a
//! ∂v⁺ = ∂v + h ∂y                     ∂q⁺ = ∂(q ⊕ h v⁺)
//! ```
//!
//! Without constraints the two become one: `L ∂y = ∂(f − M y − c + h D y)`.

use super::actuator::{listens, next_activation, slopes};
use super::{Transition, TransitionWork, is_held, left, moment};
use crate::model::Model;
use crate::model::enums::{DisableFlags, JointType};
use crate::support::activation;
use crate::support::inertia::mul_m;
use sinew_math::{mat3, quat};

/// Where columns go.
struct Sink<'a> {
    values: &'a mut [f64],
    cols: usize,
}

impl Sink<'_> {
    #[inline(always)]
    fn set(&mut self, row: usize, col: usize, value: f64) {
        self.values[row * self.cols + col] = value;
    }
}

/// How each quaternion turns over the step.
pub(super) fn turns(m: &Model, work: &mut TransitionWork) {
    work.turns.clear();
    for j in 0..m.njnt {
        let skip = match m.jnt_type(j) {
            JointType::Free => 3,
            JointType::Ball => 0,
            _ => continue,
        };
        let dof = m.jnt_dofadr[j] as usize + skip;
        let vel = std::array::from_fn(|k| work.next[dof + k]);
        work.turns.push((dof, quat::integrate_derivative(vel, m.opt.timestep)));
    }
}

impl TransitionWork {
    /// Changes of the acceleration that the integrator advances with, in place of those of forces; `shift` is the row of
    /// what the integrator adds, if it has one of its own.
    fn solve(&mut self, m: &Model, constrained: bool, shifts: bool, input: Option<(bool, usize)>) {
        let d = &self.inner.data;
        if !constrained {
            left::integrator(m, d, shifts, &mut self.row);
            return;
        }
        self.chol.solve(&mut self.row);
        if !shifts {
            return;
        }
        let nudged = &mut self.inner.nudged;
        mul_m(m, &d.inertia, nudged, &self.row);
        if let Some((position, j)) = input {
            let by = if position { &self.shift.by_q } else { &self.shift.by_v };
            nudged.iter_mut().zip(&by[j * m.nv..]).for_each(|(sum, x)| *sum += x);
        }
        self.row.copy_from_slice(nudged);
        left::integrator(m, d, shifts, &mut self.row);
    }

    /// Stores the column of a state or control: `row` holds the change of velocity, `own` the position that it is.
    fn store(&self, m: &Model, sink: &mut Sink, col: usize, scale: f64, own: Option<usize>) {
        let (nv, h) = (m.nv, m.opt.timestep);
        for (i, &x) in self.row.iter().enumerate() {
            let dv = scale * x;
            sink.set(nv + i, col, dv);
            sink.set(i, col, h * dv + f64::from(own == Some(i)));
        }
        for (dof, turn) in &self.turns {
            let dof = *dof;
            let dv = std::array::from_fn(|k| scale * self.row[dof + k]);
            let mut dq = mat3::mul_vec(&turn.vel, dv).map(|x| h * x);
            if let Some(k) = own.and_then(|j| j.checked_sub(dof)).filter(|&k| k < 3) {
                let by = mat3::col(&turn.quat, k);
                (0..3).for_each(|r| dq[r] += by[r]);
            }
            (0..3).for_each(|k| sink.set(dof + k, col, dq[k]));
        }
    }

    /// Columns of positions and velocities.
    pub(super) fn state_columns(&mut self, m: &Model, constrained: bool, shifts: bool, out: &mut [f64]) {
        let (nv, h) = (m.nv, m.opt.timestep);
        let mut sink = Sink { values: out, cols: 2 * nv + m.na };
        for position in [true, false] {
            for j in 0..nv {
                let by = if position { &self.balance.by_q } else { &self.balance.by_v };
                self.row.copy_from_slice(&by[j * nv..][..nv]);
                self.solve(m, constrained, shifts, Some((position, j)));
                self.row.iter_mut().for_each(|x| *x *= h);
                if position {
                    self.store(m, &mut sink, j, 1.0, Some(j));
                } else {
                    self.row[j] += 1.0;
                    self.store(m, &mut sink, nv + j, 1.0, None);
                }
            }
        }
    }

    /// Columns of activations, in `a`, and of controls, in `b`.
    pub(super) fn input_columns(&mut self, m: &Model, constrained: bool, shifts: bool, out: &mut Transition) {
        let (nv, h) = (m.nv, m.opt.timestep);
        let mut a = Sink { values: &mut out.A, cols: 2 * nv + m.na };
        let mut b = Sink { values: &mut out.B, cols: m.nu };
        let idle = m.opt.disabled(DisableFlags::ACTUATION);
        for i in 0..m.nu {
            self.row.fill(0.0);
            let d = &self.inner.data;
            let pushes = !idle && !activation::is_disabled(m, i);
            if pushes {
                let gain = slopes(m, d, i).by_input;
                for (dof, v) in moment::row(d, i).filter(|e| !is_held(m, d, e.0)) {
                    self.row[dof] = v * gain;
                }
                self.solve(m, constrained, shifts, None);
                self.row.iter_mut().for_each(|x| *x *= h);
            }
            let d = &self.inner.data;
            let (mut by_ctrl, driving) = (f64::from(listens(m, d, i)), m.actuator_act(i));
            for k in m.actuator_acts(i) {
                let [by_act, rate] = next_activation(m, d, i, k);
                let early = m.actuator_actearly[i] != 0;
                if !a.values.is_empty() {
                    let input = if early { by_act } else { 1.0 };
                    self.store(m, &mut a, 2 * nv + k, if driving == Some(k) { input } else { 0.0 }, None);
                    a.set(2 * nv + k, 2 * nv + k, by_act);
                }
                if !b.values.is_empty() {
                    b.set(2 * nv + k, i, rate);
                }
                if driving == Some(k) {
                    by_ctrl = if early { rate } else { 0.0 };
                }
            }
            if !b.values.is_empty() {
                self.store(m, &mut b, i, by_ctrl, None);
            }
        }
    }
}
