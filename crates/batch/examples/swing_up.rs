//! Random search over many pendulums at once: which constant torque swings highest?
//!
//! `cargo run --release -p sinew-batch --example swing_up`

use sinew_batch::BatchSim;
use sinew_engine::{Data, Model};
use std::sync::Arc;
use std::time::Instant;

const PENDULUM: &str = r#"<mujoco>
  <worldbody><body><joint name="swing" axis="0 1 0" damping=".05"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/></body></worldbody>
  <actuator><motor joint="swing" gear="1.3" ctrllimited="true" ctrlrange="-1 1"/></actuator>
</mujoco>"#;

const WORLDS: usize = 256;
const CALLS: usize = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Arc::new(sinew_mjcf::load_str(PENDULUM, &sinew_mjcf::Source::default())?);
    let height = |_: &Model, d: &Data| -d.state.qpos[0].cos();
    let mut sim = BatchSim::builder(model, WORLDS).steps(5).task(height).build()?;
    let torques: Vec<f64> = (0..WORLDS).map(|i| i as f64 / (WORLDS - 1) as f64).collect();
    let mut best = vec![f64::NEG_INFINITY; WORLDS];
    let start = Instant::now();
    for _ in 0..CALLS {
        let out = sim.step_all(&torques)?;
        best.iter_mut().zip(&out.rewards).for_each(|(b, r)| *b = b.max(*r));
    }
    let rate = (WORLDS * CALLS * 5) as f64 / start.elapsed().as_secs_f64();
    println!("{WORLDS} worlds on {} threads: {rate:.0} steps/s", sim.threads());
    let winner = (0..WORLDS).max_by(|&a, &b| best[a].total_cmp(&best[b])).ok_or("no worlds")?;
    println!("torque {:.3} swings highest: {:.3} of the length", torques[winner], best[winner]);
    assert!(best[winner] > best[0], "a torque swings higher than none");
    Ok(())
}
