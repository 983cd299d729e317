//! Prints the CUDA source of a model's kernels, as the compiler sees it.
//!
//! `cargo run --release -p sinew-gpu --example source -- MODEL [--larger] > kernels.cu`; `--larger` selects the build
//! with more capacity

use sinew_gpu::{Plan, Settings};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which model?")?;
    let model = sinew_mjcf::load_path(&path)?;
    let mut plan = Plan::new(&model, &Settings::default())?;
    if std::env::args().nth(2).as_deref() == Some("--larger") {
        plan = plan.larger(&model, &Settings::default())?.ok_or("there is no larger build")?;
    }
    print!("{}", plan.source());
    Ok(())
}
