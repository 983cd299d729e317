//! Finds the files that a model depends on without compiling it.

use crate::error::{Error, ErrorKind, Result};
use crate::source::{self, Source};
use crate::xml::{self, Element};

/// The directory of `compiler` that a file is relative to.
#[derive(Clone, Copy)]
enum Home {
    Mesh,
    Texture,
    Asset,
    /// A separate model, whose files count as well.
    Model,
}

/// Elements that name files, and the directories these files are in.
const ELEMENTS: [(&str, Home); 7] = [
    ("include", Home::Model),
    ("model", Home::Model),
    ("mesh", Home::Mesh),
    ("flexcomp", Home::Mesh),
    ("skin", Home::Mesh),
    ("hfield", Home::Asset),
    ("texture", Home::Texture),
];

/// Maximum number of files of a model, including the models it includes or attaches.
const MAX_FILES: usize = 10_000;

/// The model file and all files that it refers to: included and attached models with their files, meshes, textures,
/// height fields, skins. Files need not exist, except those that may refer to others.
///
/// ```
/// use sinew_mjcf::{Source, dependencies};
/// let model = br#"<mujoco><compiler meshdir="m"/><asset><mesh file="a.obj"/></asset></mujoco>"#;
/// let source = Source::with_files([("robot/arm.xml".to_string(), model.to_vec())]);
/// assert_eq!(dependencies("robot/arm.xml", &source)?, ["robot/arm.xml", "robot/m/a.obj"]);
/// # Ok::<(), sinew_mjcf::Error>(())
/// ```
///
/// # Errors
/// When a model cannot be read, or there are too many files.
#[doc(alias = "mju_getXMLDependencies")]
pub fn dependencies(path: &str, source: &Source) -> Result<Vec<String>> {
    let (mut files, mut next) = (vec![path.to_string()], 0);
    let mut models = vec![path.to_string()];
    while let Some(model) = models.get(next).cloned() {
        next += 1;
        let bytes = source.read("", &model)?;
        let root =
            xml::parse(&String::from_utf8_lossy(&bytes), 0).map_err(|e| e.in_files(std::slice::from_ref(&model)))?;
        let mut dirs = Dirs { model: source::directory(&model).to_string(), ..Dirs::default() };
        dirs.read(&root);
        let mut found = Vec::new();
        collect(&root, &dirs, &mut found);
        for (file, home) in found {
            if !files.contains(&file) {
                files.push(file.clone());
            }
            if matches!(home, Home::Model) && !models.contains(&file) {
                models.push(file);
            }
        }
        if files.len() > MAX_FILES {
            return Err(Error::new(ErrorKind::Limit(format!("the model refers to more than {MAX_FILES} files"))));
        }
    }
    Ok(files)
}

/// Directory settings of a model; empty if not given.
#[derive(Default)]
struct Dirs {
    model: String,
    asset: String,
    mesh: Option<String>,
    texture: Option<String>,
}

impl Dirs {
    fn read(&mut self, element: &Element) {
        if element.name == "compiler" {
            let own = |name: &str| element.attribute(name).map(String::from);
            self.asset = own("assetdir").unwrap_or_else(|| std::mem::take(&mut self.asset));
            self.mesh = own("meshdir").or(self.mesh.take());
            self.texture = own("texturedir").or(self.texture.take());
        }
        element.children.iter().for_each(|child| self.read(child));
    }

    fn path(&self, home: Home, file: &str) -> String {
        let dir = match home {
            Home::Mesh => self.mesh.as_ref().unwrap_or(&self.asset),
            Home::Texture => self.texture.as_ref().unwrap_or(&self.asset),
            Home::Asset => &self.asset,
            Home::Model => "",
        };
        source::join(&self.model, &source::join(dir, file))
    }
}

fn collect(element: &Element, dirs: &Dirs, found: &mut Vec<(String, Home)>) {
    if let Some(&(_, home)) = ELEMENTS.iter().find(|(name, _)| *name == element.name) {
        // cube textures name one file per side
        let files = element.attributes.iter().filter(|a| a.name.starts_with("file") && !a.value.is_empty());
        found.extend(files.map(|a| (dirs.path(home, &a.value), home)));
    }
    element.children.iter().for_each(|child| collect(child, dirs, found));
}
