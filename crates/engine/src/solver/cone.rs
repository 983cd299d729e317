//! Elliptic friction cones: cost, force and curvature of one contact.
//!
//! After scaling by `mu` and the friction coefficients the cone is circular, with a normal `N` and a tangent of
//! length `T`. The cost is zero in the dual cone (`N ≥ mu T`), quadratic in the polar cone (`mu N + T ≤ 0`), and
//! between them half the stiffness times the squared distance to the dual cone.

use super::primal::{CONE, Problem, QUADRATIC, SATISFIED};
use crate::data::Contact;
use crate::data::solver::{Cone, ConeLine};
use crate::model::enums::ConstraintType;
use sinew_math::factor::dot;

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
        cones.push(Cone {
            row,
            dim,
            contact: id,
            scale: [con.mu, f1, f2, f3, f4, f5],
            hessian: [0.0; 36],
            curved: false,
            line: ConeLine::default(),
        });
        row += dim;
    }
}

impl Cone {
    /// Rows of the cone.
    #[inline(always)]
    pub fn rows(&self) -> std::ops::Range<usize> {
        self.row..self.row + self.dim
    }

    /// Force, state and cost at `x = J a − aref` of the cone's rows, and the Hessian where it is curved, if
    /// wanted.
    pub(super) fn update(
        &mut self,
        d: &[f64],
        x: &[f64],
        force: &mut [f64],
        state: &mut [i32],
        with_hessian: bool,
    ) -> f64 {
        let n = self.dim;
        let mu = self.scale[0];
        let mut u = [0.0; 6];
        for k in 0..n {
            u[k] = x[k] * self.scale[k];
        }
        let normal = u[0];
        let tangent = dot(&u[1..n], &u[1..n]).sqrt();
        if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
            force.fill(0.0);
            state.fill(SATISFIED);
            return 0.0;
        }
        if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
            state.fill(QUADRATIC);
            let mut cost = 0.0;
            for k in 0..n {
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
        for k in 1..n {
            force[k] = pull * u[k] * self.scale[k];
        }
        if with_hessian {
            self.curve(&u, tangent, stiffness);
        }
        0.5 * stiffness * depth * depth
    }

    /// Hessian of `½ stiffness (N − mu T)²` with respect to the rows.
    fn curve(&mut self, u: &[f64; 6], tangent: f64, stiffness: f64) {
        let (n, mu, normal) = (self.dim, self.scale[0], u[0]);
        let h = &mut self.hessian;
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

    /// The cost along a line: `x` at its start, `v` its direction.
    pub(super) fn prepare(&mut self, d: &[f64], x: &[f64], v: &[f64]) {
        let mut line = ConeLine::default();
        let mu = self.scale[0];
        for k in 0..self.dim {
            let force = d[k] * x[k];
            line.quad[0] += x[k] * force;
            line.quad[1] += v[k] * force;
            line.quad[2] += v[k] * d[k] * v[k];
        }
        line.quad[0] *= 0.5;
        line.quad[2] *= 0.5;
        line.u = x[0] * mu;
        line.v = v[0] * mu;
        for k in 1..self.dim {
            let (x, v) = (x[k] * self.scale[k], v[k] * self.scale[k]);
            line.uu += x * x;
            line.uv += x * v;
            line.vv += v * v;
        }
        line.stiffness = d[0] / ((mu * mu) * (1.0 + mu * mu));
        self.line = line;
    }

    /// Adds the cost at `alpha` to a polynomial where it is quadratic; otherwise returns cost, slope and curvature.
    #[inline]
    pub(super) fn at(&self, alpha: f64, quad: &mut [f64; 3]) -> [f64; 3] {
        let (l, mu) = (&self.line, self.scale[0]);
        let normal = l.u + alpha * l.v;
        let square = l.uu + alpha * (2.0 * l.uv + alpha * l.vv);
        let mut bottom = || {
            (0..3).for_each(|k| quad[k] += l.quad[k]);
            [0.0; 3]
        };
        if square <= 0.0 {
            return if normal < 0.0 { bottom() } else { [0.0; 3] };
        }
        let tangent = square.sqrt();
        if normal >= mu * tangent {
            return [0.0; 3];
        }
        if mu * normal + tangent <= 0.0 {
            return bottom();
        }
        let rate = (l.uv + alpha * l.vv) / tangent;
        let bend = l.vv / tangent - (l.uv + alpha * l.vv) * rate / square;
        let (depth, sink) = (normal - mu * tangent, l.v - mu * rate);
        [
            0.5 * l.stiffness * depth * depth,
            l.stiffness * depth * sink,
            l.stiffness * (sink * sink + depth * (-mu * bend)),
        ]
    }
}
