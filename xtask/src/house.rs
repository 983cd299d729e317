//! House rules that can be checked automatically: layers, lengths of files and functions, SAFETY notes, and that
//! `ARCHITECTURE.md` is complete. Layers and functions are read from the syntax tree.

use crate::{Outcome, root, unsafety};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, File, ImplItemFn, Item, ItemFn, ItemMod, ItemUse, Signature, UseTree};

/// Maximum length of a file, in lines; longer ones should be split.
const MAX_LINES: usize = 600;
/// Maximum length of a function, in lines.
const MAX_FUNCTION: usize = 80;

const ENGINE: &str = "crates/engine/src/";

/// Modules of the engine below its stages.
const LOWER: [&str; 6] = ["bytes", "fields", "model", "data", "support", "plugin"];
/// Modules that combine stages.
const UPPER: [&str; 9] =
    ["parts", "sim", "scratch", "step", "reset", "inverse", "transition", "set_const", "length_range"];
/// An allowed exception, importer and imported: a simulation owns its workspaces.
const EXCEPTION: (&str, &str) = ("data", "scratch");

/// Stage folders of the engine: none may import another.
const STAGES: [&str; 14] = [
    "kinematics",
    "inertia",
    "collision",
    "constraint",
    "island",
    "velocity",
    "passive",
    "actuation",
    "solver",
    "deformable",
    "sensor",
    "derivative",
    "integrate",
    "sleep",
];

pub(crate) fn check() -> Outcome {
    let files = rust_files(&root());
    let reexports = reexports(&root().join(ENGINE).join("lib.rs"))?;
    let (mut faults, mut counted) = (Vec::new(), BTreeMap::new());
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let lines = text.lines().count();
        if lines > MAX_LINES {
            faults.push(format!("{}: {lines} lines, at most {MAX_LINES}", shown(file)));
        }
        let tree = syn::parse_file(&text).map_err(|e| format!("{}: {e}", shown(file)))?;
        faults.extend(long_functions(&shown(file), &tree));
        let (count, notes) = unsafety::look(&shown(file), &text, &tree);
        if count > 0 {
            counted.insert(shown(file), count);
        }
        faults.extend(notes);
        if let Some(inside) = shown(file).strip_prefix(ENGINE) {
            faults.extend(layer_faults(inside, &tree, &reexports));
        }
    }
    faults.extend(unsafety::compare(&counted));
    faults.extend(missing_from_map());
    if faults.is_empty() { Ok(()) } else { Err(format!("house rules:\n  {}", faults.join("\n  "))) }
}

fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(dir) else { return found };
    for path in entries.flatten().map(|e| e.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// Module of the engine's root that defines each re-exported name.
fn reexports(lib: &Path) -> Result<HashMap<String, String>, String> {
    let text = fs::read_to_string(lib).map_err(|e| format!("{}: {e}", lib.display()))?;
    let tree = syn::parse_file(&text).map_err(|e| format!("{}: {e}", lib.display()))?;
    let mut names = HashMap::new();
    for item in &tree.items {
        if let Item::Use(item) = item {
            for path in paths(&item.tree) {
                let path: Vec<_> = path.into_iter().filter(|s| s != "crate" && s != "self").collect();
                if let [first, .., last] = &path[..] {
                    names.insert(last.clone(), first.clone());
                }
            }
        }
    }
    Ok(names)
}

/// All paths that a `use` names.
fn paths(tree: &UseTree) -> Vec<Vec<String>> {
    let under = |name: String, tree: &UseTree| {
        paths(tree).into_iter().map(|rest| [vec![name.clone()], rest].concat()).collect::<Vec<_>>()
    };
    match tree {
        UseTree::Path(path) => under(path.ident.to_string(), &path.tree),
        UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        UseTree::Rename(name) => vec![vec![name.ident.to_string()]],
        UseTree::Glob(_) => vec![vec!["*".into()]],
        UseTree::Group(group) => group.items.iter().flat_map(paths).collect(),
    }
}

/// Whether a module of the engine may name another: a stage may name lower modules but no other stage, and lower
/// modules may name no stage.
fn may_name(own: &str, other: &str) -> bool {
    let stage = |name: &str| STAGES.contains(&name);
    let upper = |name: &str| UPPER.contains(&name);
    own == other
        || (own, other) == EXCEPTION
        || !(stage(own) || LOWER.contains(&own)) // the upper modules may name everything
        || !(stage(other) || upper(other))
}

fn layer_faults(file: &str, tree: &File, reexports: &HashMap<String, String>) -> Vec<String> {
    let mut module: Vec<String> = file.trim_end_matches(".rs").split('/').map(String::from).collect();
    if module.last().is_some_and(|name| name == "mod") {
        module.pop();
    }
    let mut walk = Layers { file, module, reexports, faults: Vec::new() };
    walk.visit_file(tree);
    walk.faults
}

/// Visitor of a file of the engine.
struct Layers<'a> {
    file: &'a str,
    /// Current module path.
    module: Vec<String>,
    reexports: &'a HashMap<String, String>,
    faults: Vec<String>,
}

