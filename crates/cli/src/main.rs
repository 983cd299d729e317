//! The `sinew` command: simulate, describe and check models.

mod check;
mod info;
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
}

fn main() -> ExitCode {
    match Cli::parse().verb {
        Verb::Run(args) => run::main(&args),
        Verb::Info(args) => info::main(&args),
        Verb::Check(args) => check::main(&args),
    }
}
