//! Finite differences of a step against systems whose step is linear.

mod common;

use common::tolerance::{DIFFERENCED, SINGLE};
use sinew_engine::model::enums::Integrator;
use sinew_engine::transition::{DifferenceError, InverseWanted, inverse_fd, mujoco_transition_fd, transition_fd};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};

const ALL: [bool; 4] = [true; 4];

/// A mass on a slide joint with spring, damper, motor and filtered motor; sensors of position and actuator force.
fn oscillator(integrator: Integrator) -> Model {
    let xml = r#"<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody>
        <body><joint name="j" type="slide" axis="1 0 0" stiffness="30" damping="2"/><geom size=".1" mass="1.5"/></body>
        </worldbody>
        <actuator><motor name="m" joint="j" gear="3" ctrlrange="-1 1" ctrllimited="true"/>
        <general joint="j" gainprm="4" dyntype="filter" dynprm=".2"/></actuator>
        <sensor><jointpos joint="j"/><actuatorfrc actuator="m"/></sensor></mujoco>"#;
    let mut m = load_str(xml, &Source::default()).expect("the model compiles");
    m.opt.integrator = integrator;
    m
}

fn assert_near(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < DIFFERENCED), "{got:?} should be {want:?}");
}

#[test]
fn matrices_of_a_linear_system() {
    let (h, mass, k, b, tau) = (0.01, 1.5, 30.0, 2.0, 0.2);
    for (integrator, left) in [
        (Integrator::Euler, mass + h * b),
        (Integrator::Implicit, mass + h * b),
        (Integrator::Implicitfast, mass + h * b),
        (Integrator::Implicitspringdamper, mass + h * b + h * h * k),
    ] {
        let m = oscillator(integrator);
        let mut d = Data::new(&m);
        d.state.qpos[0] = 0.2;
        d.state.qvel[0] = -0.4;
        d.state.act[0] = 0.3;
        let before = d.state.clone();
        let t = transition_fd(&m, &mut d, &mut (), 1e-5, false, ALL).expect("it has differences");
        // an implicit spring also depends on the velocity
        let spring = if integrator == Integrator::Implicitspringdamper { h * k } else { 0.0 };
        let v = [-h * k / left, 1.0 - h * (b + spring) / left, h * 4.0 / left];
        let a = [&[1.0 + h * v[0], h * v[1], h * v[2]][..], &v, &[0.0, 0.0, 1.0 - h / tau]].concat();
        let push = h * 3.0 / left;
        assert_near(&t.A, &a);
        assert_near(&t.B, &[h * push, 0.0, push, 0.0, 0.0, h / tau]);
        assert_near(&t.C, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_near(&t.D, &[0.0, 0.0, 1.0, 0.0]);
        assert_eq!(
            (&before.qpos[..], &before.qvel[..], before.time),
            (&d.state.qpos[..], &d.state.qvel[..], d.state.time)
        );
    }
}

#[test]
fn controls_at_a_limit_are_differenced_inwards() {
    let m = oscillator(Integrator::Euler);
    let mut d = Data::new(&m);
    let inner = transition_fd(&m, &mut d, &mut (), 1e-5, true, ALL).expect("it has differences").B;
    for (ctrl, same) in [(1.0, true), (-1.0, true), (2.0, false)] {
        d.state.ctrl[0] = ctrl;
        let at_limit = transition_fd(&m, &mut d, &mut (), 1e-5, true, ALL).expect("it has differences").B;
        assert_eq!((at_limit[2] - inner[2]).abs() < DIFFERENCED, same, "{ctrl}: {at_limit:?} {inner:?}");
    }
}

#[test]
fn inverse_derivatives_are_stiffness_damping_and_mass() {
    let m = oscillator(Integrator::Euler);
    let mut d = Data::new(&m);
    step::forward(&m, &mut d);
    let wanted = InverseWanted { force: [true; 3], sensor: [false; 3], mass: true };
    let t = inverse_fd(&m, &mut d, &mut (), 1e-5, false, wanted).expect("it has differences");
    for (got, want) in t.force.iter().zip([30.0, 2.0, 1.5]) {
        assert_near(got, &[want]);
    }
    assert_near(&t.mass, &[0.0]);
    assert!(t.sensor.iter().all(Vec::is_empty));
}

#[test]
fn what_has_no_differences_says_so() {
    let mut m = oscillator(Integrator::Rk4);
    let mut d = Data::new(&m);
    assert_eq!(transition_fd(&m, &mut d, &mut (), 1e-5, false, ALL), Err(DifferenceError::RungeKutta));
    m.opt.integrator = Integrator::Euler;
    m.opt.noslip_iterations = 1;
    let nothing = InverseWanted::default();
    assert_eq!(inverse_fd(&m, &mut d, &mut (), 1e-5, false, nothing), Err(DifferenceError::Noslip));
}

#[test]
fn steps_of_differences_are_small_and_positive() {
    let m = load_str("<mujoco/>", &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    for eps in [0.0, -1e-6, 0.1, f64::INFINITY] {
        assert_eq!(transition_fd(&m, &mut d, &mut (), eps, true, ALL), Err(DifferenceError::Eps(eps)));
    }
    let none = transition_fd(&m, &mut d, &mut (), f64::NAN, true, ALL);
    assert!(matches!(none, Err(DifferenceError::Eps(eps)) if eps.is_nan()));
}

#[test]
fn centred_differences_have_the_sign_of_forward_ones() {
    let xml = r#"<mujoco><worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
        <actuator><motor name="u" joint="j" gear="-9"/></actuator><sensor><jointactuatorfrc joint="j"/></sensor></mujoco>"#;
    let m = load_str(xml, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    for centered in [false, true] {
        let t = transition_fd(&m, &mut d, &mut (), 1e-5, centered, ALL).expect("it has differences");
        assert!((t.D[0] + 9.0).abs() < SINGLE, "{centered}: {:?}", t.D);
    }
    let mujoco = mujoco_transition_fd(&m, &mut d, &mut (), 1e-5, true, ALL).expect("it has differences");
    assert!((mujoco.D[0] - 9.0).abs() < SINGLE, "{:?}", mujoco.D);
}
