//! MJCF text → [`Spec`].
//!
//! Steps: [`include`] joins the files into one element tree, [`crate::schema`] checks names and values, and
//! then one file per section turns checked items into spec elements, in MuJoCo's order of sections.

mod actuator;
mod asset;
mod body;
mod class;
mod composite;
mod data;
mod element;
mod include;
mod relation;
mod sensor;
pub(crate) mod settings;

use crate::error::{Error, ErrorKind, Result};
use crate::schema::{self, Item};
use crate::source::{self, Source};
use crate::spec::{Meta, Spec};
use crate::urdf;
use crate::xml::{self, Element};
use class::Classes;
use std::rc::Rc;

/// Files that one model may be made of.
const MAX_FILES: usize = 2000;
/// Models may refer to models this deep.
const MAX_MODEL_DEPTH: usize = 20;

/// What is shared by a model and the models it refers to.
pub(crate) struct Budget {
    files: usize,
    nodes: usize,
    depth: usize,
}

impl Budget {
    pub(crate) fn new() -> Self {
        Budget { files: 0, nodes: 0, depth: 0 }
    }

    /// Counts one more file with its elements.
    fn spend(&mut self, root: &Element) -> Result<()> {
        fn count(element: &Element) -> usize {
            1 + element.attributes.len() + element.children.iter().map(count).sum::<usize>()
        }
        self.files += 1;
        self.nodes += count(root);
        if self.files > MAX_FILES {
            return Err(root.error(ErrorKind::Limit(format!("the model has more than {MAX_FILES} files"))));
        }
        if self.nodes > xml::MAX_NODES {
            return Err(root.error(ErrorKind::Limit(format!("the model has more than {} elements", xml::MAX_NODES))));
        }
        Ok(())
    }
}

/// Reads a model file, MJCF or URDF.
pub(crate) fn read_file(path: &str, source: &Source, budget: &mut Budget) -> Result<Spec> {
    read_model(path, source, budget).map(|model| model.spec)
}

/// Reads a model file for attachment.
fn read_model(path: &str, source: &Source, budget: &mut Budget) -> Result<Attachable> {
    let text = source.read("", path)?;
    let path = source::join("", path);
    read(&String::from_utf8_lossy(&text), &path, source, budget)
}

/// Reads a model given as text. `name` stands for the file in errors; relative paths start in its directory.
pub(crate) fn read_text(text: &str, name: &str, source: &Source, budget: &mut Budget) -> Result<Spec> {
    read(text, name, source, budget).map(|model| model.spec)
}

fn read(text: &str, name: &str, source: &Source, budget: &mut Budget) -> Result<Attachable> {
    if budget.depth >= MAX_MODEL_DEPTH {
        let kind = ErrorKind::Limit(format!("models refer to models more than {MAX_MODEL_DEPTH} deep"));
        return Err(Error::new(kind));
    }
    budget.depth += 1;
    let mut reader = Reader::new(name, source, budget);
    let result = reader.run(text);
    let spec = std::mem::take(&mut reader.spec);
    let classes = Rc::new(std::mem::take(&mut reader.classes));
    budget.depth -= 1;
    result.map_err(|e| e.in_files(&spec.files)).map(|()| Attachable { spec, classes })
}

/// A model that others may attach, with its default classes.
struct Attachable {
    spec: Spec,
    classes: Rc<Classes>,
}

/// The state of reading one model.
pub(crate) struct Reader<'a> {
    source: &'a Source,
    budget: &'a mut Budget,
    spec: Spec,
    classes: Classes,
    /// Child indices that lead to the body being read, from the world.
    path: Vec<usize>,
    /// Models declared as assets, for attachment.
    models: Vec<Attachable>,
    /// Directory of each included file, by file index; empty for the main file.
    dirs: Vec<String>,
    /// Names of files that may not be included again.
    included: Vec<String>,
    /// Directories as they stand in the last `compiler` element; they only steer the search for files.
    assetdir: String,
    meshdir: String,
    texturedir: String,
}

impl<'a> Reader<'a> {
    fn new(name: &str, source: &'a Source, budget: &'a mut Budget) -> Self {
        let mut spec = Spec { files: vec![name.to_string()], ..Spec::default() };
        spec.compilers[0].modelfiledir = source::directory(name).to_string();
        Reader {
            source,
            budget,
            spec,
            classes: Classes::default(),
            path: Vec::new(),
            models: Vec::new(),
            dirs: vec![String::new()],
            included: vec![name.to_string()],
            assetdir: String::new(),
            meshdir: String::new(),
            texturedir: String::new(),
        }
    }

