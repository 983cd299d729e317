//! Spec → Model, in passes.
//!
//! Each section of the model is first *resolved* (references looked up, values checked and converted) and
//! then knows how to count itself into the sizes and to fill its arrays; see [`Section`].

mod actuator;
pub mod assets;
mod contact;
mod custom;
mod equality;
pub mod flat;
pub mod hfield;
mod key;
pub mod material;
pub mod mesh;
mod sensor;
mod shared;
pub mod skin;
mod tendon;
pub mod texture;

use crate::error::Result;
use crate::source::Source;
use crate::spec::Spec;
use sinew_engine::{Model, Sizes};

/// A resolved part of the model.
pub(crate) trait Section {
    /// Adds what this section needs to the sizes.
    fn count(&self, sizes: &mut Sizes);
    /// Writes the arrays of this section. `m` has been allocated from the counted sizes.
    fn fill(&self, m: &mut Model);
}

/// Compiles a specification.
pub fn compile(spec: &Spec, source: &Source) -> Result<Model> {
    let _ = (spec, source);
    Err(crate::error::Error::invalid("compile is not written yet"))
}
