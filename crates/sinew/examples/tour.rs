//! A tour: gravity, keyframes, control by name, contacts with forces, sensors, and 64 worlds at once.

use sinew::prelude::*;
use std::sync::Arc;

const HUMANOID: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = load_path(HUMANOID)?;
    model.opt.gravity = [0.0, 0.0, -1.62]; // the Moon
    let mut data = Data::new(&model);
    model.key("squat")?.reset(&mut data);

    let (knee, motor) = (model.joint("knee_left")?, model.actuator("knee_left")?);
    for _ in 0..1000 {
        let (angle, speed) = (knee.qpos(&data)[0], knee.qvel(&data)[0]);
        motor.set_ctrl(&mut data, 2.0 * (1.2 - angle) - 0.1 * speed);
        step(&model, &mut data);
    }
    println!("after {:.1} s the pelvis is at {:.2?}", data.state.time, model.body("pelvis")?.xpos(&data));
    println!("the accelerometer reads {:.2?}", model.sensor("imu_acc")?.read(&data));
    for contact in &data.contact {
        let [a, b] = contact.geoms(&model).map(|geom| geom.and_then(|g| g.name()).unwrap_or("?"));
        println!("{a} presses on {b} with {:.1} N", data.contact_force(&model, contact)[0]);
    }

    let model = Arc::new(model);
    let head = model.body("head")?.id().index();
    let height = move |_: &Model, d: &Data| d.pose.xpos[head][2];
    let mut worlds = BatchSim::builder(model.clone(), 64).steps(5).task(height).build()?;
    let controls: Vec<f64> = (0..64 * model.nu).map(|i| 0.4 * (i as f64).sin()).collect();
    for _ in 0..100 {
        worlds.step_all(&controls)?;
    }
    let best = worlds.outputs().rewards.iter().copied().fold(f64::MIN, f64::max);
    println!("of 64 humanoids, the highest head is at {best:.2} m");
    assert!(!data.contact.is_empty() && best > 0.0);
    Ok(())
}
