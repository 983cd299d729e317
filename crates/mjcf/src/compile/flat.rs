//! The body tree as flat lists in model order, with compiled values.

use crate::error::{Error, ErrorKind, Report, Result, nearest};
use crate::spec::{self, Loc};
use sinew_engine::model::enums::ObjType;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

/// A compiled body. `spec` has no children; its pose, inertial frame and inertia are final.
#[derive(Clone, Debug)]
pub struct FlatBody {
    /// Attributes, converted: `pos`, `quat`, `ipos`, `iquat`, `mass`, `inertia` are those of the model.
    pub spec: spec::Body,
    /// Parent body.
    pub parent: usize,
    /// First ancestor below the world.
    pub root: usize,
    /// Nearest ancestor-or-self that has joints (or the world).
    pub weld: usize,
    /// Joints, as a range of [`Flat::joints`].
    pub joints: Range<usize>,
    /// Degrees of freedom, as a range.
    pub dofs: Range<usize>,
    /// Geoms, as a range of [`Flat::geoms`].
    pub geoms: Range<usize>,
    /// Mocap id.
    pub mocapid: Option<usize>,
    /// Whether the body has children.
    pub has_children: bool,
    /// Contact types of all geoms, combined.
    pub contype: i32,
    /// Contact affinities of all geoms, combined.
    pub conaffinity: i32,
    /// Largest margin of all geoms. (m)
    pub margin: f64,
}

/// A compiled joint: angles in radians, `limited` and `actfrclimited` resolved.
#[derive(Clone, Debug)]
pub struct FlatJoint {
    /// Attributes, converted.
    pub spec: spec::Joint,
    /// Owning body.
    pub body: usize,
    /// First position coordinate.
    pub qposadr: usize,
    /// First degree of freedom.
    pub dofadr: usize,
}

/// A compiled geom: final type, pose in the body and size.
#[derive(Clone, Debug)]
pub struct FlatGeom {
    /// Attributes, converted.
    pub spec: spec::Geom,
    /// Owning body.
    pub body: usize,
    /// Mesh or height field id.
    pub dataid: Option<usize>,
    /// Material id.
    pub matid: Option<usize>,
    /// Bounding box in the geom frame: centre, half-size. (m)
    pub aabb: [f64; 6],
    /// Bounding sphere radius; 0 for planes. (m)
    pub rbound: f64,
    /// Mass counted towards the body. (kg)
    pub mass: f64,
    /// Diagonal inertia in the geom frame. (kg m²)
    pub inertia: [f64; 3],
    /// Fluid interaction coefficients, as in `geom_fluid`.
    pub fluid: [f64; 12],
}

/// A compiled site.
#[derive(Clone, Debug)]
pub struct FlatSite {
    /// Attributes, converted; the pose in the body is final.
    pub spec: spec::Site,
    /// Owning body.
    pub body: usize,
    /// Material id.
    pub matid: Option<usize>,
}

/// A compiled camera.
#[derive(Clone, Debug)]
pub struct FlatCamera {
    /// Attributes, converted; the pose in the body is final.
    pub spec: spec::Camera,
    /// Owning body.
    pub body: usize,
    /// Body to look at.
    pub target: Option<usize>,
    /// Focal lengths and principal point. (m)
    pub intrinsic: [f32; 4],
}

/// A compiled light.
#[derive(Clone, Debug)]
pub struct FlatLight {
    /// Attributes, converted; the pose in the body is final.
    pub spec: spec::Light,
    /// Owning body.
    pub body: usize,
    /// Body to look at.
    pub target: Option<usize>,
    /// Texture id.
    pub texid: Option<usize>,
}

/// The whole body tree.
#[derive(Clone, Debug, Default)]
pub struct Flat {
    /// Bodies, world first, depth first.
    pub bodies: Vec<FlatBody>,
    /// Joints, grouped by body.
    pub joints: Vec<FlatJoint>,
    /// Geoms, grouped by body.
    pub geoms: Vec<FlatGeom>,
    /// Sites, grouped by body.
    pub sites: Vec<FlatSite>,
    /// Cameras, grouped by body.
    pub cameras: Vec<FlatCamera>,
    /// Lights, grouped by body.
    pub lights: Vec<FlatLight>,
    /// Number of position coordinates.
    pub nq: usize,
    /// Number of degrees of freedom.
    pub nv: usize,
    /// Number of kinematic trees.
    pub ntree: usize,
    /// Number of mocap bodies.
    pub nmocap: usize,
}

/// Name → id for every kind of element, in model order.
#[derive(Clone, Debug, Default)]
pub struct Names {
    ids: HashMap<ObjType, HashMap<String, usize>>,
    /// Warnings raised while names were looked up.
    warnings: RefCell<Vec<Report>>,
}

/// `Body` and `Xbody` share one name space.
fn kind(obj: ObjType) -> ObjType {
    if obj == ObjType::Xbody { ObjType::Body } else { obj }
}

impl Names {
    /// Registers a name. Repeated names are an error; the empty name refers to the last unnamed element.
    pub fn insert(&mut self, obj: ObjType, name: &str, id: usize, loc: Loc) -> Result<()> {
        if self.ids.entry(obj).or_default().insert(name.to_string(), id).is_some() && !name.is_empty() {
            let error = Error::new(ErrorKind::RepeatedName(name.to_string())).at(loc);
            return Err(error.hint("names must differ within each kind of element"));
        }
        Ok(())
    }

    /// Renumbers the elements of a kind: the element with id `order[i]` gets id `i`.
    pub fn reorder(&mut self, obj: ObjType, order: impl Iterator<Item = usize>) {
        let new: HashMap<usize, usize> = order.enumerate().map(|(new, old)| (old, new)).collect();
        self.ids.entry(obj).or_default().values_mut().for_each(|id| *id = new[id]);
    }

    /// Id of a name.
    pub fn get(&self, obj: ObjType, name: &str) -> Option<usize> {
        self.ids.get(&kind(obj))?.get(name).copied()
    }

    /// Records a warning.
    pub(crate) fn warn(&self, warning: Error) {
        self.warnings.borrow_mut().push(warning.into_report());
    }

    /// Takes the recorded warnings.
    pub(crate) fn warnings(&self) -> Vec<Report> {
        self.warnings.take()
    }

    /// Id of a name that must exist; the error suggests the closest known name.
    pub fn require(&self, obj: ObjType, name: &str, loc: Loc) -> Result<usize> {
        let objtype = format!("{obj:?}").to_ascii_lowercase();
        let found = self.get(obj, name);
        if name.is_empty() && found.is_some() {
            let kind = ErrorKind::Ignored(format!("the name is empty, and the last unnamed {objtype} is taken"));
            self.warn(Error::new(kind).at(loc).element(&objtype).hint("give the element a name"));
        }
        found.ok_or_else(|| {
            let known = self.ids.get(&kind(obj)).into_iter().flat_map(HashMap::keys);
            if name.is_empty() {
                return Error::new(ErrorKind::Missing(format!("name of a {objtype}"))).at(loc);
            }
            let error = Error::new(ErrorKind::UnknownName { objtype, name: name.to_string() }).at(loc);
            match nearest(name, known.map(String::as_str)) {
                Some(near) => error.hint(format!("did you mean '{near}'?")),
                None => error,
            }
        })
    }
}
