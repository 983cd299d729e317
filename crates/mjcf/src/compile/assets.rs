//! All assets of a model; compiled before the tree, because geoms need their sizes and volumes.

use super::Section;
use super::cache::{self, Asked, Compiled};
use super::flat::Names;
use super::hfield::CompiledHField;
use super::material::CompiledMaterial;
use super::mesh::{CompiledMesh, Need};
use super::skin::CompiledSkin;
use super::texture::CompiledTexture;
use crate::asset::strip_path;
use crate::error::{Error, Report, Result, gather};
use crate::source::{Source, Stamp, join};
use crate::spec::{self, Compiler, Meta, Spec};
use sinew_engine::model::enums::{GeomType, ObjType, TextureBuiltin, TextureType};
use sinew_engine::{Model, Sizes};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Compiles the assets. The geoms that use a mesh determine whether it needs a hull or a distance field.
pub(crate) fn compile_assets(spec: &Spec, source: &Source, warnings: &mut Vec<Report>) -> Result<CompiledAssets> {
    let files = Files { spec, source };
    let visual = !spec.compilers[0].discardvisual;
    let textures = if visual { &spec.textures[..] } else { &[] };
    let materials = if visual { &spec.materials[..] } else { &[] };
    let needs = needs(spec);
    let first = first_of_each(spec, &needs);

    check_drawn(spec, textures)?;
    // meshes and textures take nearly all the time, so they share one thread pool
    let nmesh = spec.meshes.len();
    let work = in_parallel(nmesh + textures.len(), |i| match i.checked_sub(nmesh) {
        Some(i) => files.texture(&textures[i]).map(Work::Texture),
        None if first[i] < i => Ok(Work::Same(first[i])),
        None => files.mesh(&spec.meshes[i], needs[i]).map(|mesh| Work::Mesh(Box::new(mesh))),
    });
    let mut assets = CompiledAssets::default();
    for (i, done) in gather(work)?.into_iter().enumerate() {
        match done {
            Work::Mesh(mesh) => assets.meshes.push(*mesh),
            Work::Same(j) => {
                let name = super::mesh::name(&spec.meshes[i]);
                assets.meshes.push(CompiledMesh { name, ..assets.meshes[j].clone() });
            }
            Work::Texture(texture) => assets.textures.push(texture),
        }
    }
    assets.hfields = gather(spec.hfields.iter().map(|h| files.hfield(h)))?;

    let mut names = Names::default();
    for (i, texture) in assets.textures.iter().enumerate() {
        names.insert(ObjType::Texture, &texture.name, i, textures[i].meta.loc)?;
    }
    for (i, material) in materials.iter().enumerate() {
        names.insert(ObjType::Material, &material.meta.name, i, material.meta.loc)?;
        assets.materials.push(CompiledMaterial::new(material, &names)?);
    }
    assets.skins = gather(spec.skins.iter().map(|skin| files.skin(skin, &names, visual)))?;
    warnings.extend(names.warnings());
    Ok(assets)
}

/// Copies of a texture that exist while it is drawn.
const COPIES: u128 = 2;

/// Refuses procedural textures that need too much memory, individually or in total: a few words of text can make them
/// huge.
fn check_drawn(spec: &Spec, textures: &[spec::Texture]) -> Result<()> {
    let side = |n: i32| u128::try_from(n).unwrap_or(0);
    let size = |t: &spec::Texture| {
        let height = if t.kind == TextureType::T2d { side(t.height) } else { 6 * side(t.width) };
        COPIES * side(t.nchannel) * side(t.width) * height
    };
    let mut all = 0;
    for t in textures.iter().filter(|t| t.builtin != TextureBuiltin::None) {
        all += size(t);
        spec.limits.check_memory("textures", all).map_err(|e| e.at(t.meta.loc).element("texture"))?;
    }
    Ok(())
}

/// The result of one task.
enum Work {
    Mesh(Box<CompiledMesh>),
    /// Equal to an earlier mesh except for the name.
    Same(usize),
    Texture(CompiledTexture),
}

/// Locates and reads the files of assets.
struct Files<'a> {
    spec: &'a Spec,
    source: &'a Source,
}

impl<'a> Files<'a> {
    /// File name as the model stores it.
    fn stored(&self, file: &str) -> String {
        if self.spec.compilers[0].strippath { strip_path(file).to_string() } else { file.to_string() }
    }

    fn read(&self, meta: &Meta, dir: impl Fn(&'a Compiler) -> &'a str, file: &str) -> Result<Cow<'a, [u8]>> {
        let compiler = self.spec.compilers.get(meta.compiler).unwrap_or(&self.spec.compilers[0]);
        self.source.read(&compiler.modelfiledir, &join(dir(compiler), &self.stored(file)))
    }

