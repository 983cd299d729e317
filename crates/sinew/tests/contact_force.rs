//! Laws that contact forces, and the solvers that compute them, must satisfy.

mod common;

use common::tolerance::{DUAL, INTEGRATED, SINGLE, SOLVED};
use sinew_engine::model::Model;
use sinew_engine::model::enums::{ConeType, ConstraintType, SolverType};
use sinew_engine::support::contact::contact_force;
use sinew_engine::support::is_pyramidal;
use sinew_engine::{Data, inverse, step};
use sinew_mjcf::{Source, load_str};

const FLOOR: &str = r#"<geom type="plane" size="9 9 1"/>"#;

fn scenes() -> Vec<(&'static str, String)> {
    let wrap = |bodies: &str| format!("<mujoco><worldbody>{FLOOR}{bodies}</worldbody></mujoco>");
    let cube =
        |x: f64, z: f64| format!(r#"<body pos="{x} 0 {z}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#);
    vec![
        ("resting box", wrap(&cube(0.0, 0.099))),
        ("stack", wrap(&(cube(0.0, 0.099) + &cube(0.01, 0.297) + &cube(0.0, 0.495)))),
        (
            "wheel",
            wrap(
                r#"<body pos="0 0 .099"><freejoint/><geom type="cylinder" size=".1 .03" euler="90 0 0" condim="6"
                   friction=".8 .01 .001"/></body>"#,
            ),
        ),
        (
            "limbs",
            wrap(
                r#"<body pos="0 0 .19"><freejoint/><geom type="capsule" size=".06 .2" euler="90 0 0"/>
                   <body pos=".1 0 0"><joint axis="0 1 0" range="-20 20" limited="true" frictionloss=".1"/>
                     <geom type="capsule" size=".05" fromto="0 0 0 .2 0 -.16" condim="4"/></body>
                   <body pos="-.1 .1 0"><joint type="ball"/>
                     <geom type="capsule" size=".05" fromto="0 0 0 -.2 0 -.16"/></body></body>"#,
            ),
        ),
    ]
}

fn model(xml: &str, cone: ConeType, solver: SolverType) -> Model {
    let mut m = load_str(xml, &Source::default()).expect("the model compiles");
    m.opt.cone = cone;
    m.opt.solver = solver;
    m.opt.tolerance = 0.0;
    m.opt.iterations = if solver == SolverType::Newton { 100 } else { 20_000 };
    m
}

/// A state in which bodies slide, roll and push against each other.
fn moving(m: &Model) -> Data {
    let mut d = Data::new(m);
    for (i, v) in d.state.qvel.iter_mut().enumerate() {
        *v = 0.4 * (1.3 * i as f64 + 0.5).sin();
    }
    d
}

const CONES: [ConeType; 2] = [ConeType::Pyramidal, ConeType::Elliptic];

#[test]
fn inverse_dynamics_returns_the_applied_force() {
    for (name, xml) in scenes() {
        for cone in CONES {
            let m = model(&xml, cone, SolverType::Newton);
            let mut d = moving(&m);
            let mut touched = 0;
            for k in 0..30 {
                d.state.qfrc_applied.iter_mut().enumerate().for_each(|(i, f)| *f = (i as f64 + k as f64).cos());
                step::forward(&m, &mut d);
                touched += i32::from(d.efc.nefc > 0);
                inverse::inverse(&m, &mut d, &mut ()).expect("Euler has an inverse");
                let scale = d.force.qfrc_smooth.iter().fold(1.0, |a: f64, f| a.max(f.abs()));
                for i in 0..m.nv {
                    let off = d.accel.qfrc_inverse[i] - d.state.qfrc_applied[i];
                    assert!(off.abs() < INTEGRATED * scale, "{name} {cone:?} dof {i}: {off}");
                }
                step::step(&m, &mut d);
            }
            assert!(touched > 10, "{name}");
        }
    }
}

/// Normal force, and the magnitude of friction scaled by the friction coefficients.
fn in_cone(m: &Model, d: &Data, i: usize) -> (f64, f64) {
    let con = &d.contact[i];
    let f = contact_force(m, con, &d.solution);
    let ratios = (1..con.dim as usize).map(|k| f[k] / con.friction[k - 1]);
    let size = if is_pyramidal(m) { ratios.map(f64::abs).sum() } else { ratios.map(|x| x * x).sum::<f64>().sqrt() };
    (f[0], size)
}

#[test]
fn forces_push_within_their_cones() {
    for (name, xml) in scenes() {
        for cone in CONES {
            for solver in [SolverType::Newton, SolverType::Cg, SolverType::Pgs] {
                let mut m = model(&xml, cone, solver);
                m.opt.iterations = 200;
                m.opt.tolerance = 1e-12;
                let mut d = moving(&m);
                for _ in 0..30 {
                    step::step(&m, &mut d);
                    for i in (0..d.contact.len()).filter(|&i| d.contact[i].efc_address >= 0) {
                        let (normal, friction) = in_cone(&m, &d, i);
                        assert!(normal >= 0.0, "{name} {cone:?} {solver:?}: {normal}");
                        // the regularised cone equals the cone while impratio is one
                        let slack = 1e-6 * (1.0 + normal);
                        assert!(friction <= normal + slack, "{name} {cone:?} {solver:?}: {friction} > {normal}");
                    }
                }
            }
        }
    }
}

/// A row pushes only where the acceleration is below its reference, and then in proportion.
#[test]
fn forces_and_accelerations_complement_each_other() {
    for (name, xml) in scenes() {
        let m = model(&xml, ConeType::Pyramidal, SolverType::Newton);
        let mut d = moving(&m);
        for _ in 0..30 {
            step::forward(&m, &mut d);
            let jac = sinew_engine::support::row::Jacobian::efc(&m, &d.efc);
            let mut x = vec![0.0; d.efc.nefc as usize];
            jac.mul_vec(&mut x, &d.accel.qacc);
            for i in (d.efc.ne + d.efc.nf) as usize..x.len() {
                let short = x[i] - d.efc.efc_aref[i];
                let want = -d.efc.efc_D[i] * short.min(0.0);
                let scale = 1.0 + d.efc.efc_D[i] * d.efc.efc_aref[i].abs();
                assert!((d.solution.efc_force[i] - want).abs() < SOLVED * scale, "{name} row {i}");
                assert!(d.efc.efc_type[i] != ConstraintType::Equality as i32);
            }
            step::step(&m, &mut d);
        }
    }
}

#[test]
fn solvers_agree() {
    for (name, xml) in scenes() {
        for cone in CONES {
            let newton = model(&xml, cone, SolverType::Newton);
            let mut d = moving(&newton);
            for _ in 0..20 {
                step::step(&newton, &mut d);
            }
            step::forward(&newton, &mut d);
            let want = d.accel.qacc.to_vec();
            let scale = want.iter().fold(10.0, |a: f64, x| a.max(x.abs()));
            for (solver, tolerance) in [(SolverType::Cg, SINGLE), (SolverType::Pgs, DUAL)] {
                let m = model(&xml, cone, solver);
                let mut other = d.clone();
                step::forward(&m, &mut other);
                for i in 0..m.nv {
                    let off = (other.accel.qacc[i] - want[i]).abs();
                    assert!(off < tolerance * scale, "{name} {cone:?} {solver:?} dof {i}: {off} of {scale}");
                }
            }
        }
    }
}

/// With `noslip` a box on a slope that friction can hold does not creep.
#[test]
fn without_slip_nothing_creeps() {
    let xml = r#"<mujoco><option gravity="3 0 -9"/><worldbody><geom type="plane" size="9 9 1"/>
      <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"#;
    for cone in CONES {
        let creep = |noslip: i32| {
            let mut m = load_str(xml, &Source::default()).expect("the model compiles");
            m.opt.cone = cone;
            m.opt.noslip_iterations = noslip;
            let mut d = Data::new(&m);
            (0..300).for_each(|_| step::step(&m, &mut d));
            d.state.qvel[0].abs()
        };
        let (with, without) = (creep(20), creep(0));
        assert!(with < 0.02 * without, "{cone:?}: {with} {without}");
    }
}
