//! The `sinew` command: simulate, draw, view, describe, check, compile and time models.

mod bench;
mod bench_gpu;
mod check;
mod compile;
mod completions;
mod control;
#[cfg(test)]
mod documented;
mod info;
mod input;
mod limits;
mod motion;
mod noise;
mod output;
mod plot;
mod render;
mod report;
mod run;
mod summary;
mod trajectory;
mod view;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

const AFTER: &str = "\
Examples:
  sinew run                             simulate an embedded humanoid for 10 s
  sinew run robot.xml --noise .5 --output motion.npz
  sinew render robot.xml -o robot.png   a picture, without a display
  sinew view robot.xml                  in a browser, where it runs
  sinew check models/*.xml --strict     every error and warning, with its place
  sinew compile robot.xml               robot.sinew, which loads without its XML and meshes

A MODEL is an MJCF or URDF file, a file written by `sinew compile`, or - for standard input.

Exit status: 0 done, 1 a model is wrong or a file cannot be read or written, 2 wrong arguments,
3 a simulation became unstable, or did not converge under --strict.";

/// MuJoCo's physics in Rust.
#[derive(Parser)]
#[command(name = "sinew", version, about, after_help = AFTER)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    limits: limits::Args,
}

#[derive(Subcommand)]
enum Verb {
    Run(run::Args),
    Render(render::Args),
    View(view::Args),
    Plot(plot::Args),
    Info(info::Args),
    Check(check::Args),
    Compile(compile::Args),
    Bench(bench::Args),
    Completions(completions::Args),
}

/// Exit status of a simulation that failed; 1 means a wrong model or file, 2 wrong arguments.
const UNSTABLE: u8 = 3;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.limits.apply();
    match cli.verb {
        Verb::Run(args) => run::main(&args),
        Verb::Render(args) => render::main(&args),
        Verb::View(args) => view::main(&args),
        Verb::Plot(args) => plot::main(&args),
        Verb::Info(args) => info::main(&args),
        Verb::Check(args) => check::main(&args),
        Verb::Compile(args) => compile::main(&args),
        Verb::Bench(args) => bench::main(&args),
        Verb::Completions(args) => completions::main::<Cli>(&args),
    }
}
