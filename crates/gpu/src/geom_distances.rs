//! Pairs of geoms whose distance a sensor needs.

use crate::pairs;
use sinew_engine::Model;
use sinew_engine::model::enums::{DisableFlags, GeomType, ObjType, SensorType as S};
use std::ops::Range;

/// A pair of geoms of a distance sensor.
#[derive(Clone, Copy, Debug)]
pub struct GeomDistance {
    /// The sensor.
    pub sensor: usize,
    /// Geoms in the order of their types.
    pub geoms: [usize; 2],
    /// Whether the order was swapped.
    pub flipped: bool,
    /// Name of the collider.
    pub collider: &'static str,
}

/// The collider that runs GJK and EPA.
const SEARCH: &str = "Convex";

/// Whether a sensor is one of distances between geoms.
fn measures(m: &Model, i: usize) -> bool {
    matches!(m.sensor_type(i), S::Geomdist | S::Geomnormal | S::Geomfromto)
}

/// All pairs of the supported sensors, sensor by sensor, in the order of the engine.
pub fn geom_distances(m: &Model) -> Vec<GeomDistance> {
    (0..m.nsensor).filter_map(|i| of_sensor(m, i)).flatten().collect()
}

/// Pairs of a sensor; `None` if one of them has no collider.
pub fn of_sensor(m: &Model, i: usize) -> Option<Vec<GeomDistance>> {
    let first = if measures(m, i) { geoms(m, m.sensor_objtype(i), m.sensor_objid[i]) } else { 0..0 };
    let second = || geoms(m, m.sensor_reftype(i), m.sensor_refid[i]);
    let all = first.flat_map(|a| second().map(move |b| geom_distance(m, i, [a, b])));
    Some(all.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

/// A geom, or those of a body.
fn geoms(m: &Model, kind: ObjType, id: i32) -> Range<usize> {
    let id = id as usize;
    let body = kind == ObjType::Body;
    let (start, count) = if body { (m.body_geomadr[id].max(0) as usize, m.body_geomnum[id] as usize) } else { (id, 1) };
    start..start + count
}

/// A pair, `Some(None)` if it has no distance; `None` if it has no collider.
fn geom_distance(m: &Model, sensor: usize, [a, b]: [usize; 2]) -> Option<Option<GeomDistance>> {
    let flipped = m.geom_type[a] > m.geom_type[b];
    let geoms = if flipped { [b, a] } else { [a, b] };
    let kinds = geoms.map(|g| m.geom_type(g));
    if kinds.iter().all(|kind| matches!(kind, GeomType::Plane | GeomType::Hfield)) {
        return Some(None);
    }
    let collider = match pairs::collider(kinds)? {
        "HFieldConvex" => return None,
        // their colliders give the depth of boxes, not the distance
        "BoxBox" | "EllipsoidBox" => SEARCH,
        name => name,
    };
    let searched = collider != SEARCH || !m.opt.disabled(DisableFlags::NATIVECCD);
    searched.then_some(Some(GeomDistance { sensor, geoms, flipped, collider }))
}
