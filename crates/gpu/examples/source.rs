//! The kernels of a model as one text, as the compiler sees them.
//!
//! `cargo run --release -p sinew-gpu --example source -- MODEL [--larger] > kernels.cu`; `--larger` asks for the build with more room

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
