//! The documentation as pages that work offline: `target/site/index.html`.

use crate::{Outcome, module, python, root, sh, sh_env, target};
use std::fs;
use std::path::Path;

const OUT: &str = "target/site";

/// Silences MkDocs' notice that it will not be developed further; versions are pinned.
const QUIET: (&str, &str) = ("NO_MKDOCS_2_WARNING", "1");

/// Builds all pages; a broken link is an error.
pub(crate) fn run() -> Outcome {
    if !target().join("doc/sinew/index.html").exists() {
        crate::docs()?;
    }
    build()
}

/// [`run`] after rustdoc has run.
pub(crate) fn build() -> Outcome {
    module::install(&["-r", "site/requirements.txt"])?;
    sh_env(&[QUIET], python(), &["-m", "mkdocs", "build", "--strict", "--quiet", "-f", "site/mkdocs.yml"])?;
    copy(&target().join("doc"), &root().join(OUT).join("rust")).map_err(|e| format!("{OUT}/rust: {e}"))?;
    sh(python(), &["site/check_links.py", OUT])
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (entry, target) = entry.map(|e| (e.path(), to.join(e.file_name())))?;
        if entry.is_dir() {
            copy(&entry, &target)?;
        } else {
            fs::copy(&entry, &target)?;
        }
    }
    Ok(())
}
