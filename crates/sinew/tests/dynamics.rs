//! Laws of mechanics and of numerical integration that the smooth dynamics must satisfy.

mod common;

use common::tolerance::{EXACT, INTEGRATED, LAST_BITS, MOMENTUM, ROUNDING, ROUNDING_SUMS, SINGLE, SOLVED};
use sinew_engine::hooks::Hooks;
use sinew_engine::model::enums::Integrator;
use sinew_engine::step::{self, StepError};
use sinew_engine::support::{inertia, position};
use sinew_engine::{Data, Model, velocity};
use sinew_mjcf::{Source, load_str};

/// A floating body with a ball, a slide and hinges in two branches; springs and dampers in its joints.
const FLOATING: &str = r#"<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body name="base" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0"/>
      <body pos=".3 0 0"><joint type="ball" stiffness="2"/><joint type="slide" axis="1 0 1" stiffness="40"/>
        <geom type="capsule" size=".05 .1" pos=".1 0 0"/>
        <body pos=".3 0 0"><joint name="x" axis="0 1 0" stiffness="1"/><geom size=".1" pos=".2 0 0"/></body>
        <body pos="0 .3 0"><joint name="z" axis="0 0 1" stiffness="1"/><geom size=".1" pos="0 .2 0"/></body>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="t" stiffness="3" springlength=".1"><joint joint="x" coef="1"/><joint joint="z" coef="-2"/></fixed>
  </tendon>
</mujoco>"#;

/// Hinges and slides in a tree.
const HINGES: &str = r#"<mujoco><worldbody>
  <body pos="0 0 2"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom type="capsule" size=".05 .2" pos="0 0 -.3"/>
    <body pos="0 0 -.6"><joint axis="0 1 1" damping=".1"/><geom size=".1" pos=".1 0 -.2"/></body>
    <body pos=".3 0 0"><joint type="slide" axis="1 0 0" stiffness="30"/><geom size=".1"/></body>
  </body></worldbody></mujoco>"#;

/// A double pendulum in a fluid, with dampers and velocity-dependent actuators of every kind.
const DAMPED: &str = r#"<mujoco>
  <option density="800" viscosity=".2" wind=".3 0 .1"/>
  <worldbody>
    <body pos="0 0 2"><joint name="a" axis="0 1 0" damping=".3"/><joint name="b" axis="1 0 0" damping=".1"/>
      <geom type="capsule" size=".05 .2" pos="0 0 -.3"/><site name="p" pos=".1 0 0"/>
      <body pos="0 0 -.6"><joint name="c" type="ball" damping=".2"/>
        <geom type="ellipsoid" size=".1 .05 .2" pos="0 .05 -.2" fluidshape="ellipsoid"/><site name="q" pos=".1 0 -.2"/></body>
    </body>
  </worldbody>
  <tendon><spatial name="t" damping="2"><site site="p"/><site site="q"/></spatial></tendon>
  <actuator><velocity joint="a" kv="2"/><muscle tendon="t" lengthrange=".2 1"/>
    <general joint="b" gaintype="affine" gainprm="0 0 -2" dyntype="filter" dynprm=".1"/></actuator>
</mujoco>"#;

fn model(xml: &str, integrator: Integrator, timestep: f64) -> Model {
    let mut m = load_str(xml, &Source::default()).expect("the model compiles");
    m.opt.integrator = integrator;
    m.opt.timestep = timestep;
    m
}

/// Sets pseudo-random velocities.
fn kick(m: &Model, d: &mut Data, size: f64) {
    for (i, v) in d.state.qvel.iter_mut().enumerate() {
        *v = size * (1.7 * i as f64 + 0.3).sin();
    }
    let velocity = d.state.qvel.to_vec();
    position::integrate_pos(m, &mut d.state.qpos, &velocity, 0.3);
}

fn energy(m: &mut Model, d: &mut Data) -> f64 {
    m.opt.enableflags |= sinew_engine::model::enums::EnableFlags::ENERGY;
    step::forward(m, d);
    d.sensor.energy[0] + d.sensor.energy[1]
}

/// Total linear and angular momentum.
fn momentum(m: &Model, d: &mut Data) -> ([f64; 3], [f64; 3]) {
    step::forward(m, d);
    velocity::subtree_vel(m, &d.awake, &d.pose, &mut d.motion, &mut d.scratch.velocity.acc);
    (d.motion.subtree_linvel[0].map(|v| v * m.body_subtreemass[0]), d.motion.subtree_angmom[0])
}

