//! MuJoCo's physics in Rust: load an MJCF file, step it, read everything.
//!
//! ```
//! use sinew::prelude::*;
//!
//! let xml = r#"<mujoco><worldbody><body name="ball"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#;
//! let model = load_str(xml, &Source::default())?;
//! let mut data = Data::new(&model);
//! while data.state.time < 1.0 {
//!     step(&model, &mut data);
//! }
//! let fallen = -model.body("ball")?.xpos(&data)[2];
//! assert!((fallen - 4.9).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Fields and enum values have MuJoCo's names, so its manual applies: `model.jnt_range`, `data.state.qpos`. Elements
//! are found by name with [`Model::body`], [`Model::joint`] and so on; the returned handles read all fields of the
//! element, and errors suggest similar names:
//!
//! ```
//! # use sinew::prelude::*;
//! # let xml = r#"<mujoco><worldbody><body><joint name="knee" range="-10 90"/><geom size=".1" pos="0 0 .3"/></body></worldbody>
//! #   <actuator><motor name="knee" joint="knee"/></actuator><sensor><jointvel name="speed" joint="knee"/></sensor></mujoco>"#;
//! let model = load_str(xml, &Source::default())?;
//! let mut data = Data::new(&model);
//! let knee = model.joint("knee")?;
//! knee.qpos_mut(&mut data)[0] = knee.range()[1];
//! model.actuator("knee")?.set_ctrl(&mut data, 0.5);
//! step(&model, &mut data);
//! assert_eq!(model.sensor("speed")?.read(&data).len(), 1);
//! assert_eq!(model.joint("kene").unwrap_err().to_string(), "no joint is named 'kene'; did you mean 'knee'?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Options are typed and checked at compile time:
//!
//! ```
//! # use sinew::prelude::*;
//! # let xml = "<mujoco/>";
//! let mut model = load_str(xml, &Source::default())?;
//! model.opt.integrator = Integrator::Implicitfast;
//! model.opt.disableflags |= DisableFlags::CONTACT;
//! model.opt.gravity = [0.0, 0.0, -1.62];
//! # Ok::<(), Error>(())
//! ```
//!
//! See `crates/sinew/examples` for programs to start from. [`engine`] contains the stages, [`mjcf`] the file format,
//! [`batch`] batched simulation, [`math`] and [`geometry`] what they build on.

pub use sinew_batch as batch;
pub use sinew_engine as engine;
pub use sinew_geometry as geometry;
pub use sinew_math as math;
pub use sinew_mjcf as mjcf;

