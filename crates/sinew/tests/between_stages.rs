//! A simulation is complete between any two stages: a copy, a clone and one read back from bytes continue identically.

use sinew::{Data, Model};
use sinew_engine::fields::Fields;
use sinew_engine::model::enums::{Integrator, JacobianType, SolverType};
use sinew_engine::step;

/// Two legs on a floor coupled by a tendon, a box at rest, friction loss, a limit and an equality.
const SCENE: &str = r#"<mujoco>
  <option timestep=".004"><flag sleep="enable"/></option>
  <default><geom density="500"/></default>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="a" pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/>
      <body pos=".2 0 0"><joint name="ha" axis="0 1 0" limited="true" range="-.1 .1" stiffness="2" damping=".1"/>
        <geom type="capsule" size=".04 .1" pos=".1 0 0" euler="0 90 0"/></body></body>
    <body name="b" pos="0 .5 .2"><freejoint/><geom type="sphere" size=".1"/>
      <body pos=".2 0 0"><joint name="hb" axis="0 1 0" frictionloss=".2"/>
        <geom type="capsule" size=".04 .1" pos=".1 0 0" euler="0 90 0"/></body></body>
    <body name="c" pos="2 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="d" pos="3 0 .5"><joint name="hd" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
  </worldbody>
  <tendon><fixed name="t" stiffness="50" damping="1"><joint joint="ha" coef="1"/><joint joint="hb" coef="-1"/></fixed></tendon>
  <equality><joint joint1="hd" polycoef=".1 0 0 0 0"/></equality>
  <actuator><motor joint="ha" gear="2"/><position joint="hb" kp="3"/></actuator>
</mujoco>"#;

const INTEGRATORS: [Integrator; 5] = [
    Integrator::Euler,
    Integrator::Rk4,
    Integrator::Implicit,
    Integrator::Implicitfast,
    Integrator::Implicitspringdamper,
];

fn scene(integrator: Integrator, solver: SolverType, jacobian: JacobianType) -> Model {
    let mut m = sinew::load_str(SCENE, &sinew::Source::default()).expect("the scene compiles");
    m.opt.integrator = integrator;
    m.opt.solver = solver;
    m.opt.jacobian = jacobian;
    m
}

/// The stages of a step, in order.
const PARTS: [fn(&Model, &mut Data); 7] = [
    |m, d| step::fwd_position(m, d, &mut ()),
    |m, d| step::sensor_pos(m, d, &mut ()),
    |m, d| step::fwd_velocity(m, d, &mut ()),
    |m, d| step::fwd_actuation(m, d, &mut ()),
    step::fwd_acceleration,
    step::fwd_constraint,
    |m, d| step::sensor_acc(m, d, &mut ()),
];

fn finish(m: &Model, d: &mut Data, from: usize) {
    PARTS[from..].iter().for_each(|part| part(m, d));
    (0..3).for_each(|_| step::step(m, d));
}

fn assert_same(a: &Data, b: &Data, what: &str) {
    for (i, info) in Data::FIELDS.iter().enumerate() {
        assert_eq!(a.field(i), b.field(i), "{what}: {}", info.name);
    }
    assert_eq!(a.contact, b.contact, "{what}");
}

#[test]
fn copies_between_stages_go_on_alike() {
    for integrator in INTEGRATORS {
        for solver in [SolverType::Newton, SolverType::Cg, SolverType::Pgs] {
            for jacobian in [JacobianType::Dense, JacobianType::Sparse] {
                let m = scene(integrator, solver, jacobian);
                let mut start = Data::new(&m);
                start.state.ctrl.copy_from_slice(&[0.3, -0.2]);
                (0..150).for_each(|_| step::step(&m, &mut start));
                assert!(start.efc.nefc > 10 && start.island.nisland > 0, "{} rows", start.efc.nefc);
                for at in 0..=PARTS.len() {
                    let what = format!("{integrator:?} {solver:?} {jacobian:?} after {at}");
                    let mut a = start.clone();
                    PARTS[..at].iter().for_each(|part| part(&m, &mut a));
                    // a target with a different history
                    let mut copy = Data::new(&m);
                    copy.state.qpos[2] = 0.7;
                    (0..20).for_each(|_| step::step(&m, &mut copy));
                    copy.copy_from(&a);
                    let mut clone = a.clone();
                    let mut saved = Data::from_bytes(&m, &a.to_bytes()).expect("bytes of this model");
                    // with another workspace, as batches do
                    let mut moved = a.clone();
                    moved.scratch = Data::new(&m).scratch;
                    finish(&m, &mut a, at);
                    for (d, how) in
                        [(&mut copy, "copy"), (&mut clone, "clone"), (&mut saved, "saved"), (&mut moved, "moved")]
                    {
                        finish(&m, d, at);
                        assert_same(&a, d, &format!("{what}, {how}"));
                    }
                }
            }
        }
    }
}

#[test]
fn threads_are_a_setting_of_the_simulation() {
    let m = scene(Integrator::Euler, SolverType::Newton, JacobianType::Auto);
    let mut d = Data::new(&m);
    d.set_threads(&m, 3);
    assert_eq!(d.clone().threads(), 3);
    d.scratch = Data::new(&m).scratch;
    step::step(&m, &mut d);
    assert_eq!(d.threads(), 3);
    assert!(d.state.time > 0.0);
}
