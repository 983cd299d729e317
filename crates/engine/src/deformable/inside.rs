//! Constraints between the particles of a deformable, by XPBD: `Δλ = −(C + α λ/s²)/(Σ w |∇C|² + α/s²)`, `Δx = w ∇C Δλ`,
//! with `s` the substep. `λ` accumulates over the sweeps of a substep. Macklin, Müller, Chentanez, XPBD, MIG 2016.

use super::blocks::{Block, Tied, Ties};
use super::plan::{Bend, Distance, Volume, volume};
use sinew_math::{Vec3, vec3};

/// Position of a sweep within its substep.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    pub first: bool,
    pub last: bool,
}

impl Sweep {
    /// The sweep `k` of `count`.
    pub fn new(k: usize, count: usize) -> Self {
        Sweep { first: k == 0, last: k + 1 == count }
    }
}

/// One sweep over the position constraints (distances, curvatures, volumes) of a block; `per_s2` is `1/s²`, with `s`
/// the substep.
pub fn keep(block: Block<'_>, per_s2: f64, sweep: Sweep) {
    let Block { y: x, w, first, ties: Ties { distances, bends, volumes } } = block;
    let mut points = Points { x, w, first, per_s2, sweep };
    points.distances(distances);
    points.bends(bends);
    points.volumes(volumes);
}

/// Damps velocities by the material loss over a substep of length `s`, like an implicit damper parallel to each spring:
/// `Δλ = −(λ + b ∇C·v)/(1 + b Σ w|∇C|²)`, `Δv = w ∇C Δλ`, `b = s loss/α`. As a term of the position sweeps (over `x`),
/// the damping would slow their convergence.
pub fn lose(block: Block<'_>, x: &[Vec3], s: f64, sweep: Sweep) {
    let Block { y: v, w, first, ties: Ties { distances, bends, .. } } = block;
    let mut losses = Losses { x: &x[first..first + v.len()], v, w, first, s, sweep };
    losses.distances(distances);
    losses.bends(bends);
}

/// Particle indices of a constraint, relative to the first particle of a block.
fn places<const N: usize>(at: [u32; N], first: usize) -> [usize; N] {
    at.map(|i| i as usize - first)
}

/// Positions that constraints change, with inverse masses.
struct Points<'a> {
    x: &'a mut [Vec3],
    w: &'a [f64],
    first: usize,
    per_s2: f64,
    sweep: Sweep,
}

impl Points<'_> {
    fn distances(&mut self, ties: Tied<'_, Distance, f64>) {
        for (c, lambda) in ties.list.iter().zip(ties.push) {
            let [i, j] = places(c.at, self.first);
            let gap = vec3::sub(self.x[i], self.x[j]);
            let length = vec3::norm(gap);
            let soft = c.compliance * self.per_s2;
            let all = (self.w[i] + self.w[j] + soft) * length;
            if all <= 0.0 {
                continue;
            }
            let before = if self.sweep.first { 0.0 } else { *lambda };
            // divided by the length, since the gap is not a unit vector
            let change = (c.length - length - soft * before) / all;
            if !self.sweep.last {
                *lambda = before + change * length;
            }
            self.x[i] = vec3::add_scaled(self.x[i], gap, change * self.w[i]);
            self.x[j] = vec3::add_scaled(self.x[j], gap, -change * self.w[j]);
        }
    }

    fn bends(&mut self, ties: Tied<'_, Bend, Vec3>) {
        for (c, lambda) in ties.list.iter().zip(ties.push) {
            let at = places(c.at, self.first);
            let sum = (0..4).fold([0.0; 3], |sum, k| vec3::add_scaled(sum, self.x[at[k]], c.weight[k]));
            let mut error = sum;
            if c.length > 0.0 {
                let now = vec3::norm(sum);
                if now <= 0.0 {
                    continue;
                }
                error = vec3::scale(sum, 1.0 - c.length / now);
            }
            if !self.sweep.first {
                error = vec3::add_scaled(error, *lambda, c.compliance * self.per_s2);
            }
            let change = vec3::scale(error, -c.answer);
            if !self.sweep.last {
                *lambda = if self.sweep.first { change } else { vec3::add(*lambda, change) };
            }
            for k in 0..4 {
                self.x[at[k]] = vec3::add_scaled(self.x[at[k]], change, self.w[at[k]] * c.weight[k]);
            }
        }
    }

    fn volumes(&mut self, ties: Tied<'_, Volume, f64>) {
        for (c, lambda) in ties.list.iter().zip(ties.push) {
            let at = places(c.at, self.first);
            let p = at.map(|i| self.x[i]);
            let [a, b, d] = [1, 2, 3].map(|k| vec3::sub(p[k], p[0]));
            let of_three = [vec3::cross(b, d), vec3::cross(d, a), vec3::cross(a, b)].map(|g| vec3::scale(g, 1.0 / 6.0));
            let of_first = vec3::scale(vec3::add(vec3::add(of_three[0], of_three[1]), of_three[2]), -1.0);
            let gradient = [of_first, of_three[0], of_three[1], of_three[2]];
            let w = (0..4).fold(0.0, |w, k| w + self.w[at[k]] * vec3::dot(gradient[k], gradient[k]));
            let soft = c.compliance * self.per_s2;
            if w + soft <= 0.0 {
                continue;
            }
            let before = if self.sweep.first { 0.0 } else { *lambda };
            let change = (c.volume - volume(p) - soft * before) / (w + soft);
            if !self.sweep.last {
                *lambda = before + change;
            }
            for k in 0..4 {
                self.x[at[k]] = vec3::add_scaled(self.x[at[k]], gradient[k], self.w[at[k]] * change);
            }
        }
    }
}

