//! Derivatives of sensors in closed form, against finite differences of the step.

mod common;

use common::tolerance::{SETTLED, SINGLE};
use sinew_engine::model::enums::{ConeType, Integrator, SensorType};
use sinew_engine::transition::{
    DerivativeConfig, DifferenceError, Method, Term, Transition, TransitionWork, transition,
};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};

const ALL: [bool; 4] = [true; 4];

fn model(xml: &str) -> Model {
    load_str(xml, &Source::default()).expect("the model compiles")
}

/// Compares the rows of every sensor, relative to the largest of each, and returns the sensors that were differenced.
fn compare(m: &Model, d: &Data, tolerance: f64, what: &str) -> Vec<usize> {
    let (mut work, mut got, mut want) = (TransitionWork::new(m), Transition::default(), Transition::default());
    let config = DerivativeConfig { wanted: ALL, ..DerivativeConfig::default() };
    let report = transition(m, d, &config, &mut work, &mut got).expect("it has a derivative");
    let differenced = work.sensors_differenced().to_vec();
    assert_eq!(report.positions.has(Term::Sensor), !differenced.is_empty());
    // the same without A and B
    let mut alone = Transition::default();
    let config = DerivativeConfig { wanted: [false, false, true, true], ..config };
    transition(m, d, &config, &mut work, &mut alone).expect("it has a derivative");
    let config = DerivativeConfig { method: Method::Fd, centered: true, wanted: ALL, ..config };
    transition(m, d, &config, &mut work, &mut want).expect("it has differences");
    for i in 0..m.nsensor {
        let rows = m.sensor_range(i);
        for (name, got, alone, want, cols) in
            [("C", &got.C, &alone.C, &want.C, 2 * m.nv + m.na), ("D", &got.D, &alone.D, &want.D, m.nu)]
        {
            let span = rows.start * cols..rows.end * cols;
            let (got, alone, want) = (&got[span.clone()], &alone[span.clone()], &want[span]);
            let scale = want.iter().fold(1.0_f64, |max, w| max.max(w.abs()));
            let off =
                |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |max, (a, b)| max.max((a - b).abs())) / scale;
            let kind = m.sensor_type(i);
            assert!(off(got, want) < tolerance, "{what} {name} {kind:?} {i}: {:e}\n{got:?}\n{want:?}", off(got, want));
            assert!(off(got, alone) < SINGLE, "{what} {name} {kind:?} {i} without A and B");
        }
    }
    differenced
}

fn moving(m: &Model) -> Data {
    let mut d = Data::new(m);
    let wave = |i: usize| (1.7 * i as f64 + 0.4).sin();
    let turn: Vec<f64> = (0..m.nv).map(wave).collect();
    sinew_engine::support::position::integrate_pos(m, &mut d.state.qpos, &turn, 0.3);
    (0..m.nv).for_each(|i| d.state.qvel[i] = 1.5 * wave(i + 3));
    (0..m.nu).for_each(|i| d.state.ctrl[i] = 0.3 + 0.2 * wave(i));
    (0..m.na).for_each(|i| d.state.act[i] = 0.4 + 0.2 * wave(i + 1));
    d
}

