//! Joins models and replicates subtrees.
//!
//! A copied subtree gets new names (prefix, suffix). Elements outside the tree that refer to it are copied with it if
//! what they refer to exists under the new names. Both `attach` and `replicate` use this; `replicate` copies a hidden
//! template and then deletes it, together with the elements that referred to it.

use super::names::Names;
use super::rename::{Follow, Foreign, Rename, Space};
use super::{Body, Flex, Frame, Loc, MAX_DEPTH, Orientation, Replicate, Spec, keys, plugin};
use crate::error::{Error, ErrorKind, Result};
use sinew_engine::model::enums::ObjType;
use sinew_math::{mat3, quat, vec3};

impl Replicate {
    /// Positions and orientations of the copies.
    fn poses(&self, resolve: impl Fn([f64; 3]) -> Result<[f64; 4]>) -> Result<Vec<([f64; 3], [f64; 4])>> {
        let mut pos = [0.0; 3];
        (0..self.count.max(0))
            .map(|i| {
                // angles are multiplied rather than accumulated; positions accumulate
                let quat = resolve(self.euler.map(|angle| f64::from(i) * angle))?;
                let here = pos;
                pos = vec3::add(pos, mat3::mul_vec(&quat::to_mat(quat), self.offset));
                Ok((here, quat))
            })
            .collect()
    }

    /// Suffix of the names in copy `i`: the index, zero-padded to the number of digits of the count.
    fn suffix(&self, i: usize) -> String {
        let digits = self.count.to_string().len();
        format!("{}{i:0digits$}", self.sep)
    }
}

/// Replaces the template, a child of the body at `path`, by its copies.
///
/// The template's first frame holds all its contents and becomes the frame of each copy; it is in `frame` of the body
/// at `path`. `resolve` turns Euler angles into a quaternion.
pub(crate) fn replicate(
    spec: &mut Spec,
    path: &[usize],
    template: usize,
    frame: Option<usize>,
    attributes: &Replicate,
    resolve: impl Fn([f64; 3]) -> Result<[f64; 4]>,
) -> Result<()> {
    let weight = spec.body(path).bodies[template].weight() + attributes.sep.len() / 64;
    let copies = attributes.count.max(0) as usize;
    let total = spec.weight().saturating_add(weight.saturating_mul(copies));
    spec.limits.check_elements(total)?;
    // every copy also adds a copy of every keyframe, with values for all elements
    spec.limits.check_count(total.saturating_mul(copies).saturating_mul(spec.keys.len()) / 16)?;
    let mut names = Names::of(spec);
    check_names(&names, &attributes.named)?;
    let instances = spec.plugins.clone();
    let mut work = 0;

    for (i, (pos, quat)) in attributes.poses(resolve)?.into_iter().enumerate() {
        let suffix = attributes.suffix(i);
        let space = Space { suffix: &suffix, ..Space::default() };
        let waiting = keys::store(spec, "", &suffix)?;
        spec.waiting.extend(waiting);

        let parent = spec.body_mut(path);
        let mut copy = parent.bodies[template].clone();
        parent.bodies[template].bodies.iter_mut().for_each(keys::forget);
        copy.rename(&space);
        names.add_tree(&copy);
        let root = &mut copy.frames[0];
        (root.pos, root.quat, root.alt) = (pos, quat, Orientation::Quat);
        pour(parent, copy, frame);

        // each copy checks all elements that came with earlier copies
        work += follow_own(spec, &space, &mut names)?;
        spec.limits.check_count(work / 16)?;
        plugin::follow(spec, &instances, &space);
        keys::expand(spec);
    }
    delete(spec, path, template, names)
}

/// Moves the contents of a body into another one; frames without a parent go into `frame`.
pub(super) fn pour(body: &mut Body, contents: Body, frame: Option<usize>) {
    let base = body.frames.len();
    let shift = |inner: Option<usize>| inner.map_or(frame, |i| Some(base + i));
    body.frames.extend(contents.frames.into_iter().map(|e| Frame { parent: shift(e.parent), ..e }));
    macro_rules! list {
        ($($field:ident)*) => {
            $(body.$field.extend(contents.$field.into_iter().map(|mut e| {
                e.frame = shift(e.frame);
                e
            }));)*
        };
    }
    list!(joints geoms sites cameras lights bodies);
}

