//! Position-based flexes: what they conserve, what they rest on, and what rests on them.

mod common;

use common::deformable::volume;
use sinew_engine::model::enums::Integrator;
use sinew_engine::{Data, Model, step};
use sinew_math::{Vec3, mat3, quat, vec3};
use sinew_mjcf::{Source, load_str};

fn model(xml: &str) -> Model {
    load_str(xml, &Source::default()).expect("the model compiles")
}

/// A square sheet of `n` × `n` vertices, surrounded by `bodies`.
fn sheet(n: usize, material: &str, options: &str, inside: &str, bodies: &str) -> Model {
    model(&format!(
        r#"<mujoco><option {options}/><worldbody>{bodies}
        <flexcomp name="sheet" type="grid" dim="2" count="{n} {n} 1" spacing=".04 .04 .04" pos="0 0 .5" mass=".2" radius=".005">
          {inside}</flexcomp></worldbody>
        <custom><text name="sinew:deformable:sheet" data="{material}"/></custom></mujoco>"#
    ))
}

const ALONE: &str = r#"<contact selfcollide="none"/>"#;

fn border(n: usize) -> String {
    let e = n - 1;
    let sides = [[0, 0, 0, e], [e, 0, e, e], [0, 0, e, 0], [0, e, e, e]];
    let pins = sides.map(|[a, b, c, d]| format!(r#"<pin gridrange="{a} {b} {c} {d}"/>"#));
    format!("{ALONE}{}", pins.concat())
}

/// First dof of a named body.
fn dof(m: &Model, body: &str) -> usize {
    let b = m.name2id(sinew_engine::model::enums::ObjType::Body, body).expect("it is there");
    m.body_dofadr[b] as usize
}

fn fastest(d: &Data) -> f64 {
    d.state.qvel.iter().fold(0.0, |a, v| v.abs().max(a))
}

fn run(m: &Model, d: &mut Data, seconds: f64) {
    while d.state.time < seconds {
        step::step(m, d);
    }
    assert!(d.warning.iter().all(|w| w.number == 0), "{:?}", d.warning);
}

/// Momentum of all bodies, and angular momentum about the origin.
fn momentum(m: &Model, d: &mut Data) -> [Vec3; 2] {
    step::fwd_position(m, d, &mut ());
    step::fwd_velocity(m, d, &mut ());
    (1..m.nbody).fold([[0.0; 3]; 2], |[sum, turn], b| {
        let root = d.pose.subtree_com[m.body_rootid[b] as usize];
        let v = sinew_math::spatial::transform_motion(&d.motion.cvel[b], d.pose.xipos[b], root, None);
        let [lin, rot] = [sinew_math::spatial::lin(&v), sinew_math::spatial::rot(&v)];
        let own = mat3::mul_vec_t(&d.pose.ximat[b], rot);
        let spin = mat3::mul_vec(&d.pose.ximat[b], std::array::from_fn(|k| own[k] * m.body_inertia[b][k]));
        // bodies on slide joints do not rotate
        let turn = vec3::add(turn, vec3::add_scaled(spin, vec3::cross(d.pose.xipos[b], lin), m.body_mass[b]));
        [vec3::add_scaled(sum, lin, m.body_mass[b]), turn]
    })
}

#[test]
fn a_sheet_falls_on_a_ball_and_the_floor() {
    let bodies = r#"<geom type="plane" size="5 5 .1"/><geom size=".2" pos="0 0 .25"/>"#;
    let m = sheet(21, "cotton damping=4", "timestep='.005'", ALONE, bodies);
    let mut d = Data::new(&m);
    run(&m, &mut d, 3.0);
    let mut on_ball = 0;
    for x in d.pose.flexvert_xpos.iter() {
        let (ball, floor) = (vec3::dist(*x, [0.0, 0.0, 0.25]) - 0.2, x[2]);
        assert!(ball > 0.005 - 1e-6 && floor > 0.005 - 1e-6, "{ball} {floor}");
        on_ball += usize::from(ball < 0.006);
    }
    let part = on_ball as f64 / 441.0;
    assert!((0.2..0.5).contains(&part), "{part} lie on the ball");
    assert!(fastest(&d) < 0.02, "{}", fastest(&d));
    let energy: f64 = d.state.qvel.iter().map(|v| 0.5 * 0.2 / 441.0 * v * v).sum();
    assert!(energy < 1e-5, "{energy} J");
}

#[test]
fn a_ball_rests_on_a_sheet() {
    // with one sweep it bounces for longer
    for (h, more, rest) in
        [(0.005, "damping=20 iterations=4", 5.0), (0.01, "damping=20 iterations=4", 5.0), (0.01, "", 10.0)]
    {
        let ball = r#"<body name="ball" pos="0 0 .62"><freejoint/><geom size=".1" mass="1"/></body>"#;
        let options = format!("timestep='{h}'");
        let m = sheet(15, &format!("rubber {more}"), &options, &border(15), ball);
        let (mut d, z) = (Data::new(&m), dof(&m, "ball") + 2);
        run(&m, &mut d, rest);
        let (before, start) = (d.state.qvel[z], d.state.time);
        run(&m, &mut d, rest + 1.0);
        let force = (d.state.qvel[z] - before) / (d.state.time - start) + 9.81;
        let at = vec3::sub([d.state.qpos[0], d.state.qpos[1], d.state.qpos[2]], [0.0; 3]);
        let nearest = d.pose.flexvert_xpos.iter().map(|x| vec3::dist(*x, at)).fold(1.0, f64::min);
        assert!((force / 9.81 - 1.0).abs() < 0.02, "h {h} {more}: {force}");
        // half of the thickness of the rubber
        assert!(0.105 - nearest < 5e-4, "h {h} {more}: {nearest}");
        let speed = vec3::norm(std::array::from_fn(|k| d.state.qvel[z - 2 + k]));
        assert!(speed < 0.02, "h {h} {more}: {speed}");
    }
}

/// A body's angular momentum about its centre of mass, in its frame at the start of a step, minus its change in free
/// rotation. Only torques change it under Euler's method: `I ω⁺ + h ω × I ω`.
fn spin(m: &Model, d: &Data, b: usize, after: Option<Vec3>) -> Vec3 {
    let own = |rot: Vec3| mat3::mul_vec_t(&d.pose.ximat[b], rot);
    let inertia = |w: Vec3| -> Vec3 { std::array::from_fn(|k| w[k] * m.body_inertia[b][k]) };
    let before = own(sinew_math::spatial::rot(&d.motion.cvel[b]));
    let turned = vec3::scale(vec3::cross(before, inertia(before)), m.opt.timestep);
    mat3::mul_vec(&d.pose.ximat[b], after.map_or(inertia(before), |w| vec3::add(inertia(w), turned)))
}

/// A box flies into a sheet. Returns the largest change of linear and angular momentum in a step, with the box's
/// rotation counted as the integrator does, and the final velocity of the box.
fn meet(integrator: &str, half: &str) -> ([f64; 2], f64) {
    let geom = format!(r#"<geom type="box" size="{half}" mass="1"/>"#);
    let body = format!(r#"<body name="box" pos=".05 0 .62" euler="20 10 0"><freejoint/>{geom}</body>"#);
    let m = sheet(15, "cotton", &format!("gravity='0 0 0' integrator='{integrator}'"), ALONE, &body);
    let (mut d, v) = (Data::new(&m), dof(&m, "box"));
    d.state.qvel[v..v + 6].copy_from_slice(&[0.3, 0.1, -1.0, 1.0, 2.0, 3.0]);
    let mut before = momentum(&m, &mut d);
    let mut worst = [0.0f64; 2];
    for _ in 0..150 {
        let start = d.clone();
        step::step(&m, &mut d);
        let now = momentum(&m, &mut d);
        let turning: Vec3 = std::array::from_fn(|k| d.state.qvel[v + 3 + k]);
        let turning = mat3::mul_vec_t(&quat::to_mat(m.body_iquat[1]), turning);
        let counted = if integrator == "RK4" {
            [0.0; 3]
        } else {
            vec3::sub(spin(&m, &start, 1, Some(turning)), spin(&m, &d, 1, None))
        };
        let angular = vec3::add(vec3::sub(now[1], before[1]), counted);
        worst = [worst[0].max(vec3::dist(now[0], before[0])), worst[1].max(vec3::norm(angular))];
        before = now;
    }
    (worst, d.state.qvel[v + 2])
}

#[test]
fn momentum_goes_from_one_to_the_other() {
    for integrator in ["Euler", "implicitfast", "RK4"] {
        for half in [".08 .08 .08", ".1 .08 .05"] {
            let ([linear, angular], v) = meet(integrator, half);
            assert!(linear < 1e-12, "{integrator} {half}: {linear:e}");
            // one rotation for the four stages, as in MuJoCo, has an error of `h³ ω × ω̇/12`
            let bound = if integrator == "RK4" { 1e-8 } else { 1e-12 };
            assert!(angular < bound, "{integrator} {half}: {angular:e}");
            assert!(v > -0.95, "{integrator} {half}: the sheet slows the box");
        }
    }
}

#[test]
fn a_rope_comes_to_rest_over_an_edge() {
    let m = model(
        r#"<mujoco><option timestep="0.016666"/><worldbody><geom type="box" size=".3 .3 .3" pos="-.3 0 .3"/>
        <flexcomp name="rope" type="grid" dim="1" count="11 1 1" spacing=".05 .05 .05" pos="-.1 0 .62" mass=".1" radius=".01">
          <contact selfcollide="none"/></flexcomp></worldbody>
        <custom><text name="sinew:deformable:rope" data="rope friction=1"/></custom></mujoco>"#,
    );
    let mut d = Data::new(&m);
    (0..500).for_each(|_| step::step(&m, &mut d));
    assert!(fastest(&d) < 1e-4, "{}", fastest(&d));
}

#[test]
fn forward_moves_nothing_and_runge_kutta_moves_once() {
    let m = sheet(9, "silk", "", ALONE, r#"<geom size=".1" pos="0 0 .4"/>"#);
    let mut d = Data::new(&m);
    run(&m, &mut d, 0.1);
    let before = d.state.qpos.clone();
    step::forward(&m, &mut d);
    let first = d.accel.qacc.clone();
    step::forward(&m, &mut d);
    assert_eq!((&d.state.qpos, &d.accel.qacc), (&before, &first));
    let mut other = m.clone();
    other.opt.integrator = Integrator::Rk4;
    let mut rk = d.clone();
    step::step(&m, &mut d);
    step::step(&other, &mut rk);
    let apart = d.state.qpos.iter().zip(rk.state.qpos.iter()).fold(0.0, |a: f64, (x, y)| a.max((x - y).abs()));
    assert!(apart < 1e-12, "{apart}");
}

/// Sag of the end of a strip of 0.2 m that is held at one side.
fn sag(bending: f64) -> f64 {
    let m = model(&format!(
        r#"<mujoco><option timestep=".005"/><worldbody><flexcomp name="strip" type="grid" dim="2" count="12 3 1" spacing=".02 .02 .02"
          mass=".0072" radius=".002"><contact selfcollide="none"/><pin id="0 1 2 3 4 5"/></flexcomp></worldbody><custom><text
          name="sinew:deformable:strip" data="paper young=1e8 thickness=2.6e-3 poisson=0 bending={bending} damping=20 iterations=40"/></custom></mujoco>"#
    ));
    let mut d = Data::new(&m);
    let ends = |d: &Data| d.pose.flexvert_xpos[33..36].iter().map(|x| x[2]).sum::<f64>() / 3.0;
    step::forward(&m, &mut d);
    let before = ends(&d);
    run(&m, &mut d, 1.5);
    before - ends(&d)
}

#[test]
fn a_strip_bends_by_its_stiffness() {
    // a beam with the masses of three vertices every 2 cm; with hinges on a grid, as in MuJoCo, a strip has 0.6 of its
    // stiffness
    let [whole, double] = [sag(1.0), sag(2.0)];
    let stiffness = 0.6 * 0.04 * 1e8 * 2.6e-3f64.powi(3) / 12.0;
    let expected: f64 =
        (1..=10).map(|i| 0.02 * f64::from(i)).map(|x| 6e-4 * 9.81 * x * x * (0.6 - x) / (6.0 * stiffness)).sum();
    assert!((whole / expected - 1.0).abs() < 0.15, "{whole} {expected}");
    assert!((whole / double - 2.0).abs() < 0.2, "{whole} {double}");
}

#[test]
fn pinned_vertices_stay_where_they_are() {
    // starts in the middle of a ball
    let m = sheet(5, "silk", "", r#"<pin id="0 12"/>"#, r#"<geom size=".05" pos="0 0 .5"/>"#);
    let mut d = Data::new(&m);
    step::forward(&m, &mut d);
    let before = [d.pose.flexvert_xpos[0], d.pose.flexvert_xpos[12]];
    run(&m, &mut d, 0.5);
    assert_eq!([d.pose.flexvert_xpos[0], d.pose.flexvert_xpos[12]], before);
}

#[test]
fn a_hanging_rope_stretches_by_its_compliance() {
    // links of 1e-4 m/N: 0.1 m long, with radius 1 cm
    let young = 0.1 / (1e-4 * std::f64::consts::PI * 1e-4);
    let m = model(&format!(
        r#"<mujoco><worldbody><flexcomp name="rope" type="grid" dim="1" count="11 1 1" spacing=".1 .1 .1" euler="0 90 0" pos="0 0 2"
          mass="1.1" radius=".01"><pin id="0"/></flexcomp></worldbody><custom><text name="sinew:deformable:rope"
          data="rope young={young} bending=0 damping=30 substeps=4 iterations=30"/></custom></mujoco>"#
    ));
    let mut d = Data::new(&m);
    run(&m, &mut d, 2.0);
    let x = &d.pose.flexvert_xpos;
    for j in 0..10 {
        let (stretch, load) = (vec3::dist(x[j], x[j + 1]) - 0.1, 9.81e-4 * (10 - j) as f64 * 0.1);
        assert!((stretch / load - 1.0).abs() < 2e-3, "link {j}: {stretch} {load}");
    }
}

#[test]
fn a_soft_cube_keeps_its_volume() {
    let m = model(
        r#"<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="1 1 1"/>
        <flexcomp name="cube" type="grid" dim="3" count="4 4 4" spacing=".05 .05 .05" pos="0 0 .09" mass="3.4" radius=".005">
          <contact selfcollide="none"/></flexcomp></worldbody>
        <custom><text name="sinew:deformable:cube" data="rubber young=1e4 poisson=.49 damping=2"/></custom></mujoco>"#,
    );
    let mut d = Data::new(&m);
    step::forward(&m, &mut d);
    let before = volume(&m, &d);
    assert!((before.abs() / 0.15f64.powi(3) - 1.0).abs() < 1e-9, "{before}");
    run(&m, &mut d, 2.0);
    assert!((volume(&m, &d) / before - 1.0).abs() < 0.02, "{} {before}", volume(&m, &d));
    let height = d.pose.flexvert_xpos.iter().fold(0.0, |h: f64, x| h.max(x[2]));
    assert!((0.08..0.15).contains(&height), "its weight presses it down: {height}");
}
