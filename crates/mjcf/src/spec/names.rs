//! The names in use while a model is built.

use super::{Body, Spec};
use sinew_engine::model::enums::ObjType;
use std::collections::HashMap;

/// Names of all elements with their number of uses, so that elements can be removed again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    counts: HashMap<ObjType, HashMap<String, usize>>,
}

impl Names {
    /// Names of everything in a specification.
    pub fn of(spec: &Spec) -> Self {
        let mut names = Names::default();
        names.add_tree(&spec.world);
        macro_rules! list {
            ($($kind:ident $field:ident),*) => {
                $(for e in &spec.$field { names.add(ObjType::$kind, &e.meta.name); })*
            };
        }
        list!(Mesh meshes, Hfield hfields, Skin skins, Texture textures, Material materials, Pair pairs);
        list!(Flex flexes, Exclude excludes, Equality equalities, Tendon tendons, Actuator actuators, Sensor sensors);
        list!(Numeric numerics, Text texts, Tuple tuples, Key keys);
        names
    }

    /// Whether there is an element of this kind and name.
    pub fn has(&self, kind: ObjType, name: &str) -> bool {
        let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
        self.counts.get(&kind).is_some_and(|names| names.contains_key(name))
    }

    /// Adds an element; unnamed ones do not count.
    pub fn add(&mut self, kind: ObjType, name: &str) {
        if name.is_empty() {
            return;
        }
        let names = self.counts.entry(kind).or_default();
        match names.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                names.insert(name.to_string(), 1);
            }
        }
    }

    /// Removes an element.
    pub fn remove(&mut self, kind: ObjType, name: &str) {
        if let Some(names) = self.counts.get_mut(&kind)
            && let Some(count) = names.get_mut(name)
        {
            *count -= 1;
            if *count == 0 {
                names.remove(name);
            }
        }
    }

    /// Adds a body with everything it owns.
    pub fn add_tree(&mut self, body: &Body) {
        visit(body, &mut |kind, name| self.add(kind, name));
    }

    /// Removes a body with everything it owns.
    pub fn remove_tree(&mut self, body: &Body) {
        visit(body, &mut |kind, name| self.remove(kind, name));
    }

    /// Number of elements of this kind with the name.
    pub fn count(&self, kind: ObjType, name: &str) -> usize {
        self.counts.get(&kind).and_then(|names| names.get(name)).copied().unwrap_or(0)
    }
}

/// Calls `f` with the kind and name of a body and of everything it owns.
fn visit(body: &Body, f: &mut impl FnMut(ObjType, &str)) {
    f(ObjType::Body, &body.meta.name);
    body.joints.iter().for_each(|e| f(ObjType::Joint, &e.meta.name));
    body.geoms.iter().for_each(|e| f(ObjType::Geom, &e.meta.name));
    body.sites.iter().for_each(|e| f(ObjType::Site, &e.meta.name));
    body.cameras.iter().for_each(|e| f(ObjType::Camera, &e.meta.name));
    body.lights.iter().for_each(|e| f(ObjType::Light, &e.meta.name));
    body.frames.iter().for_each(|e| f(ObjType::Frame, &e.meta.name));
    body.bodies.iter().for_each(|child| visit(child, f));
}