const SMOOTH: &str = r#"<mujoco><option timestep="0.004" density="20" viscosity=".3" wind="1 2 .5" magnetic=".3 -.2 1"/>
  <worldbody>
    <site name="anchor" pos="0 .2 1.2"/>
    <geom name="drum" type="cylinder" size=".08 .3" pos=".1 .2 1.1" euler="90 0 0" contype="0" conaffinity="0"/>
    <body name="root" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .05"/><site name="imu" pos=".05 .1 .02" euler="10 20 30"/>
      <camera name="cam" pos="0 -.8 .3" euler="70 0 0" resolution="64 48"/>
      <body name="arm" pos=".2 0 0" gravcomp=".7"><joint name="ball" type="ball" stiffness="2" damping=".1" pos="0 .05 0"/>
        <geom name="link" type="capsule" size=".04" fromto="0 0 0 .3 0 0" fluidshape="ellipsoid"/><site name="tip" pos=".3 .02 0" euler="5 0 40"/>
        <body name="hand" pos=".3 0 0"><joint name="x" axis="1 0 .2" armature=".01"/><joint name="y" axis="0 1 0" stiffness="1" damping=".2"/>
          <geom type="ellipsoid" size=".05 .08 .1" pos="0 .1 0"/><site name="end" pos="0 .2 0" euler="0 30 0"/></body></body>
      <body name="side" pos="-.2 0 0"><joint name="s" type="slide" axis=".3 0 1" damping=".3"/><geom size=".08"/><site name="other"/></body></body>
    <body name="second" pos="2 0 1"><joint name="h" axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/></body>
  </worldbody>
  <tendon>
    <spatial name="rope" stiffness="20" damping="1.5" springlength=".3"><site site="anchor"/><site site="tip"/><pulley divisor="2"/><site site="end"/><site site="other"/></spatial>
    <spatial name="band" stiffness="15" damping=".4"><site site="anchor"/><geom geom="drum"/><site site="end"/></spatial>
    <fixed name="sum" damping=".3"><joint joint="x" coef=".5"/><joint joint="s" coef="-1"/></fixed>
  </tendon>
  <actuator>
    <position name="px" joint="x" kp="3" kv=".2"/><motor name="mb" joint="ball" gear="1 2 -1"/>
    <general name="jp" jointinparent="ball" gear=".3 .1 1" biastype="affine" biasprm="0 -2 -.3"/>
    <general name="tr" tendon="rope" gaintype="affine" gainprm="1 .4 -.3" dyntype="filterexact" dynprm=".05"/>
    <general name="st" site="tip" gear="1 .5 -.2 .3 .1 -.4" dyntype="filter" dynprm=".1" actearly="true"/>
    <muscle name="mu" tendon="band" lengthrange=".1 1.5" range=".75 1.05" force="30"/>
    <velocity name="vs" tendon="sum" kv="2"/><motor name="held" joint="y" forcelimited="true" forcerange="-.01 .01"/>
  </actuator>
  <sensor>
    <jointpos joint="x"/><jointvel joint="y"/><ballquat joint="ball"/><ballangvel joint="ball"/>
    <tendonpos tendon="rope"/><tendonvel tendon="rope"/><tendonpos tendon="band"/><tendonvel tendon="band"/><tendonvel tendon="sum"/>
    <actuatorpos actuator="jp"/><actuatorvel actuator="jp"/><actuatorpos actuator="tr"/><actuatorvel actuator="st"/>
    <actuatorfrc actuator="px"/><actuatorfrc actuator="tr"/><actuatorfrc actuator="st"/><actuatorfrc actuator="mu"/><actuatorfrc actuator="vs"/><actuatorfrc actuator="held"/>
    <jointactuatorfrc joint="x"/><jointactuatorfrc joint="y"/><tendonactuatorfrc tendon="rope"/>
    <magnetometer site="imu"/><gyro site="imu"/><velocimeter site="end"/><accelerometer site="end"/><accelerometer site="imu"/>
    <force site="tip"/><torque site="tip"/><force site="end"/><torque site="imu"/>
    <framepos objtype="site" objname="end"/><framepos objtype="geom" objname="link" reftype="body" refname="second"/>
    <framequat objtype="body" objname="hand"/><framequat objtype="site" objname="end" reftype="xbody" refname="side"/>
    <framexaxis objtype="site" objname="end"/><frameyaxis objtype="geom" objname="link" reftype="site" refname="imu"/><framezaxis objtype="camera" objname="cam"/>
    <framelinvel objtype="site" objname="end"/><framelinvel objtype="site" objname="end" reftype="site" refname="other"/>
    <frameangvel objtype="body" objname="hand"/><frameangvel objtype="body" objname="hand" reftype="geom" refname="link"/>
    <framelinacc objtype="geom" objname="link"/><frameangacc objtype="site" objname="end"/>
    <subtreecom body="root"/><subtreecom body="arm"/><subtreecom body="world"/><subtreelinvel body="arm"/><subtreelinvel body="world"/>
    <subtreeangmom body="arm"/><subtreeangmom body="root"/><subtreeangmom body="world"/>
    <camprojection site="end" camera="cam"/><e_potential/><clock/>
    <gyro site="tip" cutoff=".2"/><accelerometer site="tip" cutoff="5"/>
  </sensor></mujoco>"#;

