//! MJCF text → [`Spec`].
//!
//! Steps: [`include`] merges the files into one element tree, [`crate::schema`] checks names and values, and then one
//! module per section turns checked items into spec elements, in MuJoCo's order of sections.

mod actuator;
mod asset;
mod body;
mod class;
mod composite;
mod data;
mod element;
mod flex;
mod include;
mod plugin;
mod relation;
pub(crate) mod sensor;
pub(crate) mod settings;

use crate::error::{Error, ErrorKind, Errors, Report, Result, gather};
use crate::limits::Limits;
use crate::schema::{self, Attr, Item, attr};
use crate::source::{self, Source};
use crate::spec::{Meta, Spec};
use crate::urdf;
use crate::xml::{self, Element};
use sinew_engine::plugin::Registry;

/// Maximum number of files of one model.
const MAX_FILES: usize = 2000;
/// Maximum nesting depth of models that refer to models.
const MAX_MODEL_DEPTH: usize = 20;

/// Number of characters of a value that count as much as one element towards the memory limit.
const LONG: usize = 64;

/// State shared by a model and the models it refers to.
pub(crate) struct Session<'a> {
    pub(crate) source: &'a Source,
    pub(crate) limits: Limits,
    /// Warnings so far.
    pub(crate) warnings: Vec<Report>,
    /// Plugins that models may use.
    pub(crate) registry: Registry,
    files: usize,
    nodes: usize,
    depth: usize,
}

impl<'a> Session<'a> {
    pub(crate) fn new(source: &'a Source, limits: Limits, registry: Registry) -> Self {
        Session { source, limits, registry, warnings: Vec::new(), files: 0, nodes: 0, depth: 0 }
    }

    /// Reads a model file, MJCF or URDF.
    pub(crate) fn read_file(&mut self, path: &str) -> Result<Spec> {
        self.read_model(path)
    }

    /// Reads a model given as text. `name` is used as the file name in errors; relative paths start in its directory.
    pub(crate) fn read_text(&mut self, text: &str, name: &str) -> Result<Spec> {
        self.read(text, name)
    }

    /// Reads a model file for attachment.
    fn read_model(&mut self, path: &str) -> Result<Spec> {
        let text = self.source.read("", path)?;
        self.read(&String::from_utf8_lossy(&text), &source::join("", path))
    }

    fn read(&mut self, text: &str, name: &str) -> Result<Spec> {
        if self.depth >= MAX_MODEL_DEPTH {
            let kind = ErrorKind::Limit(format!("models refer to models more than {MAX_MODEL_DEPTH} deep"));
            return Err(Error::new(kind));
        }
        self.depth += 1;
        let first_warning = self.warnings.len();
        let mut reader = Reader::new(name, self);
        let result = reader.run(text);
        let spec = std::mem::take(&mut reader.spec);
        self.depth -= 1;
        self.warnings[first_warning..].iter_mut().for_each(|w| w.resolve(&spec.files));
        result.map_err(|e| e.in_files(&spec.files)).map(|()| spec)
    }

    /// Counts one more file and its elements.
    fn spend(&mut self, root: &Element) -> Result<()> {
        fn count(element: &Element) -> usize {
            1 + element.attributes.len() + element.children.iter().map(count).sum::<usize>()
        }
        // long values, such as those of meshes, count more than once
        fn weight(element: &Element) -> usize {
            let values = element.attributes.iter().map(|a| 1 + a.value.len() / LONG).sum::<usize>();
            1 + values + element.children.iter().map(weight).sum::<usize>()
        }
        self.files += 1;
        self.nodes += count(root);
        self.limits.justify(weight(root));
        if self.files > MAX_FILES {
            return Err(root.error(ErrorKind::Limit(format!("the model has more than {MAX_FILES} files"))));
        }
        if self.nodes > xml::MAX_NODES {
            return Err(root.error(ErrorKind::Limit(format!("the model has more than {} elements", xml::MAX_NODES))));
        }
        Ok(())
    }
}

/// The state of reading one model.
pub(crate) struct Reader<'s, 'a> {
    session: &'s mut Session<'a>,
    spec: Spec,
    /// Child indices of the path from the world to the body being read.
    path: Vec<usize>,
    /// Models declared as assets, for attachment.
    models: Vec<Spec>,
    /// Directory of each included file, by file index; empty for the main file.
    dirs: Vec<String>,
    /// Plugin instances read so far.
    plugins: usize,
    /// Names of files that may not be included again.
    included: Vec<String>,
    /// Directories from the latest `compiler` element; used only to search for files.
    assetdir: String,
    meshdir: String,
    texturedir: String,
}

