//! A simulation with custom components: with the default ones it equals plain steps bit for bit, and others replace
//! them.

mod common;

use common::tolerance;
use sinew_engine::actuation::Actuators;
use sinew_engine::model::enums::{Integrator, Warning};
use sinew_engine::model::extension::Xpbd;
use sinew_engine::sim::{BuildError, SimBuilder};
use sinew_engine::solver::Convex;
use sinew_engine::step;
use sinew_engine::support::actuator::{self, ActuatorInput, ActuatorModel, SeriesElastic};
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_path, load_str};

fn model(xml: &str) -> Model {
    load_str(xml, &Source::default()).expect("the model compiles")
}

fn humanoid() -> Model {
    load_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml")).expect("the model compiles")
}

/// One law for every actuator.
#[derive(Clone)]
struct All<L>(L);

impl<L: ActuatorModel> Actuators for All<L> {
    type Law = L;
    fn law<'a>(&'a self, _m: &'a Model, _actuator: usize) -> Option<&'a L> {
        Some(&self.0)
    }
}

/// Models of many kinds: contacts, tendons, muscles, activations, equalities, flexes, every integrator and solver.
fn zoo() -> Vec<(&'static str, Model)> {
    let drives = r#"<mujoco><option integrator="INTEGRATOR"/><worldbody>
      <body><joint name="a" damping="3"/><geom type="capsule" size=".1" fromto="0 0 0 .4 0 0"/><site name="s" pos=".3 0 0"/>
      <body pos=".4 0 0"><joint name="b" axis="0 1 0" damping="3"/><geom type="capsule" size=".1" fromto="0 0 0 .4 0 0"/>
      <site name="t" pos=".2 0 0"/></body></body><site name="w" pos="0 0 .5"/></worldbody>
      <tendon><spatial name="line"><site site="w"/><site site="s"/><site site="t"/></spatial></tendon>
      <actuator><motor joint="a" gear=".2"/><position joint="b" kp="20" kv="1"/><velocity joint="a" kv=".5"/>
      <muscle tendon="line" lengthrange=".2 1" force="20"/><damper joint="b" kv=".3" ctrlrange="0 1"/>
      <general joint="a" dyntype="filterexact" dynprm=".1" actearly="true" gainprm="3" biastype="affine" biasprm="0 -1 -.1"/>
      </actuator></mujoco>"#;
    let pile = r#"<mujoco><option solver="SOLVER" cone="CONE"/><worldbody><geom type="plane" size="2 2 1"/>
      <body pos="0 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos=".05 0 .45"><freejoint/><geom size=".1" condim="6"/></body>
      <body pos="0 .05 .7"><freejoint/><geom type="capsule" size=".05 .1" condim="4"/></body></worldbody></mujoco>"#;
    let flex = r#"<mujoco><option solver="CG"/><worldbody><geom type="plane" size="2 2 1"/>
      <flexcomp name="sheet" type="grid" count="5 5 1" spacing=".1 .1 .1" pos="0 0 .1" radius=".01" dim="2">
      <elasticity young="1e4" poisson=".3" thickness=".01" elastic2d="both"/></flexcomp></worldbody></mujoco>"#;
    let mut all = vec![("humanoid", humanoid()), ("flex", model(flex))];
    for integrator in ["Euler", "RK4", "implicit", "implicitfast"] {
        all.push((integrator, model(&drives.replace("INTEGRATOR", integrator))));
    }
    for (solver, cone) in [("Newton", "elliptic"), ("CG", "pyramidal"), ("PGS", "elliptic"), ("PGS", "pyramidal")] {
        all.push((solver, model(&pile.replace("SOLVER", solver).replace("CONE", cone))));
    }
    all
}

/// Steps both; states and forces are bitwise equal.
fn compare(name: &str, m: &Model, mut other: impl FnMut(&mut dyn FnMut(&Data))) {
    let mut d = Data::new(m);
    let mut count = 0;
    other(&mut |theirs| {
        d.state.ctrl.fill(0.3);
        step::step(m, &mut d);
        count += 1;
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&d.state.qpos), bits(&theirs.state.qpos), "{name}: positions of step {count}");
        assert_eq!(bits(&d.state.qvel), bits(&theirs.state.qvel), "{name}: velocities of step {count}");
        assert_eq!(bits(&d.state.act), bits(&theirs.state.act), "{name}: activations of step {count}");
        assert_eq!(bits(&d.force.actuator_force), bits(&theirs.force.actuator_force), "{name}: forces of step {count}");
    });
    assert_eq!(count, 200);
}

#[test]
fn the_usual_parts_are_plain_steps() {
    for (name, m) in zoo() {
        let mut sim = SimBuilder::new().build(m.clone()).expect("it can be built");
        compare(name, &m, |check| {
            for _ in 0..200 {
                sim.data_mut().state.ctrl.fill(0.3);
                sim.step().expect("the motion is tame");
                check(sim.data());
            }
        });
    }
}

#[test]
fn mujocos_kinds_through_the_traits_are_the_same() {
    for (name, m) in zoo() {
        let builder = SimBuilder::new().actuators(All(actuator::Mujoco)).solver(Convex);
        let mut sim = builder.build(m.clone()).expect("it can be built");
        compare(name, &m, |check| {
            for _ in 0..200 {
                sim.data_mut().state.ctrl.fill(0.3);
                sim.step().expect("the motion is tame");
                check(sim.data());
            }
        });
    }
}

const SLIDER: &str = r#"<mujoco><option gravity="0 0 0" timestep=".01" integrator="INTEGRATOR"/><worldbody>
  <body><joint type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
  <actuator><general name="motor" joint="JOINT" dyntype="user" actdim="1"/></actuator>
  <custom><text name="sinew:actuator:motor" data="LAW"/></custom></mujoco>"#;

