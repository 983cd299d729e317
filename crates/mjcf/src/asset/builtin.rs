//! Procedural meshes.

use crate::error::{Error, Result};
use crate::spec;
use sinew_engine::model::enums::MeshBuiltin;

/// Expands a builtin shape to inline arrays of `out`.
#[doc(alias = "mjs_makeMesh")]
pub fn builtin(kind: MeshBuiltin, params: &[f64], out: &mut spec::Mesh) -> Result<()> {
    let _ = (kind, params, out);
    Err(Error::invalid("builtin meshes are not written yet"))
}
