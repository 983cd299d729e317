//! Project tasks: `cargo xtask test` runs what CI runs, and is where a newcomer starts.

mod campaign;
mod corpus;
mod crates;
mod gallery;
mod gpu;
mod house;
mod module;
mod packages;
mod page;
mod site;
mod unsafety;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The error is a description of the failed step.
pub(crate) type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let start = Instant::now();
    let outcome = match task.as_str() {
        "test" => test(),
        "check" => check(),
        "venv" => module::venv(),
        "wheel" => wheel(),
        "crates" => crates::pack(),
        "msrv" => crates::oldest(),
        "semver" => crates::promises(),
        "page" => page(),
        "site" => site::run(),
        "gallery" => gallery::run(),
        "gpu" => gpu::run(),
        "campaign" => campaign::run(),
        "sbom" => packages::write_bill(),
        "corpus" => module::venv().and_then(|()| corpus::run()),
        _ => Err("usage: cargo xtask test | check | venv | page | site | gallery | gpu | wheel | crates | msrv | semver | sbom | campaign | corpus\n  \
                  test    everything: check, Rust tests, Python module and its tests, corpus if present\n  \
                  check   formatting, lints, docs, layer rule, file sizes, packages, notes beside unsafe\n  \
                  venv    make .venv with the Python module and the oracle\n  \
                  page    the viewer's page, with Node.js; 'page browser' tests it, 'page corpus LIST' runs models in it\n  \
                  site    the documentation as pages, in target/site\n  \
                  gallery pictures of the models here and of the robots beside the project, in docs/img and docs/gallery.md\n  \
                  gpu     batches on a GPU: tests, models beside the CPU, speed; without one 'gpu corpus', 'lanes', 'sanitise', 'record'\n  \
                  wheel   the Python module as a wheel for distribution, in target/wheels; 'wheel TARGET' with the page that is there\n  \
                  crates  the crates as a registry would get them, in target/package; nothing is sent\n  \
                  msrv    checks everything with the oldest compiler that is promised\n  \
                  semver  what changes of the crates' API since a commit break, by cargo-semver-checks\n  \
                  sbom    what the products are made of, as CycloneDX, in target/sinew.cdx.json\n  \
                  campaign random inputs of all kinds for a minute, or hours with --seconds N; docs/campaign.md says more\n  \
                  corpus  conformance counts against the recorded ones"
            .into()),
    };
    match outcome {
        Ok(()) => {
            println!("xtask {task}: ok in {:.0} s", start.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("xtask {task}: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The repository root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_path_buf()
}

/// Cargo's target directory.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from)
}

/// The Python interpreter of the project's virtual environment.
pub(crate) fn python() -> PathBuf {
    let (dir, exe) = if cfg!(windows) { ("Scripts", "python.exe") } else { ("bin", "python") };
    root().join(".venv").join(dir).join(exe)
}

/// Runs a command in the root, with its output on the terminal.
pub(crate) fn sh(program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Outcome {
    sh_env(&[], program, args)
}

/// [`sh`] with environment variables.
pub(crate) fn sh_env(env: &[(&str, &str)], program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Outcome {
    let program = program.as_ref();
    println!("$ {} {}", program.to_string_lossy(), args.join(" "));
    let status = Command::new(program)
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| format!("cannot start {}: {e}", program.to_string_lossy()))?;
    if status.success() { Ok(()) } else { Err(format!("{} {} failed", program.to_string_lossy(), args.join(" "))) }
}

fn test() -> Outcome {
    check()?;
    page::build_if_possible()?;
    sh("cargo", &["test", "--workspace", "--exclude", "sinew-python"])?;
    module::venv()?;
    campaign::minute()?;
    sh(python(), &["-m", "pytest", "-q", "crates/python/tests"])?;
    site::build()?;
    page::browser()?;
    corpus::run()
}

fn wheel() -> Outcome {
    match std::env::args().nth(2) {
        None => page::build().and_then(|()| module::wheel(&module::host()?)),
        Some(target) => page::check(&root().join("crates/viewer/dist")).and_then(|()| module::wheel(&target)),
    }
}

fn page() -> Outcome {
    let words: Vec<String> = std::env::args().skip(2).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => page::build(),
        ["browser"] => page::browser(),
        ["corpus", list] => page::corpus(list),
        _ => Err("usage: cargo xtask page [browser | corpus LIST]".into()),
    }
}

fn check() -> Outcome {
    house::check()?;
    packages::check()?;
    sh("cargo", &["fmt", "--all", "--check"])?;
    sh("cargo", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    docs()
}

/// API documentation of all crates, in `target/doc`.
pub(crate) fn docs() -> Outcome {
    sh_env(&[("RUSTDOCFLAGS", "-D warnings")], "cargo", &["doc", "--workspace", "--no-deps", "--quiet"])
}
