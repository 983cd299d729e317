//! `sinew check`: compile many files.

use crate::report;
use indicatif::{ProgressBar, ProgressStyle};
use std::process::ExitCode;
use std::time::Instant;

/// Compile models and report every error with its place.
#[derive(clap::Args)]
pub struct Args {
    /// Model files (MJCF or URDF)
    #[arg(required = true)]
    models: Vec<String>,
    /// Print a line for every model, also for those that compile
    #[arg(short, long)]
    verbose: bool,
}

/// Compiles every file; fails if one does not compile.
pub fn main(args: &Args) -> ExitCode {
    let bar = ProgressBar::new(args.models.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}").expect("the template is constant"));
    let mut failed = 0;
    for path in &args.models {
        bar.set_message(path.clone());
        let start = Instant::now();
        match report::load(Some(path)) {
            Ok(model) if args.verbose => bar.suspend(|| {
                println!(
                    "{path}: ok, {} bodies, {} dofs, {:.1} ms",
                    model.nbody,
                    model.nv,
                    1e3 * start.elapsed().as_secs_f64()
                );
            }),
            Ok(_) => {}
            Err(error) => {
                failed += 1;
                bar.suspend(|| report::show(&error));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!("{} of {} models compile", args.models.len() - failed, args.models.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