    fn shape(&self, meta: &Meta, file: &str) -> Result<Option<Cow<'a, [u8]>>> {
        if file.is_empty() { Ok(None) } else { self.read(meta, |c| &c.meshdir, file).map(Some) }
    }

    /// A mesh from the cache, or compiled now.
    fn mesh(&self, mesh: &spec::Mesh, need: Need) -> Result<CompiledMesh> {
        let compiler = self.spec.compilers.get(mesh.meta.compiler).unwrap_or(&self.spec.compilers[0]);
        let path = join(&compiler.modelfiledir, &join(&compiler.meshdir, &self.stored(&mesh.file)));
        let known = !mesh.file.is_empty() && mesh.plugin.is_none();
        let stamp = known.then(|| self.source.stamp(&path)).flatten();
        let Some(stamp) = stamp else { return self.compile_mesh(mesh, need) };
        let asked = Asked::mesh(mesh, need);
        if let Some(Compiled::Mesh(compiled)) = cache::find(&path, &stamp, &asked) {
            let (name, file) = (super::mesh::name(mesh), self.stored(&mesh.file));
            return Ok(CompiledMesh { name, file, ..compiled });
        }
        let compiled = self.compile_mesh(mesh, need)?;
        cache::keep(&path, stamp, asked, Compiled::Mesh(compiled.clone()));
        Ok(compiled)
    }

    fn compile_mesh(&self, mesh: &spec::Mesh, need: Need) -> Result<CompiledMesh> {
        let compiled = self.shape(&mesh.meta, &mesh.file).and_then(|d| {
            let field = mesh.plugin.as_ref().map(|plugin| super::plugin::field(self.spec, plugin)).transpose()?;
            CompiledMesh::new(mesh, d.as_deref(), field.as_deref(), need)
        });
        let compiled = compiled.map_err(|e| locate(e, "mesh", &mesh.meta, &mesh.file))?;
        Ok(CompiledMesh { file: self.stored(&mesh.file), ..compiled })
    }

    fn hfield(&self, hfield: &spec::HField) -> Result<CompiledHField> {
        let compiled = self.shape(&hfield.meta, &hfield.file).and_then(|d| CompiledHField::new(hfield, d.as_deref()));
        let compiled = compiled.map_err(|e| locate(e, "hfield", &hfield.meta, &hfield.file))?;
        Ok(CompiledHField { file: self.stored(&hfield.file), ..compiled })
    }

    /// A texture from the cache, or compiled now.
    fn texture(&self, texture: &spec::Texture) -> Result<CompiledTexture> {
        let compiler = self.spec.compilers.get(texture.meta.compiler).unwrap_or(&self.spec.compilers[0]);
        let path = join(&compiler.modelfiledir, &join(&compiler.texturedir, &self.stored(&texture.file)));
        // textures with one file per side, or with pixels set by a program, are not cached
        let sides = texture.cubefiles.iter().any(|file| !file.is_empty());
        let stamp = match (texture.file.is_empty(), sides || !texture.data.is_empty()) {
            (_, true) => None,
            (true, _) => Some(Stamp::Content(Vec::new())),
            (false, _) => self.source.stamp(&path),
        };
        let Some(stamp) = stamp else { return self.compile_texture(texture) };
        let asked = Asked::texture(texture);
        if let Some(Compiled::Texture(compiled)) = cache::find(&path, &stamp, &asked) {
            return Ok(CompiledTexture { name: super::texture::name(texture), ..compiled });
        }
        let compiled = self.compile_texture(texture)?;
        cache::keep(&path, stamp, asked, Compiled::Texture(compiled.clone()));
        Ok(compiled)
    }

    fn compile_texture(&self, texture: &spec::Texture) -> Result<CompiledTexture> {
        let compiled = CompiledTexture::new(texture, |file| self.read(&texture.meta, |c| &c.texturedir, file));
        let compiled = compiled.map_err(|e| locate(e, "texture", &texture.meta, &texture.file))?;
        Ok(CompiledTexture { file: self.stored(&texture.file), ..compiled })
    }

    fn skin(&self, skin: &spec::Skin, names: &Names, visual: bool) -> Result<CompiledSkin> {
        // a discarded material may be missing
        let bare = spec::Skin { material: String::new(), ..skin.clone() };
        let skin = if visual { skin } else { &bare };
        let compiled = self.shape(&skin.meta, &skin.file).and_then(|d| CompiledSkin::new(skin, d.as_deref(), names));
        let compiled = compiled.map_err(|e| locate(e, "skin", &skin.meta, &skin.file))?;
        Ok(CompiledSkin { file: self.stored(&skin.file), ..compiled })
    }
}

