//! `sinew compile`: saves a model as one file that needs neither its XML nor its meshes.

use crate::{info, input, output};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Compile a model and save it as one binary file, which every subcommand accepts as a MODEL
#[derive(clap::Args)]
#[command(
    after_help = "The file is read by the same version of sinew only, and says so otherwise.\n\nExamples:\n  sinew compile robot.xml\n  sinew compile robot.urdf --output build/robot.sinew && sinew run build/robot.sinew"
)]
pub struct Args {
    /// Model file (MJCF or URDF), or - for standard input
    model: String,
    /// Where to save; the model's name with .sinew when absent
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Describe the model as JSON
    #[arg(long)]
    json: bool,
}

/// Compiles, saves and reports what was saved.
pub fn main(args: &Args) -> ExitCode {
    let start = Instant::now();
    let Some(model) = input::open(Some(&args.model), args.strict).report() else { return ExitCode::FAILURE };
    let elapsed = start.elapsed().as_secs_f64();
    let path = args.output.clone().unwrap_or_else(|| default_path(&args.model));
    let bytes = model.to_bytes();
    if let Err(e) = std::fs::write(&path, &bytes) {
        eprintln!("error: cannot write {}: {e}", path.display());
        return ExitCode::FAILURE;
    }
    if args.json {
        let mut all = info::json(&model);
        all["file"] = json!(path);
        all["bytes"] = json!(bytes.len());
        all["seconds"] = json!(elapsed);
        output::print(&format!("{all:#}\n"));
    } else {
        let size = output::count(model.nbody, "body", "bodies");
        let dofs = output::count(model.nv, "dof", "dofs");
        output::print(&format!(
            "{}: {size}, {dofs}, compiled in {:.1} ms, {} KiB in {}\n",
            model.model_name(),
            1e3 * elapsed,
            bytes.len().div_ceil(1024),
            path.display()
        ));
    }
    ExitCode::SUCCESS
}

/// Next to the model; for standard input, in the current directory.
fn default_path(model: &str) -> PathBuf {
    if model == "-" { "model.sinew".into() } else { Path::new(model).with_extension("sinew") }
}
