//! Spec → Model, in passes.
//!
//! Each section of the model is first *resolved* (references looked up, values checked and converted); it can then
//! count itself into the sizes and fill its arrays. See `Section`.

pub(crate) mod actuator;
pub mod assets;
mod body;
mod bvh;
pub mod cache;
mod camera;
mod contact;
mod custom;
mod derive;
mod equality;
pub mod extension;
mod flat;
mod flex;
mod fluid;
pub(crate) mod frames;
mod fuse;
mod geom;
pub mod hfield;
mod inertia;
mod joint;
mod key;
mod light;
pub mod material;
pub mod mesh;
mod mesh_fill;
mod names;
mod order;
mod plugin;
mod sensor;
pub(crate) mod shared;
mod site;
mod sizes;
pub mod skin;
mod sparse;
mod tendon;
pub mod texture;
mod visual;

use crate::error::{Errors, Report, Result, gather};
use crate::source::Source;
use crate::spec::Spec;
use assets::CompiledAssets;
use bvh::BodyTrees;
use flat::{Flat, Names};
use names::Buffers;
use order::Node;
use sinew_engine::model::enums::ObjType;
use sinew_engine::{Model, Sizes};
use sizes::UserSizes;
use sparse::Structure;
use std::borrow::Cow;

/// A resolved part of the model.
pub(crate) trait Section {
    /// Adds what this section needs to the sizes.
    fn count(&self, sizes: &mut Sizes);
    /// Writes the arrays of this section. `m` has been allocated from the counted sizes.
    fn fill(&self, m: &mut Model);
}

/// Compiles a specification.
pub fn compile(spec: &Spec, source: &Source) -> Result<Model> {
    compile_with(spec, source, &mut Vec::new())
}

/// Compiles a specification and collects warnings.
pub fn compile_with(spec: &Spec, source: &Source, warnings: &mut Vec<Report>) -> Result<Model> {
    let before = warnings.len();
    let model = match spec.settled() {
        Cow::Borrowed(spec) => build(spec, source, warnings),
        Cow::Owned(spec) => build(&spec, source, warnings),
    };
    warnings[before..].iter_mut().for_each(|w| w.resolve(&spec.files));
    model.map_err(|e| e.in_files(&spec.files))
}

/// Runs the passes in order.
fn build(spec: &Spec, source: &Source, warnings: &mut Vec<Report>) -> Result<Model> {
    let nodes = order::walk(spec)?;
    let mut assets = assets::compile_assets(spec, source, warnings)?;
    names::check_assets(spec, &assets)?;
    let users = UserSizes::new(spec, &nodes);
    let (mut flat, mut names) = tree(spec, &nodes, &mut assets, &users)?;
    bind(spec, &mut flat, &mut assets, &names)?;
    body::check(&flat)?;

    // a section with errors counts as empty until the other sections have been checked
    let mut errors = Errors::default();
    let flexes = errors.keep(flex::resolve(spec, &flat, &names))?.unwrap_or_default();
    let contact = errors.keep(contact::resolve(spec, &flat, &names))?;
    if let Some(contact) = &contact {
        names.reorder(ObjType::Pair, contact.pair_order());
        names.reorder(ObjType::Exclude, contact.exclude_order());
    }
    let contact = contact.unwrap_or_default();
    let equalities = errors.keep(equality::resolve(spec, &flat, &names))?.unwrap_or_default();
    let tendons = errors.keep(tendon::resolve(spec, &flat, &names))?.unwrap_or_default();
    let actuators = errors.keep(actuator::resolve(spec, &flat, &names))?.unwrap_or_default();
    let sensors = errors.keep(sensor::resolve(spec, &flat, &names, &assets, &actuators))?.unwrap_or_default();
    let custom = errors.keep(custom::resolve(spec, &names))?.unwrap_or_default();
    let keys = errors.keep(key::resolve(spec, &flat, actuators.na()))?.unwrap_or_default();
    let plugins = errors.keep(plugin::resolve(spec, &flat))?.unwrap_or_default();
    warnings.extend(names.warnings());
    errors.finish()?;

    let sections: [&dyn Section; 10] =
        [&assets, &contact, &flexes, &equalities, &tendons, &actuators, &sensors, &custom, &keys, &plugins];
    let trees = BodyTrees::new(&flat);
    let structure = Structure::new(&flat, spec, &names);
    let mut sizes = Sizes::default();
    users.count(&mut sizes);
    order::count(&flat, &mut sizes);
    trees.count(&mut sizes);
    structure.count(&mut sizes);
    sections.iter().for_each(|s| s.count(&mut sizes));
    let buffers = Buffers::new(spec, &flat, &assets, &contact, &plugins, sizes.nkey);
    buffers.count(&mut sizes);
    sizes::finish(spec, &mut sizes)?;

    let mut m = Model::zeroed(sizes);
    m.opt = spec.option.clone();
    m.vis = spec.visual.clone();
    body::fill(&flat, &mut m);
    joint::fill(&flat, &mut m);
    geom::fill(&flat, &mut m);
    site::fill(&flat, &mut m);
    camera::fill(&flat, &mut m);
    light::fill(&flat, &mut m);
    structure.fill(&mut m);
    order::fill_trees(&flat, &mut m)?;
    trees.fill(&mut m);
    sections.iter().for_each(|s| s.fill(&mut m));
    buffers.fill(&mut m);
    inertia::set_total_mass(&mut m, spec.compilers[0].settotalmass);
    plugins.bind(spec, &mut m)?;
    derive::derive(spec, &flat, &mut m)?;
    extension::read(spec, &mut m)?;
    Ok(m)
}

/// Compiles the body tree, then merges and drops elements according to the compiler settings.
fn tree(spec: &Spec, nodes: &[Node], assets: &mut CompiledAssets, users: &UserSizes) -> Result<(Flat, Names)> {
    names::check_frames(nodes.iter().flat_map(|n| &n.body.frames).map(|f| &f.meta))?;
    let mut asset_names = Names::default();
    assets.register(spec, &mut asset_names)?;
    let scope = geom::Scope { spec, assets, names: &asset_names, nuser: users.geom };
    let mut flat = body::compile(nodes, &scope, users)?;
    order::number(&mut flat);
    // repeated names are an error even for elements that are about to be removed
    let mut names = names::register(spec, &flat, assets)?;
    let settings = &spec.compilers[0];
    if settings.fusestatic {
        fuse::fuse(spec, &mut flat)?;
        order::number(&mut flat);
    }
    // bodies keep the margins of geoms that are discarded next
    body::collect_masks(&mut flat);
    if settings.discardvisual {
        visual::discard(spec, &mut flat, assets);
        order::number(&mut flat);
    }
    if settings.fusestatic || settings.discardvisual {
        names = names::register(spec, &flat, assets)?;
    }
    Ok((flat, names))
}

/// Looks up what tree elements and skins refer to.
fn bind(spec: &Spec, flat: &mut Flat, assets: &mut CompiledAssets, names: &Names) -> Result<()> {
    gather(flat.sites.iter_mut().map(|s| site::bind(s, names, spec.compilers[0].discardvisual)))?;
    gather(flat.cameras.iter_mut().map(|c| camera::bind(c, names)))?;
    gather(flat.lights.iter_mut().map(|l| light::bind(l, names)))?;
    assets.bind_skins(names)
}
