//! Default classes: initial attribute values for each kind of element.

use super::{Actuator, Camera, Equality, Geom, Joint, Light, Material, Mesh, Pair, Site, Tendon};
use std::sync::Arc;

/// The root class; every model has it.
pub const MAIN: &str = "main";

/// Initial values of the elements of a class.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Defaults {
    pub mesh: Mesh,
    pub material: Material,
    pub joint: Joint,
    pub geom: Geom,
    pub site: Site,
    pub camera: Camera,
    pub light: Light,
    pub pair: Pair,
    pub equality: Equality,
    pub tendon: Tendon,
    pub actuator: Actuator,
}

/// A class. Copies share its values until one of them changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Unique name.
    pub name: String,
    /// Index of the enclosing class; `None` for the root.
    pub parent: Option<usize>,
    /// Replaced when the class is edited, so that editors can keep the old values.
    defaults: Arc<Defaults>,
}

impl Class {
    /// The values.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The values, for editing. Elements made earlier keep theirs.
    pub fn defaults_mut(&mut self) -> &mut Defaults {
        Arc::make_mut(&mut self.defaults)
    }
}

/// All classes of a model; the root class is first, and every class comes after its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Classes {
    list: Vec<Class>,
}

impl Default for Classes {
    fn default() -> Self {
        Classes { list: vec![Class { name: MAIN.into(), parent: None, defaults: Arc::default() }] }
    }
}

impl std::ops::Index<usize> for Classes {
    type Output = Class;
    fn index(&self, id: usize) -> &Class {
        &self.list[id]
    }
}

impl Classes {
    /// Iterates over all classes.
    pub fn iter(&self) -> impl Iterator<Item = &Class> {
        self.list.iter()
    }

    /// Index of the class with a name; the empty name means the root class.
    pub fn find(&self, name: &str) -> Option<usize> {
        if name.is_empty() { Some(0) } else { self.list.iter().position(|c| c.name == name) }
    }

    /// The class with a name, or the root class if there is none.
    pub fn of(&self, name: &str) -> &Defaults {
        self.list[self.find(name).unwrap_or(0)].defaults()
    }

    /// A class, for editing.
    pub fn get_mut(&mut self, id: usize) -> Option<&mut Class> {
        self.list.get_mut(id)
    }

    /// Name as elements keep it: empty for the root class.
    pub fn name(&self, id: usize) -> &str {
        if id == 0 { "" } else { &self.list[id].name }
    }

    /// Adds a class inside `parent`, with the values of `parent`; returns its index.
    pub fn add(&mut self, name: impl Into<String>, parent: usize) -> usize {
        let defaults = self.list[parent].defaults.clone();
        self.list.push(Class { name: name.into(), parent: Some(parent), defaults });
        self.list.len() - 1
    }

    /// Deletes a class and those inside it; the root class cannot be deleted.
    pub fn delete(&mut self, id: usize) {
        let mut gone = vec![false; self.list.len()];
        let mut moved = vec![0; self.list.len()];
        let mut kept = 0;
        for (i, class) in self.list.iter().enumerate() {
            gone[i] = i > 0 && (i == id || class.parent.is_some_and(|p| gone[p]));
            moved[i] = kept;
            kept += usize::from(!gone[i]);
        }
        let mut i = 0;
        self.list.retain(|_| {
            i += 1;
            !gone[i - 1]
        });
        self.list.iter_mut().for_each(|c| c.parent = c.parent.map(|p| moved[p]));
    }

    /// Copies the classes of another model under new names; its root class becomes a child of this one's.
    pub(crate) fn import(&mut self, other: &Classes, rename: impl Fn(&str) -> String) {
        let mut ids = Vec::with_capacity(other.list.len());
        for class in &other.list {
            let name = rename(&class.name);
            let known = self.list.iter().position(|c| c.name == name);
            ids.push(known.unwrap_or_else(|| {
                let parent = class.parent.map_or(0, |p| ids[p]);
                self.list.push(Class { name, parent: Some(parent), defaults: class.defaults.clone() });
                self.list.len() - 1
            }));
        }
    }
}
