//! `mujoco.sdf.torus`: a torus about z.

use super::Kind;
use crate::plugin::Field;
use sinew_math::{MINVAL, Vec3};

/// The torus plugin.
pub const KIND: Kind = Kind {
    name: "mujoco.sdf.torus",
    numbers: &[("radius1", 0.35), ("radius2", 0.15)],
    shape: |n| Box::new(Torus { ring: n[0], tube: n[1] }),
};

#[derive(Debug)]
struct Torus {
    ring: f64,
    tube: f64,
}

impl Torus {
    /// Radial offset from the centre line of the tube, and distance from the axis.
    fn outwards(&self, p: Vec3) -> (f64, f64) {
        let from_axis = (p[0] * p[0] + p[1] * p[1]).sqrt();
        (from_axis - self.ring, from_axis)
    }
}

impl Field for Torus {
    fn distance(&self, p: Vec3) -> f64 {
        let (out, _) = self.outwards(p);
        (out * out + p[2] * p[2]).sqrt() - self.tube
    }

    fn gradient(&self, p: Vec3, _dist: f64) -> Vec3 {
        let (out, from_axis) = self.outwards(p);
        let from_middle = (out * out + p[2] * p[2]).sqrt().max(MINVAL);
        [out * (p[0] / from_axis) / from_middle, out * (p[1] / from_axis) / from_middle, p[2] / from_middle]
    }

    fn aabb(&self) -> [f64; 6] {
        let wide = self.ring + self.tube;
        [0.0, 0.0, 0.0, wide, wide, self.tube]
    }
}
