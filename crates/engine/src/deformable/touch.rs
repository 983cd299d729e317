//! Contacts of particles, and of points between them, with geoms. A contact is a plane that moves with the geom's body
//! and that the point must not cross.

use super::rigid::Rigid;
use sinew_math::{Vec3, vec3};

/// A particle, or a point between particles, near a geom.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Particles, and the weight of each in the point.
    pub at: [u32; 3],
    pub share: [f64; 3],
    /// Index of the body in [`Moving::rigids`]; `None` for a static one.
    pub rigid: Option<u32>,
    /// A point of the plane and the normal, pointing away from the geom, both at the start of the step.
    pub point: Vec3,
    pub normal: Vec3,
    /// Distance that the point keeps from the plane.
    pub radius: f64,
    pub friction: f64,
    /// Accumulated push of the current substep, along the normal and tangential.
    pub press: f64,
    pub drag: Vec3,
}

impl Touch {
    /// Whether the point is a particle, the most common case.
    fn is_particle(&self) -> bool {
        self.share[0] == 1.0
    }

    /// Interpolates a quantity of the particles at the point.
    fn mix(&self, of: &[Vec3]) -> Vec3 {
        if self.is_particle() {
            return of[self.at[0] as usize];
        }
        (0..3).fold([0.0; 3], |sum, k| vec3::add_scaled(sum, of[self.at[k] as usize], self.share[k]))
    }

    /// Inverse mass of the point.
    fn weight(&self, w: &[f64]) -> f64 {
        if self.is_particle() {
            return w[self.at[0] as usize];
        }
        (0..3).fold(0.0, |sum, k| sum + self.share[k] * self.share[k] * w[self.at[k] as usize])
    }

    /// Displaces the point by a push.
    fn push(&self, of: &mut [Vec3], w: &[f64], push: Vec3) {
        for k in 0..if self.is_particle() { 1 } else { 3 } {
            let i = self.at[k] as usize;
            of[i] = vec3::add_scaled(of[i], push, self.share[k] * w[i]);
        }
    }
}

/// Particles in a substep: current positions, positions at its start, inverse masses.
pub struct Moving<'a> {
    pub x: &'a mut [Vec3],
    pub old: &'a [Vec3],
    pub w: &'a [f64],
    pub rigids: &'a mut [Rigid],
    /// Length of the substep.
    pub s: f64,
}

impl Moving<'_> {
    /// Moves particles and bodies until no point is behind its plane, then applies friction: `|λ_t| ≤ μ λ_n`.
    pub fn touches(&mut self, list: &mut [Touch]) {
        for c in list {
            let rigid = c.rigid.map(|r| &self.rigids[r as usize]);
            let (point, n) = rigid.map_or((c.point, c.normal), |r| (r.carry(c.point), r.turn(c.normal)));
            let depth = c.radius - vec3::dot(n, vec3::sub(c.mix(self.x), point));
            if depth <= 0.0 && c.press == 0.0 {
                continue;
            }
            // pushes of the substep act at its starting position
            let at = c.mix(self.old);
            let w = c.weight(self.w) + rigid.map_or(0.0, |r| r.weight(at, n));
            if w <= 0.0 {
                continue;
            }
            // the accumulated push may decrease again, but not below zero
            let press = (c.press + depth / w).max(0.0);
            let change = press - c.press;
            c.press = press;
            self.push(c, at, vec3::scale(n, change));
            if c.friction > 0.0 {
                self.rub(c, at, n);
            }
        }
    }

    /// Applies equal and opposite pushes to a point and a body.
    fn push(&mut self, c: &Touch, at: Vec3, push: Vec3) {
        c.push(self.x, self.w, push);
        if let Some(r) = c.rigid {
            self.rigids[r as usize].shift(at, vec3::scale(push, -1.0), self.s);
        }
    }

    fn rub(&mut self, c: &mut Touch, at: Vec3, n: Vec3) {
        let rigid = c.rigid.map(|r| &self.rigids[r as usize]);
        let along = vec3::sub(vec3::sub(c.mix(self.x), at), rigid.map_or([0.0; 3], |r| r.motion(at)));
        let slip = vec3::add_scaled(along, n, -vec3::dot(along, n));
        let (direction, length) = vec3::normalize(slip);
        if length <= 0.0 {
            return;
        }
        let w = c.weight(self.w) + rigid.map_or(0.0, |r| r.weight(at, direction));
        let wanted = vec3::add_scaled(c.drag, slip, -1.0 / w);
        let (size, most) = (vec3::norm(wanted), c.friction * c.press);
        let drag = if size > most { vec3::scale(wanted, most / size) } else { wanted };
        let change = vec3::sub(drag, c.drag);
        c.drag = drag;
        self.push(c, at, change);
    }
}

/// Removes the velocity with which points leave their planes, since existing overlap would otherwise turn into
/// velocity. The impulse of a contact is at most what it pushed with in the substep.
pub fn calm(list: &[Touch], v: &mut [Vec3], x: &[Vec3], w: &[f64], rigids: &mut [Rigid], s: f64) {
    for c in list.iter().filter(|c| c.press > 0.0) {
        let at = c.mix(x);
        let rigid = c.rigid.map(|r| &mut rigids[r as usize]);
        let n = rigid.as_ref().map_or(c.normal, |r| r.turn(c.normal));
        let leaving = vec3::dot(n, vec3::sub(c.mix(v), rigid.as_ref().map_or([0.0; 3], |r| r.velocity(at))));
        if leaving > 0.0 {
            let weight = c.weight(w) + rigid.as_ref().map_or(0.0, |r| r.weight(at, n));
            let push = vec3::scale(n, -(leaving / weight).min(c.press / s));
            c.push(v, w, push);
            if let Some(r) = rigid {
                r.kick(at, vec3::scale(push, -1.0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_particle_comes_out_once() {
        let mut touch = [Touch {
            at: [0; 3],
            share: [1.0, 0.0, 0.0],
            rigid: None,
            point: [0.0; 3],
            normal: [0.0, 0.0, 1.0],
            radius: 0.0,
            friction: 0.5,
            press: 0.0,
            drag: [0.0; 3],
        }];
        let (mut x, old) = ([[0.0, 0.0, -0.01]], [[-1.0, 0.0, -0.01]]);
        for _ in 0..2 {
            let mut moving = Moving { x: &mut x, old: &old, w: &[2.0], rigids: &mut [], s: 1.0 };
            moving.touches(&mut touch);
            // it comes out by 1 cm, and friction reduces the slide by half of that
            assert!((x[0][2]).abs() < 1e-17 && (x[0][0] + 0.005).abs() < 1e-17, "{x:?}");
        }
    }
}
