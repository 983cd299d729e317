//! `sinew check`: compile many files.

use crate::input;
use crate::output::count;
use indicatif::{ProgressBar, ProgressStyle};
use std::process::ExitCode;
use std::time::Instant;

/// Compile models and report every error and warning with its position
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  sinew check robot.xml\n  sinew check --strict models/*.xml\n  generate | sinew check -"
)]
pub struct Args {
    /// Model files (MJCF or URDF), or - for standard input
    #[arg(required = true)]
    models: Vec<String>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Print a line for every model, also for those that compile
    #[arg(short, long)]
    verbose: bool,
}

/// Compiles every file; fails if one does not compile.
pub fn main(args: &Args) -> ExitCode {
    let bar = ProgressBar::new(args.models.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}").expect("the template is constant"));
    let (mut failed, mut warnings) = (0, 0);
    for path in &args.models {
        bar.set_message(path.clone());
        let start = Instant::now();
        let opened = input::open(Some(path), args.strict);
        warnings += opened.warnings;
        bar.suspend(|| eprint!("{}", opened.text));
        match &opened.model {
            Some(m) if args.verbose => bar.suspend(|| {
                let size = format!("{}, {}", count(m.nbody, "body", "bodies"), count(m.nv, "dof", "dofs"));
                println!("{path}: ok, {size}, {:.1} ms", 1e3 * start.elapsed().as_secs_f64());
            }),
            Some(_) => {}
            None => failed += 1,
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let (all, good) = (args.models.len(), args.models.len() - failed);
    let verb = if all == 1 { "compiles" } else { "compile" };
    let warned = if warnings > 0 { format!(", {}", count(warnings, "warning", "warnings")) } else { String::new() };
    println!("{good} of {} {verb}{warned}", count(all, "model", "models"));
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
