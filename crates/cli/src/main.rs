//! The `sinew` command: simulate, describe, check and time models.

mod bench;
mod check;
mod info;
mod noise;
mod report;
mod run;
mod trajectory;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// MuJoCo's physics in Rust.
#[derive(Parser)]
#[command(version, about, after_help = "Without a MODEL, `sinew run` simulates an embedded humanoid.")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Simulate a model and report speed, energy, contacts and state
    Run(run::Args),
    /// Show what a model contains
    Info(info::Args),
    /// Compile models and report every error with its place
    Check(check::Args),
    /// Measure steps per second and the time of each stage
    Bench(bench::Args),
}

fn main() -> ExitCode {
    match Cli::parse().verb {
        Verb::Run(args) => run::main(&args),
        Verb::Info(args) => info::main(&args),
        Verb::Check(args) => check::main(&args),
        Verb::Bench(args) => bench::main(&args),
    }
}