/// Velocities changed by damping, at fixed positions.
struct Losses<'a> {
    x: &'a [Vec3],
    v: &'a mut [Vec3],
    w: &'a [f64],
    first: usize,
    s: f64,
    sweep: Sweep,
}

impl Losses<'_> {
    /// Damping along edges. Multipliers are divided by the length here, which saves the square root.
    fn distances(&mut self, ties: Tied<'_, Distance, f64>) {
        for (c, lambda) in ties.list.iter().zip(ties.push).filter(|(c, _)| c.loss > 0.0) {
            let [i, j] = places(c.at, self.first);
            let gap = vec3::sub(self.x[i], self.x[j]);
            let (square, loss) = (vec3::dot(gap, gap), self.s * c.loss);
            // numerator and denominator are multiplied by the compliance, which may be zero
            let all = (c.compliance + loss * (self.w[i] + self.w[j])) * square;
            if all <= 0.0 {
                continue;
            }
            let before = if self.sweep.first { 0.0 } else { *lambda };
            let rate = vec3::dot(gap, vec3::sub(self.v[i], self.v[j]));
            let change = -(c.compliance * square * before + loss * rate) / all;
            if !self.sweep.last {
                *lambda = before + change;
            }
            self.v[i] = vec3::add_scaled(self.v[i], gap, change * self.w[i]);
            self.v[j] = vec3::add_scaled(self.v[j], gap, -change * self.w[j]);
        }
    }

    /// Damping of curvatures.
    fn bends(&mut self, ties: Tied<'_, Bend, Vec3>) {
        for (c, lambda) in ties.list.iter().zip(ties.push).filter(|(c, _)| c.fade > 0.0) {
            let at = places(c.at, self.first);
            let rate = (0..4).fold([0.0; 3], |sum, k| vec3::add_scaled(sum, self.v[at[k]], c.weight[k]));
            let mut push = vec3::scale(rate, -c.fade);
            if !self.sweep.first {
                push = vec3::add_scaled(push, *lambda, -c.fade * c.compliance / (self.s * c.loss));
            }
            if !self.sweep.last {
                *lambda = if self.sweep.first { push } else { vec3::add(*lambda, push) };
            }
            for k in 0..4 {
                self.v[at[k]] = vec3::add_scaled(self.v[at[k]], push, self.w[at[k]] * c.weight[k]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points<'a>(x: &'a mut [Vec3], w: &'a [f64], per_s2: f64, first: bool) -> Points<'a> {
        Points { x, w, first: 0, per_s2, sweep: Sweep { first, last: false } }
    }

    #[test]
    fn a_stretched_edge_gives_way_by_its_compliance() {
        let mut x = [[0.0; 3], [1.02, 0.0, 0.0]];
        let edge = [Distance { at: [1, 0], length: 1.0, compliance: 1e-4, loss: 0.0 }];
        let mut push = [0.0];
        points(&mut x, &[0.5, 1.0], 1e4, true).distances(Tied { list: &edge, push: &mut push });
        assert!((push[0] + 0.008).abs() < 1e-15, "{push:?}");
        assert!((x[1][0] - 1.012).abs() < 1e-15 && (x[0][0] - 0.004).abs() < 1e-15, "{x:?}");
        // a second sweep continues from the multipliers of the first and changes nothing
        points(&mut x, &[0.5, 1.0], 1e4, false).distances(Tied { list: &edge, push: &mut push });
        assert!((x[1][0] - 1.012).abs() < 1e-14, "{x:?}");
    }

    #[test]
    fn a_damper_takes_its_part_of_the_speed_however_often_it_is_asked() {
        // `m v̇ = −(loss/α) v` over the substep, implicitly: v/(1 + s loss/α (w₁ + w₂))
        let x = [[0.0; 3], [0.0, 0.2, 0.0]];
        let edge = [Distance { at: [0, 1], length: 0.1, compliance: 1e-2, loss: 0.5 }];
        for count in [1, 2, 3] {
            let (mut v, mut push) = ([[0.3, -1.0, 0.0], [0.0, 1.0, 0.0]], [0.0]);
            for k in 0..count {
                let sweep = Sweep::new(k, count);
                let mut losses = Losses { x: &x, v: &mut v, w: &[0.5, 1.0], first: 0, s: 0.01, sweep };
                losses.distances(Tied { list: &edge, push: &mut push });
            }
            let rate = v[1][1] - v[0][1];
            assert!((rate - 2.0 / (1.0 + 0.5 * 1.5)).abs() < 1e-15 && v[0][0] == 0.3, "{count}: {v:?}");
        }
    }

    #[test]
    fn a_squeezed_tetrahedron_gets_its_volume_back() {
        let mut x = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.9]];
        let solid = [Volume { at: [0, 1, 2, 3], volume: 1.0 / 6.0, compliance: 0.0 }];
        let mut push = [0.0];
        for sweep in 0..20 {
            points(&mut x, &[1.0; 4], 1.0, sweep == 0).volumes(Tied { list: &solid, push: &mut push });
        }
        assert!((volume(x) - 1.0 / 6.0).abs() < 1e-12);
        let sum = (0..3).map(|k| x.iter().map(|p| p[k]).sum::<f64>());
        assert!(sum.zip([1.0, 1.0, 0.9]).all(|(a, b)| (a - b).abs() < 1e-15), "the centre stays: {x:?}");
    }
}
