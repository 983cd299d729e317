//! The crates as published, the oldest compiler they build with, and API compatibility.

use crate::{Outcome, root, sh};
use std::fs;

/// Packages all published crates in dependency order, without uploading. Building each from its package is left to
/// `cargo publish` itself.
pub(crate) fn pack() -> Outcome {
    if !root().join("crates/viewer/dist/engine.wasm.gz").exists() {
        println!("the viewer is packed without its page: `cargo xtask page` builds it");
    }
    sh("cargo", &["publish", "--workspace", "--dry-run", "--no-verify", "--allow-dirty", "--quiet"])
}

/// Checks the workspace with the compiler version in `rust-version`.
pub(crate) fn oldest() -> Outcome {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).map_err(|e| format!("Cargo.toml: {e}"))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    let version = version.map(|text| text.trim_matches('"')).ok_or("Cargo.toml names no rust-version")?;
    let exact = format!("{version}.0");
    sh("rustup", &["toolchain", "install", &exact, "--profile", "minimal", "--no-self-update"])?;
    sh("rustup", &["run", &exact, "cargo", "check", "--workspace"])
}

/// Compares the API of all published crates with that of a commit: breaking changes require a higher version.
pub(crate) fn promises() -> Outcome {
    let since = std::env::args().nth(2).ok_or("usage: cargo xtask semver COMMIT, that of the last release")?;
    sh("cargo", &["semver-checks", "--workspace", "--baseline-rev", &since])
        .map_err(|e| format!("{e}; `cargo install cargo-semver-checks --locked` installs what it needs"))
}
