//! Bodies that fly, spin and swim, against closed forms.

mod common;

use common::tolerance::{INTEGRATED, ROUNDING, ROUNDING_SUMS, SETTLED, SINGLE, SOLVED};
use sinew_engine::model::enums::Integrator;
use sinew_engine::{Data, Model, step};
use sinew_math::{mat3, quat, vec3};
use sinew_mjcf::{Source, load_str};
use std::f64::consts::PI;

fn free_body(option: &str, geom: &str, integrator: Integrator, timestep: f64) -> (Model, Data) {
    let xml = format!("<mujoco><option {option}/><worldbody><body><freejoint/>{geom}</body></worldbody></mujoco>");
    let mut m = load_str(&xml, &Source::default()).expect("the model compiles");
    m.opt.integrator = integrator;
    m.opt.timestep = timestep;
    let d = Data::new(&m);
    (m, d)
}

const INTEGRATORS: [Integrator; 5] = [
    Integrator::Euler,
    Integrator::Rk4,
    Integrator::Implicit,
    Integrator::Implicitfast,
    Integrator::Implicitspringdamper,
];

#[test]
fn thrown_bodies_fly_parabolas() {
    let (h, n, g) = (0.01, 100, [0.3, -0.2, -9.81]);
    for integrator in INTEGRATORS {
        let (m, mut d) = free_body(r#"gravity=".3 -.2 -9.81""#, r#"<geom type="box" size=".1 .2 .3"/>"#, integrator, h);
        d.state.qvel[..3].copy_from_slice(&[1.0, 2.0, 3.0]);
        (0..n).for_each(|_| step::step(&m, &mut d));
        // Runge–Kutta is exact; the others use the velocity at the end of each step
        let steps = n as f64;
        let sum = if integrator == Integrator::Rk4 { steps * steps / 2.0 } else { steps * (steps + 1.0) / 2.0 };
        for k in 0..3 {
            let want = [1.0, 2.0, 3.0][k] * h * steps + g[k] * h * h * sum;
            assert!((d.state.qpos[k] - want).abs() < ROUNDING_SUMS, "{integrator:?}");
            assert!((d.state.qvel[k] - ([1.0, 2.0, 3.0][k] + g[k] * h * steps)).abs() < ROUNDING_SUMS);
        }
    }
}

/// Angular momentum in the world frame, and kinetic energy, of the rotation of a body about its centre of mass.
fn spin(m: &Model, d: &Data) -> ([f64; 3], f64) {
    let (state, frame) = (&d.state, quat::to_mat(m.body_iquat[1]));
    let rate = mat3::mul_vec_t(&frame, [state.qvel[3], state.qvel[4], state.qvel[5]]);
    let momentum: [f64; 3] = std::array::from_fn(|k| m.body_inertia[1][k] * rate[k]);
    let turn = quat::to_mat([state.qpos[3], state.qpos[4], state.qpos[5], state.qpos[6]]);
    (mat3::mul_vec(&mat3::mul(&turn, &frame), momentum), 0.5 * vec3::dot(rate, momentum))
}

#[test]
fn free_rotation_keeps_momentum_and_energy() {
    let (m, mut d) = free_body(r#"gravity="0 0 0""#, r#"<geom type="box" size=".3 .2 .1"/>"#, Integrator::Rk4, 1e-4);
    // near the unstable axis, so that the body tumbles
    d.state.qvel[3..].copy_from_slice(&[0.5, 8.0, 0.5]);
    let (before, energy) = spin(&m, &d);
    let mut slowest = f64::INFINITY;
    for _ in 0..20_000 {
        step::step(&m, &mut d);
        slowest = slowest.min(d.state.qvel[4]);
    }
    let (after, energy_after) = spin(&m, &d);
    assert!(vec3::dist(before, after) < SETTLED * vec3::norm(before), "{before:?} {after:?}");
    assert!((energy - energy_after).abs() < SINGLE * energy, "{energy} {energy_after}");
    assert!(slowest < -4.0, "it tumbled: {slowest}");
}

#[test]
fn symmetric_tops_precess() {
    // the rate component normal to the symmetry axis rotates with (I3 − I1) / I1 times the spin
    let h = 1e-4;
    let (m, mut d) =
        free_body(r#"gravity="0 0 0""#, r#"<geom type="cylinder" size=".3 .05" mass="1"/>"#, Integrator::Rk4, h);
    d.state.qvel[3..].copy_from_slice(&[1.0, 0.0, 10.0]);
    let [i1, i3] = [1.0 / 12.0 * (3.0 * 0.09 + 0.01), 0.5 * 0.09];
    (0..5000).for_each(|_| step::step(&m, &mut d));
    let angle = (i3 - i1) / i1 * 10.0 * 5000.0 * h;
    let w = &d.state.qvel[3..];
    assert!((w[0] - angle.cos()).abs() < SOLVED && (w[1] - angle.sin()).abs() < SOLVED, "{w:?}, {angle}");
    assert!((w[2] - 10.0).abs() < ROUNDING);
}

#[test]
fn quadratic_drag_on_a_box() {
    let (m, mut d) = free_body(
        r#"gravity="0 0 0" density="1.2""#,
        r#"<geom type="box" size=".1 .2 .3" mass="2"/>"#,
        Integrator::Euler,
        1e-3,
    );
    // the box of equal inertia is the box itself
    let v: [f64; 3] = [1.5, -2.0, 0.5];
    let w: [f64; 3] = [0.7, -0.4, 1.1];
    d.state.qvel.copy_from_slice(&[v, w].concat());
    step::forward(&m, &mut d);
    let edge = [0.2, 0.4, 0.6];
    for k in 0..3 {
        let (a, b) = (edge[(k + 1) % 3], edge[(k + 2) % 3]);
        let force = -0.5 * 1.2 * a * b * v[k].abs() * v[k];
        let torque = -1.2 * edge[k] * (f64::powi(a, 4) + f64::powi(b, 4)) / 64.0 * w[k].abs() * w[k];
        assert!((d.force.qfrc_fluid[k] - force).abs() < ROUNDING, "{k}");
        assert!((d.force.qfrc_fluid[3 + k] - torque).abs() < ROUNDING, "{k}");
    }
}

#[test]
fn falling_bodies_reach_terminal_speed() {
    let (m, mut d) = free_body(
        r#"gravity="0 0 -9.81" density="1.2""#,
        r#"<geom type="box" size=".1 .1 .1" mass=".05"/>"#,
        Integrator::Implicitfast,
        2e-3,
    );
    (0..10_000).for_each(|_| step::step(&m, &mut d));
    let terminal = (2.0 * 0.05 * 9.81 / (1.2 * 0.04_f64)).sqrt();
    assert!((d.state.qvel[2] + terminal).abs() < INTEGRATED * terminal, "{} {terminal}", d.state.qvel[2]);
}

#[test]
fn drag_and_lift_on_a_spinning_ball() {
    // coefficients: blunt drag, slender drag, angular drag, Kutta lift, Magnus lift
    let (m, mut d) = free_body(
        r#"gravity="0 0 0" density="1.2""#,
        r#"<geom size=".1" fluidshape="ellipsoid" fluidcoef=".4 .2 1.5 1 .8"/>"#,
        Integrator::Euler,
        1e-3,
    );
    let (v, w) = ([1.5, -2.0, 0.5], [0.7, -0.4, 1.1]);
    d.state.qvel.copy_from_slice(&[v, w].concat());
    step::forward(&m, &mut d);
    let (density, r) = (1.2, 0.1_f64);
    let volume = 4.0 / 3.0 * PI * r.powi(3);
    let drag = -density * 0.4 * PI * r * r * vec3::norm(v);
    // Magnus lift, minus the momentum of the added mass of a ball: half its volume of fluid
    let lift = vec3::scale(vec3::cross(w, v), density * volume * (0.8 - 0.5));
    for k in 0..3 {
        let want = drag * v[k] + lift[k];
        assert!((d.force.qfrc_fluid[k] - want).abs() < SINGLE * drag.abs(), "{k}: {} {want}", d.force.qfrc_fluid[k]);
    }
}
