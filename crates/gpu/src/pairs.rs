//! Pairs of geoms that may collide, sorted by collider.

use crate::broadphase::Broadphase;
use crate::hull_faces::HullFaces;
use crate::refuse::Refusal;
use sinew_engine::Model;
use sinew_engine::collision::{Possible, possible};
use sinew_engine::data::Data;
use sinew_engine::model::enums::{DisableFlags, EnableFlags, GeomType, ObjType};

/// A collider: a function of the kernels for pairs of certain geom types.
#[derive(Clone, Copy, Debug)]
struct Collider {
    name: &'static str,
    first: &'static [GeomType],
    second: &'static [GeomType],
    /// Maximum number of contacts per pair.
    most: usize,
    work: Work,
}

/// How lanes share the work. The names, in upper case, are those of the kernels' macros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// One lane per pair.
    PerLane,
    /// All lanes of a warp on one pair at a time.
    PerWarp,
    /// All lanes on all pairs at once.
    Spread,
}

/// A collider with one lane per pair.
const fn per_lane(
    name: &'static str,
    first: &'static [GeomType],
    second: &'static [GeomType],
    most: usize,
) -> Collider {
    Collider { name, first, second, most, work: Work::PerLane }
}

/// A collider with a warp per pair.
const fn per_warp(
    name: &'static str,
    first: &'static [GeomType],
    second: &'static [GeomType],
    most: usize,
) -> Collider {
    Collider { name, first, second, most, work: Work::PerWarp }
}

const PLANE: &[GeomType] = &[GeomType::Plane];
const HFIELD: &[GeomType] = &[GeomType::Hfield];
const SPHERE: &[GeomType] = &[GeomType::Sphere];
const CAPSULE: &[GeomType] = &[GeomType::Capsule];
const ELLIPSOID: &[GeomType] = &[GeomType::Ellipsoid];
const CYLINDER: &[GeomType] = &[GeomType::Cylinder];
const BOX: &[GeomType] = &[GeomType::Box];
const MESH: &[GeomType] = &[GeomType::Mesh];
const ROUND: &[GeomType] = &[GeomType::Sphere, GeomType::Capsule];
const ELLIPSOID_FIRST: &[GeomType] = &[GeomType::Sphere, GeomType::Capsule, GeomType::Ellipsoid];
const ELLIPSOID_SECOND: &[GeomType] = &[GeomType::Ellipsoid, GeomType::Box];
const CONVEX: &[GeomType] =
    &[GeomType::Sphere, GeomType::Capsule, GeomType::Ellipsoid, GeomType::Cylinder, GeomType::Box, GeomType::Mesh];

const MULTICONTACT_TYPES: &[GeomType] = &[GeomType::Capsule, GeomType::Cylinder, GeomType::Box, GeomType::Mesh];

/// Colliders that depend on settings: multiple contacts with the flag multiccd, and MPR for all convex pairs with the
/// flag nativeccd disabled.
const MULTICONTACT: &str = "MultiCcd";
const MPR: &str = "MprConvex";
const ELLIPSOID_BOX: &str = "EllipsoidBox";
const BOX_MESH: &str = "BoxMesh";

/// Maximum number of contacts of a shape with a height field.
const MAX_HFIELD_CONTACTS: usize = 50;

/// Colliders with at most this many contacts per pair run together in one pass.
const MAX_FEW_CONTACTS: usize = 2;

/// All colliders in the order they run, those with few contacts first. The first that applies to a pair is taken.
const COLLIDERS: &[Collider] = &[
    per_lane("PlaneSphere", PLANE, SPHERE, 1),
    per_lane("PlaneCapsule", PLANE, CAPSULE, 2),
    per_lane("PlaneEllipsoid", PLANE, ELLIPSOID, 1),
    per_lane("SphereSphere", SPHERE, SPHERE, 1),
    per_lane("SphereCapsule", SPHERE, CAPSULE, 1),
    per_lane("SphereCylinder", SPHERE, CYLINDER, 1),
    per_lane("SphereBox", SPHERE, BOX, 1),
    per_lane("CapsuleCapsule", CAPSULE, CAPSULE, 2),
    per_lane("PlaneCylinder", PLANE, CYLINDER, 4),
    per_lane("PlaneBox", PLANE, BOX, 4),
    per_lane("PlaneMesh", PLANE, MESH, 3),
    per_warp("CapsuleBox", CAPSULE, BOX, 2),
    per_warp("BoxBox", BOX, BOX, 12),
    Collider { name: "HFieldRound", first: HFIELD, second: ROUND, most: MAX_HFIELD_CONTACTS, work: Work::Spread },
    per_warp("HFieldConvex", HFIELD, CONVEX, MAX_HFIELD_CONTACTS),
    per_warp(ELLIPSOID_BOX, ELLIPSOID_FIRST, ELLIPSOID_SECOND, 1),
    per_warp(MULTICONTACT, MULTICONTACT_TYPES, MULTICONTACT_TYPES, 5),
    per_warp(MPR, CONVEX, CONVEX, 1),
    per_warp(BOX_MESH, BOX, MESH, 1),
    per_warp("Convex", CONVEX, CONVEX, 1),
];

/// Pairs of one collider.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name of the collider.
    pub name: &'static str,
    /// Index of the first pair, and of the one after the last.
    pub range: [usize; 2],
    /// How lanes share the work.
    pub work: Work,
    /// Maximum number of contacts per pair.
    pub most: usize,
}

