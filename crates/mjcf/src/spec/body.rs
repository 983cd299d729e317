//! The body tree and what hangs on it.

use super::Meta;
use sinew_engine::model::enums::{
    AlignFree, CamLight, GeomInertia, GeomType, JointType, LightType, Limited, Projection, SleepPolicy,
};

/// An alternative way to give an orientation; wins over `quat`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Orientation {
    /// Use the quaternion.
    #[default]
    Quat,
    /// Axis and angle.
    AxisAngle([f64; 4]),
    /// X axis and (not necessarily orthogonal) Y axis.
    XyAxes([f64; 6]),
    /// Z axis; the rotation from the current Z is minimal.
    ZAxis([f64; 3]),
    /// Euler angles in the compiler's sequence.
    Euler([f64; 3]),
}

/// A `frame`: a transform that disappears in compilation.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Name, class, place.
    pub meta: Meta,
    /// Enclosing frame, as index into the body's list.
    pub parent: Option<usize>,
    /// Default class for the elements inside.
    pub childclass: String,
    /// Position. (m)
    pub pos: [f64; 3],
    /// Orientation.
    pub quat: [f64; 4],
    /// Alternative orientation.
    pub alt: Orientation,
}

impl Default for Frame {
    fn default() -> Self {
        Frame {
            meta: Meta::default(),
            parent: None,
            childclass: String::new(),
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: Orientation::Quat,
        }
    }
}

/// A `body` with everything it owns, in file order per kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name, class, place.
    pub meta: Meta,
    /// Default class for the elements inside.
    pub childclass: String,
    /// Frame this body is placed in: index into the *parent's* `frames`.
    pub frame: Option<usize>,
    /// Position in the parent. (m)
    pub pos: [f64; 3],
    /// Orientation in the parent.
    pub quat: [f64; 4],
    /// Alternative orientation.
    pub alt: Orientation,
    /// Mass. (kg)
    pub mass: f64,
    /// Centre of mass; first element `NAN` when not given. (m)
    pub ipos: [f64; 3],
    /// Inertial orientation.
    pub iquat: [f64; 4],
    /// Diagonal inertia. (kg m²)
    pub inertia: [f64; 3],
    /// Alternative inertial orientation.
    pub ialt: Orientation,
    /// Full inertia xx yy zz xy xz yz; first element `NAN` when not given.
    pub fullinertia: [f64; 6],
    /// An `inertial` element was given.
    pub explicitinertial: bool,
    /// Moved by the user through `mocap_pos`.
    pub mocap: bool,
    /// Gravity compensation in units of body weight.
    pub gravcomp: f64,
    /// Sleep policy of the tree.
    pub sleep: SleepPolicy,
    /// User numbers.
    pub userdata: Vec<f64>,
    /// Frames declared in this body.
    pub frames: Vec<Frame>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Geoms.
    pub geoms: Vec<Geom>,
    /// Sites.
    pub sites: Vec<Site>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Child bodies.
    pub bodies: Vec<Body>,
}

impl Default for Body {
    fn default() -> Self {
        Body {
            meta: Meta::default(),
            childclass: String::new(),
            frame: None,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: Orientation::Quat,
            mass: 0.0,
            ipos: [f64::NAN, 0.0, 0.0],
            iquat: [1.0, 0.0, 0.0, 0.0],
            inertia: [0.0; 3],
            ialt: Orientation::Quat,
            fullinertia: [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
            explicitinertial: false,
            mocap: false,
            gravcomp: 0.0,
            sleep: SleepPolicy::Auto,
            userdata: Vec::new(),
            frames: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            bodies: Vec::new(),
        }
    }
}

/// A `joint` or `freejoint`.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name, class, place.
    pub meta: Meta,
    /// Frame of the owning body.
    pub frame: Option<usize>,
    /// Joint type.
    pub kind: JointType,
    /// Anchor. (m)
    pub pos: [f64; 3],
    /// Axis.
    pub axis: [f64; 3],
    /// Value at the initial configuration. (m or file angle)
    pub ref_: f64,
    /// Whether a free joint is aligned with the inertial frame.
    pub align: AlignFree,
    /// Spring stiffness.
    pub stiffness: f64,
    /// Spring reference. (m or file angle)
    pub springref: f64,
    /// Time constant and damping ratio that set stiffness and damping when positive.
    pub springdamper: [f64; 2],
    /// Limited?
    pub limited: Limited,
    /// Limits. (m or file angle)
    pub range: [f64; 2],
    /// Limit margin.
    pub margin: f64,
    /// Limit solver reference.
    pub solref_limit: [f64; 2],
    /// Limit solver impedance.
    pub solimp_limit: [f64; 5],
    /// Total actuator force limited?
    pub actfrclimited: Limited,
    /// Range of total actuator force.
    pub actfrcrange: [f64; 2],
    /// Armature inertia.
    pub armature: f64,
    /// Damping.
    pub damping: f64,
    /// Dry friction.
    pub frictionloss: f64,
    /// Friction solver reference.
    pub solref_friction: [f64; 2],
    /// Friction solver impedance.
    pub solimp_friction: [f64; 5],
    /// Group.
    pub group: i32,
    /// Gravity compensation acts through actuators.
    pub actgravcomp: bool,
    /// User numbers.
    pub userdata: Vec<f64>,
}