impl Layers<'_> {
    /// Checks a path, given by its segments.
    fn look(&mut self, segments: &[String], line: usize) {
        let mut at = match segments.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("super" | "self") => self.module.clone(),
            _ => return,
        };
        for segment in segments {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => drop(at.pop()),
                name => at.push(name.into()),
            }
        }
        let (Some(own), Some(name)) = (self.module.first(), at.first()) else { return };
        let other = self.reexports.get(name).unwrap_or(name);
        if !may_name(own, other) {
            self.faults.push(format!("{ENGINE}{}:{line}: '{own}' names '{other}'", self.file));
        }
    }
}

impl<'ast> Visit<'ast> for Layers<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let line = item.span().start().line;
        paths(&item.tree).iter().for_each(|path| self.look(path, line));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.look(&segments, path.span().start().line);
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }
}

fn long_functions(file: &str, tree: &File) -> Vec<String> {
    let mut walk = Functions { file, faults: Vec::new() };
    walk.visit_file(tree);
    walk.faults
}

/// Visitor of all functions of a file.
struct Functions<'a> {
    file: &'a str,
    faults: Vec<String>,
}

impl Functions<'_> {
    fn look(&mut self, signature: &Signature, block: &Block) {
        let first = signature.span().start().line;
        let lines = block.span().end().line + 1 - first;
        if lines > MAX_FUNCTION {
            let (file, name) = (self.file, &signature.ident);
            self.faults.push(format!("{file}:{first}: function '{name}' has {lines} lines, at most {MAX_FUNCTION}"));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.look(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.look(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }
}

/// Every crate and engine folder appears in `ARCHITECTURE.md`.
fn missing_from_map() -> Vec<String> {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap_or_default();
    ["crates", "crates/engine/src", "crates/mjcf/src"]
        .iter()
        .flat_map(|dir| fs::read_dir(root().join(dir)).into_iter().flatten().flatten())
        .filter(|e| e.path().is_dir())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .filter(|name| !map.contains(&format!("{name}/")))
        .map(|name| format!("ARCHITECTURE.md does not mention {name}/"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(file: &str, text: &str) -> usize {
        let reexports = HashMap::from([("Newton".into(), "solver".into())]);
        layer_faults(file, &syn::parse_file(text).expect("it is Rust"), &reexports).len()
    }

    #[test]
    fn stages_name_no_stage_however_it_is_written() {
        for text in [
            "use crate::solver::x;",
            "use crate::{data::Data, solver};",
            "use crate::Newton;",
            "use super::super::solver::x;",
            "fn f() { crate::solver::x() }",
            "mod tests { use super::super::super::solver::x; }",
            "use crate::step::step;",
        ] {
            assert_eq!(faults("island/trees.rs", text), 1, "{text}");
        }
    }

    #[test]
    fn what_is_below_and_inside_may_be_named() {
        for text in [
            "use crate::data::Data;",
            "use super::work::X;",
            "use crate::island::x;",
            "// use crate::solver\nuse sinew_math::solver;",
        ] {
            assert_eq!(faults("island/trees.rs", text), 0, "{text}");
        }
        assert_eq!(faults("step/advance.rs", "use crate::solver::x;"), 0);
        assert_eq!(faults("data/mod.rs", "use crate::scratch::Scratch;"), 0);
        assert_eq!(faults("support/row.rs", "use crate::scratch::Scratch;"), 1);
    }

    #[test]
    fn long_functions_are_found() {
        let text = format!("fn f() {{\n{}}}\nfn g() {{}}", "x();\n".repeat(MAX_FUNCTION));
        assert_eq!(long_functions("a.rs", &syn::parse_file(&text).expect("it is Rust")).len(), 1);
    }
}
