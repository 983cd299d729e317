//! Skins: inline or from a file; bones refer to bodies by name.

use crate::spec;

/// A skin ready for the model, once its bones are bound to bodies.
#[derive(Clone, Debug, Default)]
pub struct CompiledSkin {
    /// Attributes; the file's content has been read into the arrays.
    pub spec: spec::Skin,
    /// Material id.
    pub matid: Option<usize>,
    /// Body of each bone.
    pub bodyid: Vec<usize>,
}
