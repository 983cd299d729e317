//! A part of a campaign: random inputs until the given time or count is reached. `cargo xtask campaign` runs all parts,
//! each in separate processes, so that a crash of one is detected.

mod coverage;
mod edits;
mod files;
mod pool;
mod report;
mod saved;
mod soak;
mod stepping;
mod watch;

/// Inputs, random numbers and comparisons shared with the tests of the loader.
#[path = "../../mjcf/tests/common/mod.rs"]
mod common;

use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;
use watch::Watch;

/// What is tried.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Part {
    /// Files of models and their assets, changed at random.
    Files,
    /// Specifications edited at random: no panic, and what is saved compiles to the same model.
    Edits,
    /// Compiled models in the binary format, changed, with a right checksum.
    Saved,
    /// Varied models with random controls and pushes, and states at the edge of what numbers can be.
    Soak,
}

/// Runs a part of a campaign.
#[derive(Parser)]
struct Arguments {
    part: Part,
    /// How long. (s)
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// How many inputs at most.
    #[arg(long, default_value_t = u64::MAX)]
    inputs: u64,
    /// How many steps at most.
    #[arg(long, default_value_t = u64::MAX)]
    steps: u64,
    /// Where chance begins.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder of the report and of what was found.
    #[arg(long)]
    out: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let watch = Watch::new(&arguments);
    let found = watch.and_then(|mut watch| {
        match arguments.part {
            Part::Files => files::run(&mut watch, arguments.seed),
            Part::Edits => edits::run(&mut watch, arguments.seed),
            Part::Saved => saved::run(&mut watch, arguments.seed),
            Part::Soak => soak::run(&mut watch, arguments.seed),
        }
        watch.finish()
    });
    match found {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(watch::FOUND),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
