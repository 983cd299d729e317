//! Settings that steer compilation.

pub use sinew_engine::length_range::LengthRangeOptions;
use sinew_engine::model::enums::InertiaFromGeom;

/// The `compiler` element.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiler {
    /// Infer `limited` from the presence of a range.
    pub autolimits: bool,
    /// Lower bound on body mass. (kg)
    pub boundmass: f64,
    /// Lower bound on diagonal body inertia. (kg m²)
    pub boundinertia: f64,
    /// Rescale all masses and inertias to this total when positive. (kg)
    pub settotalmass: f64,
    /// Replace inertias that break the triangle inequality by their mean.
    pub balanceinertia: bool,
    /// Fit primitives to the bounding box of a mesh instead of its inertia box.
    pub fitaabb: bool,
    /// Angles in the file are degrees.
    pub degree: bool,
    /// Axis order of Euler angles, lower case intrinsic, upper case extrinsic.
    pub eulerseq: [u8; 3],
    /// Drop visual geoms, materials and textures.
    pub discardvisual: bool,
    /// Merge bodies without joints into their parents.
    pub fusestatic: bool,
    /// When to compute body inertia from geoms.
    pub inertiafromgeom: InertiaFromGeom,
    /// Geom groups that count for inertia.
    pub inertiagrouprange: [i32; 2],
    /// Align free bodies with their inertial frame.
    pub alignfree: bool,
    /// Strip directories from asset file names.
    pub strippath: bool,
    /// Directory of meshes and height fields.
    pub meshdir: String,
    /// Directory of textures.
    pub texturedir: String,
    /// Directory of the model file these settings came from; relative asset paths start here.
    pub modelfiledir: String,
    /// The `lengthrange` sub-element.
    pub lengthrange: LengthRangeOptions,
}

impl Default for Compiler {
    fn default() -> Self {
        Compiler {
            autolimits: true,
            boundmass: 0.0,
            boundinertia: 0.0,
            settotalmass: -1.0,
            balanceinertia: false,
            fitaabb: false,
            degree: true,
            eulerseq: *b"xyz",
            discardvisual: false,
            fusestatic: false,
            inertiafromgeom: InertiaFromGeom::Auto,
            inertiagrouprange: [0, 5],
            alignfree: false,
            strippath: false,
            meshdir: String::new(),
            texturedir: String::new(),
            modelfiledir: String::new(),
            lengthrange: LengthRangeOptions::default(),
        }
    }
}

/// The `statistic` element: `None` is computed.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct StatisticOverride {
    pub meaninertia: Option<f64>,
    pub meanmass: Option<f64>,
    pub meansize: Option<f64>,
    pub extent: Option<f64>,
    pub center: Option<[f64; 3]>,
}

/// The `size` element; −1 means automatic.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SpecSizes {
    pub memory: i64,
    pub njmax: i64,
    pub nconmax: i64,
    pub nstack: i64,
    pub nuserdata: i64,
    pub nkey: i64,
    pub nuser_body: i64,
    pub nuser_jnt: i64,
    pub nuser_geom: i64,
    pub nuser_site: i64,
    pub nuser_cam: i64,
    pub nuser_tendon: i64,
    pub nuser_actuator: i64,
    pub nuser_sensor: i64,
}

impl Default for SpecSizes {
    fn default() -> Self {
        SpecSizes {
            memory: -1,
            njmax: -1,
            nconmax: -1,
            nstack: -1,
            nuserdata: 0,
            nkey: 0,
            nuser_body: -1,
            nuser_jnt: -1,
            nuser_geom: -1,
            nuser_site: -1,
            nuser_cam: -1,
            nuser_tendon: -1,
            nuser_actuator: -1,
            nuser_sensor: -1,
        }
    }
}
