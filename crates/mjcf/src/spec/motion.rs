//! Everything outside the body tree that acts on it or reads it.

use super::Meta;
use super::body::{SOLIMP, SOLREF};
use sinew_engine::model::enums::{
    BiasType, DataType, DynType, EqType, GainType, Limited, ObjType, SensorType, Stage, TrnType,
};

/// An explicit contact pair. A property whose first number is `NAN` is taken from the two geoms.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Name, class, place.
    pub meta: Meta,
    /// First geom.
    pub geom1: String,
    /// Second geom.
    pub geom2: String,
    /// Contact dimension.
    pub condim: i32,
    /// Solver reference of the normal.
    pub solref: [f64; 2],
    /// Solver reference of friction; zeros mean `solref`.
    pub solreffriction: [f64; 2],
    /// Solver impedance.
    pub solimp: [f64; 5],
    /// Margin. (m)
    pub margin: f64,
    /// Gap. (m)
    pub gap: f64,
    /// Two tangential, one spinning, two rolling coefficients.
    pub friction: [f64; 5],
}

impl Default for Pair {
    fn default() -> Self {
        Pair {
            meta: Meta::default(),
            geom1: String::new(),
            geom2: String::new(),
            condim: 3,
            solref: SOLREF,
            solreffriction: [0.0; 2],
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
        }
    }
}

/// A body pair that never collides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exclude {
    /// Name, class, place.
    pub meta: Meta,
    /// First body.
    pub body1: String,
    /// Second body.
    pub body2: String,
}

/// An equality constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct Equality {
    /// Name, class, place.
    pub meta: Meta,
    /// Constraint type.
    pub kind: EqType,
    /// Type-dependent numbers, laid out as in `eq_data`.
    pub data: [f64; 11],
    /// Active initially?
    pub active: bool,
    /// First object.
    pub name1: String,
    /// Second object; may be empty.
    pub name2: String,
    /// Type of both objects.
    pub objtype: ObjType,
    /// Solver reference.
    pub solref: [f64; 2],
    /// Solver impedance.
    pub solimp: [f64; 5],
}

impl Default for Equality {
    fn default() -> Self {
        let mut data = [0.0; 11];
        data[1] = 1.0;
        data[10] = 1.0;
        Equality {
            meta: Meta::default(),
            kind: EqType::Connect,
            data,
            active: true,
            name1: String::new(),
            name2: String::new(),
            objtype: ObjType::Unknown,
            solref: SOLREF,
            solimp: SOLIMP,
        }
    }
}

/// One object of a tendon path.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Wrap {
    /// A joint with a coefficient, in fixed tendons.
    Joint { joint: String, coef: f64 },
    /// A site passed through.
    Site { site: String },
    /// A sphere or cylinder wrapped around.
    Geom { geom: String, sidesite: String },
    /// A pulley that splits the path.
    Pulley { divisor: f64 },
}

/// A tendon; `spatial` or `fixed` by its path.
#[derive(Clone, Debug, PartialEq)]
pub struct Tendon {
    /// Name, class, place.
    pub meta: Meta,
    /// `spatial` rather than `fixed`.
    pub spatial: bool,
    /// Path, with the place of each object.
    pub path: Vec<(Wrap, super::Loc)>,
    /// Spring stiffness.
    pub stiffness: f64,
    /// Resting length range; negative means from `qpos_spring`. (m)
    pub springlength: [f64; 2],
    /// Damping.
    pub damping: f64,
    /// Dry friction.
    pub frictionloss: f64,
    /// Friction solver reference.
    pub solref_friction: [f64; 2],
    /// Friction solver impedance.
    pub solimp_friction: [f64; 5],
    /// Inertia along the tendon. (kg)
    pub armature: f64,
    /// Length limited?
    pub limited: Limited,
    /// Total actuator force limited?
    pub actfrclimited: Limited,
    /// Length limits. (m)
    pub range: [f64; 2],
    /// Range of total actuator force.
    pub actfrcrange: [f64; 2],
    /// Limit margin.
    pub margin: f64,
    /// Limit solver reference.
    pub solref_limit: [f64; 2],
    /// Limit solver impedance.
    pub solimp_limit: [f64; 5],
    /// Material name.
    pub material: String,
    /// Drawn width. (m)
    pub width: f64,
    /// Colour.
    pub rgba: [f32; 4],
    /// Group.
    pub group: i32,
    /// User numbers.
    pub userdata: Vec<f64>,
}

impl Default for Tendon {
    fn default() -> Self {
        Tendon {
            meta: Meta::default(),
            spatial: false,
            path: Vec::new(),
            stiffness: 0.0,
            springlength: [-1.0; 2],
            damping: 0.0,
            frictionloss: 0.0,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            armature: 0.0,
            limited: Limited::Auto,
            actfrclimited: Limited::False, // as in MuJoCo: a range alone does not limit
            range: [0.0; 2],
            actfrcrange: [0.0; 2],
            margin: 0.0,
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            material: String::new(),
            width: 0.003,
            rgba: [0.5, 0.5, 0.5, 1.0],
            group: 0,
            userdata: Vec::new(),
        }
    }
}

