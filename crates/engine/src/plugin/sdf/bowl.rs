//! `mujoco.sdf.bowl`: a spherical shell about the origin, cut off at a height.

use super::Kind;
use crate::plugin::Field;
use sinew_math::Vec3;

/// The bowl plugin.
pub const KIND: Kind = Kind {
    name: "mujoco.sdf.bowl",
    numbers: &[("height", 0.4), ("radius", 1.0), ("thickness", 0.02)],
    shape: |n| Box::new(Bowl { height: n[0], radius: n[1], thickness: n[2] }),
};

#[derive(Debug)]
struct Bowl {
    height: f64,
    radius: f64,
    thickness: f64,
}

fn norm(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

impl Field for Bowl {
    fn distance(&self, p: Vec3) -> f64 {
        // in the half-plane through the axis, the rim is a point and the wall an arc
        let rim = (self.radius * self.radius - self.height * self.height).sqrt();
        let (r, z) = (norm(p[0], p[1]), p[2]);
        let above_rim = self.height * r < rim * z;
        let dist = if above_rim { norm(r - rim, z - self.height) } else { (norm(r, z) - self.radius).abs() };
        dist - self.thickness
    }

    fn aabb(&self) -> [f64; 6] {
        let half = self.radius + self.thickness;
        [0.0, 0.0, 0.0, half, half, half]
    }
}
