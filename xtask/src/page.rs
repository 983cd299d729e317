//! The viewer's page: the engine as WebAssembly, the front end by Node, and tests of both.

use crate::{Outcome, sh, target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "wasm32-unknown-unknown";
const PAGE: &str = "crates/viewer/page";
/// Files that the viewer embeds, all or none.
const PARTS: [&str; 4] = ["page.html.gz", "page.js.gz", "page.css.gz", "engine.wasm.gz"];

/// Whether a program can be started.
fn there(program: &str) -> bool {
    let quiet = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// The missing tools for building the page, as a message.
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

/// Fails if a folder lacks the page: the viewer would be built without it, and report so only when someone opens it.
pub(crate) fn check(dist: &Path) -> Outcome {
    match PARTS.iter().find(|part| !dist.join(part).is_file()) {
        Some(part) => Err(format!("{} is missing: `cargo xtask page` builds it", dist.join(part).display())),
        None => Ok(()),
    }
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

/// Browser tests; they report themselves if they are skipped for lack of a browser.
pub(crate) fn browser() -> Outcome {
    if missing().is_some() {
        return Ok(());
    }
    sh("cargo", &["build", "-p", "sinew-cli"])?;
    sh("node", &["--test", &format!("{PAGE}/tests/page.test.mjs")])
}

/// Loads and steps every model of a list in WebAssembly.
pub(crate) fn corpus(list: &str) -> Outcome {
    build()?;
    sh("node", &[&format!("{PAGE}/tests/corpus.mjs"), &wasm().display().to_string(), list])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_whole_or_refused() {
        let folder = target().join("page-check");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the folder is cargo's");
        for part in PARTS {
            let words = check(&folder).expect_err("a part is missing");
            assert!(words.contains(part), "{words}");
            std::fs::write(folder.join(part), "").expect("the folder is there");
        }
        assert_eq!(check(&folder), Ok(()));
    }
}
