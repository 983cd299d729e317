//! Plugins: which ones elements use, and the instances they share.

use super::edit::gone;
use super::rename::Space;
use super::{Body, Id, Loc, PluginInstance, Spec};
use crate::error::{Error, ErrorKind, Result, nearest};
use sinew_engine::model::enums::ObjType;
use std::collections::HashSet;

/// One setting of a plugin instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    /// Its key.
    pub key: String,
    /// Its value, as text.
    pub value: String,
    /// Source position, for errors.
    pub loc: Loc,
}

/// The plugin of an element: a named instance, or a separate instance for this element.
#[derive(Clone, Debug, PartialEq)]
pub struct PluginUse {
    /// The plugin; may be left out when the instance has a name.
    pub plugin: String,
    /// Name of the instance; empty for a separate one.
    pub instance: String,
    /// Settings of a separate instance.
    pub config: Vec<Setting>,
    /// Sort key of the instance. Instances are numbered as they are read; copies come after all others.
    pub order: usize,
    /// Source position, for errors.
    pub loc: Loc,
}

/// Sort key after everything that was read.
const COPIED: usize = usize::MAX;

impl Spec {
    /// The plugin of an element, for editing.
    ///
    /// # Errors
    /// When there is no such element, or elements of its kind have no plugins.
    pub fn plugin_of(&mut self, id: Id) -> Result<&mut Option<PluginUse>> {
        let place = self.place(id).ok_or_else(gone)?;
        let slot = match place.kind {
            ObjType::Body => Some(&mut self.body_mut(&place.path).plugin),
            ObjType::Geom => self.body_mut(&place.path).geoms.get_mut(place.index).map(|e| &mut e.plugin),
            ObjType::Mesh => self.meshes.get_mut(place.index).map(|e| &mut e.plugin),
            ObjType::Actuator => self.actuators.get_mut(place.index).map(|e| &mut e.plugin),
            ObjType::Sensor => self.sensors.get_mut(place.index).map(|e| &mut e.plugin),
            kind => return Err(Error::invalid(format!("{kind:?} elements have no plugins"))),
        };
        slot.ok_or_else(gone)
    }

    /// Declares that the model uses a plugin.
    ///
    /// # Errors
    /// When no plugin of this name is registered.
    pub fn activate_plugin(&mut self, name: &str) -> Result<()> {
        if self.registry.find(name).is_none() {
            let error = Error::new(ErrorKind::UnknownName { objtype: "plugin".into(), name: name.into() });
            let near = nearest(name, self.registry.names());
            return Err(near.map_or(error.clone(), |near| error.hint(format!("did you mean '{near}'?"))));
        }
        if !self.active_plugins.iter().any(|active| active == name) {
            self.active_plugins.push(name.into());
        }
        Ok(())
    }
}

impl Default for PluginUse {
    fn default() -> Self {
        let (plugin, instance) = Default::default();
        PluginUse { plugin, instance, config: Vec::new(), order: COPIED, loc: Loc::default() }
    }
}

impl PluginUse {
    /// Rewrites names to a name space.
    pub(super) fn rename(&mut self, space: &Space) {
        space.name(&mut self.instance);
        space.loc(&mut self.loc);
        self.config.iter_mut().for_each(|setting| space.loc(&mut setting.loc));
        self.order = COPIED;
    }

    /// A copy with the names of a name space.
    pub(super) fn moved(use_: &Option<Self>, space: &Space) -> Option<Self> {
        let mut copy = use_.clone()?;
        copy.rename(space);
        Some(copy)
    }
}

/// Names of the plugin instances that elements of a model refer to.
fn referenced(spec: &Spec) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut add = |use_: &Option<PluginUse>| names.extend(use_.as_ref().map(|u| u.instance.clone()));
    spec.world.each(&mut |body: &Body| {
        add(&body.plugin);
        body.geoms.iter().for_each(|geom| add(&geom.plugin));
    });
    spec.meshes.iter().for_each(|e| add(&e.plugin));
    spec.actuators.iter().for_each(|e| add(&e.plugin));
    spec.sensors.iter().for_each(|e| add(&e.plugin));
    names
}

/// Copies the instances that copied elements refer to, under new names.
pub(super) fn follow(spec: &mut Spec, instances: &[PluginInstance], space: &Space) {
    if instances.is_empty() {
        return;
    }
    let wanted = referenced(spec);
    for instance in instances {
        let mut copy = PluginInstance { order: COPIED, ..instance.clone() };
        space.meta(&mut copy.meta);
        copy.config.iter_mut().for_each(|setting| space.loc(&mut setting.loc));
        if wanted.contains(&copy.meta.name) && !spec.plugins.iter().any(|p| p.meta.name == copy.meta.name) {
            spec.plugins.push(copy);
        }
    }
}

/// Drops the instances that nothing refers to.
pub(super) fn retain(spec: &mut Spec) {
    if !spec.plugins.is_empty() {
        let wanted = referenced(spec);
        spec.plugins.retain(|p| wanted.contains(&p.meta.name));
    }
}
