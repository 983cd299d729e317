//! Cables with friction on the geoms they wrap around.

mod common;

use common::tolerance;
use sinew_engine::step;
use sinew_engine::support::capstan::CREEP;
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_str};

/// Two masses on a cable over a cylinder, wrapped by half a turn.
fn cable(masses: [f64; 2], text: &str, options: &str) -> Model {
    let [a, b] = masses;
    let xml = format!(
        r#"<mujoco><option {options}/><worldbody>
        <geom name="drum" type="cylinder" size=".1 .05" pos="0 0 1" euler="90 0 0" contype="0" conaffinity="0"/>
        <site name="above" pos="0 0 1.5"/>
        <body pos="-.1 0 0"><joint type="slide" axis="0 0 1"/><geom size=".05" mass="{a}"/><site name="a"/></body>
        <body pos=".1 0 0"><joint type="slide" axis="0 0 1"/><geom size=".05" mass="{b}"/><site name="b"/></body></worldbody>
        <tendon><spatial name="cable" stiffness="1e5" damping="200" springlength="2.3138">
        <site site="a"/><geom geom="drum" sidesite="above"/><site site="b"/></spatial></tendon>
        <actuator><motor name="winch" tendon="cable"/></actuator>{text}</mujoco>"#
    );
    load_str(&xml, &Source::default()).expect("the model compiles")
}

const RUBBING: &str = r#"<custom><text name="sinew:pulley:cable:0" data="friction=.3"/></custom>"#;

#[test]
fn tension_falls_by_the_exponential_of_the_angle() {
    let m = cable([1.0, 1.0], RUBBING, "");
    let ratio = (0.3 * std::f64::consts::PI).exp();
    for way in [1.0, -1.0] {
        let mut d = Data::new(&m);
        (d.state.qvel[0], d.state.qvel[1]) = (way, -way);
        step::forward(&m, &mut d);
        // the side towards which the cable slides pulls harder
        let [a, b] = [d.force.qfrc_spring[0], d.force.qfrc_spring[1]];
        let found = if way > 0.0 { b / a } else { a / b };
        assert!((found - ratio).abs() < tolerance::SINGLE, "{a} {b}");
        d.state.ctrl[0] = -5.0;
        step::forward(&m, &mut d);
        let [a, b] = [d.force.qfrc_actuator[0], d.force.qfrc_actuator[1]];
        let found = if way > 0.0 { b / a } else { a / b };
        assert!((found - ratio).abs() < tolerance::SINGLE && (b - 5.0).abs() < tolerance::SOLVED, "{a} {b}");
    }
}

#[test]
fn a_cable_sticks_until_the_ratio_is_reached() {
    let slides = |heavy: f64| {
        let m = cable([1.0, heavy], RUBBING, "timestep=\"1e-5\"");
        let mut d = Data::new(&m);
        (0..60_000).for_each(|_| step::step(&m, &mut d));
        -d.state.qvel[1]
    };
    let creep = slides(2.4);
    assert!(creep.abs() < 2.0 * CREEP, "it creeps by {creep}");
    assert!(slides(2.7) > 0.05, "it does not slide");
}

