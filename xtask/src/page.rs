//! The viewer's page: the engine as WebAssembly, the front end by Node, and tests of both.

use crate::{Outcome, sh, target};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const TARGET: &str = "wasm32-unknown-unknown";
const PAGE: &str = "crates/viewer/page";

/// Whether a program starts.
fn there(program: &str) -> bool {
    let quiet = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// What the page needs and is not there, in words.
fn missing() -> Option<String> {
    let programs = ["node", "npm"].into_iter().find(|p| !there(p));
    programs.map(|p| format!("{p} is missing: the viewer's page is built with Node.js 18 or later"))
}

fn wasm() -> PathBuf {
    target().join(TARGET).join("page/sinew_web.wasm")
}

/// Builds everything into `crates/viewer/dist`.
pub(crate) fn build() -> Outcome {
    if let Some(words) = missing() {
        return Err(words);
    }
    if there("rustup") {
        sh("rustup", &["target", "add", TARGET])?;
    }
    sh("npm", &["ci", "--no-audit", "--no-fund", "--prefix", PAGE])?;
    sh("cargo", &["build", "-p", "sinew-web", "--profile", "page", "--target", TARGET])?;
    let (script, wasm) = (format!("{PAGE}/build.mjs"), wasm().display().to_string());
    sh("node", &[&script, &wasm])
}

/// Builds the page for tests, if this machine can.
pub(crate) fn build_if_possible() -> Outcome {
    match missing() {
        Some(words) => {
            println!("skipped: the page and its tests. {words}");
            Ok(())
        }
        None => build(),
    }
}

/// The tests in a browser. They say themselves that they are skipped where there is none.
pub(crate) fn browser() -> Outcome {
    if missing().is_some() {
        return Ok(());
    }
    sh("cargo", &["build", "-p", "sinew-cli"])?;
    sh("node", &["--test", &format!("{PAGE}/tests/page.test.mjs")])
}

/// Every model of a list loads and steps in WebAssembly.
pub(crate) fn corpus(list: &str) -> Outcome {
    build()?;
    sh("node", &[&format!("{PAGE}/tests/corpus.mjs"), &wasm().display().to_string(), list])
}
