//! MuJoCo's physics in Rust: load an MJCF file, step it, read everything.
//!
//! ```
//! let xml = r#"<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#;
//! let model = sinew::load_str(xml, &sinew::Source::default())?;
//! let mut data = sinew::Data::new(&model);
//! while data.state.time < 1.0 {
//!     sinew::step(&model, &mut data);
//! }
//! assert!((data.state.qvel[2] + 9.81 * data.state.time).abs() < 1e-9);
//! # Ok::<(), sinew::Error>(())
//! ```
//!
//! Fields and enum values carry MuJoCo's names, so its manual applies. [`engine`] holds the stages, [`mjcf`] the
//! file format, [`batch`] many worlds at once, [`math`] and [`geometry`] what they build on.

pub use sinew_batch as batch;
pub use sinew_engine as engine;
pub use sinew_geometry as geometry;
pub use sinew_math as math;
pub use sinew_mjcf as mjcf;

pub use sinew_engine::step::{forward, step, try_step};
pub use sinew_engine::{Data, Model};
pub use sinew_mjcf::{Error, Limits, Loaded, Loader, Report, Source, Spec, load_path, load_str};
