//! Conserves angular momentum of deformables that nothing holds. Constraints push along directions that change during
//! the sweeps, whereas impulses act at the starting positions of the substep, so sweeps would change the angular
//! momentum in proportion to the rotation of edges in a substep. The change is undone by a rigid rotation.

use super::plan::{Held, Plan};
use sinew_math::{Vec3, vec3};

/// Deformables that can rotate freely, with their angular momenta.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// Particle range of each, and `Σ m at × y`.
    parts: Vec<(std::ops::Range<usize>, Vec3)>,
    mass: Vec<f64>,
}

impl Turns {
    pub fn new(plan: &Plan) -> Self {
        let ranges = plan.first.windows(2).map(|ends| ends[0]..ends[1]);
        let free = |range: &std::ops::Range<usize>| plan.particles[range.clone()].iter().all(|p| p.held != Held::Still);
        let parts = ranges.filter(free).map(|range| (range, [0.0; 3])).collect();
        Turns { parts, mass: vec![0.0; plan.particles.len()] }
    }

    /// Sets the masses from inverse masses.
    pub fn weigh(&mut self, w: &[f64]) {
        self.mass.iter_mut().zip(w).for_each(|(m, w)| *m = 1.0 / w);
    }

    /// Stores the angular momentum of particles at positions `at`, with `y` their velocities or their positions at the
    /// end of a substep.
    pub fn note(&mut self, at: &[Vec3], y: &[Vec3]) {
        for (range, sum) in &mut self.parts {
            *sum = momentum(&at[range.clone()], &y[range.clone()], &self.mass[range.clone()]);
        }
    }

    /// Restores the stored angular momentum.
    pub fn keep(&self, at: &[Vec3], y: &mut [Vec3]) {
        for (range, wanted) in &self.parts {
            turn(&at[range.clone()], &mut y[range.clone()], &self.mass[range.clone()], *wanted);
        }
    }
}

fn momentum(at: &[Vec3], y: &[Vec3], mass: &[f64]) -> Vec3 {
    at.iter().zip(y).zip(mass).fold([0.0; 3], |sum, ((at, y), m)| vec3::add_scaled(sum, vec3::cross(*at, *y), *m))
}

/// `y += θ × (at − centre)`, with `I θ` the difference between the momentum `wanted` and the current one.
fn turn(at: &[Vec3], y: &mut [Vec3], mass: &[f64], wanted: Vec3) {
    let Some(&origin) = at.first() else { return };
    // all sums in one pass about a particle, since the centre is not yet known
    let (mut total, mut first, mut square, mut now) = (0.0, [0.0; 3], [[0.0; 3]; 3], [0.0; 3]);
    for ((at, y), &m) in at.iter().zip(&*y).zip(mass) {
        let r = vec3::sub(*at, origin);
        let moment = vec3::scale(r, m);
        total += m;
        first = vec3::add(first, moment);
        (0..3).for_each(|k| square[k] = vec3::add_scaled(square[k], moment, r[k]));
        now = vec3::add_scaled(now, vec3::cross(*at, *y), m);
    }
    let (missing, arm) = (vec3::sub(wanted, now), vec3::scale(first, 1.0 / total));
    (0..3).for_each(|k| square[k] = vec3::add_scaled(square[k], first, -arm[k]));
    let size = square[0][0] + square[1][1] + square[2][2];
    let inertia: [Vec3; 3] = std::array::from_fn(|k| {
        let mut row = vec3::scale(square[k], -1.0);
        // a straight rope has no inertia about its own axis
        row[k] += size * (1.0 + THIN);
        row
    });
    let cross = [1, 2, 0].map(|k: usize| vec3::cross(inertia[k], inertia[(k + 1) % 3]));
    let angle = (0..3).fold([0.0; 3], |sum, k| vec3::add_scaled(sum, cross[k], missing[k]));
    let angle = vec3::scale(angle, 1.0 / vec3::dot(inertia[0], cross[0]));
    if angle.iter().all(|a| a.is_finite()) {
        let center = vec3::add(origin, arm);
        for (at, y) in at.iter().zip(y) {
            *y = vec3::add(*y, vec3::cross(angle, vec3::sub(*at, center)));
        }
    }
}

/// Moment of inertia added to avoid a singular matrix, relative to the trace.
const THIN: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_gives_back_what_is_missing_and_moves_no_centre() {
        let at = [[0.0, 0.0, 1.0], [1.0, 0.2, 0.0], [0.0, 1.0, 0.3], [0.4, -0.5, 0.0]];
        let (mut y, mass) = ([[0.1, 0.0, 0.0], [0.0, 0.2, 0.1], [0.0; 3], [0.3; 3]], [1.0, 0.5, 2.0, 1.0]);
        let mean = |y: &[Vec3]| y.iter().zip(mass).fold([0.0; 3], |sum, (y, m)| vec3::add_scaled(sum, *y, m));
        let (before, center, missing) = (momentum(&at, &y, &mass), mean(&y), [0.1, -0.2, 0.3]);
        turn(&at, &mut y, &mass, vec3::add(before, missing));
        let gain = vec3::sub(momentum(&at, &y, &mass), before);
        assert!(vec3::dist(gain, missing) < 1e-8, "{gain:?}");
        assert!(vec3::dist(mean(&y), center) < 1e-14);
    }
}