fn slider(integrator: &str, law: &str) -> Model {
    let named = SLIDER.replace("<joint ", "<joint name=\"x\" ").replace("JOINT", "x");
    model(&named.replace("INTEGRATOR", integrator).replace("LAW", law))
}

/// Acceleration in one step of the slider at length .2 and velocity .1.
fn pushed(m: &Model, ctrl: f64, before: f64) -> (f64, Data) {
    let mut d = Data::new(m);
    (d.state.qpos[0], d.state.qvel[0], d.state.ctrl[0], d.state.act[0]) = (0.2, 0.1, ctrl, before);
    step::step(m, &mut d);
    ((d.state.qvel[0] - 0.1) / m.opt.timestep, d)
}

#[test]
fn a_series_elastic_actuator_pulls_with_its_spring() {
    let m = slider("Euler", "series_elastic 1000 10 50");
    let (acc, d) = pushed(&m, 0.01, 0.01);
    assert!((acc - 299.0).abs() < tolerance::SOLVED, "{acc}");
    assert_eq!(d.state.act[0], 0.01);
    let (acc, d) = pushed(&m, 0.01, 0.009);
    assert!((acc - 349.0).abs() < tolerance::SOLVED, "the motor moves: {acc}");
    assert_eq!(d.state.act[0], 0.01, "the control is remembered");
    // (m + h d) a = F
    let (acc, _) = pushed(&slider("implicitfast", "series_elastic k=1000 d=10 gear=50"), 0.01, 0.01);
    assert!((acc - 299.0 / 1.1).abs() < tolerance::SOLVED, "{acc}");
    // the control is stored once per step, not once per evaluation
    let (_, d) = pushed(&slider("RK4", "series_elastic 1000 10 50"), 0.02, 0.01);
    assert_eq!(d.state.act[0], 0.02);
}

#[test]
fn a_stiff_damper_needs_the_implicit_integrator() {
    let ends = |integrator: &str| {
        let m = slider(integrator, "series_elastic 1000 1e4 50");
        let mut d = Data::new(&m);
        d.state.qvel[0] = 1.0;
        (0..20).for_each(|_| step::step(&m, &mut d));
        (
            d.state.qvel[0].abs(),
            d.warning[Warning::Badqvel as usize].number + d.warning[Warning::Badqacc as usize].number,
        )
    };
    let (speed, resets) = ends("implicitfast");
    assert!(speed < 1.0 && resets == 0, "{speed}");
    assert!(ends("Euler").1 > 0, "explicit damping blows up");
}

#[test]
fn a_motor_runs_up_to_its_back_emf_and_protects_its_winding() {
    // free shaft: u = K v
    let m = slider("implicitfast", "dc_motor k=2 resistance=.5");
    let mut d = Data::new(&m);
    d.state.ctrl[0] = 3.0;
    (0..2000).for_each(|_| step::step(&m, &mut d));
    assert!((d.state.qvel[0] - 1.5).abs() < tolerance::SOLVED, "{}", d.state.qvel[0]);
    // blocked shaft: generated heat equals dissipated heat; 1 − T/limit over the margin reduces the current
    let m = slider("Euler", "dc_motor k=2 resistance=.5 thermal_resistance=2 thermal_capacity=.1 limit=20");
    let mut d = Data::new(&m);
    d.state.ctrl[0] = 3.0;
    for _ in 0..2000 {
        (d.state.qpos[0], d.state.qvel[0]) = (0.0, 0.0);
        step::step(&m, &mut d);
    }
    let (temperature, force) = (d.state.act[0], d.force.actuator_force[0]);
    let current = force / 2.0;
    assert!((0.5 * current * current - temperature / 2.0).abs() < tolerance::INTEGRATED, "{temperature}");
    assert!(temperature < 20.0 && force < 12.0, "{temperature} {force}");
}

#[test]
fn slopes_are_derivatives() {
    for law in ["series_elastic 1000 10 50", "dc_motor 2 .5", "dc_motor 2 .5 2 .1 20"] {
        let m = slider("Euler", law);
        let law = m.extension().actuators[0].as_ref().expect("it has a law");
        let x = ActuatorInput {
            m: &m,
            id: 0,
            length: 0.3,
            velocity: -0.2,
            ctrl: 0.7,
            input: 19.0,
            act: &[19.0],
            time: 0.0,
        };
        let f = |length: f64, velocity: f64| law.force(&ActuatorInput { length, velocity, ..x });
        let slopes = law.slopes(&x);
        // every law is linear in each of its inputs
        let e = 1e-3;
        assert!((slopes.length - (f(0.3 + e, -0.2) - f(0.3 - e, -0.2)) / (2.0 * e)).abs() < tolerance::SETTLED);
        assert!((slopes.velocity - (f(0.3, -0.2 + e) - f(0.3, -0.2 - e)) / (2.0 * e)).abs() < tolerance::SETTLED);
        let g = |act: f64| law.force(&ActuatorInput { input: act, act: &[act], ..x });
        assert!((slopes.input - (g(19.0 + e) - g(19.0 - e)) / (2.0 * e)).abs() < tolerance::SETTLED, "{law:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let m = model("<mujoco><option integrator='RK4'/></mujoco>");
    let refused = SimBuilder::new().solver(Xpbd::new(4)).build(m).err();
    assert!(matches!(refused, Some(BuildError::Solver(_))), "{refused:?}");
    let mut m = slider("Euler", "series_elastic 1 1 1");
    m.opt.integrator = Integrator::Implicitfast;
    let sim = SimBuilder::new().actuators(All(SeriesElastic { k: 1.0, d: 0.0, gear: 1.0 })).build(m);
    assert!(sim.is_ok());
}
