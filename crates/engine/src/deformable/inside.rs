//! Constraints between the particles of a deformable: `Δλ = −(C + α λ/s²)/(Σ w |∇C|² + α/s²)`, `Δx = w ∇C Δλ`, with `s` the
//! substep. `λ` is kept over the sweeps of a substep. Macklin, Müller, Chentanez, XPBD, MIG 2016.

use super::plan::{Bend, Distance, Volume, volume};
use sinew_math::{Vec3, vec3};

/// Positions that constraints move, and their inverse masses.
pub struct Points<'a> {
    pub x: &'a mut [Vec3],
    pub w: &'a [f64],
    /// One over the square of the substep.
    pub per_s2: f64,
    /// Whether this is the first sweep of the substep, and the last.
    pub first: bool,
    pub last: bool,
}

impl Points<'_> {
    /// Keeps distances.
    pub fn distances(&mut self, list: &[Distance], lambda: &mut [f64]) {
        for (c, lambda) in list.iter().zip(lambda) {
            let [i, j] = c.at.map(|i| i as usize);
            let gap = vec3::sub(self.x[i], self.x[j]);
            let length = vec3::dot(gap, gap).sqrt();
            let (w, soft) = (self.w[i] + self.w[j], c.compliance * self.per_s2);
            if length <= 0.0 || w <= 0.0 {
                continue;
            }
            let before = if self.first { 0.0 } else { *lambda };
            let change = (c.length - length - soft * before) / (w + soft);
            if !self.last {
                *lambda = before + change;
            }
            let pull = vec3::scale(gap, change / length);
            self.x[i] = vec3::add_scaled(self.x[i], pull, self.w[i]);
            self.x[j] = vec3::add_scaled(self.x[j], pull, -self.w[j]);
        }
    }

    /// Keeps curvatures.
    pub fn bends(&mut self, list: &[Bend], lambda: &mut [Vec3]) {
        for (c, lambda) in list.iter().zip(lambda) {
            let at = c.at.map(|i| i as usize);
            let sum = (0..4).fold([0.0; 3], |sum, k| vec3::add_scaled(sum, self.x[at[k]], c.weight[k]));
            let w = (0..4).fold(0.0, |w, k| w + self.w[at[k]] * c.weight[k] * c.weight[k]);
            let mut error = sum;
            if c.length > 0.0 {
                let now = vec3::norm(sum);
                if now <= 0.0 {
                    continue;
                }
                error = vec3::scale(sum, 1.0 - c.length / now);
            }
            let soft = c.compliance * self.per_s2;
            let before = if self.first { [0.0; 3] } else { *lambda };
            let change = vec3::scale(vec3::add_scaled(error, before, soft), -1.0 / (w + soft));
            if !self.last {
                *lambda = vec3::add(before, change);
            }
            for k in 0..4 {
                self.x[at[k]] = vec3::add_scaled(self.x[at[k]], change, self.w[at[k]] * c.weight[k]);
            }
        }
    }

    /// Keeps volumes.
    pub fn volumes(&mut self, list: &[Volume], lambda: &mut [f64]) {
        for (c, lambda) in list.iter().zip(lambda) {
            let at = c.at.map(|i| i as usize);
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
            let before = if self.first { 0.0 } else { *lambda };
            let change = (c.volume - volume(p) - soft * before) / (w + soft);
            if !self.last {
                *lambda = before + change;
            }
            for k in 0..4 {
                self.x[at[k]] = vec3::add_scaled(self.x[at[k]], gradient[k], self.w[at[k]] * change);
            }
        }
    }
}

/// Velocities that the loss of a material takes away in a substep, as a damper beside each spring does, implicitly:
/// `Δλ = −(λ + b ∇C·v)/(1 + b Σ w|∇C|²)`, `Δv = w ∇C Δλ`, `b = s loss/α`. Counted in the sweeps over positions instead,
/// it would slow them down.
pub struct Losses<'a> {
    pub x: &'a [Vec3],
    pub v: &'a mut [Vec3],
    pub w: &'a [f64],
    pub s: f64,
    /// Whether this is the first sweep of the substep, and the last.
    pub first: bool,
    pub last: bool,
}

