//! `mujoco.sdf.bolt`: a threaded rod with a hexagonal head at its top.

use super::screw::{AABB, Place, SLOPE};
use super::{Kind, without};
use crate::plugin::Field;
use sinew_math::Vec3;

/// The bolt plugin.
pub const KIND: Kind =
    Kind { name: "mujoco.sdf.bolt", numbers: &[("radius", 0.26)], shape: |n| Box::new(Bolt { radius: n[0] }) };

#[derive(Debug)]
struct Bolt {
    radius: f64,
}

impl Field for Bolt {
    fn distance(&self, p: Vec3) -> f64 {
        let place = Place::new(p, self.radius);
        let rod = without(place.thread(), 0.5 - (p[2] + 0.5).abs());
        let pointed = without(rod, place.cone() + 1.0 * SLOPE);
        pointed.min(place.head())
    }

    fn aabb(&self) -> [f64; 6] {
        AABB
    }
}