pub(super) const SOLREF: [f64; 2] = [0.02, 1.0];
pub(super) const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

impl Default for Joint {
    fn default() -> Self {
        Joint {
            meta: Meta::default(),
            frame: None,
            kind: JointType::Hinge,
            pos: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            ref_: 0.0,
            align: AlignFree::Auto,
            stiffness: 0.0,
            springref: 0.0,
            springdamper: [0.0; 2],
            limited: Limited::Auto,
            range: [0.0; 2],
            margin: 0.0,
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            actfrclimited: Limited::Auto,
            actfrcrange: [0.0; 2],
            armature: 0.0,
            damping: 0.0,
            frictionloss: 0.0,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            group: 0,
            actgravcomp: false,
            userdata: Vec::new(),
        }
    }
}

/// A `geom`.
#[derive(Clone, Debug, PartialEq)]
pub struct Geom {
    /// Name, class, place.
    pub meta: Meta,
    /// Frame of the owning body.
    pub frame: Option<usize>,
    /// Shape.
    pub kind: GeomType,
    /// Position. (m)
    pub pos: [f64; 3],
    /// Orientation.
    pub quat: [f64; 4],
    /// Alternative orientation.
    pub alt: Orientation,
    /// End points instead of pose and length; first element `NAN` when not given. (m)
    pub fromto: [f64; 6],
    /// Size parameters; `NAN` when not given. (m)
    pub size: [f64; 3],
    /// Contact type bits.
    pub contype: i32,
    /// Contact affinity bits.
    pub conaffinity: i32,
    /// Contact dimension.
    pub condim: i32,
    /// Contact priority.
    pub priority: i32,
    /// Sliding, spinning and rolling friction.
    pub friction: [f64; 3],
    /// Weight when solver parameters are mixed.
    pub solmix: f64,
    /// Solver reference.
    pub solref: [f64; 2],
    /// Solver impedance.
    pub solimp: [f64; 5],
    /// Detection margin. (m)
    pub margin: f64,
    /// Gap inside the margin. (m)
    pub gap: f64,
    /// Mass; `NAN` when not given. (kg)
    pub mass: f64,
    /// Density. (kg/m³)
    pub density: f64,
    /// Mass on the surface or in the volume.
    pub typeinertia: GeomInertia,
    /// Ellipsoid fluid model on (1) or off (0).
    pub fluid_ellipsoid: f64,
    /// Blunt drag, slender drag, angular drag, Kutta lift, Magnus lift.
    pub fluid_coefs: [f64; 5],
    /// Material name.
    pub material: String,
    /// Colour.
    pub rgba: [f32; 4],
    /// Group.
    pub group: i32,
    /// Height field name.
    pub hfield: String,
    /// Mesh name; with a primitive type the primitive is fitted to it.
    pub mesh: String,
    /// Scale of the fitted primitive.
    pub fitscale: f64,
    /// User numbers.
    pub userdata: Vec<f64>,
}

impl Default for Geom {
    fn default() -> Self {
        Geom {
            meta: Meta::default(),
            frame: None,
            kind: GeomType::Sphere,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: Orientation::Quat,
            fromto: [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
            size: [0.0; 3],
            contype: 1,
            conaffinity: 1,
            condim: 3,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            mass: f64::NAN,
            density: 1000.0,
            typeinertia: GeomInertia::Volume,
            fluid_ellipsoid: 0.0,
            fluid_coefs: [0.5, 0.25, 1.5, 1.0, 1.0],
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            group: 0,
            hfield: String::new(),
            mesh: String::new(),
            fitscale: 1.0,
            userdata: Vec::new(),
        }
    }
}

/// A `site`.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Name, class, place.
    pub meta: Meta,
    /// Frame of the owning body.
    pub frame: Option<usize>,
    /// Shape for drawing and for touch zones.
    pub kind: GeomType,
    /// Position. (m)
    pub pos: [f64; 3],
    /// Orientation.
    pub quat: [f64; 4],
    /// Alternative orientation.
    pub alt: Orientation,
    /// End points; first element `NAN` when not given. (m)
    pub fromto: [f64; 6],
    /// Size. (m)
    pub size: [f64; 3],
    /// Material name.
    pub material: String,
    /// Group.
    pub group: i32,
    /// Colour.
    pub rgba: [f32; 4],
    /// User numbers.
    pub userdata: Vec<f64>,
}

