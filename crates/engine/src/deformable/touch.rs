//! Contacts of particles with geoms. A contact is a plane that moves with the geom's body; the particle stays beyond it.

use super::rigid::Rigid;
use sinew_math::{Vec3, vec3};

/// A particle near a geom.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub particle: u32,
    /// Which of the bodies near deformables; `None` for one that stands still.
    pub rigid: Option<u32>,
    pub geom: u32,
    /// A point of the plane and its normal, away from the geom, where they were when the step began.
    pub point: Vec3,
    pub normal: Vec3,
    /// How far the particle stays away from the plane.
    pub radius: f64,
    pub friction: f64,
    /// Push of the present substep, along the normal and across it.
    pub press: f64,
    pub drag: Vec3,
}

/// Particles in a substep: where they are, where it began, inverse masses.
pub struct Moving<'a> {
    pub x: &'a mut [Vec3],
    pub old: &'a [Vec3],
    pub w: &'a [f64],
    pub rigids: &'a mut [Rigid],
    /// Length of the substep.
    pub s: f64,
}

impl Moving<'_> {
    /// Moves particles and bodies until no particle is behind its plane, then against sliding: `|λ_t| ≤ μ λ_n`.
    pub fn touches(&mut self, list: &mut [Touch]) {
        for c in list {
            let i = c.particle as usize;
            let rigid = c.rigid.map(|r| &mut self.rigids[r as usize]);
            let (point, n) = rigid.as_ref().map_or((c.point, c.normal), |r| (r.carry(c.point), r.turn(c.normal)));
            let x = self.x[i];
            let depth = c.radius - vec3::dot(n, vec3::sub(x, point));
            let w = self.w[i] + rigid.as_ref().map_or(0.0, |r| r.weight(x, n));
            // what has been pushed too far may come back
            let press = (c.press + depth / w).max(0.0);
            let change = press - c.press;
            c.press = press;
            if change == 0.0 && press == 0.0 {
                continue;
            }
            self.push(i, c.rigid, vec3::scale(n, change));
            self.rub(c, n);
        }
    }

    /// Equal and opposite pushes of a particle and a body.
    fn push(&mut self, i: usize, rigid: Option<u32>, push: Vec3) {
        let at = self.x[i];
        self.x[i] = vec3::add_scaled(at, push, self.w[i]);
        if let Some(r) = rigid {
            self.rigids[r as usize].shift(at, vec3::scale(push, -1.0), self.s);
        }
    }

    fn rub(&mut self, c: &mut Touch, n: Vec3) {
        if c.friction <= 0.0 {
            return;
        }
        let i = c.particle as usize;
        let rigid = c.rigid.map(|r| &self.rigids[r as usize]);
        let x = self.x[i];
        let along = vec3::sub(vec3::sub(x, self.old[i]), rigid.map_or([0.0; 3], |r| r.motion(x)));
        let slip = vec3::add_scaled(along, n, -vec3::dot(along, n));
        let (direction, length) = vec3::normalize(slip);
        if length <= 0.0 {
            return;
        }
        let w = self.w[i] + rigid.map_or(0.0, |r| r.weight(x, direction));
        let wanted = vec3::add_scaled(c.drag, slip, -1.0 / w);
        let (size, most) = (vec3::norm(wanted), c.friction * c.press);
        let drag = if size > most { vec3::scale(wanted, most / size) } else { wanted };
        let change = vec3::sub(drag, c.drag);
        c.drag = drag;
        self.push(i, c.rigid, change);
    }
}

/// Takes away the velocity with which particles leave their planes: overlap that was there before would otherwise become
/// speed. No contact pulls more in a substep than it has pushed.
pub fn calm(list: &[Touch], v: &mut [Vec3], x: &[Vec3], w: &[f64], rigids: &mut [Rigid], s: f64) {
    for c in list.iter().filter(|c| c.press > 0.0) {
        let i = c.particle as usize;
        let rigid = c.rigid.map(|r| &mut rigids[r as usize]);
        let n = rigid.as_ref().map_or(c.normal, |r| r.turn(c.normal));
        let leaving = vec3::dot(n, vec3::sub(v[i], rigid.as_ref().map_or([0.0; 3], |r| r.velocity(x[i]))));
        if leaving > 0.0 {
            let weight = w[i] + rigid.as_ref().map_or(0.0, |r| r.weight(x[i], n));
            let push = vec3::scale(n, -(leaving / weight).min(c.press / s));
            v[i] = vec3::add_scaled(v[i], push, w[i]);
            if let Some(r) = rigid {
                r.kick(x[i], vec3::scale(push, -1.0));
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
            particle: 0,
            rigid: None,
            geom: 0,
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
            // it comes out by 1 cm, and friction takes half as much off its slide
            assert!((x[0][2]).abs() < 1e-17 && (x[0][0] + 0.005).abs() < 1e-17, "{x:?}");
        }
    }
}
