//! Materials: texture names → ids.

use super::flat::Names;
use crate::error::Result;
use crate::schema::attr;
use crate::spec;
use sinew_engine::Model;
use sinew_engine::model::enums::ObjType;

/// A material ready for the model.
#[derive(Clone, Debug, Default)]
pub struct CompiledMaterial {
    /// Attributes.
    pub spec: spec::Material,
    /// Texture id per role.
    pub texid: [Option<usize>; 10],
}

impl CompiledMaterial {
    /// Compiles a material; `names` contains the textures.
    pub(crate) fn new(material: &spec::Material, names: &Names) -> Result<CompiledMaterial> {
        let mut texid = [None; 10];
        for (id, texture) in texid.iter_mut().zip(&material.textures).filter(|(_, name)| !name.is_empty()) {
            let found = names.require(ObjType::Texture, texture, material.meta.loc);
            *id = Some(found.map_err(|e| e.element("material").attribute(attr::TEXTURE))?);
        }
        Ok(CompiledMaterial { spec: material.clone(), texid })
    }
}

/// Writes all materials to the model.
pub(crate) fn fill(materials: &[CompiledMaterial], m: &mut Model) {
    for (i, material) in materials.iter().enumerate() {
        let spec = &material.spec;
        m.mat_texid[i] = material.texid.map(|id| id.map_or(-1, |id| id as i32));
        m.mat_texuniform[i] = u8::from(spec.texuniform);
        m.mat_texrepeat[i] = spec.texrepeat;
        m.mat_emission[i] = spec.emission;
        m.mat_specular[i] = spec.specular;
        m.mat_shininess[i] = spec.shininess;
        m.mat_reflectance[i] = spec.reflectance;
        m.mat_metallic[i] = spec.metallic;
        m.mat_roughness[i] = spec.roughness;
        m.mat_rgba[i] = spec.rgba;
    }
}
