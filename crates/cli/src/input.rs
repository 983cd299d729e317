//! Where models come from: files, standard input, the embedded humanoid.

use crate::report::render;
use sinew::{Model, Source};
use sinew_mjcf::{Loader, Report};
use std::io::Read;

/// The model that needs no file.
const HUMANOID: &str = include_str!("../../../models/humanoid.xml");
/// What it is called.
pub const EMBEDDED: &str = "humanoid (embedded)";
/// Standard input as an argument, and in messages.
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
}

impl Opened {
    /// Prints errors and warnings to standard error; returns the model.
    pub fn report(self) -> Option<Model> {
        eprint!("{}", self.text);
        self.model
    }

    fn failed(message: impl std::fmt::Display) -> Self {
        Opened { model: None, text: format!("error: {message}\n"), warnings: 0 }
    }
}

/// Opens a model file or standard input, or the embedded humanoid when there is no `path`. With `strict`, a model with
/// warnings does not count.
pub fn open(path: Option<&str>, strict: bool) -> Opened {
    let (name, source) = match path {
        Some(DASH) => {
            let mut content = Vec::new();
            if let Err(e) = std::io::stdin().read_to_end(&mut content) {
                return Opened::failed(format!("cannot read standard input: {e}"));
            }
            (STDIN, Source::with_files([(STDIN.to_string(), content)]))
        }
        Some(path) => (path, Source::disk()),
        None => (EMBEDDED, Source::with_files([(EMBEDDED.to_string(), HUMANOID.into())])),
    };
    match source.read("", name) {
        Ok(content) if Model::is_saved(&content) => saved(name, &content),
        _ => compile(name, &source, strict),
    }
}

/// A model that `sinew compile` wrote.
fn saved(name: &str, content: &[u8]) -> Opened {
    match Model::from_bytes(content) {
        Ok(model) => Opened { model: Some(model), text: String::new(), warnings: 0 },
        Err(e) => Opened::failed(format!("{name}: {e}; compile the model again with this version of sinew")),
    }
}

fn compile(name: &str, source: &Source, strict: bool) -> Opened {
    let all = |severity: &str, reports: &[Report]| -> String {
        reports.iter().map(|report| render(severity, report, source)).collect()
    };
    match Loader::new().source(source).strict(strict).path(name) {
        Ok(loaded) => {
            let warnings = loaded.warnings.len();
            Opened { model: Some(loaded.model), text: all("warning", &loaded.warnings), warnings }
        }
        Err(error) => {
            let errors: Vec<Report> = error.reports().cloned().collect();
            // under --strict the warnings are the errors
            let more: Vec<Report> = error.warnings().iter().filter(|w| !errors.contains(w)).cloned().collect();
            Opened { model: None, text: all("error", &errors) + &all("warning", &more), warnings: more.len() }
        }
    }
}
