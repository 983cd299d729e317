//! MuJoCo's physics in Rust.

pub use sinew_engine::{Data, Model};
pub use sinew_mjcf::{Error, Source, Spec, load_path, load_str};
