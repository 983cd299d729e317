//! The kernels of a model as one text, as the compiler sees them.
//!
//! `cargo run --release -p sinew-gpu --example source -- MODEL > kernels.cu`

use sinew_gpu::{Plan, Settings};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which model?")?;
    let model = sinew_mjcf::load_path(&path)?;
    print!("{}", Plan::new(&model, &Settings::default())?.source());
    Ok(())
}
