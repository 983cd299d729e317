//! The body tree as flat lists in model order, with compiled values.

use crate::spec::{self, Loc};
use sinew_engine::model::enums::ObjType;
use std::collections::HashMap;

/// A compiled body. `spec` keeps no children; its pose, inertial frame and inertia are final.
#[derive(Clone, Debug)]
pub struct FlatBody {
    /// Attributes, converted: `pos`, `quat`, `ipos`, `iquat`, `mass`, `inertia` are what the model gets.
    pub spec: spec::Body,
    /// Parent body.
    pub parent: usize,
    /// First ancestor below the world.
    pub root: usize,
    /// Nearest ancestor-or-self that has joints (or the world).
    pub weld: usize,
    /// Joints, as a range of [`Flat::joints`].
    pub joints: std::ops::Range<usize>,
    /// Degrees of freedom, as a range.
    pub dofs: std::ops::Range<usize>,
    /// Geoms, as a range of [`Flat::geoms`].
    pub geoms: std::ops::Range<usize>,
    /// Mocap id.
    pub mocapid: Option<usize>,
}

/// A compiled joint: angles in radians, `limited` and `actfrclimited` decided.
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
    /// Bounding box in the geom frame: centre, half-size. [m]
    pub aabb: [f64; 6],
    /// Bounding sphere radius; 0 for planes. [m]
    pub rbound: f64,
}

/// A compiled site, camera or light: pose in the body is final.
#[derive(Clone, Debug)]
pub struct Placed<T> {
    /// Attributes, converted.
    pub spec: T,
    /// Owning body.
    pub body: usize,
}

/// The whole tree.
#[derive(Clone, Debug, Default)]
pub struct Flat {
    /// Bodies, world first, depth first.
    pub bodies: Vec<FlatBody>,
    /// Joints by body.
    pub joints: Vec<FlatJoint>,
    /// Geoms by body.
    pub geoms: Vec<FlatGeom>,
    /// Sites by body.
    pub sites: Vec<Placed<spec::Site>>,
    /// Cameras by body.
    pub cameras: Vec<Placed<spec::Camera>>,
    /// Lights by body.
    pub lights: Vec<Placed<spec::Light>>,
    /// Positions.
    pub nq: usize,
    /// Degrees of freedom.
    pub nv: usize,
    /// Kinematic trees.
    pub ntree: usize,
}

/// Name → id for every kind of element, in model order.
#[derive(Clone, Debug, Default)]
pub struct Names {
    ids: HashMap<(ObjType, String), usize>,
}

impl Names {
    /// Registers a name; empty names are skipped, repeated ones are an error.
    pub fn insert(&mut self, obj: ObjType, name: &str, id: usize, loc: Loc) -> crate::error::Result<()> {
        if name.is_empty() {
            return Ok(());
        }
        if self.ids.insert((obj, name.to_string()), id).is_some() {
            let kind = crate::error::ErrorKind::RepeatedName(name.to_string());
            return Err(crate::error::Error::new(kind).at(loc).hint("names must differ within each kind of element"));
        }
        Ok(())
    }

    /// Id of a name.
    pub fn get(&self, obj: ObjType, name: &str) -> Option<usize> {
        let obj = if obj == ObjType::Xbody { ObjType::Body } else { obj };
        self.ids.get(&(obj, name.to_string())).copied()
    }

    /// Id of a name that must exist; the error names the nearest known one.
    pub fn require(&self, obj: ObjType, name: &str, loc: Loc) -> crate::error::Result<usize> {
        self.get(obj, name).ok_or_else(|| {
            let objtype = format!("{obj:?}").to_lowercase();
            let near = crate::error::nearest(name, self.ids.keys().filter(|k| k.0 == obj).map(|k| k.1.as_str()));
            let error =
                crate::error::Error::new(crate::error::ErrorKind::UnknownName { objtype, name: name.to_string() });
            match near {
                Some(near) => error.hint(format!("did you mean '{near}'?")),
                None => error,
            }
            .at(loc)
        })
    }
}