#[test]
fn without_friction_nothing_changes() {
    let [plain, smooth] = ["", r#"<custom><text name="sinew:pulley:cable:0" data="friction=0"/></custom>"#]
        .map(|text| cable([1.0, 2.0], text, ""));
    let [mut a, mut b] = [Data::new(&plain), Data::new(&smooth)];
    for _ in 0..200 {
        step::step(&plain, &mut a);
        step::step(&smooth, &mut b);
        assert_eq!(a.state.qpos[..], b.state.qpos[..]);
    }
}

#[test]
fn friction_takes_energy() {
    let energy = |text: &str| {
        let mut m = cable([1.0, 2.0], text, "timestep=\"1e-4\" gravity=\"0 0 0\" integrator=\"RK4\"");
        m.opt.enableflags |= sinew_engine::model::enums::EnableFlags::ENERGY;
        m.tendon_damping.fill(0.0);
        let mut d = Data::new(&m);
        (d.state.qvel[0], d.state.qvel[1]) = (1.0, -1.0);
        step::forward(&m, &mut d);
        let start: f64 = d.sensor.energy.iter().sum();
        (0..1000).for_each(|_| step::step(&m, &mut d));
        step::forward(&m, &mut d);
        (start, d.sensor.energy.iter().sum::<f64>())
    };
    let (start, end) = energy("");
    assert!((end / start - 1.0).abs() < tolerance::SINGLE, "{start} {end}");
    let (start, end) = energy(RUBBING);
    assert!(end < 0.99 * start, "{start} {end}");
}

/// Two masses over a rotating pulley: the heavier one falls as if the pulley's `I/r²` were an additional mass.
#[test]
fn a_pulley_with_inertia_slows_the_masses() {
    let held = |text: &str| {
        let m = cable([1.0, 3.0], text, r#"integrator="RK4" timestep=".0005""#);
        let mut d = Data::new(&m);
        step::forward(&m, &mut d);
        // without the spring: the cable as an equality between the masses, which move at opposite rates
        let (a, b) = (d.inertia.M[m.M_rowadr[0] as usize], d.inertia.M[m.M_rowadr[1] as usize]);
        (3.0 - 1.0) * 9.81 / (a + b)
    };
    let heavy = r#"<custom><text name="sinew:pulley:cable:0" data="inertia=.02"/></custom>"#;
    assert!((held("") - 2.0 * 9.81 / 4.0).abs() < tolerance::SOLVED);
    assert!((held(heavy) - 2.0 * 9.81 / (4.0 + 0.02 / 0.01)).abs() < tolerance::SOLVED);
    // the simulated motion agrees: a stiff cable, whose stretch is small
    let m = cable([1.0, 3.0], heavy, r#"integrator="RK4" timestep=".0002""#);
    let mut d = Data::new(&m);
    (0..2000).for_each(|_| step::step(&m, &mut d));
    let (rise, want) = (d.state.qpos[0], 0.5 * 2.0 * 9.81 / 6.0 * d.state.time * d.state.time);
    assert!((rise - want).abs() < tolerance::DUAL, "{rise} {want}");
}

/// A swinging mass on a cable over a pulley with inertia conserves energy: the force from the changing Jacobian is
/// included.
#[test]
fn pulleys_without_friction_keep_energy() {
    let xml = r#"<mujoco><option integrator="RK4" timestep=".0005"><flag energy="enable" contact="disable"/></option><worldbody>
      <geom name="drum" type="cylinder" size=".1 .05" pos="0 0 1" euler="90 0 0"/><site name="above" pos="0 0 1.5"/>
      <body pos="-.1 0 -.3"><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0" damping="0"/>
      <geom size=".05" pos=".05 0 .3" mass="1"/><site name="a" pos="0 0 .3"/></body>
      <body pos=".1 0 0"><joint type="slide" axis="0 0 1"/><geom size=".05" mass="1.5"/><site name="b"/></body></worldbody>
      <tendon><spatial name="cable" stiffness="500" springlength="2.3"><site site="a"/><geom geom="drum" sidesite="above"/><site site="b"/>
      </spatial></tendon><custom><text name="sinew:pulley:cable:0" data="inertia=.02"/></custom></mujoco>"#;
    let m = load_str(xml, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    d.state.qvel[1] = -1.0;
    let energy = |d: &mut Data| {
        step::forward(&m, d);
        d.sensor.energy[0] + d.sensor.energy[1]
    };
    let first = energy(&mut d);
    // later the mass passes below the drum to the other side, where the cable takes another path
    for i in 0..24 {
        (0..50).for_each(|_| step::step(&m, &mut d));
        let last = energy(&mut d);
        assert!(
            (last - first).abs() < tolerance::SOLVED,
            "{i}: {last} {first}, {:?} {:?}",
            d.state.qpos,
            d.pose.ten_wrapnum
        );
    }
}
