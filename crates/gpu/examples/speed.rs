//! Steps per second of a batch on a GPU.
//!
//! `cargo run --release -p sinew-gpu --example speed -- MODEL [WORLDS] [STEPS]`

use sinew_gpu::{BatchSim, Chosen, Device, Settings, Status};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("which model?")?;
    let number = |k: usize, default: usize| arguments.get(k).map_or(Ok(default), |a| a.parse());
    let (worlds, steps) = (number(1, 8192)?, number(2, 500)?);
    let model = sinew_mjcf::load_path(path)?;
    let mut sim = BatchSim::new(&model, worlds, Device::Gpu(0), &Settings::default())?;
    println!("{:?}, {:?}", sim.plan().capacity, sim.report);
    if model.nkey > 0 {
        sim.reset(Chosen::All, Some(0), None, 0)?;
    }
    let mut ctrl = vec![0f32; worlds * model.nu];
    for round in 0..3 {
        let mut seconds = 0.0;
        for _ in 0..steps {
            wander(&mut ctrl, model.opt.timestep as f32);
            if model.nu > 0 {
                sim.write("ctrl", &ctrl)?;
            }
            sim.synchronize(0)?;
            let start = Instant::now();
            sim.step(1, 0)?;
            sim.synchronize(0)?;
            seconds += start.elapsed().as_secs_f64();
        }
        let status = sim.status()?;
        let mean = |of: fn(&Status) -> i32| status.iter().map(|s| f64::from(of(s))).sum::<f64>() / worlds as f64;
        let flagged = |bit: i32| status.iter().filter(|s| s.flags & bit != 0).count();
        println!(
            "round {round}: {:.1} ns a world and step; {:.1} contacts, {:.1} rows, {:.1} iterations; worlds without room {}, \
             did not converge {}, have bad numbers {}",
            seconds * 1e9 / (worlds * steps) as f64,
            mean(|s| s.contacts),
            mean(|s| s.rows),
            mean(|s| s.iterations),
            flagged(Status::NO_ROOM),
            flagged(Status::NOT_CONVERGED),
            flagged(Status::BAD_NUMBER)
        );
    }
    Ok(())
}

/// Noise of 0.01 that forgets itself in a tenth of a second, as in MuJoCo Warp's benchmark.
fn wander(ctrl: &mut [f32], timestep: f32) {
    let rate = (-timestep / 0.1).exp();
    let scale = 0.01 * (1.0 - rate * rate).sqrt();
    let mut random = ctrl.first().map_or(1, |c| u64::from(c.to_bits()) | 1);
    for c in ctrl {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *c = rate * *c + scale * ((random >> 40) as f32 / (1u32 << 23) as f32 - 1.0);
    }
}
