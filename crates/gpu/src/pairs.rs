//! Pairs of geoms that may touch, kind by kind.

use crate::refuse::Refusal;
use sinew_engine::Model;
use sinew_engine::collision::{Possible, possible};
use sinew_engine::data::Data;
use sinew_engine::model::enums::{DisableFlags, GeomType, ObjType};

/// The kernels of pairs and what they are for, in the order they run.
const KINDS: &[(&str, GeomType, GeomType, usize)] = &[
    ("PlaneSphere", GeomType::Plane, GeomType::Sphere, 1),
    ("PlaneCapsule", GeomType::Plane, GeomType::Capsule, 2),
    ("PlaneEllipsoid", GeomType::Plane, GeomType::Ellipsoid, 1),
    ("PlaneCylinder", GeomType::Plane, GeomType::Cylinder, 4),
    ("PlaneBox", GeomType::Plane, GeomType::Box, 4),
    ("SphereSphere", GeomType::Sphere, GeomType::Sphere, 1),
    ("SphereCapsule", GeomType::Sphere, GeomType::Capsule, 1),
    ("SphereCylinder", GeomType::Sphere, GeomType::Cylinder, 1),
    ("SphereBox", GeomType::Sphere, GeomType::Box, 1),
    ("CapsuleCapsule", GeomType::Capsule, GeomType::Capsule, 2),
];

/// Pairs in the order of their kinds.
#[derive(Debug, Default)]
pub struct Pairs {
    /// All pairs.
    pub all: Vec<Possible>,
    /// Name of a kernel, and its first and last pair.
    pub kinds: Vec<(&'static str, usize, usize)>,
    /// The most contacts there can be.
    pub most: usize,
}

/// Pairs of a model.
pub fn pairs(m: &Model, d: &Data) -> Result<Pairs, Refusal> {
    let off = m.opt.disabled(DisableFlags::CONSTRAINT | DisableFlags::CONTACT);
    let found = if off { Vec::new() } else { possible(m, &d.awake) };
    let kind = |p: &Possible| KINDS.iter().position(|k| [k.1, k.2] == p.geoms.map(|g| m.geom_type(g)));
    if let Some(p) = found.iter().find(|p| kind(p).is_none()) {
        let [a, b] = p.geoms.map(|g| m.geom_type(g));
        return Err(Refusal::element(m, format!("contacts of {a:?} and {b:?}"), ObjType::Geom, p.geoms[1]));
    }
    if found.len() > usize::from(u16::MAX) {
        return Err(Refusal {
            what: format!("{} pairs of geoms", found.len()),
            of: None,
            advice: "reduce contact types",
        });
    }
    let mut pairs = Pairs::default();
    for (k, (name, _, _, contacts)) in KINDS.iter().enumerate() {
        let first = pairs.all.len();
        pairs.all.extend(found.iter().filter(|p| kind(p) == Some(k)));
        let count = pairs.all.len() - first;
        if count > 0 {
            pairs.kinds.push((name, first, first + count));
            pairs.most += count * contacts;
        }
    }
    Ok(pairs)
}
