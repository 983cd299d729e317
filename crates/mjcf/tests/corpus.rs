//! Every rigid model of the corpus beside the project can be read. Skipped if there is no corpus.

use sinew_mjcf::{Source, read_path};
use std::path::PathBuf;

/// `SINEW_CORPUS`, or `shared/corpus` beside the project.
fn corpus() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    std::env::var_os("SINEW_CORPUS").map_or(Some(beside), |dir| Some(dir.into())).filter(|dir| dir.is_dir())
}

#[test]
fn reads_every_rigid_model() {
    let Some(dir) = corpus() else { return };
    let list = std::fs::read_to_string(dir.join("rigid.txt")).expect("the corpus has a list of rigid models");
    let source = Source::disk();
    let failed: Vec<String> = list
        .lines()
        .filter_map(|name| {
            let path = dir.join(name);
            read_path(&path.to_string_lossy(), &source).err().map(|e| format!("{name}: {e}"))
        })
        .collect();
    assert!(failed.is_empty(), "{} models cannot be read:\n{}", failed.len(), failed.join("\n"));
}
