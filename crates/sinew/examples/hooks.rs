//! Callbacks in a step: a car with air drag, which the engine does not model, and cruise control.

use sinew::prelude::*;

const CAR: &str = r#"<mujoco>
  <worldbody><body name="car"><joint name="road" type="slide" axis="1 0 0"/><geom type="box" size="2 .9 .7" mass="1200"/></body></worldbody>
  <actuator><motor name="engine" joint="road" ctrlrange="0 4000" ctrllimited="true"/></actuator>
</mujoco>"#;

/// The callbacks and their state.
struct Cruise {
    joint: Id<Joint>,
    speed: f64,
    integral: f64,
}

impl Hooks for Cruise {
    /// Once velocities are known, before actuators act.
    fn control(&mut self, m: &Model, d: &mut Data) {
        let Some(road) = m.get(self.joint) else { return };
        let error = self.speed - road.qvel(d)[0];
        self.integral = (self.integral + error * m.opt.timestep).clamp(0.0, 20.0);
        d.state.ctrl[0] = 800.0 * error + 60.0 * self.integral;
    }

    /// After springs and dampers; adds to their force.
    fn passive(&mut self, m: &Model, d: &mut Data) {
        let Some(dof) = m.get(self.joint).map(|road| road.dofs().start) else { return };
        let v = d.state.qvel[dof];
        d.force.qfrc_passive[dof] -= 0.5 * 1.2 * 0.3 * 2.5 * v * v.abs();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = load_str(CAR, &Source::default())?;
    model.opt.gravity = [0.0; 3];
    model.opt.timestep = 0.01;
    let mut data = Data::new(&model);
    let mut cruise = Cruise { joint: model.joint("road")?.id(), speed: 30.0, integral: 0.0 };
    while data.state.time < 120.0 {
        try_step(&model, &mut data, &mut cruise)?;
    }
    let (speed, force) = (data.state.qvel[0], model.actuator("engine")?.force(&data));
    println!("{speed:.2} m/s with {force:.0} N against the air");
    assert!((speed - 30.0).abs() < 0.3 && (force - 0.45 * speed * speed).abs() < 5.0);
    Ok(())
}
