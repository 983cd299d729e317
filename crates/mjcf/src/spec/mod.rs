//! The editable model: the content of a file before compilation.
//!
//! A [`Spec`] is a tree of bodies that own their joints, geoms, sites, cameras and lights, plus flat lists for
//! everything else. Elements refer to each other by name. Each element holds its final attribute values, including
//! those of its default class; the classes are kept too, so that new elements can start from them and a saved file
//! lists only what differs.

pub(crate) mod attach;
mod cable_skin;
pub mod class;
pub(crate) mod composite;
mod copy_back;
pub mod edit;
mod element;
pub mod field;
pub(crate) mod flexcomp;
pub(crate) mod keys;
mod layout;
mod loc;
mod names;
mod orientation;
mod parts;
mod places;
mod plugin;
mod rename;
mod tree;

pub use element::{
    Actuator, Body, Camera, Compiler, Equality, Exclude, Flex, Frame, Geom, HField, Joint, Key, LengthRange, Light,
    Material, Mesh, Numeric, Pair, PluginInstance, Sensor, Site, Skin, SkinBone, SpecSizes, StatisticOverride, Tendon,
    Text, Texture, Tuple,
};
pub(crate) use element::{CableSkin, Composite, FlexEdge, Flexcomp, Inertial, Pins, Replicate};
pub use orientation::Orientation;
pub use parts::Wrap;
pub use places::Places;

pub use keys::Open;
pub use layout::{Layout, Live};
pub use loc::Loc;
pub use plugin::{PluginUse, Setting};

use crate::limits::Limits;
use class::Classes;
pub(crate) use rename::file_stem;
use sinew_engine::model::{Options, Visual};
use sinew_engine::plugin::Registry;

/// Maximum nesting depth of bodies.
pub const MAX_DEPTH: usize = 2048;

/// Identifies an element of a model as long as the element exists; 0 until the model is edited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

/// What every element has besides its attributes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    /// Element name; empty when unnamed.
    pub name: String,
    /// Default class the element was read with; empty for the root class.
    pub class: String,
    /// Id of the element.
    pub id: Id,
    /// While models are joined: the element of the other model that this is a copy of.
    pub(crate) source: Id,
    /// A note for errors, on the origin of the element.
    pub info: String,
    /// Source position, for errors.
    pub loc: Loc,
    /// Index into [`Spec::compilers`]: attached models keep their own compiler settings.
    pub compiler: usize,
    /// Keyframe values carried by a joint, mocap body or actuator until the model is complete.
    pub keyed: Vec<Keyed>,
}

/// Values of one waiting keyframe for one element; a vector is empty if the keyframe does not have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyed {
    /// Name of the keyframe in [`Spec::waiting`].
    pub key: String,
    /// `qpos` of a joint, `mpos` of a mocap body, `act` of an actuator.
    pub pos: Vec<f64>,
    /// `qvel` of a joint, `mquat` of a mocap body, `ctrl` of an actuator.
    pub vel: Vec<f64>,
}

/// A complete model before compilation.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Model name.
    pub modelname: String,
    /// Source files, in the order they were opened; [`Loc::file`] points here.
    pub files: Vec<String>,
    /// Limits on the size of the model.
    pub limits: Limits,
    /// Plugins that elements may use.
    pub registry: Registry,
    /// Compiler settings: entry 0 is the main model's, the others come from attached models.
    pub compilers: Vec<Compiler>,
    /// Default classes.
    pub classes: Classes,
    /// Physics options.
    pub option: Options,
    /// Drawing settings.
    pub visual: Visual,
    /// Statistics given by the user.
    pub stat: StatisticOverride,
    /// The `size` element.
    pub size: SpecSizes,
    /// The world body, with all other bodies below it.
    pub world: Body,
    /// Meshes.
    pub meshes: Vec<Mesh>,
    /// Height fields.
    pub hfields: Vec<HField>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Deformable bodies.
    pub flexes: Vec<Flex>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Explicit contact pairs.
    pub pairs: Vec<Pair>,
    /// Excluded body pairs.
    pub excludes: Vec<Exclude>,
    /// Equality constraints.
    pub equalities: Vec<Equality>,
    /// Tendons.
    pub tendons: Vec<Tendon>,
    /// Actuators.
    pub actuators: Vec<Actuator>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Plugins declared by the model.
    pub active_plugins: Vec<String>,
    /// Named plugin instances.
    pub plugins: Vec<PluginInstance>,
    /// Custom numbers.
    pub numerics: Vec<Numeric>,
    /// Custom texts.
    pub texts: Vec<Text>,
    /// Custom tuples.
    pub tuples: Vec<Tuple>,
    /// Keyframes.
    pub keys: Vec<Key>,
    /// Keyframes whose values are stored on the elements (`Meta::keyed`) until attachment and replication are complete;
    /// here they have a name, a time and which vectors they have.
    pub waiting: Vec<Key>,
    pub(crate) index: edit::Index,
}

impl Default for Spec {
    fn default() -> Self {
        let world = Body { meta: Meta { name: "world".into(), ..Meta::default() }, ..Body::default() };
        Spec {
            modelname: "MuJoCo Model".into(),
            files: Vec::new(),
            limits: Limits::default(),
            registry: Registry::builtin(),
            compilers: vec![Compiler::default()],
            classes: Classes::default(),
            option: Options::default(),
            visual: Visual::default(),
            stat: StatisticOverride::default(),
            size: SpecSizes::default(),
            world,
            meshes: Vec::new(),
            hfields: Vec::new(),
            skins: Vec::new(),
            flexes: Vec::new(),
            textures: Vec::new(),
            materials: Vec::new(),
            pairs: Vec::new(),
            excludes: Vec::new(),
            equalities: Vec::new(),
            tendons: Vec::new(),
            actuators: Vec::new(),
            sensors: Vec::new(),
            active_plugins: Vec::new(),
            plugins: Vec::new(),
            numerics: Vec::new(),
            texts: Vec::new(),
            tuples: Vec::new(),
            keys: Vec::new(),
            waiting: Vec::new(),
            index: edit::Index::default(),
        }
    }
}