/// Removes a child body, and every element whose references were all resolved before and no longer are.
fn delete(spec: &mut Spec, path: &[usize], child: usize, before: Names) -> Result<()> {
    // MuJoCo copies the model here; keyframe values of actuators stay with the copy
    for actuator in &mut spec.actuators {
        if actuator.follow(&Space::default(), &before).is_some() {
            actuator.meta.keyed.clear();
        }
    }
    let waiting = keys::store(spec, "", "")?;
    spec.waiting.extend(waiting);
    spec.keys.clear();

    // MuJoCo later fails to find the bodies of such a flex
    let mut after = before.clone();
    after.remove_tree(&spec.body(path).bodies[child]);
    let here = Space::default();
    let held = |flex: &&Flex| flex.follow(&here, &before).is_some() && flex.follow(&here, &after).is_none();
    if let Some(flex) = spec.flexes.iter().find(held) {
        return Err(Error::invalid(format!("flex '{}' is attached to bodies that are replicated", flex.meta.name))
            .hint("write the flex once per copy, with the names of the copied bodies"));
    }
    remove_body(spec, path, child, &before);
    Ok(())
}

/// Removes a child body, and the elements whose references were all resolved before and no longer are.
pub(super) fn remove_body(spec: &mut Spec, path: &[usize], child: usize, before: &Names) {
    let mut after = before.clone();
    let gone = spec.body_mut(path).bodies.remove(child);
    after.remove_tree(&gone);
    retain(&mut spec.flexes, before, &mut after);
    retain(&mut spec.pairs, before, &mut after);
    retain(&mut spec.excludes, before, &mut after);
    retain(&mut spec.tendons, before, &mut after);
    retain(&mut spec.equalities, before, &mut after);
    retain(&mut spec.actuators, before, &mut after);
    retain(&mut spec.sensors, before, &mut after);
    plugin::retain(spec);
}

/// Drops the elements of a list that have lost a reference.
fn retain<T: Follow>(list: &mut Vec<T>, before: &Names, after: &mut Names) {
    let here = Space::default();
    list.retain(|e| {
        let lost = e.follow(&here, before).is_some() && e.follow(&here, after).is_none();
        if lost {
            after.remove(T::KIND, e.label());
        }
        !lost
    });
}

/// Copies the elements outside the tree that refer to a subtree copied within one model; returns their number.
fn follow_own(spec: &mut Spec, space: &Space, names: &mut Names) -> Result<usize> {
    macro_rules! list {
        ($($field:ident)*) => {
            $(let copies = followers(&mut spec.$field, space, names, |e| e.meta.keyed.clear());
            spec.$field.extend(copies);)*
        };
    }
    list!(flexes pairs excludes tendons equalities actuators sensors tuples);
    check_flexes(spec, names)?;
    let lists = [
        spec.flexes.len(),
        spec.pairs.len(),
        spec.excludes.len(),
        spec.tendons.len(),
        spec.equalities.len(),
        spec.actuators.len(),
        spec.sensors.len(),
        spec.tuples.len(),
    ];
    // these can double with every copy, so check the limit before memory runs out
    let count = lists.iter().sum::<usize>();
    spec.limits.check_count(4 * count).map(|()| count)
}

/// Copies the elements whose references exist under the new names. The copy takes over the keyframe values: `forget`
/// drops them from the original.
fn followers<T: Follow>(list: &mut [T], space: &Space, names: &mut Names, forget: impl Fn(&mut T)) -> Vec<T> {
    let mut copies = Vec::new();
    for e in list {
        if let Some(copy) = e.follow(space, names) {
            forget(e);
            copies.push(copy);
        }
    }
    copies.iter().for_each(|copy: &T| names.add(T::KIND, copy.label()));
    copies
}

/// The part of another model to attach.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// The contents of its world.
    World,
    /// One body, by its path in the tree.
    Body(Vec<usize>),
}

