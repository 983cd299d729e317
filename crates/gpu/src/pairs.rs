//! Pairs of geoms that may touch, kind by kind.

use crate::broadphase::Bunches;
use crate::hull_faces::Facets;
use crate::refuse::Refusal;
use sinew_engine::Model;
use sinew_engine::collision::{Possible, possible};
use sinew_engine::data::Data;
use sinew_engine::model::enums::{DisableFlags, EnableFlags, GeomType, ObjType};

/// A kernel of pairs.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    name: &'static str,
    first: &'static [GeomType],
    second: &'static [GeomType],
    /// Contacts of a pair.
    most: usize,
    work: Work,
}

/// How lanes share the work on the pairs of a kind. The names are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A lane a pair.
    Kind,
    /// All lanes on one pair after the other.
    Together,
    /// All lanes on all pairs.
    Spread,
}

/// A lane a pair.
const fn apiece(name: &'static str, first: &'static [GeomType], second: &'static [GeomType], most: usize) -> Kernel {
    Kernel { name, first, second, most, work: Work::Kind }
}

/// All lanes on a pair.
const fn together(name: &'static str, first: &'static [GeomType], second: &'static [GeomType], most: usize) -> Kernel {
    Kernel { name, first, second, most, work: Work::Together }
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
const BEFORE_OVAL: &[GeomType] = &[GeomType::Sphere, GeomType::Capsule, GeomType::Ellipsoid];
const OVAL_OR_BOX: &[GeomType] = &[GeomType::Ellipsoid, GeomType::Box];
const CONVEX: &[GeomType] =
    &[GeomType::Sphere, GeomType::Capsule, GeomType::Ellipsoid, GeomType::Cylinder, GeomType::Box, GeomType::Mesh];

const NOT_OVAL: &[GeomType] = &[GeomType::Capsule, GeomType::Cylinder, GeomType::Box, GeomType::Mesh];

/// Kernels that depend on settings: of pairs that have several contacts with the flag multiccd, and of all that are searched with the
/// flag nativeccd off.
const SEVERAL: &str = "Several";
const REFINED: &str = "Refined";
const OVAL: &str = "Oval";
const BOX_MESH: &str = "BoxMesh";

/// Contacts of a shape with a height field.
const MOST_OF_FIELD: usize = 50;

/// Contacts of a pair that are few: kinds that have no more are found in one pass.
const FEW: usize = 2;

/// The kernels and what they are for, in the order they run, those of few contacts first; the first that fits is taken.
const KERNELS: &[Kernel] = &[
    apiece("PlaneSphere", PLANE, SPHERE, 1),
    apiece("PlaneCapsule", PLANE, CAPSULE, 2),
    apiece("PlaneEllipsoid", PLANE, ELLIPSOID, 1),
    apiece("SphereSphere", SPHERE, SPHERE, 1),
    apiece("SphereCapsule", SPHERE, CAPSULE, 1),
    apiece("SphereCylinder", SPHERE, CYLINDER, 1),
    apiece("SphereBox", SPHERE, BOX, 1),
    apiece("CapsuleCapsule", CAPSULE, CAPSULE, 2),
    apiece("PlaneCylinder", PLANE, CYLINDER, 4),
    apiece("PlaneBox", PLANE, BOX, 4),
    apiece("PlaneMesh", PLANE, MESH, 3),
    together("CapsuleBox", CAPSULE, BOX, 2),
    together("BoxBox", BOX, BOX, 12),
    Kernel { name: "FieldRound", first: HFIELD, second: ROUND, most: MOST_OF_FIELD, work: Work::Spread },
    together("Field", HFIELD, CONVEX, MOST_OF_FIELD),
    together(OVAL, BEFORE_OVAL, OVAL_OR_BOX, 1),
    together(SEVERAL, NOT_OVAL, NOT_OVAL, 5),
    together(REFINED, CONVEX, CONVEX, 1),
    together(BOX_MESH, BOX, MESH, 1),
    together("Convex", CONVEX, CONVEX, 1),
];

/// Pairs of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name of the kernel.
    pub name: &'static str,
    /// First pair, and the one after the last.
    pub range: [usize; 2],
    /// How lanes share the work.
    pub work: Work,
    /// Contacts of a pair.
    pub most: usize,
}

impl Pairs {
    /// Whether pairs have several contacts that the flag multiccd asks for.
    pub fn several(&self) -> bool {
        self.kinds.iter().any(|k| k.name == SEVERAL)
    }
}

impl Kind {
    /// Whether its contacts are found in one pass with those of other kinds.
    pub fn few(&self) -> bool {
        self.work == Work::Kind && self.most <= FEW
    }
}