#[test]
fn internal_forces_keep_momentum_and_energy() {
    let mut m = model(FLOATING, Integrator::Rk4, 2.5e-4);
    let mut d = Data::new(&m);
    kick(&m, &mut d, 1.0);
    let (before, energy_before) = (momentum(&m, &mut d), energy(&mut m, &mut d));
    for _ in 0..400 {
        step::step(&m, &mut d);
    }
    let (after, energy_after) = (momentum(&m, &mut d), energy(&mut m, &mut d));
    for k in 0..3 {
        assert!((before.0[k] - after.0[k]).abs() < MOMENTUM, "linear {before:?} {after:?}");
        assert!((before.1[k] - after.1[k]).abs() < MOMENTUM, "angular {before:?} {after:?}");
    }
    assert!((energy_before - energy_after).abs() < INTEGRATED * energy_before, "{energy_before} {energy_after}");
}

/// Position after 0.2 s with `n` steps.
fn state_after(xml: &str, integrator: Integrator, n: usize) -> Vec<f64> {
    let m = model(xml, integrator, 0.2 / n as f64);
    let mut d = Data::new(&m);
    kick(&m, &mut d, 1.0);
    for u in d.state.ctrl.iter_mut() {
        *u = 0.4;
    }
    (0..n).for_each(|_| step::step(&m, &mut d));
    assert!((d.state.time - 0.2).abs() < SOLVED);
    d.state.qpos.to_vec()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

const FIRST_ORDER: [Integrator; 4] =
    [Integrator::Euler, Integrator::Implicit, Integrator::Implicitfast, Integrator::Implicitspringdamper];

#[test]
fn integrators_converge_at_their_order() {
    for xml in [FLOATING, DAMPED] {
        let exact = state_after(xml, Integrator::Rk4, 4000);
        let order = |integrator, n| {
            let [coarse, fine] = [n, 2 * n].map(|n| distance(&state_after(xml, integrator, n), &exact));
            (coarse / fine).log2()
        };
        for integrator in FIRST_ORDER {
            let p = order(integrator, 500);
            assert!((p - 1.0).abs() < 0.1, "{integrator:?} has order {p}");
        }
    }
    // quaternions advance with the mean velocity, which neglects that rotations do not commute: order 2
    for (xml, want) in [(HINGES, 4.0), (FLOATING, 2.0)] {
        let exact = state_after(xml, Integrator::Rk4, 4000);
        let [coarse, fine] = [25, 50].map(|n| distance(&state_after(xml, Integrator::Rk4, n), &exact));
        let p = (coarse / fine).log2();
        assert!(p > want - 0.1 && p < want + 0.3, "RK4 has order {p}, not {want}");
    }
}

#[test]
fn inverse_dynamics_returns_the_force() {
    let m = model(FLOATING, Integrator::Euler, 1e-3);
    let mut d = Data::new(&m);
    kick(&m, &mut d, 2.0);
    step::forward(&m, &mut d);
    let force: Vec<f64> = (0..m.nv).map(|i| (3.1 * i as f64).cos()).collect();
    let mut qacc: Vec<f64> = force.iter().zip(d.force.qfrc_bias.iter()).map(|(f, b)| f - b).collect();
    inertia::solve_m(&m, &d.inertia, &mut qacc);
    let mut back = vec![0.0; m.nv];
    let Data { awake, state, pose, motion, scratch, .. } = &mut d;
    velocity::rne(&m, awake, state, pose, motion, Some(&qacc), &mut scratch.velocity, &mut back);
    assert!(distance(&force, &back) < ROUNDING_SUMS, "{force:?} {back:?}");
}

/// Forces that `qDeriv` differentiates, at the current velocity.
fn smooth_force(m: &Model, d: &mut Data) -> Vec<f64> {
    step::fwd_velocity(m, d, &mut ());
    step::fwd_actuation(m, d, &mut ());
    (0..m.nv).map(|i| d.force.qfrc_passive[i] + d.force.qfrc_actuator[i] - d.force.qfrc_bias[i]).collect()
}

#[test]
fn velocity_derivative_matches_differences() {
    for xml in [FLOATING, DAMPED] {
        let m = model(xml, Integrator::Implicit, 1e-3);
        let mut d = Data::new(&m);
        kick(&m, &mut d, 1.0);
        d.state.ctrl.iter_mut().for_each(|u| *u = 0.3);
        d.state.act.iter_mut().for_each(|a| *a = 0.6);
        step::forward(&m, &mut d);
        step::smooth_vel(&m, &mut d, true);
        let analytic = d.deriv.qDeriv.to_vec();
        let (eps, start) = (1e-6, d.state.qvel.to_vec());
        for j in 0..m.nv {
            let [low, high] = [-eps, eps].map(|e| {
                d.state.qvel.copy_from_slice(&start);
                d.state.qvel[j] += e;
                smooth_force(&m, &mut d)
            });
            for i in 0..m.nv {
                let row = m.D_rowadr[i] as usize..(m.D_rowadr[i] + m.D_rownnz[i]) as usize;
                let Some(at) = row.clone().find(|&k| m.D_colind[k] as usize == j) else { continue };
                let numeric = (high[i] - low[i]) / (2.0 * eps);
                assert!((analytic[at] - numeric).abs() < SINGLE, "({i}, {j}): {} {numeric}", analytic[at]);
            }
        }
    }
}

#[test]
fn stokes_drag_on_a_sphere() {
    let xml = r#"<mujoco><option gravity="0 0 0" viscosity=".7"/><worldbody>
        <body><freejoint/><geom size=".1" fluidshape="ellipsoid"/></body></worldbody></mujoco>"#;
    let m = model(xml, Integrator::Euler, 1e-3);
    let mut d = Data::new(&m);
    d.state.qvel.copy_from_slice(&[1.0, -2.0, 0.5, 3.0, -1.0, 0.2]);
    step::forward(&m, &mut d);
    let pi = std::f64::consts::PI;
    for k in 0..3 {
        let (force, torque) = (d.force.qfrc_fluid[k], d.force.qfrc_fluid[3 + k]);
        assert!((force + 6.0 * pi * 0.7 * 0.1 * d.state.qvel[k]).abs() < ROUNDING);
        assert!((torque + 8.0 * pi * 0.7 * 0.1f64.powi(3) * d.state.qvel[3 + k]).abs() < ROUNDING);
    }
}

#[test]
fn bad_states_are_refused_or_reset() {
    let m = model(DAMPED, Integrator::Euler, 1e-3);
    let mut d = Data::new(&m);
    step::step(&m, &mut d);
    d.state.qvel[1] = f64::NAN;
    let time = d.state.time;
    assert_eq!(step::try_step(&m, &mut d, &mut ()), Err(StepError::BadQvel(1)));
    assert_eq!(d.state.time, time);
    step::step(&m, &mut d);
    assert!((d.state.time - 1e-3).abs() < EXACT, "reset, then one step");
    assert_eq!(step::try_step(&m, &mut d, &mut ()), Ok(()));
}

#[derive(Default)]
struct Counter {
    control: usize,
    passive: usize,
}

impl Hooks for Counter {
    fn control(&mut self, _: &Model, d: &mut Data) {
        self.control += 1;
        d.state.ctrl.iter_mut().for_each(|u| *u = 0.5);
    }
    fn passive(&mut self, _: &Model, d: &mut Data) {
        self.passive += 1;
        d.force.qfrc_passive[0] += 10.0;
    }
}

#[test]
fn callbacks_run_once_per_evaluation() {
    for (integrator, times) in [(Integrator::Euler, 1), (Integrator::Rk4, 4), (Integrator::Implicit, 1)] {
        let m = model(DAMPED, integrator, 1e-3);
        let (mut plain, mut hooked) = (Data::new(&m), Data::new(&m));
        let mut hooks = Counter::default();
        plain.state.ctrl.iter_mut().for_each(|u| *u = 0.5);
        plain.state.qfrc_applied[0] = 10.0;
        for _ in 0..3 {
            step::step(&m, &mut plain);
            step::step_with(&m, &mut hooked, &mut hooks);
        }
        assert_eq!((hooks.control, hooks.passive), (3 * times, 3 * times));
        assert!(distance(&plain.state.qpos, &hooked.state.qpos) < LAST_BITS);
    }
}
