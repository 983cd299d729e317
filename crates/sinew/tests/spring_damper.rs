//! The integrator that is implicit in springs and dampers, against its equation solved by hand.

use sinew_engine::hooks::Hooks;
use sinew_engine::inverse::inverse;
use sinew_engine::model::enums::{EnableFlags, Integrator, JacobianType, Warning};
use sinew_engine::step::step;
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_str};

const NAME: &str = "implicitspringdamper";

fn model(option: &str, body: &str, rest: &str) -> Model {
    let xml = format!("<mujoco><option {option}/><worldbody>{body}</worldbody>{rest}</mujoco>");
    load_str(&xml, &Source::default()).expect("the model compiles")
}

/// One mass on a slide joint.
fn oscillator(integrator: &str, h: f64, mass: f64, k: f64, b: f64) -> Model {
    let body = format!(
        r#"<body><joint type="slide" axis="0 0 1" stiffness="{k}" damping="{b}" springref=".1"/>
           <geom size=".1" mass="{mass}"/></body>"#
    );
    model(&format!(r#"integrator="{integrator}" timestep="{h}" gravity="0 0 -2""#), &body, "")
}

/// Two hinges in series, coupled by a tendon over their difference.
fn hinges(option: &str, tendon: &str) -> Model {
    let body = r#"<body><joint name="a" axis="0 1 0"/><geom size=".1" mass="1" pos="0 0 0"/>
        <body pos="1 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" mass="1"/></body></body>"#;
    let rest =
        format!(r#"<tendon><fixed {tendon}><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>"#);
    model(&format!(r#"integrator="{NAME}" timestep="0.001" gravity="0 0 0" {option}"#), body, &rest)
}

fn assert_near(got: &[f64], want: &[f64], relative: f64) {
    let size = want.iter().fold(1e-12_f64, |s, w| s.max(w.abs()));
    assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < relative * size), "{got:?} should be {want:?}");
}

/// Solves a 2 × 2 system.
fn solve2([a, b, c, d]: [f64; 4], [x, y]: [f64; 2]) -> [f64; 2] {
    let det = a * d - b * c;
    [(d * x - b * y) / det, (a * y - c * x) / det]
}

#[test]
fn one_mass_follows_implicit_euler() {
    let (h, mass, k, b) = (0.01, 2.0, 500.0, 3.0);
    let m = oscillator(NAME, h, mass, k, b);
    let mut d = Data::new(&m);
    d.state.qvel[0] = 1.0;
    let (mut q, mut v) = (0.0, 1.0);
    for _ in 0..300 {
        step(&m, &mut d);
        v = (mass * v + h * (-2.0 * mass - k * (q - 0.1))) / (mass + h * b + h * h * k);
        q += h * v;
        assert_near(&[d.state.qpos[0], d.state.qvel[0]], &[q, v], 1e-12);
    }
}

#[test]
fn a_tendon_couples_two_trees() {
    let (h, m1, m2, k, b) = (0.01, 1.0, 3.0, 200.0, 1.5);
    let body = r#"<body><joint name="a" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
        <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0"/><geom size=".1" mass="3"/></body>"#;
    let tendon = format!(
        r#"<tendon><fixed stiffness="{k}" damping="{b}" springlength="0 0"><joint joint="a" coef="1"/>
           <joint joint="b" coef="-1"/></fixed></tendon>"#
    );
    let option = format!(r#"integrator="{NAME}" timestep="{h}" gravity="0 0 0""#);
    for jacobian in [JacobianType::Dense, JacobianType::Sparse] {
        let mut m = model(&option, body, &tendon);
        m.opt.jacobian = jacobian;
        let mut d = Data::new(&m);
        let (mut q, mut v) = ([0.3, -0.1], [0.0, 0.5]);
        d.state.qpos.copy_from_slice(&q);
        d.state.qvel.copy_from_slice(&v);
        for _ in 0..200 {
            step(&m, &mut d);
            let (w, pull) = (h * b + h * h * k, h * k * (q[0] - q[1]));
            v = solve2([m1 + w, -w, -w, m2 + w], [m1 * v[0] - pull, m2 * v[1] + pull]);
            q = [q[0] + h * v[0], q[1] + h * v[1]];
            assert_near(&[&d.state.qpos[..], &d.state.qvel].concat(), &[q, v].concat(), 1e-11);
        }
        // internal forces do not change the total momentum
        assert!((m1 * d.state.qvel[0] + m2 * d.state.qvel[1] - 1.5).abs() < 1e-12);
    }
}

/// Accelerations of one step of [`hinges`], from `M = [[1.008, .004], [.004, .004]]`.
fn first_step(tendon: &str, q0: f64, v0: f64, k: f64, b: f64, stretch: f64) {
    let m = hinges("", tendon);
    let mut d = Data::new(&m);
    d.state.qpos[0] = q0;
    d.state.qvel[0] = v0;
    step(&m, &mut d);
    let h = 0.001;
    let w = h * b + h * h * k;
    let force = -k * (stretch + if stretch == 0.0 { 0.0 } else { h * v0 }) - b * v0;
    let w = if stretch == 0.0 { h * b } else { w };
    let want = solve2([1.008 + w, 0.004 - w, 0.004 - w, 0.004 + w], [force, -force]);
    assert_near(&d.accel.qacc, &want, 1e-10);
    assert_near(&d.state.qvel, &[v0 + h * want[0], h * want[1]], 1e-10);
}

#[test]
fn tendons_within_a_tree_are_implicit() {
    first_step(r#"stiffness="50" springlength="0 0""#, 0.3, 0.0, 50.0, 0.0, 0.3);
    first_step(r#"damping="100""#, 0.0, 1.0, 0.0, 100.0, 0.0);
    first_step(r#"stiffness="50" damping="20" springlength="0 0""#, 0.3, 1.0, 50.0, 20.0, 0.3);
}

#[test]
fn springs_pull_only_beyond_their_dead_band() {
    let band = r#"stiffness="100" springlength=".5 1""#;
    for (q0, v0, stretch) in [(0.7, 1.0, 0.0), (1.0, 2.0, 0.0), (0.2, 0.0, -0.3), (1.5, 0.0, 0.5)] {
        first_step(band, q0, v0, 100.0, 0.0, stretch);
    }
}

#[test]
fn a_tendon_on_one_joint_is_a_joint_spring() {
    let body =
        |k: f64| format!(r#"<body><joint name="a" axis="0 1 0" stiffness="{k}"/><geom size=".1" mass="1"/></body>"#);
    let option = format!(r#"integrator="{NAME}" gravity="0 0 0""#);
    let tendon = r#"<tendon><fixed stiffness="50" springlength="0 0"><joint joint="a" coef="2"/></fixed></tendon>"#;
    let [one, other] = [model(&option, &body(0.0), tendon), model(&option, &body(200.0), "")].map(|m| {
        let mut d = Data::new(&m);
        d.state.qpos[0] = 0.3;
        step(&m, &mut d);
        d.accel.qacc[0]
    });
    assert!(one < -1.0 && (one - other).abs() < 1e-10 * one.abs(), "{one} {other}");
}

#[test]
fn stiff_springs_stay_stable() {
    let outcome = |integrator: &str| {
        let m = oscillator(integrator, 0.01, 1.0, 1e7, 0.0);
        let mut d = Data::new(&m);
        (0..500).for_each(|_| step(&m, &mut d));
        let unstable: i32 =
            [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc].map(|w| d.warning[w as usize].number).iter().sum();
        (unstable, d.state.qpos[0], d.state.qvel[0])
    };
    assert!(outcome("Euler").0 > 0 && outcome("implicitfast").0 > 0);
    let (unstable, q, v) = outcome(NAME);
    assert_eq!(unstable, 0);
    assert!((q - (0.1 - 2.0 / 1e7)).abs() < 1e-9 && v.abs() < 1e-9, "{q} {v}");
}

#[test]
fn energy_never_rises() {
    let m = hinges("", r#"damping="50" stiffness="50" springlength="0 0""#);
    let mut d = Data::new(&m);
    d.state.qvel.copy_from_slice(&[2.0, -1.0]);
    let mut last = f64::INFINITY;
    for _ in 0..200 {
        let [a, b] = [d.state.qvel[0], d.state.qvel[1]];
        let stretch = d.state.qpos[0] - d.state.qpos[1];
        let energy = 0.5 * (1.008 * a * a + 0.008 * a * b + 0.004 * b * b) + 25.0 * stretch * stretch;
        assert!(energy <= last + 1e-12, "{energy} {last}");
        last = energy;
        step(&m, &mut d);
    }
    assert!(last < 2.0 && last > 1.9, "the common rotation remains: {last}");
}

#[test]
fn limits_hold_against_stiff_springs() {
    let body = r#"<body><joint type="slide" axis="1 0 0" stiffness="1e5" springref="1" range="-1 .2" limited="true"/>
        <geom size=".1" mass="1"/></body>"#;
    let m = model(&format!(r#"integrator="{NAME}" timestep="0.01" gravity="0 0 0""#), body, "");
    let mut d = Data::new(&m);
    (0..500).for_each(|_| step(&m, &mut d));
    assert_eq!(d.efc.nefc, 1);
    // a limit is soft: it yields a little, and its force balances the pull of the spring
    assert!(d.state.qpos[0] > 0.15 && d.state.qpos[0] < 0.9 && d.state.qvel[0].abs() < 1e-6, "{}", d.state.qpos[0]);
}

/// Penetration of a heavy body that a stiff spring connects to a light foot at its limit.
fn landing(solver: &str) -> f64 {
    let body = r#"<body><joint type="slide" axis="1 0 0" range="-1 .01" limited="true" solimplimit=".999 .999 .001"/>
        <geom size=".1" mass=".1"/>
        <body><joint type="slide" axis="1 0 0" stiffness="1e9" damping="1e4"/><geom size=".1" mass="10"/></body></body>"#;
    let option = format!(r#"integrator="{NAME}" timestep="0.002" gravity="0 0 0" solver="{solver}""#);
    let m = model(&option, body, "");
    let mut d = Data::new(&m);
    d.state.qvel[0] = 1.0;
    let deepest = |deep: f64, _| {
        step(&m, &mut d);
        deep.max(d.state.qpos[0] + d.state.qpos[1] - 0.01)
    };
    (0..200).fold(0.0, deepest)
}

#[test]
fn limits_feel_the_mass_behind_stiff_springs() {
    // the foot alone would stop at once; the attached mass continues, unless the limit accounts for the spring
    let [newton, cg, pgs] = ["Newton", "CG", "PGS"].map(landing);
    assert!((newton - cg).abs() < 1e-6 && (newton - pgs).abs() < 1e-6, "{newton} {cg} {pgs}");
    assert!(newton > 0.0 && newton < 1e-2, "{newton}");
}

#[test]
fn solvers_agree_where_constraints_do_not_push() {
    // friction too small to matter, so that there is a row but no force
    let states = ["Newton", "CG", "PGS"].map(|solver| {
        let option = format!(r#"integrator="{NAME}" timestep="0.002" solver="{solver}""#);
        let body = r#"<body><joint name="a" axis="0 1 0" stiffness="50" damping="1" frictionloss="1e-13"/>
            <geom size=".1" mass="1" pos=".2 0 0"/>
            <body pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" mass="1" pos=".1 0 0"/></body>
            <body pos="0 .4 0"><joint name="c" axis="0 1 0"/><geom size=".1" mass="1" pos=".1 0 0"/></body></body>"#;
        let tendon = r#"<tendon><fixed stiffness="5000" damping="2" springlength="0 0"><joint joint="b" coef="1"/>
            <joint joint="c" coef="-1"/></fixed></tendon>"#;
        let m = model(&option, body, tendon);
        let mut d = Data::new(&m);
        d.state.qvel.copy_from_slice(&[0.1, 0.5, -0.3]);
        (0..50).for_each(|_| step(&m, &mut d));
        assert!(d.efc.nefc > 0 && d.solution.efc_force.iter().all(|f| f.abs() < 1e-12), "{:?}", d.solution.efc_force);
        d.state.qpos.to_vec()
    });
    for other in &states[1..] {
        assert_near(other, &states[0], 1e-9);
    }
}

#[test]
fn discrete_inverse_finds_the_applied_force() {
    let mut m = hinges("", r#"damping="5" stiffness="50" springlength="0 0""#);
    m.opt.enableflags |= EnableFlags::INVDISCRETE;
    m.jnt_stiffness.fill(7.0);
    m.dof_damping.fill(0.3);
    let mut d = Data::new(&m);
    d.state.qpos.copy_from_slice(&[0.3, -0.2]);
    d.state.qvel.copy_from_slice(&[1.0, 2.0]);
    d.state.qfrc_applied.copy_from_slice(&[0.7, -0.4]);
    sinew_engine::step::forward(&m, &mut d);
    inverse(&m, &mut d, &mut () as &mut dyn Hooks).expect("there is a discrete inverse");
    assert_near(&d.accel.qfrc_inverse, &[0.7, -0.4], 1e-9);
}

#[test]
fn only_its_own_name_selects_it() {
    let m = oscillator(NAME, 0.01, 1.0, 1.0, 1.0);
    assert_eq!(m.opt.integrator, Integrator::Implicitspringdamper);
    assert_eq!(oscillator("implicit", 0.01, 1.0, 1.0, 1.0).opt.integrator, Integrator::Implicit);
}
