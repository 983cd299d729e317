//! Names and file paths, joined into the model's character buffers.

use super::assets::CompiledAssets;
use super::contact::CompiledContact;
use super::flat::{Flat, Names};
use super::plugin::CompiledPlugins;
use crate::error::{Error, ErrorKind, Result};
use crate::spec::{Loc, Meta, Spec};
use sinew_engine::model::enums::ObjType;
use sinew_engine::{Model, Sizes};
use std::collections::HashSet;

/// Slots of MuJoCo's name hash table per element.
const LOAD_MULTIPLE: usize = 2;

/// Registers every name of the model, in the order of the final lists.
pub(crate) fn register(spec: &Spec, flat: &Flat, assets: &CompiledAssets) -> Result<Names> {
    let mut names = Names::default();
    assets.register(spec, &mut names)?;
    let mut list = |obj: ObjType, metas: &mut dyn Iterator<Item = &Meta>| {
        metas.enumerate().try_for_each(|(i, meta)| names.insert(obj, &meta.name, i, meta.loc))
    };
    list(ObjType::Body, &mut flat.bodies.iter().map(|e| &e.spec.meta))?;
    list(ObjType::Joint, &mut flat.joints.iter().map(|e| &e.spec.meta))?;
    list(ObjType::Geom, &mut flat.geoms.iter().map(|e| &e.spec.meta))?;
    list(ObjType::Site, &mut flat.sites.iter().map(|e| &e.spec.meta))?;
    list(ObjType::Camera, &mut flat.cameras.iter().map(|e| &e.spec.meta))?;
    list(ObjType::Light, &mut flat.lights.iter().map(|e| &e.spec.meta))?;
    list(ObjType::Flex, &mut spec.flexes.iter().map(|e| &e.meta))?;
    list(ObjType::Pair, &mut spec.pairs.iter().map(|e| &e.meta))?;
    list(ObjType::Exclude, &mut spec.excludes.iter().map(|e| &e.meta))?;
    list(ObjType::Equality, &mut spec.equalities.iter().map(|e| &e.meta))?;
    list(ObjType::Tendon, &mut spec.tendons.iter().map(|e| &e.meta))?;
    list(ObjType::Actuator, &mut spec.actuators.iter().map(|e| &e.meta))?;
    list(ObjType::Sensor, &mut spec.sensors.iter().map(|e| &e.meta))?;
    list(ObjType::Numeric, &mut spec.numerics.iter().map(|e| &e.meta))?;
    list(ObjType::Text, &mut spec.texts.iter().map(|e| &e.meta))?;
    list(ObjType::Tuple, &mut spec.tuples.iter().map(|e| &e.meta))?;
    list(ObjType::Key, &mut spec.keys.iter().map(|e| &e.meta))?;
    list(ObjType::Plugin, &mut spec.plugins.iter().map(|e| &e.meta))?;
    Ok(names)
}

/// Refuses two frames with the same name; frames have no ids.
pub(crate) fn check_frames<'a>(frames: impl Iterator<Item = &'a Meta>) -> Result<()> {
    let mut seen = HashSet::new();
    for meta in frames.filter(|m| !m.name.is_empty()) {
        if !seen.insert(&meta.name) {
            let error = Error::new(ErrorKind::RepeatedName(meta.name.clone()));
            return Err(error.at(meta.loc).element("frame"));
        }
    }
    Ok(())
}

/// The buffers being built.
pub(crate) struct Buffers {
    names: Vec<u8>,
    paths: Vec<u8>,
    /// Name addresses, in the order of the model's `name_*adr` arrays.
    name_adr: Vec<Vec<i32>>,
    /// Path addresses of height fields, meshes, skins and textures.
    path_adr: [Vec<i32>; 4],
}

/// Appends a zero-terminated text and returns its address.
fn append(buffer: &mut Vec<u8>, text: &str) -> i32 {
    let start = buffer.len() as i32;
    buffer.extend_from_slice(text.as_bytes());
    buffer.push(0);
    start
}

