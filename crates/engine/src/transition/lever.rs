//! Lengths along which forces act, of a tendon or an actuator. A force `f` along a length `l(q)` with moments `J` acts
//! on the dofs as `Jᵀ f`, so that
//!
//! ```text
//! ∂(Jᵀ f)/∂q = Jᵀ (f_l ∂l/∂q + f_l̇ q̇ᵀ ∂J/∂q) + f ∂Jᵀ/∂q          ∂(Jᵀ f)/∂q̇ = Jᵀ f_l̇ J
//! ```

use super::partials::Partials;
use crate::model::Model;
use crate::model::enums::Integrator;
use crate::support::chain::ancestors;

/// Moments of a length for the dofs that change it, and their derivatives with respect to position.
#[derive(Clone, Debug, Default)]
pub(super) struct Lever {
    /// Slot of each dof, −1 for those not listed.
    slot: Vec<i32>,
    /// The listed dofs.
    pub dofs: Vec<usize>,
    /// `J`: moment of each listed dof.
    pub moment: Vec<f64>,
    /// `∂l/∂q` of each listed dof; differs from the moment where the length is only nominal.
    pub slope: Vec<f64>,
    /// `∂J_i/∂q_j`, row `i`; empty for constant moments.
    curve: Vec<f64>,
}

/// A force along a length and its slopes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Along {
    pub force: f64,
    pub by_length: f64,
    pub by_velocity: f64,
}

impl Lever {
    pub(super) fn new(m: &Model) -> Self {
        Lever {
            slot: vec![-1; m.nv],
            dofs: Vec::with_capacity(m.nv),
            moment: Vec::with_capacity(m.nv),
            slope: Vec::with_capacity(m.nv),
            curve: Vec::new(),
        }
    }

    /// Sets constant moments, which are also the slopes of the length.
    pub(super) fn set(&mut self, entries: impl Iterator<Item = (usize, f64)>) {
        self.dofs.drain(..).for_each(|dof| self.slot[dof] = -1);
        self.moment.clear();
        self.slope.clear();
        self.curve.clear();
        for (dof, moment) in entries {
            self.push(dof, moment);
        }
    }

    /// Adds to the moment of a dof.
    pub(super) fn add(&mut self, dof: usize, moment: f64) {
        match usize::try_from(self.slot[dof]) {
            Ok(slot) => {
                self.moment[slot] += moment;
                self.slope[slot] += moment;
            }
            Err(_) => self.push(dof, moment),
        }
    }

    /// Adds a dof with its moment.
    pub(super) fn push(&mut self, dof: usize, moment: f64) {
        self.slot[dof] = self.dofs.len() as i32;
        self.dofs.push(dof);
        self.moment.push(moment);
        self.slope.push(moment);
    }

    /// Adds the dofs that move some, but not all of these bodies: their moment may change even if it is zero here.
    pub(super) fn include(&mut self, m: &Model, bodies: impl Iterator<Item = usize> + Clone) {
        let count = bodies.clone().count();
        for body in bodies.clone() {
            for dof in ancestors(m, body) {
                let moved = bodies.clone().filter(|&b| ancestors(m, b).any(|i| i == dof)).count();
                if moved < count && self.slot[dof] < 0 {
                    self.push(dof, 0.0);
                }
            }
        }
    }

    /// Allocates moment derivatives, all zero.
    pub(super) fn bend(&mut self) {
        self.curve.clear();
        self.curve.resize(self.dofs.len() * self.dofs.len(), 0.0);
    }

    /// [`Lever::bend`], unless the derivatives are allocated already.
    pub(super) fn bend_if_straight(&mut self) {
        if !self.is_curved() {
            self.bend();
        }
    }

    /// Whether moments depend on position.
    pub(super) fn is_curved(&self) -> bool {
        !self.curve.is_empty()
    }

    /// Adds to the derivative of the moment of dof `i` with respect to dof `j`, if both are listed.
    #[inline]
    pub(super) fn add_curve(&mut self, i: usize, j: usize, value: f64) {
        let (i, j) = (self.slot[i], self.slot[j]);
        if i >= 0 && j >= 0 {
            self.curve[i as usize * self.dofs.len() + j as usize] += value;
        }
    }

    /// Scales everything.
    pub(super) fn scale(&mut self, s: f64) {
        for values in [&mut self.moment, &mut self.slope, &mut self.curve] {
            values.iter_mut().for_each(|v| *v *= s);
        }
    }

