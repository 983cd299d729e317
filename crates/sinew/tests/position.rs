//! Identities of the position stages: Jacobians are derivatives, the mass matrix gives kinetic energy, paths are
//! shortest.

mod common;

use common::tolerance::{DIFFERENCED, ROUNDING, ROUNDING_SUMS, SAMPLED, SINGLE};
use sinew_engine::data::state::{extract_state, state_size};
use sinew_engine::kinematics::wrap::{Obstacle, wrap};
use sinew_engine::model::enums::StateFlags;
use sinew_engine::support::{inertia, jacobian, position};
use sinew_engine::{Data, Model, set_const, step};
use sinew_math::{Vec3, mat3, quat, spatial, vec3};
use sinew_mjcf::{Source, load_str};

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <geom name="post" type="cylinder" size=".1 .5" pos="0 0 .9" euler="90 0 0"/>
    <geom name="knob" size=".12" pos=".5 .1 1"/>
    <site name="anchor" pos="-.5 0 .95"/><site name="above" pos=".5 0 1.6"/>
    <body name="base" pos="0 0 1" quat="1 .2 .3 .4"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0"/>
      <body pos=".3 0 0"><joint type="ball" pos=".02 0 .01"/><geom size=".1" pos=".1 0 .1"/><site name="s1" pos=".2 .1 0"/>
        <body name="tip" pos=".2 0 .2"><joint name="h1" axis="0 1 0" pos=".1 0 0" armature=".1"/><joint axis="1 0 1"/>
          <joint type="slide" axis="0 1 1"/><geom type="ellipsoid" size=".1 .05 .07" pos="0 .1 0"/>
          <site name="s2" pos=".1 0 .3" euler="20 30 40"/></body>
      </body>
      <body pos="-.2 0 .1"><joint name="h2" axis="0 0 1"/><geom size=".08" pos="0 .2 0"/><site name="s3" pos="0 .2 .1"/></body>
    </body>
    <body pos=".5 .5 .5"><joint name="h3" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/><site name="s4" pos=".4 0 .1"/></body>
  </worldbody>
  <tendon>
    <fixed name="f"><joint joint="h1" coef="2"/><joint joint="h3" coef="-1"/></fixed>
    <spatial><site site="anchor"/><geom geom="post"/><site site="s3"/><site site="s2"/></spatial>
    <spatial><site site="anchor"/><site site="s3"/><pulley divisor="2"/><site site="s1"/>
      <geom geom="knob" sidesite="above"/><site site="s4"/></spatial>
  </tendon>
  <actuator>
    <motor tendon="f" gear="3"/><motor joint="h2" gear="-2"/>
    <general slidersite="s1" cranksite="s4" cranklength="2" gear="1.5"/>
    <motor site="s2" refsite="s4" gear="1 2 3 0 0 0"/>
  </actuator>
</mujoco>"#;