impl Default for Site {
    fn default() -> Self {
        Site {
            meta: Meta::default(),
            frame: None,
            kind: GeomType::Sphere,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: Orientation::Quat,
            fromto: [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
            size: [0.005; 3],
            material: String::new(),
            group: 0,
            rgba: [0.5, 0.5, 0.5, 1.0],
            userdata: Vec::new(),
        }
    }
}

/// A `camera`.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name, class, place.
    pub meta: Meta,
    /// Frame of the owning body.
    pub frame: Option<usize>,
    /// Position. (m)
    pub pos: [f64; 3],
    /// Orientation.
    pub quat: [f64; 4],
    /// Alternative orientation.
    pub alt: Orientation,
    /// Tracking mode.
    pub mode: CamLight,
    /// Body to look at.
    pub targetbody: String,
    /// Projection.
    pub proj: Projection,
    /// Image size. (pixel)
    pub resolution: [i32; 2],
    /// Output bits.
    pub output: i32,
    /// Vertical field of view. (degree, or m when orthographic)
    pub fovy: f64,
    /// Inter-pupillary distance. (m)
    pub ipd: f64,
    /// Sensor size. (m)
    pub sensor_size: [f32; 2],
    /// Focal length. (m)
    pub focal_length: [f32; 2],
    /// Focal length. (pixel)
    pub focal_pixel: [f32; 2],
    /// Principal point. (m)
    pub principal_length: [f32; 2],
    /// Principal point. (pixel)
    pub principal_pixel: [f32; 2],
    /// User numbers.
    pub userdata: Vec<f64>,
}

impl Default for Camera {
    fn default() -> Self {
        Camera {
            meta: Meta::default(),
            frame: None,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: Orientation::Quat,
            mode: CamLight::Fixed,
            targetbody: String::new(),
            proj: Projection::Perspective,
            resolution: [1, 1],
            output: 1,
            fovy: 45.0,
            ipd: 0.068,
            sensor_size: [0.0; 2],
            focal_length: [0.0; 2],
            focal_pixel: [0.0; 2],
            principal_length: [0.0; 2],
            principal_pixel: [0.0; 2],
            userdata: Vec::new(),
        }
    }
}

/// A `light`.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name, class, place.
    pub meta: Meta,
    /// Frame of the owning body.
    pub frame: Option<usize>,
    /// Position. (m)
    pub pos: [f64; 3],
    /// Direction.
    pub dir: [f64; 3],
    /// Tracking mode.
    pub mode: CamLight,
    /// Body to look at.
    pub targetbody: String,
    /// On?
    pub active: bool,
    /// Kind of light.
    pub kind: LightType,
    /// Texture of an image light.
    pub texture: String,
    /// Casts shadows?
    pub castshadow: bool,
    /// Bulb radius. (m)
    pub bulbradius: f32,
    /// Intensity. (cd)
    pub intensity: f32,
    /// Range. (m)
    pub range: f32,
    /// Constant, linear and quadratic attenuation.
    pub attenuation: [f32; 3],
    /// Cutoff angle. (degree)
    pub cutoff: f32,
    /// Spot exponent.
    pub exponent: f32,
    /// Ambient colour.
    pub ambient: [f32; 3],
    /// Diffuse colour.
    pub diffuse: [f32; 3],
    /// Specular colour.
    pub specular: [f32; 3],
}

impl Default for Light {
    fn default() -> Self {
        Light {
            meta: Meta::default(),
            frame: None,
            pos: [0.0; 3],
            dir: [0.0, 0.0, -1.0],
            mode: CamLight::Fixed,
            targetbody: String::new(),
            active: true,
            kind: LightType::Spot,
            texture: String::new(),
            castshadow: true,
            bulbradius: 0.02,
            intensity: 0.0,
            range: 10.0,
            attenuation: [1.0, 0.0, 0.0],
            cutoff: 45.0,
            exponent: 10.0,
            ambient: [0.0; 3],
            diffuse: [0.7; 3],
            specular: [0.3; 3],
        }
    }
}