/// Adds the element, its name and its source position to an error.
fn locate(e: Error, element: &str, meta: &Meta, file: &str) -> Error {
    let name = if meta.name.is_empty() { file } else { &meta.name };
    let element = if name.is_empty() { element.to_string() } else { format!("{element} name=\"{name}\"") };
    e.at(meta.loc).element(element)
}

/// What the geoms need from each mesh.
fn needs(spec: &Spec) -> Vec<Need> {
    let ids: HashMap<String, usize> = spec.meshes.iter().enumerate().map(|(i, m)| (super::mesh::name(m), i)).collect();
    let paired: HashSet<&str> = spec.pairs.iter().flat_map(|p| [p.geomname1.as_str(), p.geomname2.as_str()]).collect();
    let mut needs = vec![Need::default(); spec.meshes.len()];
    let mut bodies = vec![&spec.world];
    while let Some(body) = bodies.pop() {
        for geom in &body.geoms {
            let Some(&id) = ids.get(&geom.meshname) else { continue };
            if !matches!(geom.kind, GeomType::Mesh | GeomType::Sdf) {
                continue;
            }
            let collides = geom.contype != 0 || geom.conaffinity != 0;
            needs[id].hull |= collides || (!geom.meta.name.is_empty() && paired.contains(geom.meta.name.as_str()));
            needs[id].sdf |= geom.kind == GeomType::Sdf;
        }
        bodies.extend(&body.bodies);
    }
    for (need, mesh) in needs.iter_mut().zip(&spec.meshes) {
        need.sdf |= mesh.needsdf;
    }
    needs
}

/// For each mesh the first one that is equal except for the name: models often list a file twice.
fn first_of_each(spec: &Spec, needs: &[Need]) -> Vec<usize> {
    let mut by_file: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut first: Vec<usize> = (0..spec.meshes.len()).collect();
    for (i, mesh) in spec.meshes.iter().enumerate().filter(|(_, m)| !m.file.is_empty()) {
        let earlier = by_file.entry(&mesh.file).or_default();
        let same = |&&j: &&usize| {
            let other = &spec.meshes[j];
            let meta = Meta { compiler: mesh.meta.compiler, ..other.meta.clone() };
            needs[i] == needs[j] && other.meta == meta && *other == spec::Mesh { meta, ..mesh.clone() }
        };
        match earlier.iter().find(same) {
            Some(&j) => first[i] = j,
            None => earlier.push(i),
        }
    }
    first
}

/// Results of `work(0)`, `work(1)`, …, computed on one thread per core.
fn in_parallel<T: Send>(n: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(n);
    if threads < 2 {
        return (0..n).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= n {
                return done;
            }
            done.push((i, work(i)));
        }
    };
    let mut results = std::thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut results = run();
        for handle in handles {
            match handle.join() {
                Ok(done) => results.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
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
        self.skins.iter_mut().try_for_each(|skin| skin.bind(names))
    }

    /// Drops meshes that are not kept (visual ones, when these are discarded); the other ids shift down.
    pub fn retain_meshes(&mut self, keep: &[bool]) {
        let mut keep = keep.iter();
        self.meshes.retain(|_| keep.next().copied().unwrap_or(true));
    }
}

impl Section for CompiledAssets {
    fn count(&self, sizes: &mut Sizes) {
        sizes.nmesh += self.meshes.len();
        self.meshes.iter().for_each(|mesh| mesh.count(sizes));
        sizes.nhfield += self.hfields.len();
        sizes.nhfielddata += self.hfields.iter().map(|h| h.data.len()).sum::<usize>();
        sizes.ntex += self.textures.len();
        sizes.ntexdata += self.textures.iter().map(|t| t.data.len()).sum::<usize>();
        sizes.nmat += self.materials.len();
        sizes.nskin += self.skins.len();
        self.skins.iter().for_each(|skin| skin.count(sizes));
    }

    fn fill(&self, m: &mut Model) {
        super::mesh_fill::fill(&self.meshes, m);
        super::hfield::fill(&self.hfields, m);
        super::texture::fill(&self.textures, m);
        super::material::fill(&self.materials, m);
        super::skin::fill(&self.skins, m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_results_are_in_order() {
        assert_eq!(in_parallel(100, |i| i * i), (0..100).map(|i| i * i).collect::<Vec<_>>());
        assert!(in_parallel(0, |i| i).is_empty());
    }
}
