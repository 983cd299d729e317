//! Distances between geoms.

use super::shape::{settings, with_shapes};
use crate::data::Pose;
use crate::model::Model;
use sinew_geometry::collide;

pub use sinew_geometry::collide::{Distance, Work};

/// Signed distance between two geoms, up to `distmax`, and the segment between their nearest points; zeros if the geoms
/// are farther apart.
///
/// *Reads* `geom_xpos`, `geom_xmat`.
#[doc(alias = "mj_geomDistance")]
pub fn geom_distance(m: &Model, pose: &Pose, geoms: [usize; 2], distmax: f64, work: &mut Work) -> Distance {
    let nothing = Distance { dist: distmax, ..Distance::default() };
    with_shapes(m, pose, geoms, |a, b| collide::distance(a, b, distmax, &settings(m), work)).unwrap_or(nothing)
}
