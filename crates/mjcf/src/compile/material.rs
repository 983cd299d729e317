//! Materials: texture names → ids.

use crate::spec;

/// A material ready for the model.
#[derive(Clone, Debug, Default)]
pub struct CompiledMaterial {
    /// Attributes.
    pub spec: spec::Material,
    /// Texture id per role.
    pub texid: [Option<usize>; 10],
}