    /// `x · ∂J/∂q_j` for the dof in slot `j`.
    pub(super) fn curve_dot(&self, x: impl Fn(usize) -> f64, j: usize) -> f64 {
        let n = self.dofs.len();
        (0..n).map(|i| self.curve[i * n + j] * x(i)).sum()
    }

    /// Adds the derivatives of the joint forces due to a force along the length; `held` dofs receive no force.
    pub(super) fn spread(&self, along: Along, qvel: &[f64], held: impl Fn(usize) -> bool, out: &mut Partials) {
        self.spread_q(along, qvel, &held, out);
        self.spread_v(along.by_velocity, &held, out);
    }

    /// The position part of [`Lever::spread`], for a force that depends on `J · rate`.
    pub(super) fn spread_q(&self, along: Along, rate: &[f64], held: &impl Fn(usize) -> bool, out: &mut Partials) {
        let n = self.dofs.len();
        for j in 0..n {
            let turn = if self.is_curved() { self.curve_dot(|i| rate[self.dofs[i]], j) } else { 0.0 };
            let slope = along.by_length * self.slope[j] + along.by_velocity * turn;
            for i in (0..n).filter(|&i| !held(self.dofs[i])) {
                let own = if self.is_curved() { along.force * self.curve[i * n + j] } else { 0.0 };
                *out.q(self.dofs[j], self.dofs[i]) += self.moment[i] * slope + own;
            }
        }
    }

    /// The velocity part of [`Lever::spread`].
    pub(super) fn spread_v(&self, by_velocity: f64, held: &impl Fn(usize) -> bool, out: &mut Partials) {
        for (&j, moment) in self.dofs.iter().zip(&self.moment) {
            for (&i, own) in self.dofs.iter().zip(&self.moment).filter(|(i, _)| !held(**i)) {
                *out.v(j, i) += own * by_velocity * moment;
            }
        }
    }

    /// Dofs with their moments.
    pub(super) fn entries(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.dofs.iter().copied().zip(self.moment.iter().copied())
    }

    /// `J · x`.
    pub(super) fn dot(&self, x: &[f64]) -> f64 {
        self.dofs.iter().zip(&self.moment).map(|(&dof, moment)| moment * x[dof]).sum()
    }

    /// Adds `scale · ∂(D y)/∂(q, q̇)` for the velocity slope `D = Jᵀ s J`, restricted like in implicit integrators to
    /// pairs of dofs where one is an ancestor of the other. `ds` is the derivative of `s` with respect to length and
    /// velocity.
    pub(super) fn spread_damping(
        &self,
        m: &Model,
        [s, by_length, by_velocity]: [f64; 3],
        qvel: &[f64],
        (y, scale): (&[f64], f64),
        out: &mut Partials,
    ) {
        if !self.is_curved() && by_length == 0.0 && by_velocity == 0.0 {
            return;
        }
        let n = self.dofs.len();
        for i in 0..n {
            let seen = |k: usize| if is_kept(m, self.dofs[i], self.dofs[k]) { y[self.dofs[k]] } else { 0.0 };
            let rate: f64 = (0..n).map(|k| self.moment[k] * seen(k)).sum();
            for j in 0..n {
                let (mut bent, mut turn, mut own) = (0.0, 0.0, 0.0);
                if self.is_curved() {
                    bent = self.curve_dot(seen, j);
                    turn = self.curve_dot(|k| qvel[self.dofs[k]], j);
                    own = self.curve[i * n + j];
                }
                let steeper = by_length * self.slope[j] + by_velocity * turn;
                *out.q(self.dofs[j], self.dofs[i]) +=
                    scale * (self.moment[i] * (steeper * rate + s * bent) + s * own * rate);
                *out.v(self.dofs[j], self.dofs[i]) += scale * self.moment[i] * by_velocity * self.moment[j] * rate;
            }
        }
    }
}

/// Whether integrators keep the derivative of the force on one dof with respect to the velocity of another: if one is
/// an ancestor of the other, and, with the sparsity of the mass matrix, unless the row of the lower one is diagonal.
pub(super) fn is_kept(m: &Model, a: usize, b: usize) -> bool {
    let diagonal = m.opt.integrator != Integrator::Implicit && m.dof_simplenum[a.max(b)] > 0;
    a == b || !diagonal && related(m, a, b)
}

/// Whether one of two dofs is an ancestor of the other, or both are the same.
pub(super) fn related(m: &Model, a: usize, b: usize) -> bool {
    let (upper, mut lower) = (a.min(b) as i32, a.max(b) as i32);
    while lower > upper {
        lower = m.dof_parentid[lower as usize];
    }
    lower == upper
}