/// The model in a generic position.
fn simulation() -> (Model, Data) {
    let m = load_str(MODEL, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    let kick: Vec<f64> = (0..m.nv).map(|i| 0.4 * (1.3 * i as f64 + 0.5).sin()).collect();
    position::integrate_pos(&m, &mut d.state.qpos, &kick, 1.0);
    step::fwd_position(&m, &mut d, &mut ());
    (m, d)
}

/// Central differences along each dof of the values read by `f`.
fn differences(m: &Model, d: &Data, f: impl Fn(&Data) -> Vec<f64>) -> Vec<Vec<f64>> {
    const EPS: f64 = 1e-6;
    let shifted = |dof: usize, by: f64| {
        let mut d = d.clone();
        let mut v = vec![0.0; m.nv];
        v[dof] = by;
        position::integrate_pos(m, &mut d.state.qpos, &v, 1.0);
        step::fwd_position(m, &mut d, &mut ());
        f(&d)
    };
    let slope = |dof| shifted(dof, EPS).iter().zip(shifted(dof, -EPS)).map(|(a, b)| (a - b) / (2.0 * EPS)).collect();
    (0..m.nv).map(slope).collect()
}

fn assert_columns(name: &str, jac: &[f64], columns: &[Vec<f64>]) {
    let nv = columns.len();
    for (dof, col) in columns.iter().enumerate() {
        for (row, want) in col.iter().enumerate() {
            let got = jac[row * nv + dof];
            assert!(
                (got - want).abs() < DIFFERENCED * (1.0 + want.abs()),
                "{name}: row {row}, dof {dof}: {got} vs {want}"
            );
        }
    }
}

#[test]
fn jacobians_are_derivatives_of_positions() {
    let (m, d) = simulation();
    let (mut jacp, mut jacr) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
    for site in 0..m.nsite {
        jacobian::jac_site(&m, &d.pose, Some(&mut jacp), Some(&mut jacr), site);
        assert_columns("site", &jacp, &differences(&m, &d, |d| d.pose.site_xpos[site].to_vec()));
        // ω = ½ Σ e × ė over the axes e
        let axes = d.pose.site_xmat[site];
        let turned = differences(&m, &d, |d| d.pose.site_xmat[site].to_vec());
        let omega = turned.iter().map(|rate| {
            let rate: [f64; 9] = rate.as_slice().try_into().expect("nine numbers");
            let sum = (0..3).fold([0.0; 3], |s, k| vec3::add(s, vec3::cross(mat3::col(&axes, k), mat3::col(&rate, k))));
            vec3::scale(sum, 0.5).to_vec()
        });
        assert_columns("site rotation", &jacr, &omega.collect::<Vec<_>>());
    }
    for body in 0..m.nbody {
        jacobian::jac_subtree_com(&m, &d.pose, &mut jacp, body);
        assert_columns("subtree", &jacp, &differences(&m, &d, |d| d.pose.subtree_com[body].to_vec()));
    }
}

#[test]
fn tendon_and_actuator_moments_are_derivatives_of_lengths() {
    let (m, d) = simulation();
    assert_columns("ten_J", &d.pose.ten_J, &differences(&m, &d, |d| d.pose.ten_length.to_vec()));
    let mut moment = vec![0.0; m.nu * m.nv];
    for i in 0..m.nu {
        let start = d.trn.moment_rowadr[i] as usize;
        for adr in start..start + d.trn.moment_rownnz[i] as usize {
            moment[i * m.nv + d.trn.moment_colind[adr] as usize] = d.trn.actuator_moment[adr];
        }
    }
    // the frame of a reference site rotates with it, so its dofs are excluded from the moment
    let mut columns = differences(&m, &d, |d| d.trn.actuator_length.to_vec());
    let h3 = m.nv - 1;
    columns[h3][3] = moment[3 * m.nv + h3];
    assert_columns("actuator_moment", &moment, &columns);
    let wrapped = d.pose.wrap_obj.as_flattened().iter().filter(|o| **o >= 0).count();
    assert!(wrapped >= 2, "some tendon wraps");
}

#[test]
fn mass_matrix_gives_kinetic_energy_and_its_factor_inverts_it() {
    let (m, mut d) = simulation();
    let v: Vec<f64> = (0..m.nv).map(|i| (2.1 * i as f64 + 1.0).cos()).collect();
    d.state.qvel.copy_from_slice(&v);
    step::fwd_velocity(&m, &mut d, &mut ());
    let mut mv = vec![0.0; m.nv];
    inertia::mul_m(&m, &d.inertia, &mut mv, &v);
    let twice: f64 = mv.iter().zip(&v).map(|(a, b)| a * b).sum();
    let of_bodies: f64 = (1..m.nbody)
        .map(|b| spatial::dot(&spatial::mul_inert(&d.pose.cinert[b], &d.motion.cvel[b]), &d.motion.cvel[b]))
        .sum();
    let of_rotors: f64 = (0..m.nv).map(|i| m.dof_armature[i] * v[i] * v[i]).sum();
    assert!((twice - of_bodies - of_rotors).abs() < ROUNDING * twice.abs());

    let mut half = vec![0.0; m.nv];
    inertia::mul_m2(&m, &d.inertia, &mut half, &v);
    assert!((half.iter().map(|x| x * x).sum::<f64>() - twice).abs() < ROUNDING * twice.abs());
    inertia::solve_m(&m, &d.inertia, &mut mv);
    assert!(mv.iter().zip(&v).all(|(a, b)| (a - b).abs() < ROUNDING_SUMS));

    let mut full = vec![0.0; m.nv * m.nv];
    inertia::full_m(&m, &mut full, &d.inertia.qM);
    for i in 0..m.nv {
        let row: f64 = (0..m.nv).map(|j| full[i * m.nv + j] * v[j]).sum();
        let mut product = vec![0.0; m.nv];
        inertia::mul_m(&m, &d.inertia, &mut product, &v);
        assert!((row - product[i]).abs() < ROUNDING * (1.0 + row.abs()));
        assert!((0..m.nv).all(|j| full[i * m.nv + j] == full[j * m.nv + i]));
    }
    assert!(d.inertia.qLDiagInv.iter().all(|&x| x > 0.0));
}

#[test]
fn angular_momentum_matrix_gives_subtree_momentum() {
    let (m, mut d) = simulation();
    d.state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = (0.7 * i as f64).sin());
    step::fwd_velocity(&m, &mut d, &mut ());
    sinew_engine::velocity::subtree_vel(&m, &d.awake, &d.pose, &mut d.motion, &mut d.scratch.velocity.acc);
    let mut mat = vec![0.0; 3 * m.nv];
    for body in 0..m.nbody {
        jacobian::angmom_mat(&m, &d.pose, &mut mat, body);
        for k in 0..3 {
            let got: f64 = (0..m.nv).map(|i| mat[k * m.nv + i] * d.state.qvel[i]).sum();
            assert!((got - d.motion.subtree_angmom[body][k]).abs() < ROUNDING);
        }
    }
}