    fn run(&mut self, text: &str) -> Result<()> {
        let mut root = xml::parse(text, 0)?;
        self.budget.spend(&root)?;
        match root.name.to_ascii_lowercase().as_str() {
            "mujoco" => {}
            "robot" => return self.robot(&root),
            _ => {
                let hint = "the root element must be 'mujoco' (MJCF) or 'robot' (URDF)";
                return Err(root.error(ErrorKind::UnknownElement).hint(hint));
            }
        }
        self.expand_includes(&mut root, 0)?;
        let item = schema::bind(&root)?;
        drop(root);
        item.set("model", &mut self.spec.modelname);
        type Section<'a> = fn(&mut Reader<'a>, &Item) -> Result<()>;
        let sections: [(&str, Section<'a>); 17] = [
            ("compiler", |r, i| settings::compiler(i, &mut r.spec)),
            ("option", |r, i| settings::option(i, &mut r.spec)),
            ("size", |r, i| settings::size(i, &mut r.spec)),
            ("visual", |r, i| settings::visual(i, &mut r.spec)),
            ("statistic", |r, i| settings::statistic(i, &mut r.spec)),
            ("default", Self::default_section),
            ("extension", Self::extension),
            ("custom", Self::custom),
            ("asset", Self::asset),
            ("contact", Self::contact),
            ("deformable", Self::deformable),
            ("equality", Self::equality),
            ("tendon", Self::tendon),
            ("actuator", Self::actuator),
            ("sensor", Self::sensor),
            ("keyframe", Self::keyframe),
            ("worldbody", Self::worldbody),
        ];
        for (name, read) in sections {
            for section in item.children.iter().filter(|c| c.name == name) {
                read(self, section)?;
            }
        }
        Ok(())
    }

    /// A URDF file. Of its `mujoco` element only the settings count, and attributes unknown there are ignored.
    fn robot(&mut self, root: &Element) -> Result<()> {
        urdf::set_defaults(&mut self.spec.compilers[0]);
        if let Some(extension) = urdf::only(root, "mujoco")? {
            let mut settings = Element { name: extension.name.clone(), ..Element::default() };
            for name in ["compiler", "option", "size"] {
                settings.children.extend(urdf::only(extension, name)?.cloned());
            }
            settings::embedded(&settings, &mut self.spec)?;
        }
        self.spec.compilers[0].degree = false;
        urdf::read(root, &mut self.spec)
    }

    /// Name, class and place of an element outside the body tree.
    fn meta(&self, item: &Item) -> Meta {
        Meta { name: item.text("name").into(), class: item.text("class").into(), loc: item.loc, ..Meta::default() }
    }

    /// A file attribute. Files that are not found from the model's directory belong to the including file.
    fn file(&self, item: &Item, attribute: &str, dir: &str) -> Option<String> {
        item.has(attribute).then(|| {
            let file = source::join("", item.text(attribute));
            let dir = source::join(&self.spec.compilers[0].modelfiledir, dir);
            self.locate(file, &dir, item.loc.file)
        })
    }

    fn locate(&self, file: String, dir: &str, from: u32) -> String {
        if source::is_absolute(&file) || self.source.exists(dir, &file) {
            return file;
        }
        source::join(&self.dirs[from as usize], &file)
    }

    fn mesh_dir(&self) -> &str {
        if self.meshdir.is_empty() { &self.assetdir } else { &self.meshdir }
    }

    fn texture_dir(&self) -> &str {
        if self.texturedir.is_empty() { &self.assetdir } else { &self.texturedir }
    }

    /// Plugins are compiled C code, so that a model with one cannot run here.
    fn extension(&mut self, section: &Item) -> Result<()> {
        section.children.first().map_or(Ok(()), |plugin| Err(unsupported(plugin, "plugins")))
    }
}

/// An element that MuJoCo knows but this version does not simulate.
fn unsupported(item: &Item, what: &str) -> Error {
    item.error(ErrorKind::Unsupported(what.into()))
}

/// Refuses `plugin` sub-elements.
fn no_plugin(item: &Item) -> Result<()> {
    item.child("plugin").map_or(Ok(()), |plugin| Err(unsupported(plugin, "plugins")))
}
