//! Moves an arm to a posture: proportional-derivative control by name, with gravity compensation.

use sinew::prelude::*;

const ARM: &str = r#"<mujoco>
  <default><geom type="capsule" size=".03" density="500"/><joint axis="0 1 0" armature=".01"/></default>
  <worldbody>
    <body pos="0 0 1"><joint name="shoulder"/><geom fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint name="elbow"/><geom fromto="0 0 0 .3 0 0"/>
        <body pos=".3 0 0"><joint name="wrist"/><geom fromto="0 0 0 .1 0 0"/></body></body></body>
  </worldbody>
  <actuator><motor name="shoulder" joint="shoulder"/><motor name="elbow" joint="elbow"/><motor name="wrist" joint="wrist"/></actuator>
</mujoco>"#;

const POSTURE: [(&str, f64); 3] = [("shoulder", -0.8), ("elbow", 1.2), ("wrist", 0.5)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_str(ARM, &Source::default())?;
    let mut data = Data::new(&model);
    let mut parts = Vec::new();
    for (name, target) in POSTURE {
        parts.push((model.joint(name)?, model.actuator(name)?, target));
    }
    while data.state.time < 3.0 {
        forward(&model, &mut data); // forces of the present state
        for (joint, motor, target) in &parts {
            let (angle, speed) = (joint.qpos(&data)[0], joint.qvel(&data)[0]);
            let torque = 40.0 * (target - angle) - 4.0 * speed + joint.qfrc_bias(&data)[0];
            motor.set_ctrl(&mut data, torque);
        }
        step(&model, &mut data);
    }
    for (joint, _, target) in &parts {
        let angle = joint.qpos(&data)[0];
        println!("{:9} wanted {target:5.2}, reached {angle:5.2}", joint.name().unwrap_or("?"));
        assert!((angle - target).abs() < 1e-2);
    }
    Ok(())
}