#[test]
fn integration_and_differentiation_of_positions_are_inverse() {
    let (m, d) = simulation();
    let v: Vec<f64> = (0..m.nv).map(|i| (3.3 * i as f64).sin()).collect();
    let mut there = d.state.qpos.to_vec();
    position::integrate_pos(&m, &mut there, &v, 0.7);
    let mut back = vec![0.0; m.nv];
    position::differentiate_pos(&m, &mut back, 0.7, &d.state.qpos, &there);
    assert!(back.iter().zip(&v).all(|(a, b)| (a - b).abs() < ROUNDING));
}

#[test]
fn state_vectors_round_trip() {
    let (m, mut d) = simulation();
    let sig = StateFlags::INTEGRATION.bits();
    let mut whole = vec![0.0; state_size(&m, sig).expect("a known signature")];
    d.state.get(&m, &mut whole, sig).expect("it fits");
    let mut part = vec![0.0; state_size(&m, StateFlags::QPOS.bits()).expect("a known signature")];
    extract_state(&m, &whole, sig, &mut part, StateFlags::QPOS.bits()).expect("it fits");
    assert_eq!(part[..], d.state.qpos[..]);
    let saved = d.state.qpos.to_vec();
    d.reset(&m);
    assert_ne!(saved[..], d.state.qpos[..]);
    d.state.set(&m, &whole, sig).expect("it fits");
    assert_eq!(saved[..], d.state.qpos[..]);
    assert!(state_size(&m, -1).is_err() && state_size(&m, 1 << 14).is_err());
    assert!(d.state.set(&m, &whole[1..], sig).is_err());
}

#[test]
fn constants_do_not_change_when_computed_again() {
    let (mut m, mut d) = simulation();
    let before = m.clone();
    set_const::set_const(&mut m, &mut d).expect("the model is sound");
    assert_eq!(before.body_invweight0, m.body_invweight0);
    assert_eq!(before.dof_invweight0, m.dof_invweight0);
    assert_eq!(before.tendon_length0, m.tendon_length0);
    assert_eq!(before.stat, m.stat);
}