/// Copies a part of another model into `frame` of the body at `path`, with all assets and with the elements that refer
/// to the part. The other model can be attached again.
pub(crate) fn attach(
    spec: &mut Spec,
    path: &[usize],
    frame: usize,
    child: &mut Spec,
    part: &Part,
    [prefix, suffix]: [&str; 2],
) -> Result<()> {
    let long = (prefix.len() + suffix.len()) / 64;
    spec.limits.check_elements(spec.weight().saturating_add(child.weight()).saturating_add(long))?;
    if path.len() + child.world.height() > MAX_DEPTH {
        return Err(Error::new(ErrorKind::Limit(format!("bodies are nested more than {MAX_DEPTH} deep"))));
    }
    spec.classes.import(&child.classes, |name| [prefix, name, suffix].concat());
    let mut waiting = keys::store(child, prefix, suffix).map_err(|e| e.in_files(&child.files))?;
    let space = Space { prefix, suffix, foreign: Some(adopt(spec, child)) };
    waiting.iter_mut().for_each(|key| space.loc(&mut key.meta.loc));
    spec.waiting.extend(waiting);

    let parent = spec.body_mut(path);
    match part {
        Part::Body(place) => {
            let mut copy = child.body(place).clone();
            keys::forget(child.body_mut(place));
            copy.rename(&space);
            copy.frame = Some(frame);
            parent.bodies.push(copy);
        }
        Part::World => {
            let mut copy = child.world.clone();
            child.world.bodies.iter_mut().for_each(keys::forget);
            copy.rename(&space);
            let root = parent.frames.len();
            parent.frames.push(Frame { parent: Some(frame), ..Frame::default() });
            pour(parent, copy, Some(root));
        }
    }
    follow_foreign(spec, child, &space)?;
    plugin::follow(spec, &child.plugins, &space);
    let unknown: Vec<String> =
        child.active_plugins.iter().filter(|name| !spec.active_plugins.contains(name)).cloned().collect();
    spec.active_plugins.extend(unknown);
    keys::expand(spec);
    Ok(())
}

/// Copies what belongs to a part from one model to another: all assets, and the elements that refer to the part.
fn follow_foreign(spec: &mut Spec, child: &mut Spec, space: &Space) -> Result<()> {
    let mut names = Names::of(spec);
    macro_rules! list {
        ($($field:ident)*) => {
            $(spec.$field.extend(followers(&mut child.$field, space, &mut names, |e| e.meta.keyed.clear()));)*
        };
    }
    list!(meshes skins hfields textures materials);
    spec.waiting.append(&mut child.waiting);
    list!(numerics texts flexes pairs excludes tendons equalities actuators sensors tuples);
    check_flexes(spec, &names)
}

/// Refuses a second flex of the same name, since copies of flexes keep their names.
fn check_flexes(spec: &Spec, names: &Names) -> Result<()> {
    match spec.flexes.iter().find(|flex| names.count(ObjType::Flex, &flex.meta.name) > 1) {
        None => Ok(()),
        Some(flex) => Err(Error::new(ErrorKind::RepeatedName(flex.meta.name.clone()))
            .hint("copies of a flex keep its name, so that a flex with a name cannot be copied")),
    }
}

/// Adds the compiler settings and file names of another model.
fn adopt(spec: &mut Spec, child: &Spec) -> Foreign {
    fn merge<T: Clone + PartialEq>(list: &mut Vec<T>, item: &T) -> usize {
        list.iter().position(|known| known == item).unwrap_or_else(|| {
            list.push(item.clone());
            list.len() - 1
        })
    }
    Foreign {
        compilers: child.compilers.iter().map(|c| merge(&mut spec.compilers, c)).collect(),
        files: child.files.iter().map(|f| merge(&mut spec.files, f) as u32).collect(),
    }
}

/// Refuses a template whose names are taken. MuJoCo does so when it reads a name, but not for names made by attachment
/// or replication.
fn check_names(names: &Names, named: &[(ObjType, String, Loc)]) -> Result<()> {
    match named.iter().find(|(kind, name, _)| names.count(*kind, name) > 1) {
        None => Ok(()),
        Some((_, name, loc)) => Err(Error::new(ErrorKind::RepeatedName(name.clone()))
            .at(*loc)
            .hint("names must differ within each kind of element, also before replication")),
    }
}

#[cfg(test)]
#[path = "attach_test.rs"]
mod test;