#[test]
fn every_smooth_sensor_under_every_integrator() {
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast] {
        let mut m = model(SMOOTH);
        m.opt.integrator = integrator;
        let mut d = moving(&m);
        // with an external force
        d.state.xfrc_applied[3] = [0.3, -0.2, 0.5, 0.1, 0.2, -0.1];
        let differenced = compare(&m, &d, SETTLED, &format!("{integrator:?}"));
        assert_eq!(differenced, [] as [usize; 0]);
    }
}

const TOUCHING: &str = r#"<mujoco><option timestep="0.002" tolerance="0"/><worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="box" pos="0 0 .199"><freejoint/><geom type="box" size=".2 .2 .2" condim="4"/><site name="pad" type="box" size=".3 .3 .3"/>
      <body pos="0 0 .3"><joint name="top" axis="0 1 0" range="-5 5" limited="true" stiffness="4"/><geom type="capsule" size=".05 .1"/><site name="neck"/></body></body>
    <body pos="1 0 .098"><freejoint/><geom type="sphere" size=".1" condim="6" friction=".8 .02 .01"/><site name="ball"/></body>
    <body pos="1.02 0 .296"><freejoint/><geom type="capsule" size=".1 .1" euler="90 0 10"/></body>
    <body name="hook" pos="-1 1 1"><joint name="limit" type="ball" range="0 5" limited="true"/><geom size=".05" pos=".1 0 0"/><site name="h" pos=".02 0 0" euler="0 0 20"/>
      <body pos=".2 0 0"><joint axis="0 1 .3"/><geom type="capsule" size=".03 .1"/><site name="mid"/></body></body>
    <body name="eye" pos="-1 1.3 1"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom size=".05" pos=".1 0 0"/><site name="e" pos="0 0 .1"/></body>
    <body name="held" pos="-1 2 1"><freejoint/><geom type="box" size=".1 .05 .03"/><site name="mass"/></body>
    <site name="w" pos="-.8 1 1.4"/>
  </worldbody>
  <tendon><spatial name="t" range="0 .3" limited="true"><site site="w"/><site site="e"/></spatial></tendon>
  <equality><connect body1="hook" body2="eye" anchor=".1 .1 0"/><weld body1="held" body2="hook" torquescale=".6"/></equality>
  <actuator><motor joint="top"/></actuator>
  <sensor><touch site="pad"/><touch site="ball"/><force site="pad"/><torque site="pad"/><force site="neck"/><torque site="ball"/>
    <force site="h"/><torque site="h"/><force site="mid"/><force site="e"/><torque site="e"/><force site="mass"/><torque site="mass"/>
    <accelerometer site="pad"/><accelerometer site="mass"/><frameangacc objtype="site" objname="h"/>
    <jointlimitpos joint="top"/><jointlimitvel joint="top"/><jointlimitfrc joint="top"/>
    <jointlimitpos joint="limit"/><jointlimitvel joint="limit"/><jointlimitfrc joint="limit"/>
    <tendonlimitpos tendon="t"/><tendonlimitvel tendon="t"/><tendonlimitfrc tendon="t"/></sensor></mujoco>"#;

