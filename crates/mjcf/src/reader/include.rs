//! Replaces `include` elements by the content of the files they name.

use super::Reader;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::attr;
use crate::source;
use crate::xml::{self, Element};

impl Reader<'_, '_> {
    /// Replaces the includes below an element, and records asset directories.
    ///
    /// A file name is tried first relative to the main model's directory, then relative to the including file's.
    pub(super) fn expand_includes(&mut self, element: &mut Element, depth: usize) -> Result<()> {
        if depth > xml::MAX_DEPTH {
            let kind = ErrorKind::Limit(format!("elements are nested more than {} deep", xml::MAX_DEPTH));
            return Err(element.error(kind));
        }
        if element.name == "compiler" {
            let dirs = [
                (attr::ASSETDIR, &mut self.assetdir),
                (attr::TEXTUREDIR, &mut self.texturedir),
                (attr::MESHDIR, &mut self.meshdir),
            ];
            for (attribute, slot) in dirs {
                if let Some(value) = element.attribute(attribute.name()) {
                    *slot = value.to_string();
                }
            }
        }
        let children = std::mem::take(&mut element.children);
        element.children.reserve(children.len());
        for mut child in children {
            if child.name == "include" {
                // included elements may contain includes
                let mut holder = Element { children: self.include(&child)?, loc: child.loc, ..Element::default() };
                self.expand_includes(&mut holder, depth + 1)?;
                element.children.append(&mut holder.children);
            } else {
                self.expand_includes(&mut child, depth + 1)?;
                element.children.push(child);
            }
        }
        Ok(())
    }

    /// Reads the elements of an included file.
    fn include(&mut self, element: &Element) -> Result<Vec<Element>> {
        if !element.children.is_empty() {
            return Err(element.error(ErrorKind::Invalid("an include cannot have content".into())));
        }
        let missing = || element.error(ErrorKind::Missing(format!("attribute '{}'", attr::FILE)));
        let given = element.attribute(attr::FILE.name()).ok_or_else(missing)?;
        let home = self.spec.compilers[0].modelfiledir.clone();
        let from = self.dirs[element.loc.file as usize].clone();
        let name = self.locate(source::join("", given), &home, element.loc.file);
        if self.included.contains(&name) {
            return Err(element.error(ErrorKind::IncludeCycle(name)).attribute(attr::FILE));
        }
        // From the model's directory, then below the including file's, then where the including file is.
        let candidates = [source::join(&home, &name), source::join(&home, &source::join(&from, &name)), name.clone()];
        let path = candidates.iter().find(|p| self.session.source.exists("", p)).unwrap_or(&candidates[0]).clone();
        let at = |e: Error| e.at(element.loc).element("include").attribute(attr::FILE);
        let bytes = self.session.source.read("", &path).map_err(at)?;
        let file = self.spec.files.len() as u32;
        self.spec.files.push(path.clone());
        self.dirs.push(source::directory(&path).to_string());
        self.included.push(source::join(&from, &name));
        let root = xml::parse(&String::from_utf8_lossy(&bytes), file).map_err(at)?;
        self.spend(&root)?;
        if root.children.is_empty() {
            return Err(element.error(ErrorKind::Invalid(format!("included file '{path}' has no content"))));
        }
        Ok(root.children)
    }
}
