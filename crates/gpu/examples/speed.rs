//! Measures the speed of a batch on a GPU.
//!
//! `cargo run --release -p sinew-gpu --example speed -- MODEL [WORLDS] [STEPS] [CONTACTS ROWS]`, the last two being
//! the capacity of a world

use sinew_gpu::{BatchSim, Capacity, Device, Settings, speed};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("which model?")?;
    let number = |k: usize, default: usize| arguments.get(k).map_or(Ok(default), |a| a.parse());
    let (worlds, steps) = (number(1, 8192)?, number(2, 500)?);
    let model = sinew_mjcf::load_path(path)?;
    let capacity = Capacity { contacts: number(3, 0)?, rows: number(4, 0)? };
    let settings = Settings { capacity: arguments.get(4).map(|_| capacity), ..Settings::default() };
    let mut sim = BatchSim::new(&model, worlds, Device::Gpu(0), &settings)?;
    println!("{:?}", sim.report);
    for round in 0..3 {
        println!("round {round}: {:?}", speed(&model, &mut sim, steps)?);
    }
    Ok(())
}
