//! `mujoco.sdf.nut`: a hexagonal head with a threaded hole.

use super::screw::{AABB, Place, SLOPE};
use super::{Kind, without};
use crate::plugin::Field;
use sinew_math::Vec3;

/// The nut plugin.
pub const KIND: Kind =
    Kind { name: "mujoco.sdf.nut", numbers: &[("radius", 0.26)], shape: |n| Box::new(Nut { radius: n[0] }) };

#[derive(Debug)]
struct Nut {
    radius: f64,
}

impl Field for Nut {
    fn distance(&self, p: Vec3) -> f64 {
        let place = Place::new(p, self.radius);
        let cone = place.cone();
        let hole = without(place.thread(), cone + 0.5 * SLOPE).min(-cone - 0.05 * SLOPE);
        without(place.head(), hole)
    }

    fn aabb(&self) -> [f64; 6] {
        AABB
    }
}