/// An actuator; shortcuts are already expanded to `general`.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name, class, place.
    pub meta: Meta,
    /// Gain type.
    pub gaintype: GainType,
    /// Gain parameters.
    pub gainprm: [f64; 10],
    /// Bias type.
    pub biastype: BiasType,
    /// Bias parameters.
    pub biasprm: [f64; 10],
    /// Dynamics type.
    pub dyntype: DynType,
    /// Dynamics parameters.
    pub dynprm: [f64; 10],
    /// Number of activations; −1 for the default of the dynamics.
    pub actdim: i32,
    /// Force uses the next activation.
    pub actearly: bool,
    /// Transmission type.
    pub trntype: TrnType,
    /// Gear.
    pub gear: [f64; 6],
    /// Joint, tendon, site, crank site or body.
    pub target: String,
    /// Reference site.
    pub refsite: String,
    /// Slider site.
    pub slidersite: String,
    /// Crank length. (m)
    pub cranklength: f64,
    /// Length range.
    pub lengthrange: [f64; 2],
    /// Take the control range from the target's range, times this.
    pub inheritrange: f64,
    /// Control limited?
    pub ctrllimited: Limited,
    /// Control range.
    pub ctrlrange: [f64; 2],
    /// Force limited?
    pub forcelimited: Limited,
    /// Force range.
    pub forcerange: [f64; 2],
    /// Activation limited?
    pub actlimited: Limited,
    /// Activation range.
    pub actrange: [f64; 2],
    /// Group.
    pub group: i32,
    /// Samples in the history buffer.
    pub nsample: i32,
    /// Interpolation order.
    pub interp: i32,
    /// Delay. (s)
    pub delay: f64,
    /// User numbers.
    pub userdata: Vec<f64>,
}

impl Default for Actuator {
    fn default() -> Self {
        let first = |x: f64| {
            let mut a = [0.0; 10];
            a[0] = x;
            a
        };
        Actuator {
            meta: Meta::default(),
            gaintype: GainType::Fixed,
            gainprm: first(1.0),
            biastype: BiasType::None,
            biasprm: [0.0; 10],
            dyntype: DynType::None,
            dynprm: first(1.0),
            actdim: -1,
            actearly: false,
            trntype: TrnType::Undefined,
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            target: String::new(),
            refsite: String::new(),
            slidersite: String::new(),
            cranklength: 0.0,
            lengthrange: [0.0; 2],
            inheritrange: 0.0,
            ctrllimited: Limited::Auto,
            ctrlrange: [0.0; 2],
            forcelimited: Limited::Auto,
            forcerange: [0.0; 2],
            actlimited: Limited::Auto,
            actrange: [0.0; 2],
            group: 0,
            nsample: 0,
            interp: 0,
            delay: 0.0,
            userdata: Vec::new(),
        }
    }
}

/// A sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Name, class, place.
    pub meta: Meta,
    /// Sensor type.
    pub kind: SensorType,
    /// Type of the sensed object.
    pub objtype: ObjType,
    /// The sensed object.
    pub objname: String,
    /// Type of the reference object.
    pub reftype: ObjType,
    /// The reference object; may be empty.
    pub refname: String,
    /// Integer parameters.
    pub intprm: [i32; 3],
    /// Data type, of user sensors.
    pub datatype: DataType,
    /// Stage, of user sensors.
    pub needstage: Stage,
    /// Outputs, of user sensors.
    pub dim: i32,
    /// Cutoff.
    pub cutoff: f64,
    /// Noise standard deviation.
    pub noise: f64,
    /// Samples in the history buffer.
    pub nsample: i32,
    /// Interpolation order.
    pub interp: i32,
    /// Delay. (s)
    pub delay: f64,
    /// Period and phase. (s)
    pub interval: [f64; 2],
    /// User numbers.
    pub userdata: Vec<f64>,
}

impl Default for Sensor {
    fn default() -> Self {
        Sensor {
            meta: Meta::default(),
            kind: SensorType::Touch,
            objtype: ObjType::Unknown,
            objname: String::new(),
            reftype: ObjType::Unknown,
            refname: String::new(),
            intprm: [0; 3],
            datatype: DataType::Real,
            needstage: Stage::Acc,
            dim: 0,
            cutoff: 0.0,
            noise: 0.0,
            nsample: 0,
            interp: 0,
            delay: 0.0,
            interval: [0.0; 2],
            userdata: Vec::new(),
        }
    }
}

/// A custom number array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numeric {
    /// Name, class, place.
    pub meta: Meta,
    /// Initial values.
    pub data: Vec<f64>,
    /// Length; at least that of `data`.
    pub size: i32,
}

/// A custom text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// Name, class, place.
    pub meta: Meta,
    /// The text.
    pub data: String,
}

/// One entry of a tuple.
#[derive(Clone, Debug, PartialEq)]
pub struct TupleEntry {
    /// Type of the object.
    pub objtype: ObjType,
    /// Its name.
    pub objname: String,
    /// A number that goes with it.
    pub prm: f64,
}

/// A custom tuple of objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuple {
    /// Name, class, place.
    pub meta: Meta,
    /// Entries.
    pub entries: Vec<TupleEntry>,
}

/// A keyframe; an empty vector means the initial state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Key {
    /// Name, class, place.
    pub meta: Meta,
    /// Came with an attached model: entries that are `NAN` mean the initial state.
    pub attached: bool,
    /// Time. (s)
    pub time: f64,
    /// Positions.
    pub qpos: Vec<f64>,
    /// Velocities.
    pub qvel: Vec<f64>,
    /// Activations.
    pub act: Vec<f64>,
    /// Mocap positions.
    pub mpos: Vec<f64>,
    /// Mocap orientations.
    pub mquat: Vec<f64>,
    /// Controls.
    pub ctrl: Vec<f64>,
}
