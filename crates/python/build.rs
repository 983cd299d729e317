//! A print of the sources, so that builds of one module for several processors are used together only if they are of one source.

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// What becomes part of the module.
const KINDS: [&str; 7] = ["rs", "toml", "schema", "fields", "table", "h", "cu"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("Cargo.toml"), root.join("Cargo.lock")];
    collect(&root.join("crates"), &mut files);
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files.iter().filter(|file| file.is_file()) {
        println!("cargo:rerun-if-changed={}", file.display());
        hasher.write(&std::fs::read(file).unwrap_or_default());
    }
    println!("cargo:rustc-env=SINEW_SOURCES={:016x}", hasher.finish());
}

/// Files of these kinds below a folder; tests are no part of the module.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if !["tests", "examples", "node_modules", "page", "package"].iter().any(|other| name == *other) {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known)) {
            files.push(path);
        }
    }
}
