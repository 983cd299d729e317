//! Skins: inline or from a file; bones refer to bodies by name.

use super::flat::Names;
use crate::asset::{self, bad, rows, skn};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::attr;
use crate::spec;
use sinew_engine::model::enums::ObjType;
use sinew_engine::{Model, Sizes};
use sinew_math::MINVAL;

/// A skin ready for the model, once its bones are bound to bodies.
#[derive(Clone, Debug, Default)]
pub struct CompiledSkin {
    /// Attributes; the file's content has been read into the arrays.
    pub spec: spec::Skin,
    /// File, as stored in the model's paths.
    pub file: String,
    /// Material id.
    pub matid: Option<usize>,
    /// Body of each bone.
    pub bodyid: Vec<usize>,
}

impl CompiledSkin {
    /// Compiles a skin; `data` is the content of its file, if it has one, and `names` contains the materials.
    pub(crate) fn new(skin: &spec::Skin, data: Option<&[u8]>, names: &Names) -> Result<CompiledSkin> {
        let mut spec = skin.clone();
        if let Some(data) = data {
            if !(skin.vert.is_empty() && skin.texcoord.is_empty() && skin.face.is_empty() && skin.bones.is_empty()) {
                return Err(bad("skin data is in the file and in the element"));
            }
            if !skin.file.to_ascii_lowercase().ends_with(".skn") {
                return Err(bad(format!("unknown skin file type '{}'", skin.file)).hint("use SKN"));
            }
            let raw = skn::read(data)?;
            (spec.vert, spec.texcoord, spec.face, spec.bones) = (raw.vert, raw.texcoord, raw.face, raw.bones);
        }
        if spec.meta.name.is_empty() {
            spec.meta.name = asset::stem(&skin.file).to_string();
        }
        check(&spec)?;
        if let Some(i) = stray_face(&spec) {
            let message = format!("a skin face refers to vertex {i} of {}; it is drawn wrongly", spec.vert.len() / 3);
            names.warn(Error::new(ErrorKind::Ignored(message)).at(skin.meta.loc).element("skin").attribute(attr::FACE));
        }
        weigh(&mut spec)?;
        for bone in &mut spec.bones {
            let q = bone.bindquat.map(f64::from);
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm * norm >= 1e-14 {
                bone.bindquat = q.map(|x| (x / norm) as f32);
            }
        }
        let matid = match skin.material.as_str() {
            "" => None,
            material => Some(names.require(ObjType::Material, material, skin.meta.loc)?),
        };
        Ok(CompiledSkin { spec, file: String::new(), matid, bodyid: Vec::new() })
    }

    /// Looks up the bodies of the bones.
    pub(crate) fn bind(&mut self, names: &Names) -> Result<()> {
        let loc = self.spec.meta.loc;
        let id = |bone: &spec::SkinBone| names.require(ObjType::Body, &bone.body, loc).map_err(|e| e.element("skin"));
        self.bodyid = self.spec.bones.iter().map(id).collect::<Result<_>>()?;
        Ok(())
    }
}

fn check(skin: &spec::Skin) -> Result<()> {
    if skin.vert.is_empty() || skin.face.is_empty() || skin.bones.is_empty() {
        return Err(bad("skin has no vertices, faces or bones"));
    }
    if !skin.vert.len().is_multiple_of(3) || !skin.face.len().is_multiple_of(3) {
        return Err(bad("lengths of skin vertices and faces must be multiples of 3"));
    }
    let nvert = skin.vert.len() / 3;
    if !skin.texcoord.is_empty() && skin.texcoord.len() != 2 * nvert {
        return Err(bad("skin must have one texture coordinate per vertex"));
    }
    for bone in &skin.bones {
        if bone.vertid.is_empty() || bone.vertid.len() != bone.vertweight.len() {
            return Err(bad(format!("bone '{}' must have as many weights as vertices, and some", bone.body)));
        }
        if let Some(i) = bone.vertid.iter().find(|i| !(0..nvert as i32).contains(i)) {
            return Err(bad(format!("bone '{}' refers to vertex {i}, there are only {nvert}", bone.body)));
        }
    }
    Ok(())
}

