//! Plugins against equivalents: PID control and a position servo, cables and springs, touch grids and contact forces.

#[path = "common/tolerance.rs"]
mod tolerance;

use sinew_engine::plugin::{Config, Instance, Plugin, PluginCapabilities, PluginError, Registry};
use sinew_engine::support::contact::contact_force;
use sinew_engine::support::position::integrate_pos;
use sinew_engine::transition::{DerivativeConfig, Method, Transition, TransitionWork, transition};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Loader, Source, load_str};
use std::sync::Arc;

fn load(xml: &str) -> Model {
    load_str(xml, &Source::default()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn proportional_control_is_a_position_servo() {
    let arm = |actuator: &str| {
        load(&format!(
            r#"<mujoco><extension><plugin plugin="mujoco.pid"/></extension><worldbody><body><joint name="j" damping=".1"/>
              <geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body></worldbody><actuator>{actuator}</actuator></mujoco>"#
        ))
    };
    let pid = arm(
        r#"<plugin joint="j" plugin="mujoco.pid"><config key="kp" value="40"/><config key="kd" value="3"/></plugin>"#,
    );
    let servo = arm(r#"<position joint="j" kp="40" kv="3"/>"#);
    let (mut a, mut b) = (Data::new(&pid), Data::new(&servo));
    for i in 0..500 {
        (a.state.ctrl[0], b.state.ctrl[0]) = ((i as f64 * 0.01).sin(), (i as f64 * 0.01).sin());
        step::step(&pid, &mut a);
        step::step(&servo, &mut b);
        assert!((a.state.qpos[0] - b.state.qpos[0]).abs() < tolerance::ROUNDING, "step {i}");
    }
    assert!(a.state.qpos[0].abs() > 0.1);
}

#[test]
fn the_integral_is_bounded_and_the_setpoint_slow() {
    let m = load(
        r#"<mujoco><option gravity="0 0 0"/><extension><plugin plugin="mujoco.pid"/></extension><worldbody><body>
          <joint name="j" type="slide" damping="1e4"/><geom size=".1"/></body></worldbody><actuator>
          <plugin joint="j" plugin="mujoco.pid" actdim="2"><config key="ki" value="2"/><config key="imax" value=".5"/>
          <config key="slewmax" value="3"/></plugin></actuator></mujoco>"#,
    );
    let mut d = Data::new(&m);
    step::step(&m, &mut d); // at time zero the setpoint is not rate-limited
    d.state.ctrl[0] = 10.0;
    let mut last = d.state.act[1];
    for _ in 0..1000 {
        step::step(&m, &mut d);
        assert!(d.state.act[1] - last < 3.0 * m.opt.timestep + tolerance::EXACT);
        assert!(d.force.actuator_force[0] <= 0.5 + tolerance::EXACT);
        last = d.state.act[1];
    }
    assert!((d.force.actuator_force[0] - 0.5).abs() < tolerance::ROUNDING, "the bound is reached");
}

fn cable(flat: bool) -> Model {
    load(&format!(
        r#"<mujoco><option gravity="0 0 0"/><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
          <composite type="cable" curve="cos(s) sin(s) s" count="9 1 1" size=".2 .3 .4" initial="free">
            <plugin plugin="mujoco.elasticity.cable"><config key="twist" value="2e7"/><config key="bend" value="3e7"/>
              <config key="flat" value="{flat}"/></plugin>
            <joint kind="main"/><geom type="capsule" size=".01"/></composite></worldbody></mujoco>"#
    ))
}

#[test]
fn a_cable_at_rest_feels_nothing_wherever_it_is() {
    let m = cable(false);
    let mut d = Data::new(&m);
    d.state.qpos[..7].copy_from_slice(&[1.0, 2.0, 3.0, 0.5, 0.5, -0.5, 0.5]);
    step::forward(&m, &mut d);
    let most = |d: &Data| d.force.qfrc_passive.iter().fold(0.0f64, |most, f| most.max(f.abs()));
    assert!(most(&d) < tolerance::ROUNDING);
    let flat = cable(true);
    let mut d = Data::new(&flat);
    step::forward(&flat, &mut d);
    assert!(most(&d) > 1e-2, "a curved cable that is flat at rest wants to be straight");
}

#[test]
fn a_bent_link_is_a_spring() {
    let m = cable(false);
    let mut d = Data::new(&m);
    // the fourth body: rotated about its local y, by an angle whose effect on the bend at rest is of second order
    let (angle, joint) = (1e-4f64, 3);
    let (qpos, dof) = (m.jnt_qposadr[joint] as usize, m.jnt_dofadr[joint] as usize);
    d.state.qpos[qpos..qpos + 4].copy_from_slice(&[(angle / 2.0).cos(), 0.0, (angle / 2.0).sin(), 0.0]);
    step::forward(&m, &mut d);
    let body = m.jnt_bodyid[joint] as usize;
    let length = m.body_pos[body].iter().map(|x| x * x).sum::<f64>().sqrt();
    let stiffness = 3e7 * std::f64::consts::PI * 0.01f64.powi(4) / 4.0 / length;
    let (got, want) = (d.force.qfrc_passive[dof + 1], -stiffness * angle);
    // the bend at rest rotates the axes slightly
    assert!((got / want - 1.0).abs() < 0.02, "{got} {want}");
    let others = (0..m.nv).filter(|i| !(dof..dof + 3).contains(i)).map(|i| d.force.qfrc_passive[i].abs());
    assert!(others.fold(0.0, f64::max) < tolerance::ROUNDING, "a moment between neighbours acts at their joint only");
}

#[test]
fn a_grid_sums_the_contacts_it_sees() {
    let m = load(
        r#"<mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension><worldbody>
          <geom type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/>
          <site name="s"/></body></worldbody><sensor>
          <plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s"><config key="size" value="5 4"/>
          <config key="fov" value="90 90"/><config key="nchannel" value="3"/></plugin></sensor></mujoco>"#,
    );
    let mut d = Data::new(&m);
    (0..300).for_each(|_| step::step(&m, &mut d));
    step::forward(&m, &mut d);
    assert_eq!(d.contact.len(), 4);
    let cells = &d.sensor.sensordata[..20];
    let normal: f64 = d.contact.iter().map(|c| contact_force(&m, c, &d.solution)[0]).sum();
    // the box is the second body: the force it feels points up
    assert!((cells.iter().sum::<f64>() - normal).abs() < tolerance::SOLVED * normal);
    assert_eq!(cells.iter().filter(|f| **f != 0.0).count(), 4, "each corner in a cell of its own");
}

/// Counts steps, and applies the count as a force.
#[derive(Debug)]
struct Counter;

#[derive(Debug)]
struct Count(usize);

impl Plugin for Counter {
    fn name(&self) -> &str {
        "test.counter"
    }
    fn capabilities(&self) -> PluginCapabilities {
        PluginCapabilities::PASSIVE
    }
    fn nstate(&self, _config: &Config) -> Result<usize, PluginError> {
        Ok(1)
    }
    fn bind(&self, m: &Model, instance: usize, _config: &Config) -> Result<Box<dyn Instance>, PluginError> {
        Ok(Box::new(Count(m.plugin_stateadr[instance] as usize)))
    }
}

impl Instance for Count {
    fn reset(&self, _m: &Model, state: &mut [f64]) {
        state[0] = 7.0;
    }
    fn passive(&self, _m: &Model, d: &mut Data) {
        d.force.qfrc_passive[0] += d.state.plugin_state[self.0];
    }
    fn advance(&self, _m: &Model, d: &mut Data) {
        d.state.plugin_state[self.0] += 1.0;
    }
}

#[test]
fn a_plugin_of_ones_own_has_a_state() {
    let xml = r#"<mujoco><extension><plugin plugin="test.counter"/></extension><worldbody><body>
      <joint type="slide"/><geom size=".1"/><plugin plugin="test.counter"/></body></worldbody></mujoco>"#;
    assert!(load_str(xml, &Source::default()).is_err(), "nothing is registered for all");
    let mut registry = Registry::builtin();
    registry.register(Arc::new(Counter)).unwrap();
    assert!(registry.register(Arc::new(Counter)).is_err(), "one name, one plugin");
    let m = Loader::new().plugins(&registry).text(xml).unwrap().model;
    let mut d = Data::new(&m);
    assert_eq!(d.state.plugin_state[0], 7.0);
    (0..3).for_each(|_| step::step(&m, &mut d));
    assert_eq!((d.state.plugin_state[0], d.force.qfrc_passive[0]), (10.0, 9.0));
    let mut copy = d.clone();
    step::step(&m, &mut copy);
    assert_eq!((copy.state.plugin_state[0], d.state.plugin_state[0]), (11.0, 10.0));
    d.reset(&m);
    assert_eq!(d.state.plugin_state[0], 7.0);

    let bytes = m.to_bytes();
    assert!(Model::from_bytes(&bytes).unwrap_err().to_string().contains("test.counter"));
    let mut other = Registry::empty();
    other.register(Arc::new(Counter)).unwrap();
    let back = Model::from_bytes_with(&bytes, &other).unwrap();
    assert_eq!(back.plugin[0], 0, "slots are those of the registry");
    let mut again = Data::new(&back);
    step::step(&back, &mut again);
    assert_eq!(again.state.plugin_state[0], 8.0);
}

#[test]
fn models_with_plugins_are_saved() {
    let m = cable(false);
    let back = Model::from_bytes(&m.to_bytes()).unwrap();
    let run = |m: &Model| {
        let mut d = Data::new(m);
        d.state.qvel[4] = 1.0;
        (0..50).for_each(|_| step::step(m, &mut d));
        d.state.qpos.to_vec()
    };
    assert_eq!(run(&m), run(&back));
}

#[test]
fn plugins_are_differenced_with_the_step() {
    let m = cable(false);
    let mut d = Data::new(&m);
    d.state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.1 * (i as f64).sin());
    let (mut work, mut out) = (TransitionWork::new(&m), Transition::default());
    let analytic = DerivativeConfig { method: Method::Analytic, ..DerivativeConfig::default() };
    assert!(
        transition(&m, &d, &analytic, &mut work, &mut out).is_err(),
        "moments of a cable have no closed derivative"
    );
    transition(&m, &d, &DerivativeConfig::default(), &mut work, &mut out).expect("the step is differenced");
    // derivative of a link's velocity by its joint angle, from finite differences of the step
    let (eps, dof) = (1e-6, 9);
    let velocity = |turn: f64| {
        let mut d = d.clone();
        let mut nudge = vec![0.0; m.nv];
        nudge[dof] = turn;
        integrate_pos(&m, &mut d.state.qpos, &nudge, 1.0);
        step::step(&m, &mut d);
        d.state.qvel[dof]
    };
    let slope = (velocity(eps) - velocity(0.0)) / eps;
    assert!(slope.abs() > 10.0, "the cable is stiff: {slope}");
    assert!((out.A[(m.nv + dof) * 2 * m.nv + dof] / slope - 1.0).abs() < tolerance::SETTLED);
}
