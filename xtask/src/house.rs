//! House rules a machine can check: layers, file sizes, and that `ARCHITECTURE.md` names what is there.

use crate::{Outcome, root};
use std::fs;
use std::path::{Path, PathBuf};

/// Files longer than this need a better cut.
const MAX_LINES: usize = 1000;

/// Stage folders of the engine: none may import another.
const STAGES: [&str; 13] = [
    "kinematics",
    "inertia",
    "collision",
    "constraint",
    "island",
    "velocity",
    "passive",
    "actuation",
    "solver",
    "sensor",
    "derivative",
    "integrate",
    "sleep",
];

pub(crate) fn check() -> Outcome {
    let files = rust_files(&root());
    let mut faults = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let lines = text.lines().count();
        if lines > MAX_LINES {
            faults.push(format!("{}: {lines} lines, at most {MAX_LINES}", shown(file)));
        }
        faults.extend(stage_imports(file, &text));
    }
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

/// A stage reads blocks of `Data`, never another stage.
fn stage_imports(file: &Path, text: &str) -> Vec<String> {
    let name = shown(file);
    let Some(rest) = name.strip_prefix("crates/engine/src/") else { return Vec::new() };
    let Some(own) = STAGES.iter().find(|s| rest.starts_with(&format!("{s}/"))) else { return Vec::new() };
    let imports =
        |line: &str, stage: &str| line.contains(&format!("crate::{stage}")) && !line.trim_start().starts_with("//");
    text.lines()
        .enumerate()
        .flat_map(|(i, line)| STAGES.iter().filter(move |s| *s != own && imports(line, s)).map(move |s| (i + 1, *s)))
        .map(|(line, stage)| format!("{name}:{line}: stage '{own}' imports stage '{stage}'"))
        .collect()
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