impl Losses<'_> {
    /// Along edges.
    pub fn distances(&mut self, list: &[Distance], lambda: &mut [f64]) {
        for (c, lambda) in list.iter().zip(lambda).filter(|(c, _)| c.loss > 0.0) {
            let [i, j] = c.at.map(|i| i as usize);
            let (n, length) = vec3::normalize(vec3::sub(self.x[i], self.x[j]));
            let w = self.w[i] + self.w[j];
            if length <= 0.0 || w <= 0.0 {
                continue;
            }
            let before = if self.first { 0.0 } else { *lambda };
            let rate = vec3::dot(n, vec3::sub(self.v[i], self.v[j]));
            // both sides times the compliance, which may be zero
            let per = 1.0 / (c.compliance + self.s * c.loss * w);
            let change = -per * (c.compliance * before + self.s * c.loss * rate);
            if !self.last {
                *lambda = before + change;
            }
            let push = vec3::scale(n, change);
            self.v[i] = vec3::add_scaled(self.v[i], push, self.w[i]);
            self.v[j] = vec3::add_scaled(self.v[j], push, -self.w[j]);
        }
    }

    /// Of curvatures.
    pub fn bends(&mut self, list: &[Bend], lambda: &mut [Vec3]) {
        for (c, lambda) in list.iter().zip(lambda).filter(|(c, _)| c.loss > 0.0) {
            let at = c.at.map(|i| i as usize);
            let w = (0..4).fold(0.0, |w, k| w + self.w[at[k]] * c.weight[k] * c.weight[k]);
            let rate = (0..4).fold([0.0; 3], |sum, k| vec3::add_scaled(sum, self.v[at[k]], c.weight[k]));
            let before = if self.first { [0.0; 3] } else { *lambda };
            let per = 1.0 / (c.compliance + self.s * c.loss * w);
            let all = vec3::add_scaled(vec3::scale(before, c.compliance), rate, self.s * c.loss);
            let push = vec3::scale(all, -per);
            if !self.last {
                *lambda = vec3::add(before, push);
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
        Points { x, w, per_s2, first, last: false }
    }

    #[test]
    fn a_stretched_edge_gives_way_by_its_compliance() {
        let mut x = [[0.0; 3], [1.02, 0.0, 0.0]];
        let edge = Distance { at: [1, 0], length: 1.0, compliance: 1e-4, loss: 0.0 };
        let mut lambda = [0.0];
        points(&mut x, &[0.5, 1.0], 1e4, true).distances(&[edge], &mut lambda);
        assert!((lambda[0] + 0.008).abs() < 1e-15, "{lambda:?}");
        assert!((x[1][0] - 1.012).abs() < 1e-15 && (x[0][0] - 0.004).abs() < 1e-15, "{x:?}");
        // a second sweep knows what the first has done
        points(&mut x, &[0.5, 1.0], 1e4, false).distances(&[edge], &mut lambda);
        assert!((x[1][0] - 1.012).abs() < 1e-14, "{x:?}");
    }

    #[test]
    fn a_squeezed_tetrahedron_gets_its_volume_back() {
        let mut x = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.9]];
        let solid = Volume { at: [0, 1, 2, 3], volume: 1.0 / 6.0, compliance: 0.0 };
        let mut lambda = [0.0];
        for sweep in 0..20 {
            points(&mut x, &[1.0; 4], 1.0, sweep == 0).volumes(&[solid], &mut lambda);
        }
        assert!((volume(x) - 1.0 / 6.0).abs() < 1e-12);
        let sum = (0..3).map(|k| x.iter().map(|p| p[k]).sum::<f64>());
        assert!(sum.zip([1.0, 1.0, 0.9]).all(|(a, b)| (a - b).abs() < 1e-15), "the centre stays: {x:?}");
    }
}
