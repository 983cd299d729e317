//! A user-defined plugin: gusty wind on the bodies that use it, and a sensor that measures it.

use sinew::plugin::{Config, Instance, Plugin, PluginCapabilities, PluginError, Registry};
use sinew::prelude::*;
use std::sync::Arc;

const SAIL: &str = r#"<mujoco>
  <extension>
    <plugin plugin="example.wind"><instance name="breeze"><config key="speed" value="4"/><config key="period" value="3"/></instance></plugin>
  </extension>
  <worldbody><body name="boat"><joint type="slide" axis="1 0 0" damping="20"/><geom type="box" size=".5 .2 .1" mass="80"/>
    <plugin instance="breeze"/></body></worldbody>
  <sensor><plugin name="wind" instance="breeze"/></sensor>
</mujoco>"#;

/// The type of plugin: its name, its settings, and what it computes.
#[derive(Debug)]
struct Wind;

/// The plugin with the settings of one model. What changes during a simulation, here the phase of the gusts, is stored
/// in `plugin_state`, so that copies, resets and saved states are complete.
#[derive(Debug)]
struct Breeze {
    speed: f64,
    period: f64,
    bodies: Vec<usize>,
    sensors: Vec<usize>,
    state: usize,
}

impl Plugin for Wind {
    fn name(&self) -> &str {
        "example.wind"
    }

    fn attributes(&self) -> Vec<&str> {
        vec!["speed", "period"]
    }

    fn capabilities(&self) -> PluginCapabilities {
        PluginCapabilities::PASSIVE | PluginCapabilities::SENSOR
    }

    fn nstate(&self, _config: &Config) -> Result<usize, PluginError> {
        Ok(1)
    }

    fn nsensordata(&self, _config: &Config) -> Result<usize, PluginError> {
        Ok(1)
    }

    fn bind(&self, m: &Model, instance: usize, config: &Config) -> Result<Box<dyn Instance>, PluginError> {
        let users = |ids: &[i32]| (0..ids.len()).filter(|&i| ids[i] == instance as i32).collect();
        let period = config.number("period")?.unwrap_or(1.0);
        if period <= 0.0 {
            return Err(PluginError::at("period", "the period of gusts must be positive"));
        }
        Ok(Box::new(Breeze {
            speed: config.number("speed")?.unwrap_or(0.0),
            period,
            bodies: users(&m.body_plugin),
            sensors: users(&m.sensor_plugin),
            state: m.plugin_stateadr[instance] as usize,
        }))
    }
}

impl Breeze {
    fn now(&self, d: &Data) -> f64 {
        self.speed * (1.0 + 0.5 * d.state.plugin_state[self.state].sin())
    }
}

impl Instance for Breeze {
    /// Adds to the passive forces of the joints that move each body.
    fn passive(&self, m: &Model, d: &mut Data) {
        for &body in &self.bodies {
            let at = d.pose.xipos[body];
            let force = [3.0 * self.now(d), 0.0, 0.0];
            sinew::engine::support::force::apply_ft(m, &d.pose, force, [0.0; 3], at, body, &mut d.force.qfrc_passive);
        }
    }

    fn sense(&self, m: &Model, d: &mut Data) {
        for &sensor in &self.sensors {
            d.sensor.sensordata[m.sensor_range(sensor).start] = self.now(d);
        }
    }

    /// At the end of a step.
    fn advance(&self, m: &Model, d: &mut Data) {
        d.state.plugin_state[self.state] += std::f64::consts::TAU * m.opt.timestep / self.period;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::builtin();
    registry.register(Arc::new(Wind))?;
    let model = Loader::new().plugins(&registry).text(SAIL)?.model;
    let mut data = Data::new(&model);
    let (mut strongest, mut weakest) = (f64::MIN, f64::MAX);
    while data.state.time < 30.0 {
        step(&model, &mut data);
        let wind = model.sensor("wind")?.read(&data)[0];
        (strongest, weakest) = (strongest.max(wind), weakest.min(wind));
    }
    let speed = data.state.qvel[0];
    println!("wind of {weakest:.1} to {strongest:.1} m/s, boat at {speed:.2} m/s");
    assert!((weakest - 2.0).abs() < 0.01 && (strongest - 6.0).abs() < 0.01 && (0.4..0.8).contains(&speed));
    Ok(())
}
