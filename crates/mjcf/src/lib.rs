//! MJCF and URDF text → [`spec::Spec`] → compiled [`sinew_engine::Model`].
//!
//! This crate reads files (from disk or memory), reports what is wrong with them, applies defaults, frames, attachments
//! and replication, processes assets, and compiles. It does not simulate: the only physics it calls is the engine's
//! `set_const`, as the last pass of compilation.

pub mod asset;
pub mod compile;
mod dependencies;
pub mod error;
mod limits;
mod loader;
mod numbers;
mod reader;
mod schema;
pub mod source;
pub mod spec;
mod urdf;
mod writer;
pub mod xml;

#[cfg(test)]
#[path = "../../sinew/tests/common/tolerance.rs"]
mod tolerance;

pub use dependencies::dependencies;
pub use error::{Error, ErrorKind, Report, Result};
pub use limits::Limits;
pub use loader::{Loaded, Loader};
pub use schema::describe as describe_schema;
pub use source::Source;
pub use spec::Spec;

use sinew_engine::Model;

/// Reads a model file (MJCF or URDF, distinguished by the root element) without compiling it.
pub fn read_path(path: &str, source: &Source) -> Result<Spec> {
    Loader::new().source(source).read_path(path).map(|(spec, _)| spec)
}

/// Reads a model given as text; files it refers to are looked up in `source`.
pub fn read_str(xml: &str, source: &Source) -> Result<Spec> {
    Loader::new().source(source).read_text(xml).map(|(spec, _)| spec)
}

/// Compiles a model file on disk. [`Loader`] also returns warnings.
pub fn load_path(path: &str) -> Result<Model> {
    Loader::new().path(path).map(|loaded| loaded.model)
}

/// Compiles a model file; it and the files it refers to are looked up in `source`.
pub fn load_file(path: &str, source: &Source) -> Result<Model> {
    Loader::new().source(source).path(path).map(|loaded| loaded.model)
}

/// Compiles a model given as text; files it refers to are looked up in `source`.
pub fn load_str(xml: &str, source: &Source) -> Result<Model> {
    Loader::new().source(source).text(xml).map(|loaded| loaded.model)
}