impl Pairs {
    /// Whether pairs may have several contacts because of the flag multiccd.
    pub fn multicontact(&self) -> bool {
        self.kinds.iter().any(|k| k.name == MULTICONTACT)
    }
}

impl Kind {
    /// Whether it runs in one pass with other colliders of few contacts.
    pub fn few(&self) -> bool {
        self.work == Work::PerLane && self.most <= MAX_FEW_CONTACTS
    }
}

/// Pairs sorted by collider.
#[derive(Debug, Default)]
pub struct Pairs {
    /// All pairs.
    pub all: Vec<Possible>,
    /// The colliders in use.
    pub kinds: Vec<Kind>,
    /// Maximum number of contacts.
    pub most: usize,
    /// Positions of the pairs in the engine's order.
    pub ranks: Vec<usize>,
    /// Faces and edges of the mesh hulls that may overlap boxes.
    pub hull_faces: HullFaces,
    /// Pairs grouped by bodies.
    pub broadphase: Broadphase,
}

/// The collider of two geom types in ascending order, under default settings and without those that use all lanes on
/// all pairs.
pub fn collider([a, b]: [GeomType; 2]) -> Option<&'static str> {
    let special = |k: &Collider| k.work == Work::Spread || matches!(k.name, MULTICONTACT | MPR | BOX_MESH);
    let fits = |k: &&Collider| k.first.contains(&a) && k.second.contains(&b) && !special(k);
    COLLIDERS.iter().find(fits).map(|k| k.name)
}

/// Pairs of a model.
pub fn pairs(m: &Model, d: &Data) -> Result<Pairs, Refusal> {
    let off = m.opt.disabled(DisableFlags::CONSTRAINT | DisableFlags::CONTACT);
    let found = if off { Vec::new() } else { possible(m, &d.awake) };
    let beside_boxes = found.iter().filter(|p| m.geom_type(p.geoms[0]) == GeomType::Box).map(|p| p.geoms[1]);
    let hull_faces = HullFaces::new(m, beside_boxes);
    let kind = |p: &Possible| {
        let [a, b] = p.geoms.map(|g| m.geom_type(g));
        let known = |k: &Collider| k.name != BOX_MESH || hull_faces.has(p.geoms[1]);
        let fits = |k: &Collider| k.first.contains(&a) && k.second.contains(&b) && is_for(m, k, p.geoms) && known(k);
        COLLIDERS.iter().position(fits)
    };
    if let Some(p) = found.iter().find(|p| kind(p).is_none()) {
        let [a, b] = p.geoms.map(|g| m.geom_type(g));
        return Err(Refusal::element(m, format!("contacts of {a:?} and {b:?}"), ObjType::Geom, p.geoms[1]));
    }
    if found.len() > usize::from(u16::MAX) {
        return Err(Refusal::advised(format!("{} pairs of geoms", found.len()), "reduce contact types"));
    }
    let mut pairs = Pairs::default();
    for (k, collider) in COLLIDERS.iter().enumerate() {
        let first = pairs.all.len();
        let of_kind = || found.iter().enumerate().filter(|(_, p)| kind(p) == Some(k));
        pairs.all.extend(of_kind().map(|(_, p)| p));
        pairs.ranks.extend(of_kind().map(|(rank, _)| rank));
        let last = pairs.all.len();
        if last > first {
            pairs.kinds.push(Kind {
                name: collider.name,
                range: [first, last],
                work: collider.work,
                most: collider.most,
            });
            pairs.most += (last - first) * collider.most;
        }
    }
    pairs.hull_faces = hull_faces;
    pairs.broadphase = Broadphase::new(m, &pairs);
    searches(m, &pairs)?;
    Ok(pairs)
}

/// Whether a collider applies to a pair under the settings of a model.
fn is_for(m: &Model, collider: &Collider, geoms: [usize; 2]) -> bool {
    let native = !m.opt.disabled(DisableFlags::NATIVECCD);
    match collider.name {
        MULTICONTACT => m.opt.enabled(EnableFlags::MULTICCD),
        MPR => !native,
        ELLIPSOID_BOX | BOX_MESH => native,
        _ => collider.work != Work::Spread || few_prisms(m, geoms),
    }
}

/// Whether a shape is never over more prisms of a height field than it can have contacts.
fn few_prisms(m: &Model, [field, shape]: [usize; 2]) -> bool {
    let Ok(id) = usize::try_from(m.geom_dataid[field]) else { return false };
    let cells = |lines: i32, half: f64| m.geom_rbound[shape] * f64::from(lines - 1) / half + 2.0;
    let [wide, deep, ..] = m.hfield_size[id];
    2.0 * cells(m.hfield_ncol[id], wide) * cells(m.hfield_nrow[id], deep) <= MAX_HFIELD_CONTACTS as f64
}

/// Refuses settings of the convex search that have no kernel.
fn searches(m: &Model, pairs: &Pairs) -> Result<(), Refusal> {
    let hfields = pairs.kinds.iter().any(|k| k.most == MAX_HFIELD_CONTACTS);
    if m.opt.disabled(DisableFlags::NATIVECCD) && (hfields || pairs.multicontact()) {
        let what = if hfields { "height fields" } else { "the flag multiccd" };
        return Err(Refusal::setting(format!("{what} with the flag nativeccd off")));
    }
    Ok(())
}