#[test]
fn sensors_of_bodies_that_touch_and_hold_each_other() {
    for (cone, integrator) in [
        (ConeType::Pyramidal, Integrator::Euler),
        (ConeType::Elliptic, Integrator::Implicitfast),
        (ConeType::Pyramidal, Integrator::Rk4),
    ] {
        let mut m = model(TOUCHING);
        (m.opt.cone, m.opt.integrator) = (cone, integrator);
        let mut d = Data::new(&m);
        let at = |name: &str| m.jnt_qposadr[m.joint(name).expect("it is there").id().index()] as usize;
        d.state.qpos[at("top")] = 0.1;
        let turn = sinew_math::quat::from_axis_angle([0.6, 0.0, 0.8], 0.12);
        d.state.qpos[at("limit")..at("limit") + 4].copy_from_slice(&turn);
        (0..m.nv).for_each(|i| d.state.qvel[i] = 0.1 * (1.3 * i as f64).sin());
        d.state.ctrl[0] = 0.2;
        d.state.xfrc_applied[1] = [0.1, 0.2, -0.3, 0.02, 0.01, 0.03];
        (0..3).for_each(|_| step::step(&m, &mut d));
        step::forward(&m, &mut d);
        assert!(d.efc.nl == 3 && d.contact.len() > 4, "{} {}", d.efc.nl, d.contact.len());
        let differenced = compare(&m, &d, SETTLED, &format!("{cone:?} {integrator:?}"));
        assert_eq!(differenced, [] as [usize; 0]);
    }
}

#[test]
fn sensors_without_a_closed_form_are_named() {
    let m = model(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="b" pos="0 0 1"><freejoint/><geom name="g" size=".1"/>
        <site name="s" euler="180 0 0"/><camera name="c" mode="targetbody" target="b" pos="1 0 0"/></body></worldbody>
        <sensor><gyro site="s"/><rangefinder site="s"/><distance geom1="floor" geom2="g" cutoff="3"/><framepos objtype="camera" objname="c"/></sensor></mujoco>"#,
    );
    let d = moving(&m);
    assert_eq!(compare(&m, &d, SETTLED, "ray"), [1, 2, 3]);
    let config = DerivativeConfig { method: Method::Analytic, wanted: ALL, ..DerivativeConfig::default() };
    let refused = transition(&m, &d, &config, &mut TransitionWork::new(&m), &mut Transition::default());
    assert_eq!(refused, Err(DifferenceError::NotClosed(Term::Sensor)));
}

#[test]
fn kinetic_energy_changes_with_momentum() {
    let m = model(&SMOOTH.replace("<e_potential/>", "<e_kinetic/>"));
    let mut d = moving(&m);
    let mut t = Transition::default();
    let config = DerivativeConfig { wanted: [false, false, true, false], ..DerivativeConfig::default() };
    transition(&m, &d, &config, &mut TransitionWork::new(&m), &mut t).expect("it has a derivative");
    let found = (0..m.nsensor).find(|&i| m.sensor_type(i) == SensorType::EKinetic);
    let row = m.sensor_range(found.expect("there is one")).start;
    let n = 2 * m.nv + m.na;
    // finite differences of steps miss this, because it is sensed at the position stage
    let home = d.state.clone();
    let mut energy = |by: usize, eps: f64| {
        let mut step = vec![0.0; m.nv];
        step[by % m.nv] = 1.0;
        if by < m.nv {
            sinew_engine::support::position::integrate_pos(&m, &mut d.state.qpos, &step, eps);
        } else {
            d.state.qvel[by - m.nv] += eps;
        }
        step::forward(&m, &mut d);
        d.state = home.clone();
        d.sensor.sensordata[row]
    };
    for j in 0..2 * m.nv {
        let numeric = (energy(j, 1e-6) - energy(j, -1e-6)) / 2e-6;
        assert!((t.C[row * n + j] - numeric).abs() < SETTLED, "{j}: {} {numeric}", t.C[row * n + j]);
    }
}