/// Pairs in the order of their kinds.
#[derive(Debug, Default)]
pub struct Pairs {
    /// All pairs.
    pub all: Vec<Possible>,
    /// Kinds of them.
    pub kinds: Vec<Kind>,
    /// The most contacts there can be.
    pub most: usize,
    /// Their places in the engine's order.
    pub ranks: Vec<usize>,
    /// Faces and edges of the hulls that overlap boxes.
    pub facets: Facets,
    /// Pairs that are passed over together.
    pub bunches: Bunches,
}

/// The kernel of a pair of kinds in their order, the one for all cells of a height field and for default settings.
pub fn kernel([a, b]: [GeomType; 2]) -> Option<&'static str> {
    let special = |k: &Kernel| k.work == Work::Spread || matches!(k.name, SEVERAL | REFINED | BOX_MESH);
    let fits = |k: &&Kernel| k.first.contains(&a) && k.second.contains(&b) && !special(k);
    KERNELS.iter().find(fits).map(|k| k.name)
}

/// Pairs of a model.
pub fn pairs(m: &Model, d: &Data) -> Result<Pairs, Refusal> {
    let off = m.opt.disabled(DisableFlags::CONSTRAINT | DisableFlags::CONTACT);
    let found = if off { Vec::new() } else { possible(m, &d.awake) };
    let beside_boxes = found.iter().filter(|p| m.geom_type(p.geoms[0]) == GeomType::Box).map(|p| p.geoms[1]);
    let facets = Facets::new(m, beside_boxes);
    let kind = |p: &Possible| {
        let [a, b] = p.geoms.map(|g| m.geom_type(g));
        let known = |k: &Kernel| k.name != BOX_MESH || facets.has(p.geoms[1]);
        let fits = |k: &Kernel| k.first.contains(&a) && k.second.contains(&b) && is_for(m, k, p.geoms) && known(k);
        KERNELS.iter().position(fits)
    };
    if let Some(p) = found.iter().find(|p| kind(p).is_none()) {
        let [a, b] = p.geoms.map(|g| m.geom_type(g));
        return Err(Refusal::element(m, format!("contacts of {a:?} and {b:?}"), ObjType::Geom, p.geoms[1]));
    }
    if found.len() > usize::from(u16::MAX) {
        return Err(Refusal::advised(format!("{} pairs of geoms", found.len()), "reduce contact types"));
    }
    let mut pairs = Pairs::default();
    for (k, kernel) in KERNELS.iter().enumerate() {
        let first = pairs.all.len();
        let of_kind = || found.iter().enumerate().filter(|(_, p)| kind(p) == Some(k));
        pairs.all.extend(of_kind().map(|(_, p)| p));
        pairs.ranks.extend(of_kind().map(|(rank, _)| rank));
        let last = pairs.all.len();
        if last > first {
            pairs.kinds.push(Kind { name: kernel.name, range: [first, last], work: kernel.work, most: kernel.most });
            pairs.most += (last - first) * kernel.most;
        }
    }
    pairs.facets = facets;
    pairs.bunches = Bunches::new(m, &pairs);
    searches(m, &pairs)?;
    Ok(pairs)
}

/// Whether a kernel does pairs of its types under the settings of a model.
fn is_for(m: &Model, kernel: &Kernel, geoms: [usize; 2]) -> bool {
    let native = !m.opt.disabled(DisableFlags::NATIVECCD);
    match kernel.name {
        SEVERAL => m.opt.enabled(EnableFlags::MULTICCD),
        REFINED => !native,
        OVAL | BOX_MESH => native,
        _ => kernel.work != Work::Spread || few_prisms(m, geoms),
    }
}

/// Whether a shape is never over more prisms of a height field than it can have contacts with.
fn few_prisms(m: &Model, [field, shape]: [usize; 2]) -> bool {
    let Ok(id) = usize::try_from(m.geom_dataid[field]) else { return false };
    let cells = |lines: i32, half: f64| m.geom_rbound[shape] * f64::from(lines - 1) / half + 2.0;
    let [wide, deep, ..] = m.hfield_size[id];
    2.0 * cells(m.hfield_ncol[id], wide) * cells(m.hfield_nrow[id], deep) <= MOST_OF_FIELD as f64
}

/// Settings of the searches on convex shapes.
fn searches(m: &Model, pairs: &Pairs) -> Result<(), Refusal> {
    let fields = pairs.kinds.iter().any(|k| k.most == MOST_OF_FIELD);
    if m.opt.disabled(DisableFlags::NATIVECCD) && (fields || pairs.several()) {
        let what = if fields { "height fields" } else { "the flag multiccd" };
        return Err(Refusal::setting(format!("{what} with the flag nativeccd off")));
    }
    Ok(())
}