/// A vertex index used by a face that does not exist.
fn stray_face(skin: &spec::Skin) -> Option<i32> {
    let nvert = skin.vert.len() as i32 / 3;
    skin.face.iter().copied().find(|i| !(0..nvert).contains(i))
}

/// Makes the weights of each vertex sum to one.
fn weigh(skin: &mut spec::Skin) -> Result<()> {
    let mut total = vec![0f32; skin.vert.len() / 3];
    for bone in &skin.bones {
        for (&i, w) in bone.vertid.iter().zip(&bone.vertweight) {
            total[i as usize] += w;
        }
    }
    if let Some(i) = total.iter().position(|&w| w.is_nan() || f64::from(w) <= MINVAL) {
        return Err(bad(format!("skin vertex {i} must have positive total weight")));
    }
    for bone in &mut skin.bones {
        for (&i, w) in bone.vertid.iter().zip(&mut bone.vertweight) {
            *w /= total[i as usize];
        }
    }
    Ok(())
}

impl CompiledSkin {
    /// Adds what the skin needs to the sizes.
    pub(crate) fn count(&self, sizes: &mut Sizes) {
        sizes.nskinvert += self.spec.vert.len() / 3;
        sizes.nskintexvert += self.spec.texcoord.len() / 2;
        sizes.nskinface += self.spec.face.len() / 3;
        sizes.nskinbone += self.spec.bones.len();
        sizes.nskinbonevert += self.spec.bones.iter().map(|b| b.vertid.len()).sum::<usize>();
    }
}

/// Writes all skins.
pub(crate) fn fill(skins: &[CompiledSkin], m: &mut Model) {
    let (mut vert, mut tex, mut face, mut bone, mut bonevert) = (0, 0, 0, 0, 0);
    for (i, skin) in skins.iter().enumerate() {
        let spec = &skin.spec;
        m.skin_matid[i] = skin.matid.map_or(-1, |id| id as i32);
        m.skin_group[i] = spec.group;
        m.skin_rgba[i] = spec.rgba;
        m.skin_inflate[i] = spec.inflate;
        m.skin_vertadr[i] = vert as i32;
        m.skin_vertnum[i] = spec.vert.len() as i32 / 3;
        m.skin_texcoordadr[i] = if spec.texcoord.is_empty() { -1 } else { tex as i32 };
        m.skin_faceadr[i] = face as i32;
        m.skin_facenum[i] = spec.face.len() as i32 / 3;
        m.skin_boneadr[i] = bone as i32;
        m.skin_bonenum[i] = spec.bones.len() as i32;
        vert += copy(&mut m.skin_vert[vert..], &rows(&spec.vert));
        tex += copy(&mut m.skin_texcoord[tex..], &rows(&spec.texcoord));
        face += copy(&mut m.skin_face[face..], &rows(&spec.face));
        for (b, &body) in spec.bones.iter().zip(&skin.bodyid) {
            m.skin_bonebindpos[bone] = b.bindpos;
            m.skin_bonebindquat[bone] = b.bindquat;
            m.skin_bonebodyid[bone] = body as i32;
            m.skin_bonevertadr[bone] = bonevert as i32;
            m.skin_bonevertnum[bone] = b.vertid.len() as i32;
            copy(&mut m.skin_bonevertid[bonevert..], &b.vertid);
            bonevert += copy(&mut m.skin_bonevertweight[bonevert..], &b.vertweight);
            bone += 1;
        }
    }
}

/// Copies to the front of `to`; returns the number of values copied.
fn copy<T: Copy>(to: &mut [T], from: &[T]) -> usize {
    to[..from.len()].copy_from_slice(from);
    from.len()
}
