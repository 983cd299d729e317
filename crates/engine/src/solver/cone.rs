//! Elliptic friction cones: cost, force and curvature for one contact.
//!
//! After scaling by `mu` and the friction coefficients the cone is circular, with a normal component `N` and a
//! tangential one of length `T`. The cost is zero in the dual cone (`N ≥ mu T`), quadratic in the polar cone
//! (`mu N + T ≤ 0`), and in between half the stiffness times the squared distance to the dual cone.

use super::primal::{CONE, Problem, QUADRATIC, SATISFIED};
use super::work::{Cone, ConeLine};
use crate::data::Contact;
use crate::model::enums::ConstraintType;

/// Lists the elliptic cones of a problem.
pub fn find(p: &Problem, contact: &[Contact], cones: &mut Vec<Cone>) {
    cones.clear();
    let mut row = p.ne + p.nf;
    while row < p.kind.len() {
        if p.kind[row] != ConstraintType::ContactElliptic as i32 {
            row += 1;
            continue;
        }
        let id = p.id[row] as usize;
        let con = &contact[id];
        let [f1, f2, f3, f4, f5] = con.friction;
        let dim = con.dim as usize;
        cones.push(Cone { row, dim, contact: id, scale: [con.mu, f1, f2, f3, f4, f5], curved: false });
        row += dim;
    }
}

impl Cone {
    /// Rows of the cone.
    #[inline(always)]
    pub fn rows(&self) -> std::ops::Range<usize> {
        self.row..self.row + self.dim
    }

    /// Force, state and cost at `x = J a − aref` of the cone's rows; on request also the Hessian, in the range where it
    /// is not constant.
    #[inline]
    pub(super) fn update(
        &mut self,
        d: &[f64],
        x: &[f64],
        force: &mut [f64],
        state: &mut [i32],
        hessian: Option<&mut [f64; 36]>,
    ) -> f64 {
        // so that loops have a constant length
        match self.dim {
            2 => self.update_of::<2>(d, x, force, state, hessian),
            3 => self.update_of::<3>(d, x, force, state, hessian),
            4 => self.update_of::<4>(d, x, force, state, hessian),
            5 => self.update_of::<5>(d, x, force, state, hessian),
            _ => self.update_of::<6>(d, x, force, state, hessian),
        }
    }

    #[inline(always)]
    fn update_of<const N: usize>(
        &mut self,
        d: &[f64],
        x: &[f64],
        force: &mut [f64],
        state: &mut [i32],
        hessian: Option<&mut [f64; 36]>,
    ) -> f64 {
        let (d, x, force, state) = (&d[..N], &x[..N], &mut force[..N], &mut state[..N]);
        let mu = self.scale[0];
        let mut u = [0.0; 6];
        let mut square = 0.0;
        for k in 0..N {
            u[k] = x[k] * self.scale[k];
            square += if k > 0 { u[k] * u[k] } else { 0.0 };
        }
        let (normal, tangent) = (u[0], f64::sqrt(square));
        if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
            force.fill(0.0);
            state.fill(SATISFIED);
            return 0.0;
        }
        if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
            state.fill(QUADRATIC);
            let mut cost = 0.0;
            for k in 0..N {
                force[k] = -d[k] * x[k];
                cost += 0.5 * d[k] * x[k] * x[k];
            }
            return cost;
        }
        state.fill(CONE);
        let stiffness = d[0] / (mu * mu * (1.0 + mu * mu));
        let depth = normal - mu * tangent;
        force[0] = -stiffness * depth * mu;
        let pull = -force[0] / tangent;
        for k in 1..N {
            force[k] = pull * u[k] * self.scale[k];
        }
        if let Some(hessian) = hessian {
            self.curve(&u, tangent, stiffness, hessian);
        }
        0.5 * stiffness * depth * depth
    }

    /// Hessian of `½ stiffness (N − mu T)²` with respect to the rows.
    fn curve(&mut self, u: &[f64; 6], tangent: f64, stiffness: f64, h: &mut [f64; 36]) {
        let (n, mu, normal) = (self.dim, self.scale[0], u[0]);
        let across = mu * normal / (tangent * tangent * tangent);
        let along = mu * mu - mu * normal / tangent;
        for r in 0..n {
            let scale = stiffness * self.scale[r];
            for c in r..n {
                let plain = if r == 0 {
                    if c == 0 { 1.0 } else { -mu / tangent * u[c] }
                } else {
                    across * u[c] * u[r] + if r == c { along } else { 0.0 }
                };
                let value = plain * (scale * self.scale[c]);
                h[r * n + c] = value;
                h[c * n + r] = value;
            }
        }
        self.curved = true;
    }

    /// Coefficients of the cost along a line from `x` in direction `v`.
    #[inline]
    pub(super) fn line(&self, d: &[f64], x: &[f64], v: &[f64]) -> ConeLine {
        match self.dim {
            2 => self.line_of::<2>(d, x, v),
            3 => self.line_of::<3>(d, x, v),
            4 => self.line_of::<4>(d, x, v),
            5 => self.line_of::<5>(d, x, v),
            _ => self.line_of::<6>(d, x, v),
        }
    }

    #[inline(always)]
    fn line_of<const N: usize>(&self, d: &[f64], x: &[f64], v: &[f64]) -> ConeLine {
        let (d, x, v) = (&d[..N], &x[..N], &v[..N]);
        let mu = self.scale[0];
        let mut line = ConeLine { mu, ..ConeLine::default() };
        for k in 0..N {
            let force = d[k] * x[k];
            line.quad[0] += x[k] * force;
            line.quad[1] += v[k] * force;
            line.quad[2] += v[k] * d[k] * v[k];
        }
        line.quad[0] *= 0.5;
        line.quad[2] *= 0.5;
        line.u = x[0] * mu;
        line.v = v[0] * mu;
        for k in 1..N {
            let (x, v) = (x[k] * self.scale[k], v[k] * self.scale[k]);
            line.uu += x * x;
            line.uv += x * v;
            line.vv += v * v;
        }
        line.stiffness = d[0] / ((mu * mu) * (1.0 + mu * mu));
        line
    }
}

impl ConeLine {
    /// Adds the cost at `alpha` to the polynomial `quad` where it is quadratic; otherwise adds value, slope and
    /// curvature to `curved`.
    #[inline(always)]
    pub(super) fn at(&self, alpha: f64, quad: &mut [f64; 3], curved: &mut [f64; 3]) {
        let mu = self.mu;
        let normal = self.u + alpha * self.v;
        let square = self.uu + alpha * (2.0 * self.uv + alpha * self.vv);
        let tangent = square.sqrt();
        let bottom = square <= 0.0 || mu * normal + tangent <= 0.0;
        if !bottom {
            if normal >= mu * tangent {
                return;
            }
            let inv = 1.0 / tangent;
            let rate = (self.uv + alpha * self.vv) * inv;
            let bend = (self.vv - rate * rate) * inv;
            let (depth, sink) = (normal - mu * tangent, self.v - mu * rate);
            curved[0] += 0.5 * self.stiffness * depth * depth;
            curved[1] += self.stiffness * depth * sink;
            curved[2] += self.stiffness * (sink * sink - depth * mu * bend);
        } else if normal < 0.0 {
            (0..3).for_each(|k| quad[k] += self.quad[k]);
        }
    }
}