/// ```
/// # use sinew::prelude::*;
/// # let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 .1"><joint name="z" type="slide" axis="0 0 1"/>
/// #   <geom size=".1" mass="2"/></body></worldbody><actuator><motor name="lift" joint="z"/></actuator><keyframe><key name="up" qpos="1"/></keyframe></mujoco>"#;
/// # let model = load_str(xml, &Source::default())?;
/// # let mut data = Data::new(&model);
/// let mut worlds = BatchSim::builder(std::sync::Arc::new(model), 64).steps(10).build()?;
/// let controls: Vec<f64> = (0..64).map(|i| i as f64).collect();
/// worlds.step_all(&controls)?;
/// let height = |i| worlds.world(i).map(|d| d.state.qpos[0]);
/// assert!(height(63) > height(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use sinew_batch::BatchSim;
pub use sinew_batch::{BatchError, Task};
/// Reset to a keyframe by name, and the error for one that does not exist:
///
/// ```
/// # use sinew::prelude::*;
/// # let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 .1"><joint name="z" type="slide" axis="0 0 1"/>
/// #   <geom size=".1" mass="2"/></body></worldbody><actuator><motor name="lift" joint="z"/></actuator><keyframe><key name="up" qpos="1"/></keyframe></mujoco>"#;
/// # let model = load_str(xml, &Source::default())?;
/// # let mut data = Data::new(&model);
/// model.key("up")?.reset(&mut data);
/// assert_eq!(data.state.qpos[0], 1.0);
/// let error = data.reset_keyframe(&model, 7_usize).unwrap_err();
/// assert_eq!(error.to_string(), "keyframe 7 does not exist; the model has 1, counted from 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use sinew_engine::Data;
/// Iterate over elements, and refer to one by an id that does not borrow the model:
///
/// ```
/// # use sinew::prelude::*;
/// # let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 .1"><joint name="z" type="slide" axis="0 0 1"/>
/// #   <geom size=".1" mass="2"/></body></worldbody><actuator><motor name="lift" joint="z"/></actuator><keyframe><key name="up" qpos="1"/></keyframe></mujoco>"#;
/// # let model = load_str(xml, &Source::default())?;
/// # let mut data = Data::new(&model);
/// let names: Vec<_> = model.bodies().filter_map(|body| body.name()).collect();
/// assert_eq!(names, ["world", "ball"]);
/// let ball: Id<Body> = model.body("ball")?.id();
/// assert_eq!(model.body_mass[ball.index()], 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use sinew_engine::Model;
pub use sinew_engine::data::Contact;
pub use sinew_engine::data::state::UnknownKeyframe;
pub use sinew_engine::handle::{self, Id, Ref};
pub use sinew_engine::hooks::Hooks;
pub use sinew_engine::inverse::inverse;
pub use sinew_engine::model::enums;
pub use sinew_engine::model::names::UnknownName;
pub use sinew_engine::model::{InvalidModel, Options};
pub use sinew_engine::plugin;
/// Forces and accelerations of a state, without advancing it:
///
/// ```
/// # use sinew::prelude::*;
/// # let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 .1"><joint name="z" type="slide" axis="0 0 1"/>
/// #   <geom size=".1" mass="2"/></body></worldbody><actuator><motor name="lift" joint="z"/></actuator><keyframe><key name="up" qpos="1"/></keyframe></mujoco>"#;
/// # let model = load_str(xml, &Source::default())?;
/// # let mut data = Data::new(&model);
/// forward(&model, &mut data);
/// assert!((model.joint("z")?.qfrc_bias(&data)[0] - 2.0 * 9.81).abs() < 1e-12);
/// assert_eq!(data.state.time, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use sinew_engine::step::forward;
/// ```
/// # use sinew::prelude::*;
/// # let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 .1"><joint name="z" type="slide" axis="0 0 1"/>
/// #   <geom size=".1" mass="2"/></body></worldbody><actuator><motor name="lift" joint="z"/></actuator><keyframe><key name="up" qpos="1"/></keyframe></mujoco>"#;
/// # let model = load_str(xml, &Source::default())?;
/// # let mut data = Data::new(&model);
/// step(&model, &mut data);
/// assert_eq!(data.state.time, model.opt.timestep);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use sinew_engine::step::step;
/// ```
/// # use sinew::prelude::*;
/// # let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 .1"><joint name="z" type="slide" axis="0 0 1"/>
/// #   <geom size=".1" mass="2"/></body></worldbody><actuator><motor name="lift" joint="z"/></actuator><keyframe><key name="up" qpos="1"/></keyframe></mujoco>"#;
/// # let model = load_str(xml, &Source::default())?;
/// # let mut data = Data::new(&model);
/// data.state.ctrl[0] = f64::NAN;
/// assert_eq!(try_step(&model, &mut data, &mut ()), Err(StepError::BadCtrl(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use sinew_engine::step::try_step;
pub use sinew_engine::step::{StepError, forward_with, step_with, step1, step2, try_step_strict};
/// [`Data::contact_force`] is a shorthand:
///
/// ```
/// # use sinew::prelude::*;
/// # let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 .1"><joint name="z" type="slide" axis="0 0 1"/>
/// #   <geom size=".1" mass="2"/></body></worldbody><actuator><motor name="lift" joint="z"/></actuator><keyframe><key name="up" qpos="1"/></keyframe></mujoco>"#;
/// # let model = load_str(xml, &Source::default())?;
/// # let mut data = Data::new(&model);
/// (0..500).for_each(|_| step(&model, &mut data));
/// let normal: f64 = data.contact.iter().map(|c| data.contact_force(&model, c)[0]).sum();
/// assert!((normal - 2.0 * 9.81).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use sinew_engine::support::contact::contact_force;
pub use sinew_engine::transition::Transition;
/// ```
/// # use sinew::prelude::*;
/// # let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 .1"><joint name="z" type="slide" axis="0 0 1"/>
/// #   <geom size=".1" mass="2"/></body></worldbody><actuator><motor name="lift" joint="z"/></actuator><keyframe><key name="up" qpos="1"/></keyframe></mujoco>"#;
/// # let model = load_str(xml, &Source::default())?;
/// # let mut data = Data::new(&model);
/// data.state.qpos[0] = 1.0;
/// let about = transition_fd(&model, &mut data, &mut (), 1e-6, true, [true, true, false, false])?;
/// assert!((about.B[1] - model.opt.timestep / 2.0).abs() < 1e-8); // velocity by control: h / m
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use sinew_engine::transition::transition_fd;
/// Read files from memory:
///
/// ```
/// # use sinew::prelude::*;
/// let part = b"<mujoco><body name='part'><geom size='.1'/></body></mujoco>".to_vec();
/// let files = Source::with_files([("part.xml".to_string(), part)]);
/// let model = load_str(r#"<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>"#, &files)?;
/// assert!(model.body("part").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use sinew_mjcf::Source;
/// ```
/// let error = sinew::load_str("<mujoco><worldbody><bdy/></worldbody></mujoco>", &sinew::Source::default()).unwrap_err();
/// assert!(error.to_string().contains("did you mean 'body'?"), "{error}");
/// ```
pub use sinew_mjcf::load_str;
pub use sinew_mjcf::{Error, Limits, Loaded, Loader, Report, Spec, load_path};

