//! `default`: the classes.

use super::{Reader, element};
use crate::error::{ErrorKind, Errors, Result, nearest};
use crate::schema::{Attr, Item, attr};
use crate::spec::class::{Class, MAIN};

impl Reader<'_, '_> {
    /// Class named by an attribute, or `inherited` when the attribute is absent.
    pub(super) fn class_of(&self, item: &Item, attribute: Attr, inherited: usize) -> Result<usize> {
        if !item.has(attribute) {
            return Ok(inherited);
        }
        let (name, classes) = (item.text(attribute), &self.spec.classes);
        if let Some(id) = classes.find(name).filter(|_| !name.is_empty()) {
            return Ok(id);
        }
        let kind = ErrorKind::UnknownName { objtype: "default class".into(), name: name.into() };
        let error = item.error(kind).attribute(attribute);
        Err(match nearest(name, classes.iter().map(|c| c.name.as_str())) {
            Some(near) => error.hint(format!("did you mean '{near}'?")),
            None => error.hint("declare it in a 'default' element"),
        })
    }

    /// A top-level `default` element: the root class, which may be repeated.
    pub(super) fn default_section(&mut self, section: &Item) -> Result<()> {
        let name = section.text(attr::CLASS);
        if !name.is_empty() && name != MAIN {
            let hint = "put it inside a 'default' element without a class";
            return Err(section.invalid_at(attr::CLASS, "the top-level default class cannot be renamed").hint(hint));
        }
        self.class(section, 0)
    }

    fn class(&mut self, section: &Item, id: usize) -> Result<()> {
        let mut errors = Errors::default();
        for item in &section.children {
            let Some(class) = self.spec.classes.get_mut(id).map(Class::defaults_mut) else { continue };
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
        // Children inherit the values of the parent after all of its elements are read.
        for item in section.children.iter().filter(|c| c.name == "default") {
            let read = self.subclass(item, id);
            errors.keep(read)?;
        }
        errors.finish()
    }

    /// Reads a class inside another one.
    fn subclass(&mut self, item: &Item, parent: usize) -> Result<()> {
        let name = item.text(attr::CLASS);
        if name.is_empty() {
            return Err(item.error(ErrorKind::Missing("attribute 'class'".into())).attribute(attr::CLASS));
        }
        if self.spec.classes.find(name).is_some() {
            let hint = "class names must be unique in the whole model";
            return Err(item.error(ErrorKind::RepeatedName(name.into())).attribute(attr::CLASS).hint(hint));
        }
        let id = self.spec.classes.add(name, parent);
        self.class(item, id)
    }
}
