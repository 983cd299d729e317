//! MJCF and URDF text → [`spec::Spec`] → compiled [`sinew_engine::Model`].
//!
//! What this crate does: reads files (from disk or memory), reports what is wrong with them, applies
//! defaults, frames, attachments and replication, processes assets, and compiles. What it does not do:
//! simulate. The only physics it calls is the engine's `set_const`, as the last pass of compilation.

pub mod asset;
pub mod compile;
pub mod error;
mod numbers;
mod reader;
mod schema;
pub mod source;
pub mod spec;
mod urdf;
pub mod xml;

pub use error::{Error, ErrorKind, Result};
pub use source::Source;
pub use spec::Spec;

use sinew_engine::Model;

/// Reads a model file (MJCF or URDF, told apart by the root element) without compiling it.
pub fn read_path(path: &str, source: &Source) -> Result<Spec> {
    reader::read_file(path, source, &mut reader::Budget::new()).map(complete)
}

/// Reads a model given as text; files it refers to are looked up in `source`.
pub fn read_str(xml: &str, source: &Source) -> Result<Spec> {
    reader::read_text(xml, "<string>", source, &mut reader::Budget::new()).map(complete)
}

/// Keyframe values that travelled with attached elements become keyframes.
fn complete(mut spec: Spec) -> Spec {
    spec::keys::settle(&mut spec);
    spec
}

/// Compiles a model file on disk.
pub fn load_path(path: &str) -> Result<Model> {
    load_file(path, &Source::disk())
}

/// Compiles a model file; it and the files it refers to are looked up in `source`.
pub fn load_file(path: &str, source: &Source) -> Result<Model> {
    compile::compile(&read_path(path, source)?, source)
}

/// Compiles a model given as text; files it refers to are looked up in `source`.
pub fn load_str(xml: &str, source: &Source) -> Result<Model> {
    compile::compile(&read_str(xml, source)?, source)
}
