//! Model input: files, standard input, the embedded humanoid.

use crate::report::render;
use sinew::engine::data::memory;
use sinew::{Data, Model, Source};
use sinew_mjcf::{Loader, Report};
use sinew_viewer::Bundle;
use std::collections::BTreeSet;
use std::io::Read;

/// The embedded model. Included through a symbolic link, so that the file is part of the published crate.
const HUMANOID: &str = include_str!("../humanoid.xml");
const _: () = assert!(HUMANOID.len() > 100, "crates/cli/humanoid.xml is a link: check out with core.symlinks=true");
/// Name of the embedded model.
pub const EMBEDDED: &str = "humanoid (embedded)";
/// Standard input, as an argument and in messages.
const DASH: &str = "-";
const STDIN: &str = "<stdin>";

/// A model, or what is wrong with it.
pub struct Opened {
    /// The model, if it could be compiled.
    pub model: Option<Model>,
    /// Errors, then warnings, with source excerpts.
    pub text: String,
    /// Number of warnings.
    pub warnings: usize,
    /// Files on disk that were read, if they were recorded.
    pub files: BTreeSet<String>,
    /// Name and content of a model that was not read from a file.
    given: Option<(String, Vec<u8>)>,
    /// The model file.
    root: Option<String>,
}

impl Opened {
    /// Prints errors and warnings to standard error; returns the model.
    pub fn report(self) -> Option<Model> {
        eprint!("{}", self.text);
        self.model
    }

    /// The error lines of the text.
    pub fn errors(&self) -> String {
        if self.model.is_none() { self.text.clone() } else { String::new() }
    }

    /// What the web page needs to run the model.
    pub fn bundle(&self) -> Result<Bundle, String> {
        if let Some((name, content)) = &self.given {
            let name = if name == STDIN { "model.xml" } else { "humanoid.xml" };
            return Ok(Bundle::of([(name, content.as_slice())]));
        }
        let root = self.root.as_deref().unwrap_or_default();
        if self.files.is_empty() {
            Err(self.text.clone())
        } else {
            Ok(Bundle::new(root, &self.files, self.model.as_ref()))
        }
    }

    fn made(model: Option<Model>, text: String, warnings: usize) -> Self {
        Opened { model, text, warnings, files: BTreeSet::new(), given: None, root: None }
    }

    fn failed(message: impl std::fmt::Display) -> Self {
        Opened::made(None, format!("error: {message}\n"), 0)
    }
}

/// Opens a model file or standard input, or the embedded humanoid when there is no `path`. With `strict`, warnings are
/// errors.
pub fn open(path: Option<&str>, strict: bool) -> Opened {
    open_from(path, strict, Source::disk())
}

/// As [`open`], and records which files were read.
pub fn open_recording(path: Option<&str>) -> Opened {
    open_from(path, false, Source::recording())
}

fn open_from(path: Option<&str>, strict: bool, disk: Source) -> Opened {
    let given = match path {
        Some(DASH) => {
            let mut content = Vec::new();
            if let Err(e) = std::io::stdin().read_to_end(&mut content) {
                return Opened::failed(format!("cannot read standard input: {e}"));
            }
            Some((STDIN.to_string(), content))
        }
        Some(_) => None,
        None => Some((EMBEDDED.to_string(), HUMANOID.into())),
    };
    let (name, source) = match (&given, path) {
        (Some(given), _) => (given.0.as_str(), Source::with_files([given.clone()])),
        (None, path) => (path.unwrap_or_default(), disk),
    };
    let opened = match source.read("", name) {
        Ok(content) if Model::is_saved(&content) => saved(name, &content),
        _ => compile(name, &source, strict),
    };
    // a failed allocation later would abort the process
    let missing = opened.model.as_ref().and_then(|m| memory::probe(Data::bytes_needed(m)).err());
    let opened = missing.map_or(opened, |e| Opened::failed(format!("{name}: {e}")));
    Opened { files: source.opened(), root: path.map(String::from), given: given.clone(), ..opened }
}

/// Reads a model written by `sinew compile`.
fn saved(name: &str, content: &[u8]) -> Opened {
    match Loader::new().saved(content) {
        Ok(model) => Opened::made(Some(model), String::new(), 0),
        Err(e) => Opened::failed(format!("{name}: {e}")),
    }
}

fn compile(name: &str, source: &Source, strict: bool) -> Opened {
    let all = |severity: &str, reports: &[Report]| -> String {
        reports.iter().map(|report| render(severity, report, source)).collect()
    };
    match Loader::new().source(source).strict(strict).path(name) {
        Ok(loaded) => {
            let warnings = loaded.warnings.len();
            Opened::made(Some(loaded.model), all("warning", &loaded.warnings), warnings)
        }
        Err(error) => {
            let errors: Vec<Report> = error.reports().cloned().collect();
            // with --strict the warnings are already among the errors
            let more: Vec<Report> = error.warnings().iter().filter(|w| !errors.contains(w)).cloned().collect();
            Opened::made(None, all("error", &errors) + &all("warning", &more), more.len())
        }
    }
}