/// Length of a string pulled tight from `x0` to `x1` outside a unit obstacle, starting on the side of `over`.
fn pulled_string(x0: Vec3, x1: Vec3, over: Vec3, cylinder: bool) -> f64 {
    const N: usize = 120;
    let outside = |p: Vec3| {
        let r = if cylinder { p[0].hypot(p[1]) } else { vec3::norm(p) };
        match r < 1.0 {
            true if cylinder => [p[0] / r, p[1] / r, p[2]],
            true => vec3::scale(p, 1.0 / r),
            false => p,
        }
    };
    // through `over`, so that the string starts on the correct side
    let mut path: Vec<Vec3> = (0..=N)
        .map(|k| {
            let t = k as f64 / N as f64;
            let (a, b, s) = if t < 0.5 { (x0, over, 2.0 * t) } else { (over, x1, 2.0 * t - 1.0) };
            vec3::add(vec3::scale(a, 1.0 - s), vec3::scale(b, s))
        })
        .collect();
    for _ in 0..4 * N * N {
        for k in 1..N {
            path[k] = outside(vec3::scale(vec3::add(path[k - 1], path[k + 1]), 0.5));
        }
    }
    path.windows(2).map(|w| vec3::dist(w[0], w[1])).sum()
}

#[test]
fn wrapped_length_is_that_of_a_string_pulled_tight() {
    let ends = ([-2.0, 0.3, 0.4], [1.5, 0.1, -0.3]);
    for cylinder in [false, true] {
        for side in [None, Some([0.0, 3.0, 0.0]), Some([0.0, -3.0, 0.0])] {
            let obstacle = Obstacle { pos: [0.0; 3], mat: &mat3::IDENTITY, radius: 1.0, cylinder };
            let touch = wrap(ends.0, ends.1, &obstacle, side).expect("the straight line is blocked");
            let [on, off] = touch.points;
            let length = vec3::dist(ends.0, on) + touch.length + vec3::dist(off, ends.1);
            // around a sphere the path lies in the plane of its centre; the side only selects the direction
            let over = match (side, cylinder) {
                (Some(s), true) => vec3::scale(s, 0.6),
                (Some(s), false) if s[1] < 0.0 => continue,
                _ => [0.0, 2.0, 0.0],
            };
            let want = pulled_string(ends.0, ends.1, over, cylinder);
            assert!((length - want).abs() < SAMPLED, "cylinder {cylinder}, side {side:?}: {length} vs {want}");
        }
    }
}

#[test]
fn wrapping_follows_the_obstacle() {
    let turn = quat::to_mat(quat::normalize([0.9, 0.3, -0.2, 0.4]).0);
    let shift = [0.3, -1.0, 2.0];
    let moved = |p: Vec3| vec3::add(mat3::mul_vec(&turn, p), shift);
    let (x0, x1, side) = ([-2.0, 0.3, 0.4], [1.5, 0.1, -0.3], [0.0, 2.0, 0.0]);
    for cylinder in [false, true] {
        let here = Obstacle { pos: [0.0; 3], mat: &mat3::IDENTITY, radius: 1.0, cylinder };
        let there = Obstacle { pos: shift, mat: &turn, radius: 1.0, cylinder };
        let a = wrap(x0, x1, &here, Some(side)).expect("it wraps");
        let b = wrap(moved(x0), moved(x1), &there, Some(moved(side))).expect("it wraps");
        assert!((a.length - b.length).abs() < ROUNDING);
        assert!((0..2).all(|k| vec3::dist(moved(a.points[k]), b.points[k]) < ROUNDING));
    }
    let free = Obstacle { pos: [0.0, 0.0, 5.0], mat: &mat3::IDENTITY, radius: 1.0, cylinder: false };
    assert_eq!(wrap(x0, x1, &free, None), None);
}

#[test]
fn inside_wrap_touches_where_the_path_is_shortest() {
    let obstacle = Obstacle { pos: [0.0; 3], mat: &mat3::IDENTITY, radius: 1.0, cylinder: true };
    let (x0, x1) = ([-1.0, 1.8, 0.0], [1.9, 1.4, 0.0]);
    let touch = wrap(x0, x1, &obstacle, Some([0.0, 0.2, 0.0])).expect("it touches");
    let length = |p: Vec3| vec3::dist(x0, p) + vec3::dist(p, x1);
    let on_circle = (0..100_000).map(|k| {
        let angle = k as f64 / 100_000.0 * std::f64::consts::TAU;
        length([angle.cos(), angle.sin(), 0.0])
    });
    let shortest = on_circle.fold(f64::INFINITY, f64::min);
    assert!((length(touch.points[0]) - shortest).abs() < SINGLE);
    assert_eq!(touch.points[0], touch.points[1]);
    assert!(touch.length < ROUNDING);
}