impl<'s, 'a> Reader<'s, 'a> {
    fn new(name: &str, session: &'s mut Session<'a>) -> Self {
        let mut spec = Spec::default();
        spec.files.push(name.to_string());
        spec.limits = session.limits;
        spec.registry = session.registry.clone();
        spec.compilers[0].modelfiledir = source::directory(name).to_string();
        Reader {
            session,
            spec,
            path: Vec::new(),
            models: Vec::new(),
            dirs: vec![String::new()],
            plugins: 0,
            included: vec![name.to_string()],
            assetdir: String::new(),
            meshdir: String::new(),
            texturedir: String::new(),
        }
    }

    /// Counts one more file, which raises the memory limit.
    fn spend(&mut self, root: &Element) -> Result<()> {
        self.session.spend(root)?;
        self.spec.limits = self.session.limits;
        Ok(())
    }

    fn run(&mut self, text: &str) -> Result<()> {
        let mut root = xml::parse(text, 0)?;
        self.spend(&root)?;
        match root.name.to_ascii_lowercase().as_str() {
            "mujoco" => {}
            "robot" => return self.robot(&root),
            _ => {
                let hint = "the root element must be 'mujoco' (MJCF) or 'robot' (URDF)";
                return Err(root.error(ErrorKind::UnknownElement).hint(hint));
            }
        }
        self.expand_includes(&mut root, 0)?;
        let item = schema::bind(&root, &mut self.session.warnings)?;
        drop(root);
        item.set(attr::MODEL, &mut self.spec.modelname);
        type Section<'s, 'a> = fn(&mut Reader<'s, 'a>, &Item) -> Result<()>;
        let sections: [(&str, Section<'s, 'a>); 17] = [
            ("compiler", |r, i| settings::compiler(i, &mut r.spec)),
            ("option", |r, i| settings::option(i, &mut r.spec)),
            ("size", |r, i| settings::size(i, &mut r.spec)),
            ("visual", |r, i| settings::visual(i, &mut r.spec)),
            ("statistic", |r, i| settings::statistic(i, &mut r.spec)),
            ("default", Self::default_section),
            ("extension", Self::extension),
            ("custom", |r, i| r.each(i, Self::custom)),
            ("asset", |r, i| r.each(i, Self::asset)),
            ("contact", |r, i| r.each(i, Self::contact)),
            ("deformable", |r, i| r.each(i, Self::deformable)),
            ("equality", |r, i| r.each(i, Self::equality)),
            ("tendon", |r, i| r.each(i, Self::tendon)),
            ("actuator", |r, i| r.each(i, Self::actuator)),
            ("sensor", |r, i| r.each(i, Self::sensor)),
            ("keyframe", |r, i| r.each(i, Self::keyframe)),
            ("worldbody", Self::worldbody),
        ];
        let mut errors = Errors::default();
        for (name, read) in sections {
            for section in item.children.iter().filter(|c| c.name == name) {
                let result = read(self, section);
                errors.keep(result)?;
            }
        }
        errors.finish()
    }

    /// Reads the children of a section; continues after a wrong one, so that all errors are found.
    fn each(&mut self, section: &Item, read: impl Fn(&mut Self, &Item) -> Result<()>) -> Result<()> {
        gather(section.children.iter().map(|item| read(self, item))).map(drop)
    }

    /// Records a warning.
    fn warn(&mut self, warning: Error) {
        self.session.warnings.push(warning.into_report());
    }

    /// Reads a URDF file. Only the settings in its `mujoco` element are used, and unknown attributes there are ignored.
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

    /// Name, class and source position of an element outside the body tree.
    fn meta(&self, item: &Item) -> Meta {
        Meta {
            name: item.text(attr::NAME).into(),
            class: item.text(attr::CLASS).into(),
            loc: item.loc,
            ..Meta::default()
        }
    }

    /// Reads a file attribute. Files not found from the model's directory are relative to the including file.
    fn file(&self, item: &Item, attribute: Attr, dir: &str) -> Option<String> {
        item.has(attribute).then(|| {
            let file = source::join("", item.text(attribute));
            let dir = source::join(&self.spec.compilers[0].modelfiledir, dir);
            self.locate(file, &dir, item.loc.file)
        })
    }

    fn locate(&self, file: String, dir: &str, from: u32) -> String {
        if source::is_absolute(&file) || self.session.source.exists(dir, &file) {
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
}

/// An error for an element that MuJoCo knows but this version does not simulate.
fn unsupported(item: &Item, what: &str) -> Error {
    item.error(ErrorKind::Unsupported(what.into()))
}
