//! From derivatives of forces to those of the next state.
//!
//! ```text
//! H ∂a = ∂(f − M a − c + Jᵀ F)        at fixed a; H = M without constraints
//! L ∂y = M ∂a + ∂(M (a − y) + h D y)  y: acceleration used by the integrator, L y = M a
//! ∂v⁺ = ∂v + h ∂y                     ∂q⁺ = ∂(q ⊕ h v⁺)
//! ```
//!
//! Without constraints the two equations combine to `L ∂y = ∂(f − M y − c + h D y)`.

use super::actuator::{listens, next_activation, slopes};
use super::{Transition, TransitionWork, is_held, left, moment};
use crate::model::Model;
use crate::model::enums::{DisableFlags, JointType};
use crate::support::activation;
use crate::support::inertia::pattern;
use sinew_math::lanes::{self, LANES, Lane};
use sinew_math::{mat3, quat};
use std::ops::Range;

/// Derivatives of the quaternion updates of the step.
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

/// Which solves a step needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Whether there are constraints.
    pub constrained: bool,
    /// Whether the integrator uses another acceleration than the one from the forces.
    pub shifts: bool,
}

/// Destination of lanes in a matrix: columns and scaling.
struct Place<'a> {
    values: &'a mut [f64],
    /// Total number of columns.
    cols: usize,
    /// First column to write, and how many.
    at: usize,
    count: usize,
    /// First lane to read, and its scale factor.
    lane: usize,
    scale: f64,
}

impl Place<'_> {
    #[inline(always)]
    fn set(&mut self, row: usize, lanes: &Lane) {
        let start = row * self.cols + self.at;
        let to = &mut self.values[start..start + self.count];
        to.iter_mut().zip(&lanes[self.lane..]).for_each(|(to, x)| *to = self.scale * x);
    }
}

impl TransitionWork {
    /// Converts changes of forces, in `lanes`, to changes of velocity. Adds `rows` of the integrator's own terms, if it
    /// has any.
    fn solve(&mut self, m: &Model, step: Step, rows: Option<(bool, Range<usize>)>) {
        let d = &self.inner.data;
        let lanes = &mut self.lanes;
        if step.constrained {
            self.chol.solve_lanes(lanes);
        }
        if step.constrained && step.shifts {
            lanes::mul_sym(&mut self.product, &d.inertia.M, pattern(m), lanes);
            if let Some((position, rows)) = rows {
                let by = if position { &self.shift.by_q } else { &self.shift.by_v };
                for (l, j) in rows.enumerate() {
                    self.product.iter_mut().zip(&by[j * m.nv..]).for_each(|(sum, x)| sum[l] += x);
                }
            }
            std::mem::swap(lanes, &mut self.product);
        }
        let lanes = &mut self.lanes;
        if !step.constrained || step.shifts {
            left::integrator(m, d, step.shifts, lanes);
        }
        lanes.iter_mut().flatten().for_each(|x| *x *= m.opt.timestep);
    }

    /// Stores the changes of position and velocity.
    fn store(&mut self, m: &Model, to: &mut Place) {
        let (nv, h) = (m.nv, m.opt.timestep);
        for (i, x) in self.lanes.iter().enumerate() {
            to.set(nv + i, x);
            to.set(i, &x.map(|x| h * x));
        }
        for (dof, turn) in &self.turns {
            for r in 0..3 {
                let mut sum = [0.0; LANES];
                (0..3).for_each(|c| lanes::add_scaled(&mut sum, &self.lanes[dof + c], h * turn.vel[3 * r + c]));
                to.set(dof + r, &sum);
            }
        }
    }

    /// Computes the columns of positions and velocities.
    pub(super) fn state_columns(&mut self, m: &Model, step: Step, out: &mut [f64]) {
        let nv = m.nv;
        let cols = 2 * nv + m.na;
        for position in [true, false] {
            for first in (0..nv).step_by(LANES) {
                let rows = first..(first + LANES).min(nv);
                let by = if position { &self.balance.by_q } else { &self.balance.by_v };
                self.lanes.fill([0.0; LANES]);
                for (l, j) in rows.clone().enumerate() {
                    self.lanes.iter_mut().zip(&by[j * nv..]).for_each(|(lane, x)| lane[l] = *x);
                }
                self.solve(m, step, Some((position, rows.clone())));
                let at = if position { first } else { nv + first };
                if !position {
                    rows.clone().enumerate().for_each(|(l, j)| self.lanes[j][l] += 1.0);
                }
                self.store(m, &mut Place { values: out, cols, at, count: rows.len(), lane: 0, scale: 1.0 });
            }
        }
        // identity block for positions, except for quaternions
        (0..nv).for_each(|j| out[j * cols + j] += 1.0);
        for (dof, turn) in &self.turns {
            for (r, c) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
                out[(dof + r) * cols + dof + c] += turn.quat[3 * r + c] - mat3::IDENTITY[3 * r + c];
            }
        }
    }

    /// Computes the columns of activations in `A`, and of controls in `B`.
    pub(super) fn input_columns(&mut self, m: &Model, step: Step, out: &mut Transition) {
        let nv = m.nv;
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
            self.solve(m, step, None);
            for (lane, i) in actuators.enumerate() {
                let (mut by_ctrl, driving) = (f64::from(listens(m, &self.inner.data, i)), m.actuator_act(i));
                for k in m.actuator_acts(i) {
                    let [by_act, rate] = next_activation(m, &self.inner.data, i, k);
                    let (early, at) = (m.actuator_actearly[i] != 0, 2 * nv + k);
                    if !out.A.is_empty() {
                        let scale = if driving != Some(k) {
                            0.0
                        } else if early {
                            by_act
                        } else {
                            1.0
                        };
                        let cols = 2 * nv + m.na;
                        self.store(m, &mut Place { values: &mut out.A, cols, at, count: 1, lane, scale });
                        out.A[at * cols + at] = by_act;
                    }
                    if !out.B.is_empty() {
                        out.B[at * m.nu + i] = rate;
                    }
                    if driving == Some(k) {
                        by_ctrl = if early { rate } else { 0.0 };
                    }
                }
                if !out.B.is_empty() {
                    let values = &mut out.B;
                    self.store(m, &mut Place { values, cols: m.nu, at: i, count: 1, lane, scale: by_ctrl });
                }
            }
        }
    }
}

/// Whether an actuator is enabled.
pub(super) fn acts(m: &Model, i: usize) -> bool {
    !m.opt.disabled(DisableFlags::ACTUATION) && !activation::is_disabled(m, i)
}
