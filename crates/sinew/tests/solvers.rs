//! Solvers reach the same minimum, or report that they did not.

use sinew_engine::model::enums::{ConeType, SolverType};
use sinew_engine::step::{self, StepError};
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_path, load_str};
use std::fmt::Write;

/// Accelerations by each solver in the state of `d`, iterated until nothing improves, differ by less than `bounds`
/// times the largest, for CG and PGS; rounding of the cost alone leaves about 1e-8.
fn agree(name: &str, m: &mut Model, d: &Data, bounds: [f64; 2]) {
    m.opt.tolerance = 0.0;
    m.opt.ls_tolerance = 1e-12;
    for cone in [ConeType::Pyramidal, ConeType::Elliptic] {
        m.opt.cone = cone;
        let mut solve = |solver: SolverType, iterations| {
            m.opt.solver = solver;
            m.opt.iterations = iterations;
            let mut d = d.clone();
            step::forward(m, &mut d);
            assert!(d.efc.nefc > 0, "{name} touches nothing");
            d.accel.qacc.to_vec()
        };
        let newton = solve(SolverType::Newton, 200);
        let scale = newton.iter().fold(1.0, |a: f64, x| a.max(x.abs()));
        for (solver, iterations, bound) in [(SolverType::Cg, 2000, bounds[0]), (SolverType::Pgs, 100_000, bounds[1])] {
            let other = solve(solver, iterations);
            let off = newton.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < bound * scale, "{name} {cone:?} {solver:?}: {off} of {scale}");
        }
    }
}

#[test]
fn solvers_agree_on_a_sliding_box() {
    let xml = r#"<mujoco><option cone="elliptic"/><default><geom friction=".3" solref=".02 3"/></default>
      <worldbody><geom type="plane" size="9 9 1"/>
      <body pos="0 0 .0299"><freejoint/><geom type="box" size=".2 .15 .03"/></body></worldbody></mujoco>"#;
    let mut m = load_str(xml, &Source::default()).expect("the model compiles");
    let given = m.clone();
    let mut d = Data::new(&m);
    d.state.qvel.copy_from_slice(&[2.0, 0.4, 0.0, 0.0, 0.0, 0.8]);
    let speed = |d: &Data| d.state.qvel[0].hypot(d.state.qvel[1]);
    let (mut compared, start) = (0, speed(&d));
    for _ in 0..200 {
        step::forward(&given, &mut d);
        // corners sometimes leave the ground
        if d.efc.nefc == 12 && compared < 5 {
            agree("box", &mut m, &d, [1e-7, 1e-7]);
            compared += 1;
        }
        step::step(&given, &mut d);
    }
    assert_eq!(compared, 5);
    // only friction slows it down
    let slowing = (start - speed(&d)) / d.state.time;
    assert!((slowing / (0.3 * 9.81) - 1.0).abs() < 0.1, "{slowing}");
    assert!(speed(&d) > 0.5, "it slides");
}

#[test]
fn solvers_agree_on_a_lying_humanoid() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");
    let mut m = load_path(path).expect("the model compiles");
    let given = m.clone();
    let mut d = Data::new(&m);
    for until in [2.0, 3.0] {
        while d.state.time < until {
            step::step(&given, &mut d);
        }
        agree("humanoid", &mut m, &d, [1e-7, 1e-5]);
    }
    assert!(d.pose.xpos[1][2] < 0.1, "it lies: {:?}", d.pose.xpos[1]);
}

/// Leaning towers of boxes; each tower is an island.
fn towers(count: usize) -> Model {
    let mut bodies = String::new();
    for i in 0..3 * count {
        let (x, z) = ((i / 3) as f64, (i % 3) as f64);
        let pos = format!("{} {} {}", x + 0.03 * z, 0.02 * z, 0.099 + 0.199 * z);
        write!(bodies, r#"<body pos="{pos}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#)
            .expect("strings can be written to");
    }
    let xml = format!(r#"<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>"#);
    load_str(&xml, &Source::default()).expect("the model compiles")
}

/// Throws a body sideways with a spin, so that a solver has to find which contacts slide and which open.
fn throw(d: &mut Data, body: usize) {
    d.state.qvel[6 * body..6 * body + 6].copy_from_slice(&[3.0, 1.0, -2.0, 4.0, -7.0, 5.0]);
}

#[test]
fn a_strict_step_reports_what_did_not_converge() {
    let mut m = towers(2);
    for solver in [SolverType::Newton, SolverType::Cg, SolverType::Pgs] {
        for noslip in [0, 3] {
            m.opt.solver = solver;
            m.opt.noslip_iterations = noslip;
            m.opt.iterations = 1;
            let mut d = Data::new(&m);
            throw(&mut d, 1);
            let error = StepError::NotConverged { island: 0, iterations: 1 };
            assert_eq!(step::try_step_strict(&m, &mut d, &mut ()), Err(error), "{solver:?} {noslip}");
            assert_eq!(d.state.time, 0.0, "nothing has moved");
            m.opt.iterations = 10_000;
            for i in 0..20 {
                assert_eq!(step::try_step_strict(&m, &mut d, &mut ()), Ok(()), "{solver:?} {noslip} step {i}");
            }
            m.opt.iterations = 1;
            assert_eq!(step::try_step(&m, &mut d, &mut ()), Ok(()), "off by default");
        }
    }
}

/// Statistics are recorded for twenty islands; the others are checked too.
#[test]
fn a_strict_step_sees_all_islands() {
    let mut m = towers(24);
    for thrown in [0, 19, 20, 23] {
        let mut d = Data::new(&m);
        throw(&mut d, 3 * thrown + 1);
        m.opt.iterations = 2;
        let result = step::try_step_strict(&m, &mut d, &mut ());
        assert_eq!(d.island.nisland, 24);
        assert_eq!(result, Err(StepError::NotConverged { island: thrown, iterations: 2 }));
        m.opt.iterations = 100;
        assert_eq!(step::try_step_strict(&m, &mut d, &mut ()), Ok(()), "{thrown}");
    }
}

/// In a Runge–Kutta step, evaluations after the first are checked too: here only those have floor contact.
#[test]
fn a_strict_step_sees_all_evaluations() {
    let xml = r#"<mujoco><option integrator="RK4" timestep=".01"/><worldbody><geom type="plane" size="9 9 1"/>
        <body pos="0 0 .105"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"#;
    let mut m = load_str(xml, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    throw(&mut d, 0);
    m.opt.iterations = 1;
    let before = d.state.clone();
    let result = step::try_step_strict(&m, &mut d, &mut ());
    assert_eq!(result, Err(StepError::NotConverged { island: 0, iterations: 1 }));
    assert_eq!((&d.state.qpos[..], &d.state.qvel[..], d.state.time), (&before.qpos[..], &before.qvel[..], 0.0));
    step::forward(&m, &mut d);
    assert_eq!(d.efc.nefc, 0, "the first evaluation has no rows");
    m.opt.iterations = 100;
    assert_eq!(step::try_step_strict(&m, &mut d, &mut ()), Ok(()));
}
