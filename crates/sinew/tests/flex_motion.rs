//! Free motion of flexes: rigid motions cost no energy, momentum is conserved.

mod common;

use common::flex::{at, boxed, cable, curved_shell, largest, moved, noise, shell, solid};
use common::tolerance::{INTEGRATED, ROUNDING_SUMS, SOLVED};
use sinew_engine::{Data, Model, step};
use sinew_math::{Vec3, quat, vec3};

/// Every kind of elastic flex, with dampers, and whether its forces have no net torque: bending dampers have one, as
/// has the spring of a box, which ignores the rotation of the box.
fn kinds() -> Vec<(&'static str, Model, bool)> {
    let damping = r#"damping=".002""#;
    vec![
        ("cable", cable(r#"stiffness="40" damping=".1""#), true),
        ("bending", shell("bend", ""), true),
        ("stretching", shell("stretch", damping), true),
        ("both", shell("both", damping), false),
        ("curved", curved_shell("both"), true),
        ("solid", solid(damping), true),
        ("trilinear", boxed("trilinear", damping), false),
        ("quadratic", boxed("quadratic", damping), false),
    ]
}

/// Maps a point by a rotation about a skew axis and a translation.
fn carried(x: Vec3) -> Vec3 {
    let turn = quat::from_axis_angle(vec3::normalize([0.3, -0.5, 0.8]).0, 1.1);
    vec3::add(quat::rotate(turn, x), [0.3, -0.2, 0.5])
}

/// Curved shells are left out: their bending is that of a plane, see below.
#[test]
fn a_rigid_motion_gives_no_force() {
    for (name, m, _) in kinds().into_iter().filter(|k| k.0 != "curved") {
        let qpos = moved(&m, carried);
        let bent: Vec<f64> = qpos.iter().zip(noise(m.nq, 0.01)).map(|(q, n)| q + n).collect();
        let (still, strained) = (at(&m, &qpos), at(&m, &bent));
        let (got, scale) = (largest(&still.force.qfrc_spring), largest(&strained.force.qfrc_spring));
        assert!(scale > 1e-2 && got < ROUNDING_SUMS * scale.max(1.0), "{name}: {got} of {scale}");
    }
}

/// Damping acts only on changes of length, and the velocity field of a rigid motion changes no lengths.
#[test]
fn a_rigid_velocity_gives_no_damping() {
    for (name, m, _) in kinds().into_iter().filter(|k| k.0 != "curved") {
        let spin = [0.4, -0.7, 1.3];
        let mut forces = [0.0; 2];
        for (force, shear) in forces.iter_mut().zip([0.0, 0.5]) {
            let mut d = Data::new(&m);
            for (v, body) in d.state.qvel.chunks_exact_mut(3).zip(2..) {
                let x = m.body_pos[body];
                let bulge = shear * (x[0] + x[1]).powi(2);
                v.copy_from_slice(&vec3::add(vec3::cross(spin, x), [0.1 + bulge, 0.2, bulge - 0.3]));
            }
            step::forward(&m, &mut d);
            // damping of elements is part of the spring forces
            *force = largest(&d.force.qfrc_damper).max(largest(&d.force.qfrc_spring));
        }
        // elements use the previous step along a chord, which a rotation lengthens to second order
        let step = (1.5 * m.opt.timestep).powi(2);
        assert!(forces[0] < forces[1].max(1.0) * (ROUNDING_SUMS + step), "{name}: {forces:?}");
        assert!(forces[1] > 0.0 || name == "bending", "{name}");
    }
}

/// Linear momentum, and angular momentum about the origin.
fn momenta(m: &Model, d: &Data) -> [f64; 6] {
    let mut sum = [0.0; 6];
    for b in 2..m.nbody {
        let first = m.body_dofadr[b] as usize;
        let v = std::array::from_fn(|k| m.body_mass[b] * d.state.qvel[first + k]);
        let x = std::array::from_fn(|k| m.body_pos[b][k] + d.state.qpos[first + k]);
        let turning = vec3::cross(x, v);
        (0..3).for_each(|k| sum[k] += v[k]);
        (0..3).for_each(|k| sum[3 + k] += turning[k]);
    }
    sum
}

/// Semi-implicit Euler conserves both exactly.
#[test]
fn momentum_is_kept_in_free_flight() {
    for (name, mut m, central) in kinds() {
        m.opt.timestep = 2e-5; // within the stability limit of all of them
        let mut d = Data::new(&m);
        d.state.qpos.copy_from_slice(&noise(m.nq, 0.003));
        d.state.qvel.copy_from_slice(&noise(m.nv, 0.2));
        let before = momenta(&m, &d);
        let speed = d.state.qvel.to_vec();
        (0..1000).for_each(|_| step::step(&m, &mut d));
        let after = momenta(&m, &d);
        assert!(d.state.qvel.iter().zip(&speed).any(|(a, b)| (a - b).abs() > 1e-3), "{name}: it moved");
        for k in 0..if central { 6 } else { 3 } {
            assert!((before[k] - after[k]).abs() < SOLVED, "{name}: {before:?} {after:?}");
        }
    }
}

/// Without damping, the energy oscillates around its initial value: the integrator is symplectic.
#[test]
fn energy_stays_in_free_flight() {
    let mut m = cable(r#"stiffness="40""#);
    m.opt.enableflags |= sinew_engine::model::enums::EnableFlags::ENERGY;
    m.opt.timestep = 1e-4;
    let mut d = Data::new(&m);
    d.state.qpos.copy_from_slice(&noise(m.nq, 0.01));
    step::forward(&m, &mut d);
    let start = d.sensor.energy[0];
    let mut worst = 0.0f64;
    for _ in 0..5000 {
        step::step(&m, &mut d);
        worst = worst.max((d.sensor.energy[0] + d.sensor.energy[1] - start).abs() / start);
    }
    assert!(worst < 0.02, "{worst}");
}

/// With damping only, kinetic energy never increases.
#[test]
fn dampers_take_energy() {
    let m = cable(r#"damping=".1""#);
    let mut d = Data::new(&m);
    d.state.qvel.copy_from_slice(&noise(m.nv, 0.2));
    let kinetic = |d: &Data| -> f64 { d.state.qvel.iter().map(|v| v * v).sum() };
    let mut last = kinetic(&d);
    for _ in 0..500 {
        step::step(&m, &mut d);
        let now = kinetic(&d);
        assert!(now <= last * (1.0 + INTEGRATED), "{now} {last}");
        last = now;
    }
}
