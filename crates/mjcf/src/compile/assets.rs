//! All assets of a model, compiled before the tree because geoms need their sizes and volumes.

use super::Section;
use super::flat::Names;
use super::hfield::CompiledHField;
use super::material::CompiledMaterial;
use super::mesh::CompiledMesh;
use super::skin::CompiledSkin;
use super::texture::CompiledTexture;
use crate::error::{Error, Result};
use crate::source::Source;
use crate::spec::Spec;
use sinew_engine::model::enums::ObjType;
use sinew_engine::{Model, Sizes};

/// Compiled assets, each list in the order of the specification.
#[derive(Clone, Debug, Default)]
pub struct CompiledAssets {
    /// Meshes.
    pub meshes: Vec<CompiledMesh>,
    /// Height fields.
    pub hfields: Vec<CompiledHField>,
    /// Textures; none when visual elements are discarded.
    pub textures: Vec<CompiledTexture>,
    /// Materials; none when visual elements are discarded.
    pub materials: Vec<CompiledMaterial>,
    /// Skins.
    pub skins: Vec<CompiledSkin>,
}

/// Compiles the assets. Which meshes need a hull or a distance field follows from the geoms that use them.
pub fn compile_assets(spec: &Spec, source: &Source) -> Result<CompiledAssets> {
    let _ = (spec, source);
    Err(Error::invalid("asset compilation is not written yet"))
}

impl CompiledAssets {
    /// Registers the names of meshes, height fields, textures, materials and skins.
    pub fn register(&self, spec: &Spec, names: &mut Names) -> Result<()> {
        for (i, mesh) in self.meshes.iter().enumerate() {
            names.insert(ObjType::Mesh, &mesh.name, i, spec.meshes[i].meta.loc)?;
        }
        for (i, hfield) in self.hfields.iter().enumerate() {
            names.insert(ObjType::Hfield, &hfield.name, i, spec.hfields[i].meta.loc)?;
        }
        for (i, texture) in self.textures.iter().enumerate() {
            names.insert(ObjType::Texture, &texture.name, i, spec.textures[i].meta.loc)?;
        }
        for (i, material) in self.materials.iter().enumerate() {
            names.insert(ObjType::Material, &material.spec.meta.name, i, material.spec.meta.loc)?;
        }
        for (i, skin) in self.skins.iter().enumerate() {
            names.insert(ObjType::Skin, &skin.spec.meta.name, i, skin.spec.meta.loc)?;
        }
        Ok(())
    }

    /// Looks up the bodies of skin bones; call it once body names are registered.
    pub fn bind_skins(&mut self, names: &Names) -> Result<()> {
        for skin in &mut self.skins {
            let loc = skin.spec.meta.loc;
            let id = |bone: &crate::spec::SkinBone| names.require(ObjType::Body, &bone.body, loc);
            skin.bodyid = skin.spec.bones.iter().map(id).collect::<Result<_>>()?;
        }
        Ok(())
    }

    /// Drops the meshes not kept (visual ones, when these are discarded); ids of the others move down.
    pub fn retain_meshes(&mut self, keep: &[bool]) {
        let mut keep = keep.iter();
        self.meshes.retain(|_| keep.next().copied().unwrap_or(true));
    }
}

impl Section for CompiledAssets {
    fn count(&self, sizes: &mut Sizes) {
        let _ = sizes;
    }

    fn fill(&self, m: &mut Model) {
        let _ = m;
    }
}