/// Physics beyond MuJoCo's: simulations with custom components.
///
/// ```
/// use sinew::open::{SeriesElastic, PerActuator, SimBuilder, Xpbd};
/// use sinew::prelude::*;
///
/// let xml = r#"<mujoco><worldbody><body><joint name="x" type="slide"/><geom size=".1"/></body></worldbody>
///     <actuator><motor name="pull" joint="x"/></actuator></mujoco>"#;
/// let spring = SeriesElastic { k: 100.0, d: 10.0, gear: 1.0 };
/// let laws = PerActuator::new().with("pull", spring);
/// let mut sim = SimBuilder::new().actuators(laws).solver(Xpbd::default()).build(load_str(xml, &Source::default())?)?;
/// sim.step()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod open {
    pub use sinew_engine::actuation::{Actuators, PerActuator};
    pub use sinew_engine::model::extension::{Compliance, Extension, ExtensionError, Xpbd};
    pub use sinew_engine::parts::{ByModel, Parts};
    pub use sinew_engine::sim::{AnimationSim, Assembly, BuildError, MujocoSim, Sim, SimBuilder, SoftBodySim};
    pub use sinew_engine::solver::{ConstraintSolver, Convex, Made};
    pub use sinew_engine::support::actuator::{
        ActuatorInput, ActuatorModel, DcMotor, Law, Mujoco, SeriesElastic, Slopes,
    };
    pub use sinew_engine::support::bending::{Bending, BendingModel, Dihedral, HingeRest};
    pub use sinew_engine::support::elastic::{
        self, ElasticModel, Elasticity, FromModel, Lame, Material, MooneyRivlin, NeoHookean, Ogden, Response, StVenant,
    };
    pub use sinew_engine::support::flex_law::PerFlex;
}

/// The items that most programs need: `use sinew::prelude::*;`.
///
/// ```
/// use sinew::prelude::*;
///
/// /// Pushes a joint with a force that grows with time.
/// struct Push(Id<Joint>);
///
/// impl Hooks for Push {
///     fn control(&mut self, m: &Model, d: &mut Data) {
///         let force = d.state.time;
///         m.get(self.0).into_iter().for_each(|joint| joint.qfrc_applied_mut(d)[0] = force);
///     }
/// }
///
/// let xml = r#"<mujoco><worldbody><body><joint name="x" type="slide"/><geom size=".1"/></body></worldbody></mujoco>"#;
/// let model = load_str(xml, &Source::default())?;
/// let mut data = Data::new(&model);
/// let mut push = Push(model.joint("x")?.id());
/// for _ in 0..100 {
///     try_step_strict(&model, &mut data, &mut push)?;
/// }
/// assert!(data.state.qvel[0].abs() > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod prelude {
    pub use crate::batch::BatchSim;
    pub use crate::enums::{
        ConeType, DisableFlags, EnableFlags, GeomType, Integrator, JacobianType, JointType, SensorType, SolverType,
    };
    pub use crate::handle::{
        Actuator, ActuatorRef, Body, BodyRef, Camera, CameraRef, Equality, EqualityRef, Geom, GeomRef, Id, Joint,
        JointRef, Key, KeyRef, Light, LightRef, Material, MaterialRef, Mesh, MeshRef, Sensor, SensorRef, Site, SiteRef,
        Tendon, TendonRef,
    };
    pub use crate::{
        Contact, Data, Error, Hooks, Loader, Model, Source, StepError, contact_force, forward, load_path, load_str,
        step, step_with, transition_fd, try_step, try_step_strict,
    };
}
