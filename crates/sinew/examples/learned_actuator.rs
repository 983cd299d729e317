//! An actuator whose force is computed by a small neural network: the weights come from a file, the law is twenty
//! lines.
//!
//! ```text
//! cargo run --release --example learned_actuator
//! ```

use sinew::open::{ActuatorInput, ActuatorModel, PerActuator, SimBuilder};
use sinew::prelude::*;

/// `force = w · tanh(A x + b)` of control, length and velocity.
struct Network {
    hidden: Vec<([f64; 3], f64)>,
    out: Vec<f64>,
}

impl Network {
    /// One line per hidden unit: three weights, a bias and the weight of its output.
    fn read(text: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let mut net = Network { hidden: Vec::new(), out: Vec::new() };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
            let [a, b, c, bias, out] = numbers[..] else { return Err("five numbers a line".into()) };
            net.hidden.push(([a, b, c], bias));
            net.out.push(out);
        }
        Ok(net)
    }
}

impl ActuatorModel for Network {
    fn force(&self, x: &ActuatorInput<'_>) -> f64 {
        let unit = |(w, b): &([f64; 3], f64)| (w[0] * x.ctrl + w[1] * x.length + w[2] * x.velocity + b).tanh();
        self.hidden.iter().zip(&self.out).map(|(h, out)| out * unit(h)).sum()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // as if trained: a servo that saturates at 5 N m
    let file = std::env::temp_dir().join("sinew_learned_actuator.txt");
    std::fs::write(&file, "4 -4 -.4 0 5\n")?;
    let network = Network::read(&std::fs::read_to_string(&file)?)?;
    let xml = r#"<mujoco><option integrator="implicitfast"/><worldbody><body><joint name="knee" axis="0 1 0"/>
        <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.3" mass=".3"/></body></worldbody>
        <actuator><motor name="knee" joint="knee"/></actuator></mujoco>"#;
    let model = load_str(xml, &Source::default())?;
    let laws = PerActuator::new().with("knee", network);
    let mut sim = SimBuilder::new().actuators(laws).build(model)?;
    sim.data_mut().state.ctrl[0] = 0.5;
    while sim.data().state.time < 5.0 {
        sim.step()?;
    }
    let angle = sim.data().state.qpos[0];
    println!("the knee holds {angle:.3} rad against gravity");
    // 5 tanh(4 (u − q)) = m g l sin(q)
    let torque = 5.0 * (4.0 * (0.5 - angle)).tanh();
    assert!((torque - 0.3 * 9.81 * 0.15 * angle.sin()).abs() < 1e-6, "{torque}");
    Ok(())
}
