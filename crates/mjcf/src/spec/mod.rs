//! The editable model: what a file says, before compilation.
//!
//! A [`Spec`] is a tree of bodies that own their joints, geoms, sites, cameras and lights, plus flat lists
//! for everything else. Names link elements. Each element holds its final attribute values, those of its default class
//! included; the classes are there too, so that new elements can start from them and a saved file can do with what
//! differs.

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

/// Bodies may be nested this deep.
pub const MAX_DEPTH: usize = 2048;

/// Tells the elements of a model apart, for as long as they are there; 0 before the model is edited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

/// What every element carries besides its attributes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    /// Element name; empty when unnamed.
    pub name: String,
    /// Default class the element was read with; empty for the root class.
    pub class: String,
    /// Which element this is.
    pub id: Id,
    /// While models are joined: which element of the other model this is a copy of.
    pub(crate) source: Id,
    /// A note for errors: who made the element.
    pub info: String,
    /// Source position, for errors.
    pub loc: Loc,
    /// Index into [`Spec::compilers`]: attached models keep their own compiler settings.
    pub compiler: usize,
    /// Keyframe values that travel with a joint, mocap body or actuator until the model is complete.
    pub keyed: Vec<Keyed>,
}

/// The values that one waiting keyframe has for one element; a vector is empty where the keyframe has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyed {
    /// Name of the keyframe in [`Spec::waiting`].
    pub key: String,
    /// `qpos` of a joint, `mpos` of a mocap body, `act` of an actuator.
    pub pos: Vec<f64>,
    /// `qvel` of a joint, `mquat` of a mocap body, `ctrl` of an actuator.
    pub vel: Vec<f64>,
}

/// A whole model before compilation.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Model name.
    pub modelname: String,
    /// Source files, in the order they were opened; [`Loc::file`] points here.
    pub files: Vec<String>,
    /// How large the model may be.
    pub limits: Limits,
    /// Plugins that elements may ask for.
    pub registry: Registry,
    /// Compiler settings: 0 is the main model's, the others came with attached models.
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
    /// The world body; all others below it.
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
    /// Plugins that the model declares.
    pub active_plugins: Vec<String>,
    /// Plugin instances with a name.
    pub plugins: Vec<PluginInstance>,
    /// Custom numbers.
    pub numerics: Vec<Numeric>,
    /// Custom texts.
    pub texts: Vec<Text>,
    /// Custom tuples.
    pub tuples: Vec<Tuple>,
    /// Keyframes.
    pub keys: Vec<Key>,
    /// Keyframes whose values wait on the elements (`Meta::keyed`) until attachment and replication are
    /// over; here they hold a name, a time and which vectors they have.
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
