//! Default classes: for each kind of element a full set of attribute values to start from.

use super::{Reader, element};
use crate::error::{ErrorKind, Errors, Result, nearest};
use crate::schema::Item;
use crate::spec::{Actuator, Camera, Equality, Geom, Joint, Light, Material, Mesh, Pair, Site, Tendon};
use std::rc::Rc;

/// The root class, which every model has.
const MAIN: &str = "main";

/// One class.
#[derive(Clone, Default)]
pub(super) struct Class {
    name: String,
    pub(super) mesh: Mesh,
    pub(super) material: Material,
    pub(super) joint: Joint,
    pub(super) geom: Geom,
    pub(super) site: Site,
    pub(super) camera: Camera,
    pub(super) light: Light,
    pub(super) pair: Pair,
    pub(super) equality: Equality,
    pub(super) tendon: Tendon,
    pub(super) actuator: Actuator,
}

/// All classes; the root class is first.
pub(super) struct Classes {
    list: Vec<Class>,
    /// Classes that came with attached models, and the prefix of their names.
    attached: Vec<(String, Rc<Classes>)>,
}

impl Default for Classes {
    fn default() -> Self {
        Classes { list: vec![Class { name: MAIN.into(), ..Class::default() }], attached: Vec::new() }
    }
}

impl std::ops::Index<usize> for Classes {
    type Output = Class;
    fn index(&self, id: usize) -> &Class {
        &self.list[id]
    }
}

impl Classes {
    /// Name as it is kept in a spec: empty for the root class.
    pub(super) fn name(&self, id: usize) -> &str {
        if id == 0 { "" } else { &self.list[id].name }
    }

    /// Makes the classes of an attached model available under its prefix.
    pub(super) fn attach(&mut self, prefix: &str, classes: &Rc<Classes>) {
        self.attached.push((prefix.into(), classes.clone()));
    }

    fn find(&self, name: &str) -> Option<&Class> {
        let own = self.list.iter().find(|c| c.name == name);
        own.or_else(|| {
            self.attached.iter().find_map(|(prefix, classes)| classes.find(name.strip_prefix(prefix.as_str())?))
        })
    }

    /// Class named by an attribute, or `inherited` when the attribute is absent. One of an attached model is
    /// copied when it is first used.
    pub(super) fn of(&mut self, item: &Item, attribute: &str, inherited: usize) -> Result<usize> {
        if !item.has(attribute) {
            return Ok(inherited);
        }
        let name = item.text(attribute);
        if let Some(id) = self.list.iter().position(|c| c.name == name) {
            return Ok(id);
        }
        if let Some(class) = self.find(name).cloned() {
            self.list.push(Class { name: name.into(), ..class });
            return Ok(self.list.len() - 1);
        }
        let kind = ErrorKind::UnknownName { objtype: "default class".into(), name: name.into() };
        let error = item.error(kind).attribute(attribute);
        Err(match nearest(name, self.list.iter().map(|c| c.name.as_str())) {
            Some(near) => error.hint(format!("did you mean '{near}'?")),
            None => error.hint("declare it in a 'default' element"),
        })
    }
}

impl Reader<'_, '_> {
    /// A top-level `default` element: the root class, possibly once more.
    pub(super) fn default_section(&mut self, section: &Item) -> Result<()> {
        let name = section.text("class");
        if !name.is_empty() && name != MAIN {
            let hint = "put it inside a 'default' element without a class";
            return Err(section.invalid_at("class", "the top-level default class cannot be renamed").hint(hint));
        }
        self.class(section, 0)
    }

    fn class(&mut self, section: &Item, id: usize) -> Result<()> {
        let mut errors = Errors::default();
        for item in &section.children {
            let class = &mut self.classes.list[id];
            let read = match item.name {
                "mesh" => element::mesh(item, &mut class.mesh),
                "material" => element::material(item, &mut class.material),
                "joint" => {
                    item.read(&mut class.joint);
                    Ok(())
                }
                "geom" => element::geom(item, &mut class.geom),
                "site" => element::site(item, &mut class.site),
                "camera" => element::camera(item, &mut class.camera),
                "light" => element::light(item, &mut class.light),
                "pair" => {
                    item.read(&mut class.pair);
                    Ok(())
                }
                "equality" => {
                    item.read(&mut class.equality);
                    Ok(())
                }
                "tendon" => {
                    super::relation::tendon(item, &mut class.tendon);
                    Ok(())
                }
                "default" => Ok(()),
                _ => super::actuator::actuator(item, &mut class.actuator),
            };
            errors.keep(read)?;
        }
        // Children inherit what the parent has once all of its elements are read.
        for item in section.children.iter().filter(|c| c.name == "default") {
            let read = self.subclass(item, id);
            errors.keep(read)?;
        }
        errors.finish()
    }

    /// A class inside another one.
    fn subclass(&mut self, item: &Item, parent: usize) -> Result<()> {
        let name = item.text("class");
        if name.is_empty() {
            return Err(item.error(ErrorKind::Missing("attribute 'class'".into())).attribute("class"));
        }
        if self.classes.list.iter().any(|c| c.name == name) {
            let hint = "class names must be unique in the whole model";
            return Err(item.error(ErrorKind::RepeatedName(name.into())).attribute("class").hint(hint));
        }
        let class = Class { name: name.into(), ..self.classes.list[parent].clone() };
        self.classes.list.push(class);
        self.class(item, self.classes.list.len() - 1)
    }
}