impl Buffers {
    pub fn new(
        spec: &Spec,
        flat: &Flat,
        assets: &CompiledAssets,
        contact: &CompiledContact,
        plugins: &CompiledPlugins,
        nkey: usize,
    ) -> Self {
        let mut names = Vec::new();
        append(&mut names, &spec.modelname);
        let mut name_adr = Vec::new();
        let mut list = |texts: &mut dyn Iterator<Item = &str>| {
            name_adr.push(texts.map(|text| append(&mut names, text)).collect::<Vec<_>>());
        };
        list(&mut flat.bodies.iter().map(|e| e.spec.meta.name.as_str()));
        list(&mut flat.joints.iter().map(|e| e.spec.meta.name.as_str()));
        list(&mut flat.geoms.iter().map(|e| e.spec.meta.name.as_str()));
        list(&mut flat.sites.iter().map(|e| e.spec.meta.name.as_str()));
        list(&mut flat.cameras.iter().map(|e| e.spec.meta.name.as_str()));
        list(&mut flat.lights.iter().map(|e| e.spec.meta.name.as_str()));
        list(&mut spec.flexes.iter().map(|e| e.meta.name.as_str()));
        list(&mut assets.meshes.iter().map(|e| e.name.as_str()));
        list(&mut assets.skins.iter().map(|e| e.spec.meta.name.as_str()));
        list(&mut assets.hfields.iter().map(|e| e.name.as_str()));
        list(&mut assets.textures.iter().map(|e| e.name.as_str()));
        list(&mut assets.materials.iter().map(|e| e.spec.meta.name.as_str()));
        list(&mut contact.pair_order().map(|i| spec.pairs[i].meta.name.as_str()));
        list(&mut contact.exclude_order().map(|i| spec.excludes[i].meta.name.as_str()));
        list(&mut spec.equalities.iter().map(|e| e.meta.name.as_str()));
        list(&mut spec.tendons.iter().map(|e| e.meta.name.as_str()));
        list(&mut spec.actuators.iter().map(|e| e.meta.name.as_str()));
        list(&mut spec.sensors.iter().map(|e| e.meta.name.as_str()));
        list(&mut spec.numerics.iter().map(|e| e.meta.name.as_str()));
        list(&mut spec.texts.iter().map(|e| e.meta.name.as_str()));
        list(&mut spec.tuples.iter().map(|e| e.meta.name.as_str()));
        let unnamed = std::iter::repeat_n("", nkey - spec.keys.len());
        list(&mut spec.keys.iter().map(|e| e.meta.name.as_str()).chain(unnamed));
        list(&mut plugins.names());

        let mut paths = Vec::new();
        let mut files = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|t| if t.is_empty() { -1 } else { append(&mut paths, t) }).collect::<Vec<_>>()
        };
        let path_adr = [
            files(&mut assets.hfields.iter().map(|e| e.file.as_str())),
            files(&mut assets.meshes.iter().map(|e| e.file.as_str())),
            files(&mut assets.skins.iter().map(|e| e.spec.file.as_str())),
            files(&mut assets.textures.iter().map(|e| e.file.as_str())),
        ];
        if paths.is_empty() {
            paths.push(0);
        }
        Buffers { names, paths, name_adr, path_adr }
    }

    pub fn count(&self, sizes: &mut Sizes) {
        sizes.nnames = self.names.len();
        sizes.npaths = self.paths.len();
        sizes.nnames_map = LOAD_MULTIPLE * self.name_adr.iter().map(Vec::len).sum::<usize>();
    }

    pub fn fill(&self, m: &mut Model) {
        m.names.copy_from_slice(&self.names);
        m.paths.copy_from_slice(&self.paths);
        let arrays = [
            &mut m.name_bodyadr,
            &mut m.name_jntadr,
            &mut m.name_geomadr,
            &mut m.name_siteadr,
            &mut m.name_camadr,
            &mut m.name_lightadr,
            &mut m.name_flexadr,
            &mut m.name_meshadr,
            &mut m.name_skinadr,
            &mut m.name_hfieldadr,
            &mut m.name_texadr,
            &mut m.name_matadr,
            &mut m.name_pairadr,
            &mut m.name_excludeadr,
            &mut m.name_eqadr,
            &mut m.name_tendonadr,
            &mut m.name_actuatoradr,
            &mut m.name_sensoradr,
            &mut m.name_numericadr,
            &mut m.name_textadr,
            &mut m.name_tupleadr,
            &mut m.name_keyadr,
            &mut m.name_pluginadr,
        ];
        arrays.into_iter().zip(&self.name_adr).for_each(|(to, from)| to.copy_from_slice(from));
        let arrays = [&mut m.hfield_pathadr, &mut m.mesh_pathadr, &mut m.skin_pathadr, &mut m.tex_pathadr];
        arrays.into_iter().zip(&self.path_adr).for_each(|(to, from)| to.copy_from_slice(from));
        m.index_names();
    }
}

/// Refuses meshes, height fields and materials without a name. Textures may be unnamed, as sky boxes usually are.
pub(crate) fn check_assets(spec: &Spec, assets: &CompiledAssets) -> Result<()> {
    let named = |name: &str, element: &str, loc: Loc| {
        if name.is_empty() {
            Err(Error::new(ErrorKind::Missing("name".into())).at(loc).element(element))
        } else {
            Ok(())
        }
    };
    assets.meshes.iter().zip(&spec.meshes).try_for_each(|(a, s)| named(&a.name, "mesh", s.meta.loc))?;
    assets.hfields.iter().zip(&spec.hfields).try_for_each(|(a, s)| named(&a.name, "hfield", s.meta.loc))?;
    spec.materials.iter().try_for_each(|s| named(&s.meta.name, "material", s.meta.loc))
}
