//! Derivatives of a step in closed form, against finite differences, known values and identities.

mod common;

use common::tolerance::{DIFFERENCED, SETTLED, SINGLE, SOLVED};
use sinew_engine::model::enums::{ConeType, Integrator};
use sinew_engine::transition::{
    DerivativeConfig, DifferenceError, Method, Report, RolloutWork, Term, Transition, TransitionWork, jvp, rollout_vjp,
    transition, transition_fd, vjp,
};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};

fn model(xml: &str) -> Model {
    load_str(xml, &Source::default()).expect("the model compiles")
}

fn closed(m: &Model, d: &Data) -> (Transition, Report) {
    let (mut work, mut out) = (TransitionWork::new(m), Transition::default());
    let report = transition(m, d, &DerivativeConfig::default(), &mut work, &mut out).expect("it has a derivative");
    (out, report)
}

fn differenced(m: &Model, d: &Data, eps: f64) -> Transition {
    let config = DerivativeConfig { method: Method::Fd, centered: true, eps, ..DerivativeConfig::default() };
    let mut out = Transition::default();
    transition(m, d, &config, &mut TransitionWork::new(m), &mut out).expect("it has differences");
    if m.opt.integrator != Integrator::Rk4 {
        let as_mujoco = transition_fd(m, &mut d.clone(), &mut (), eps, true, config.wanted);
        assert_eq!(as_mujoco.as_ref(), Ok(&out));
    }
    out
}

/// Largest difference of two matrices, relative to the largest entry.
fn apart(got: &[f64], want: &[f64]) -> f64 {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(1e-300_f64, |max, w| max.max(w.abs()));
    got.iter().zip(want).fold(0.0_f64, |max, (g, w)| max.max((g - w).abs())) / scale
}

fn assert_same(m: &Model, d: &Data, tolerance: f64, what: &str) {
    assert_same_by(1e-6, m, d, tolerance, what);
}

fn assert_same_by(eps: f64, m: &Model, d: &Data, tolerance: f64, what: &str) {
    let ((t, _), fd) = (closed(m, d), differenced(m, d, eps));
    let (a, b) = (apart(&t.A, &fd.A), apart(&t.B, &fd.B));
    assert!(a < tolerance && b < tolerance, "{what}: {a:e} {b:e}");
}

/// A moving state with all controls nonzero.
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

const EVERYTHING: &str = r#"<mujoco><option timestep="0.004" density="20" viscosity=".3" wind="1 2 .5"/>
  <worldbody>
    <site name="anchor" pos="0 .2 1.2"/>
    <geom name="drum" type="cylinder" size=".08 .3" pos=".1 .2 1.1" euler="90 0 0" contype="0" conaffinity="0"/>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .05"/>
      <body pos=".2 0 0" gravcomp=".7"><joint name="ball" type="ball" stiffness="2" damping=".1" pos="0 .05 0"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .3 0 0" fluidshape="ellipsoid"/><site name="tip" pos=".3 .02 0"/>
        <body pos=".3 0 0"><joint name="x" axis="1 0 .2" armature=".01"/><joint name="y" axis="0 1 0" stiffness="1" damping=".2"/>
          <geom type="ellipsoid" size=".05 .08 .1" pos="0 .1 0"/><site name="end" pos="0 .2 0"/></body></body>
      <body pos="-.2 0 0"><joint name="s" type="slide" axis=".3 0 1" damping=".3"/><geom size=".08"/><site name="other"/></body></body>
  </worldbody>
  <tendon>
    <spatial name="rope" stiffness="20" damping="1.5" springlength=".3"><site site="anchor"/><site site="tip"/><pulley divisor="2"/><site site="end"/><site site="other"/></spatial>
    <spatial name="band" stiffness="15" damping=".4"><site site="anchor"/><geom geom="drum"/><site site="end"/></spatial>
    <fixed name="sum" damping=".3" armature=".02"><joint joint="x" coef=".5"/><joint joint="s" coef="-1"/></fixed>
  </tendon>
  <actuator>
    <position joint="x" kp="3" kv=".2"/><motor joint="ball" gear="1 2 -1"/><general jointinparent="ball" gear=".3 .1 1" biastype="affine" biasprm="0 -2 -.3"/>
    <general tendon="rope" gaintype="affine" gainprm="1 .4 -.3" dyntype="filterexact" dynprm=".05"/>
    <general site="tip" gear="1 .5 -.2 .3 .1 -.4" dyntype="filter" dynprm=".1" actearly="true"/>
    <muscle tendon="band" lengthrange=".1 1.5" range=".75 1.05" force="30"/>
    <general joint="s" dyntype="integrator" actlimited="true" actrange="-1 1" forcelimited="true" forcerange="-.01 .01"/>
    <velocity tendon="sum" kv="2"/>
  </actuator></mujoco>"#;

const INTEGRATORS: [Integrator; 5] = [
    Integrator::Euler,
    Integrator::Rk4,
    Integrator::Implicit,
    Integrator::Implicitfast,
    Integrator::Implicitspringdamper,
];

#[test]
fn every_smooth_force_under_every_integrator() {
    for integrator in
        [Integrator::Euler, Integrator::Implicit, Integrator::Implicitfast, Integrator::Implicitspringdamper]
    {
        let mut m = model(EVERYTHING);
        m.opt.integrator = integrator;
        let d = moving(&m);
        assert_same(&m, &d, SINGLE, &format!("{integrator:?}"));
        let (_, report) = closed(&m, &d);
        assert!(report.positions.has(Term::Wrapping) && report.controls.is_empty());
        assert!(!report.positions.has(Term::Step) && !report.positions.has(Term::Constraint));
    }
}

/// Transmissions between two sites, of one chain and of two, and tendons with inertia.
const LINKED: &str = r#"<mujoco><option timestep="0.004"/>
  <worldbody>
    <site name="w" pos=".1 .3 1.3" euler="20 10 0"/>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .05"/><site name="base" pos=".1 .05 0" euler="10 20 30"/>
      <body pos=".2 0 0"><joint type="ball" pos="0 .05 0"/><geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/><site name="tip" pos=".3 .02 0" euler="0 0 20"/>
        <body pos=".3 0 0"><joint axis="1 0 .2"/><joint axis="0 1 0"/><geom type="ellipsoid" size=".05 .08 .1" pos="0 .1 0"/><site name="end" pos="0 .2 0" euler="40 0 0"/></body></body>
      <body pos="-.2 0 0"><joint type="slide" axis=".3 0 1"/><joint axis="1 1 0"/><geom size=".08" pos="0 .1 0"/><site name="other" pos=".05 .1 0"/></body></body>
  </worldbody>
  <tendon><spatial name="rope" armature=".3" stiffness="2"><site site="w"/><site site="tip"/><pulley divisor="2"/><site site="end"/><site site="other"/></spatial>
    <spatial name="cord" armature=".1"><site site="other"/><site site="tip"/><site site="end"/></spatial></tendon>
  <actuator>
    <general cranksite="end" slidersite="base" cranklength=".9" gear="1.3" biastype="affine" biasprm=".5 -2 -.3"/>
    <general cranksite="other" slidersite="w" cranklength=".02" biastype="affine" biasprm=".5 -2 -.3"/>
    <general cranksite="other" slidersite="w" cranklength="2" gaintype="affine" gainprm="1 .4 -.3" dyntype="filter" dynprm=".05"/>
    <general site="end" refsite="base" gear="1 .5 -.2 .3 .1 -.4" biastype="affine" biasprm=".2 -3 -.5"/>
    <general site="end" refsite="other" gear="0 0 1 0 .3 0" biastype="affine" biasprm="0 -2 -.1"/>
    <general site="w" refsite="tip" gear=".4 -.3 0 .2 0 .1" gaintype="affine" gainprm="1 .2 -.3"/>
  </actuator></mujoco>"#;

#[test]
fn transmissions_between_sites_and_inertia_of_tendons() {
    for integrator in INTEGRATORS {
        let mut m = model(LINKED);
        m.opt.integrator = integrator;
        let d = moving(&m);
        assert_same(&m, &d, SINGLE, &format!("{integrator:?}"));
        let (_, report) = closed(&m, &d);
        assert!(report.positions.is_empty() && report.velocities.is_empty());
    }
}

const TIED: &str = r#"<mujoco><option timestep="0.002"/><worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 .199"><freejoint/><geom type="box" size=".2 .2 .2" condim="4"/></body>
    <body pos="1 0 .098"><freejoint/><geom type="sphere" size=".1" condim="6" friction=".8 .02 .01"/></body>
    <body pos="1.02 0 .296"><freejoint/><geom type="capsule" size=".1 .1" euler="90 0 10" condim="3"/></body>
    <body pos="-1 0 1"><joint name="a" axis="0 1 0" frictionloss=".1"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint name="b" axis="0 1 0" range="-10 5" limited="true"/><joint name="c" axis="0 0 1"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/><site name="p" pos=".3 0 0"/></body></body>
    <body pos="-1 .5 1"><joint name="e" axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/></body>
    <body name="hook" pos="-1 1 1"><joint type="ball"/><geom size=".05" pos=".1 0 0"/></body>
    <body name="eye" pos="-1 1.3 1"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom size=".05" pos=".1 0 0"/></body>
  </worldbody>
  <tendon><spatial name="t" range="0 .5" limited="true"><site site="p"/><site site="w"/></spatial></tendon>
  <equality><joint joint1="e" joint2="a" polycoef="0 1 .5 .2 0"/><connect body1="hook" body2="eye" anchor=".1 .1 0"/></equality>
  <actuator><motor joint="b"/></actuator></mujoco>"#;

#[test]
fn every_constraint_that_has_a_closed_form() {
    let xml = TIED.replace("<worldbody>", r#"<worldbody><site name="w" pos="-.5 .1 1.5"/>"#);
    for cone in [ConeType::Pyramidal, ConeType::Elliptic] {
        for integrator in [Integrator::Euler, Integrator::Implicitfast, Integrator::Rk4] {
            let mut m = model(&xml);
            (m.opt.cone, m.opt.integrator, m.opt.tolerance) = (cone, integrator, 0.0);
            let mut d = Data::new(&m);
            let joint = m.joint("b").expect("it is there").id().index();
            d.state.qpos[m.jnt_qposadr[joint] as usize] = 0.12;
            (0..m.nv).for_each(|i| d.state.qvel[i] = 0.1 * (1.3 * i as f64).sin());
            d.state.ctrl[0] = 0.2;
            (0..5).for_each(|_| step::step(&m, &mut d));
            step::forward(&m, &mut d);
            assert!(d.efc.ne > 3 && d.efc.nf > 0 && d.efc.nl > 0 && d.contact.len() > 5, "too little to do");
            // in one of the four evaluations a corner of the box is within 1e-6 of slipping
            assert_same_by(1e-7, &m, &d, SETTLED, &format!("{cone:?} {integrator:?}"));
            let (_, report) = closed(&m, &d);
            assert!(report.positions.has(Term::Contact) && !report.positions.has(Term::Constraint));
        }
    }
}

/// Welds of bodies and of sites, a limit of a ball joint, tendons coupled by equalities and one of fixed length.
const HELD: &str = r#"<mujoco><option timestep=".002" tolerance="0"/><worldbody>
    <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/><site name="sa" pos=".1 .05 0" euler="10 20 30"/></body>
    <body name="b" pos=".5 0 1"><joint name="limit" type="ball" range="0 10" limited="true"/>
      <geom type="capsule" size=".04" fromto="0 0 0 0 .3 0"/><site name="sb" pos="0 .3 0"/>
      <body name="c" pos="0 .3 0"><joint name="x" axis="1 0 0"/><joint name="y" axis="0 1 0"/><geom size=".05 .1" type="capsule"/><site name="sc" pos=".02 .1 .1"/></body></body>
    <body name="d" pos="1 0 1"><freejoint/><geom type="box" size=".1 .05 .02"/><site name="sd" euler="0 40 0"/></body>
    <site name="w" pos=".2 .4 1.4"/>
  </worldbody>
  <tendon><spatial name="t"><site site="w"/><site site="sc"/></spatial><spatial name="u"><site site="w"/><site site="sa"/></spatial>
    <fixed name="f"><joint joint="x" coef="1"/><joint joint="y" coef="-.5"/></fixed></tendon>
  <equality><weld body1="a" body2="b" torquescale=".7"/><weld site1="sc" site2="sd" solref=".05 1"/>
    <tendon tendon1="u" tendon2="t" polycoef="0 1 2 3 0"/><tendon tendon1="t" tendon2="f" polycoef="0 .5 .2 0 0"/><tendon tendon1="f"/></equality></mujoco>"#;

#[test]
fn welds_tendons_that_follow_and_limits_of_ball_joints() {
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::Rk4] {
        let mut m = model(HELD);
        m.opt.integrator = integrator;
        let mut d = moving(&m);
        (0..m.nv).for_each(|i| d.state.qvel[i] *= 0.2);
        step::forward(&m, &mut d);
        assert!((d.efc.ne, d.efc.nl) == (15, 1), "{} {}", d.efc.ne, d.efc.nl);
        assert_same(&m, &d, SETTLED, &format!("{integrator:?}"));
        assert!(!closed(&m, &d).1.positions.has(Term::Constraint));
    }
}

#[test]
fn bodies_that_stick() {
    let xml = r#"<mujoco><option timestep="0.002" tolerance="0"/><worldbody><geom type="plane" size="3 3 .1"/>
        <body name="ball" pos="1 0 .098"><freejoint/><geom type="sphere" size=".1"/>
          <body name="cap" pos="0 0 .15"><joint axis="1 .3 0"/><joint type="slide" axis="0 0 1"/><geom type="capsule" size=".04 .1" euler="70 0 0"/></body></body>
        <body name="near" pos=".8 .02 .25"><joint type="ball" pos="0 .1 .3"/><geom type="capsule" size=".06 .1" margin=".3" gap=".3"/></body></worldbody>
        <actuator><adhesion body="ball" ctrlrange="0 20"/><adhesion body="near" ctrlrange="0 5" gain="3"/><adhesion body="cap" ctrlrange="0 5"/></actuator></mujoco>"#;
    for (cone, integrator) in [(ConeType::Pyramidal, Integrator::Euler), (ConeType::Elliptic, Integrator::Implicitfast)]
    {
        let mut m = model(xml);
        (m.opt.cone, m.opt.integrator) = (cone, integrator);
        let mut d = Data::new(&m);
        (0..m.nv).for_each(|i| d.state.qvel[i] = 0.1 * (1.3 * i as f64).sin());
        d.state.ctrl.copy_from_slice(&[3.0, 2.0, 1.0]);
        (0..3).for_each(|_| step::step(&m, &mut d));
        step::forward(&m, &mut d);
        assert!(d.contact.len() > 2 && d.contact.iter().any(|c| c.exclude == 1), "{}", d.contact.len());
        assert!(d.trn.moment_rownnz.iter().all(|&n| n > 0));
        assert_same(&m, &d, SETTLED, &format!("{cone:?} {integrator:?}"));
        let (_, report) = closed(&m, &d);
        assert!(report.positions.has(Term::Contact) && !report.positions.has(Term::Transmission));
    }
}

#[test]
fn rows_without_closed_form_are_differenced() {
    let m = model(
        r#"<mujoco><worldbody><flexcomp name="f" type="grid" dim="1" count="4 1 1" spacing=".1 .1 .1" pos="0 0 1" mass="1">
        <edge equality="true"/><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"#,
    );
    let d = moving(&m);
    assert_same(&m, &d, SETTLED, "edges");
    assert!(closed(&m, &d).1.positions.has(Term::Constraint));
    let config = DerivativeConfig { method: Method::Analytic, ..DerivativeConfig::default() };
    let refused = transition(&m, &d, &config, &mut TransitionWork::new(&m), &mut Transition::default());
    assert!(matches!(refused, Err(DifferenceError::NotClosed(_))));
}

#[test]
fn contacts_whose_geometry_has_a_kink_are_moved_by_dofs() {
    // concentric spheres, one of which can only rotate about the centre
    let m = model(
        r#"<mujoco><option tolerance="0"/><worldbody><body><joint axis="0 0 1"/><geom size=".1" pos="0 0 0"/><geom size=".05" pos=".3 0 0"/></body>
        <body name="b"><joint type="slide" axis="1 0 0" damping="1"/><geom size=".08"/></body></worldbody></mujoco>"#,
    );
    let mut d = Data::new(&m);
    d.state.qvel.copy_from_slice(&[0.3, 0.0]);
    let (t, report) = closed(&m, &d);
    assert!(report.positions.has(Term::Constraint));
    let (fd, n) = (differenced(&m, &d, 1e-6), 2 * m.nv);
    // rotation does not change the contact
    for k in (0..n * n).filter(|k| k % n == 0) {
        assert!((t.A[k] - fd.A[k]).abs() < SETTLED, "{} {} {}", k / n, t.A[k], fd.A[k]);
    }
}

#[test]
fn two_steps_have_the_product_of_their_derivatives() {
    let m = model(EVERYTHING);
    let d = moving(&m);
    let n = 2 * m.nv + m.na;
    let first = closed(&m, &d).0.A;
    let mut next = d.clone();
    step::step(&m, &mut next);
    let second = closed(&m, &next).0.A;
    let product: Vec<f64> =
        (0..n * n).map(|k| (0..n).map(|j| second[k / n * n + j] * first[j * n + k % n]).sum()).collect();
    // one velocity perturbed, two steps taken
    let after = |eps: f64, j: usize| {
        let mut d = d.clone();
        d.state.qvel[j] += eps;
        (0..2).for_each(|_| step::step(&m, &mut d));
        d.state.qvel.to_vec()
    };
    for j in 0..m.nv {
        let (plus, minus) = (after(1e-6, j), after(-1e-6, j));
        for i in 0..m.nv {
            let numeric = (plus[i] - minus[i]) / 2e-6;
            assert!((product[(m.nv + i) * n + m.nv + j] - numeric).abs() < DIFFERENCED, "{i} {j}");
        }
    }
}

fn links(count: usize, integrator: Integrator) -> Model {
    let mut xml = String::from("<mujoco><option timestep='.002'/><worldbody>");
    let mut motors = String::new();
    for i in 0..count {
        let down = if i == 0 { 0 } else { -1 };
        xml += &format!(
            "<body pos='0 0 {down}'><joint name='j{i}' axis='0 1 0' damping='1'/>\
             <geom type='capsule' size='.05' fromto='0 0 0 0 0 -1' mass='.1' contype='0' conaffinity='0'/>"
        );
        motors += &format!("<motor joint='j{i}'/>");
    }
    xml += &"</body>".repeat(count);
    let mut m = model(&format!("{xml}</worldbody><actuator>{motors}</actuator></mujoco>"));
    m.opt.integrator = integrator;
    m
}

#[test]
fn pendulums_have_known_derivatives() {
    let m = links(3, Integrator::Euler);
    let mut d = Data::new(&m);
    d.state.qpos.copy_from_slice(&[0.3, 0.2, -0.1]);
    d.state.qvel.copy_from_slice(&[1.0, 0.5, -0.3]);
    d.state.ctrl.copy_from_slice(&[0.1, -0.2, 0.3]);
    let (t, _) = closed(&m, &d);
    let by_v =
        [0.98102630, 0.04987938, -0.02389607, 0.03685362, 0.87064745, 0.10922276, -0.01514011, 0.11621852, 0.78103190];
    let by_u = [
        0.02304385,
        -0.04724934,
        0.02446212,
        -0.04724934,
        0.12313192,
        -0.11069788,
        0.02446212,
        -0.11069788,
        0.22029426,
    ];
    for k in 0..9 {
        assert!((t.A[(3 + k / 3) * 6 + 3 + k % 3] - by_v[k]).abs() < DIFFERENCED);
        assert!((t.B[(3 + k / 3) * 3 + k % 3] - by_u[k]).abs() < DIFFERENCED);
    }
    for (integrator, want) in [
        (Integrator::Euler, [0.98363979, 0.04069135, 0.02905502, 0.86425880]),
        (Integrator::Implicit, [0.98357857, 0.04049626, 0.02923006, 0.86450458]),
    ] {
        let m = links(2, integrator);
        let mut d = Data::new(&m);
        d.state.qpos.copy_from_slice(&[0.3, 0.7]);
        d.state.qvel.copy_from_slice(&[1.0, 0.5]);
        let (t, _) = closed(&m, &d);
        (0..4)
            .for_each(|k| assert!((t.A[(2 + k / 2) * 4 + 2 + k % 2] - want[k]).abs() < DIFFERENCED, "{integrator:?}"));
    }
}

#[test]
fn branches_are_coupled_by_the_damping_of_a_tendon() {
    let m = model(
        r#"<mujoco><option timestep=".01" gravity="0 0 0"/><worldbody>
        <body><joint name="a"/><geom size=".1" mass="1"/></body><body pos="1 0 0"><joint name="b"/><geom size=".1" mass="1"/></body>
        </worldbody><tendon><fixed damping=".1"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon></mujoco>"#,
    );
    let (t, _) = closed(&m, &Data::new(&m));
    for (at, want) in [(10, 0.75), (11, 0.25), (14, 0.25), (15, 0.75)] {
        assert!((t.A[at] - want).abs() < SINGLE, "{:?}", &t.A);
    }
}

#[test]
fn a_ball_at_rest_on_the_floor() {
    let m = model(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .0999"><freejoint/><geom size=".1" mass="1"/></body></worldbody></mujoco>"#,
    );
    let (t, _) = closed(&m, &Data::new(&m));
    assert!((t.A[8 * 12 + 8] - 0.8103157895).abs() < SINGLE, "{}", t.A[8 * 12 + 8]);
    assert!(t.A[8 * 12 + 2] < 0.0, "deeper means faster out");
}

#[test]
fn controls_that_do_not_reach_the_step_have_no_columns() {
    let mut m = model(
        r#"<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="2"/></body></worldbody>
        <actuator><motor joint="j" group="3"/><motor joint="j" ctrlrange="-1 1" ctrllimited="true"/><motor joint="j"/>
        <general joint="j" forcelimited="true" forcerange="-1 1"/></actuator></mujoco>"#,
    );
    m.opt.disableactuator = 1 << 3;
    let mut d = Data::new(&m);
    d.state.ctrl.copy_from_slice(&[0.5, 2.0, 0.5, 7.0]);
    let (t, _) = closed(&m, &d);
    let h = m.opt.timestep;
    assert_eq!(t.B, [0.0, 0.0, h * (h * 0.5), 0.0, 0.0, 0.0, h * 0.5, 0.0]);
    d.state.ctrl[1] = 1.0;
    assert_eq!(closed(&m, &d).0.B[5], h * 0.5, "inwards from the bound");
}

#[test]
fn derivatives_leave_everything_as_it_is_and_repeat_to_the_last_bit() {
    let m = model(EVERYTHING);
    let d = moving(&m);
    let before = d.clone();
    let (mut work, mut out) = (TransitionWork::new(&m), Transition::default());
    let config = DerivativeConfig::default();
    transition(&m, &d, &config, &mut work, &mut out).expect("it has a derivative");
    let first = out.clone();
    // use the workspace for another state in between
    transition(&m, &Data::new(&m), &config, &mut work, &mut out).expect("it has a derivative");
    transition(&m, &d, &config, &mut work, &mut out).expect("it has a derivative");
    assert_eq!(first, out);
    assert_eq!((&before.state.qpos[..], &before.state.qvel[..]), (&d.state.qpos[..], &d.state.qvel[..]));
    for eps in [0.0, -1.0, f64::NAN, 0.1] {
        let refused = transition(&m, &d, &DerivativeConfig { eps, ..config }, &mut work, &mut out);
        assert!(matches!(refused, Err(DifferenceError::Eps(_))));
    }
}

#[test]
fn products_are_those_of_the_matrices() {
    for integrator in INTEGRATORS {
        for xml in [EVERYTHING, &TIED.replace("<worldbody>", r#"<worldbody><site name="w" pos="-.5 .1 1.5"/>"#)] {
            let mut m = model(xml);
            m.opt.integrator = integrator;
            let mut d = if m.na > 0 { moving(&m) } else { Data::new(&m) };
            d.state.ctrl.fill(0.3);
            let (n, nu) = (2 * m.nv + m.na, m.nu);
            let (mut work, mut t) = (TransitionWork::new(&m), Transition::default());
            let config = DerivativeConfig::default();
            transition(&m, &d, &config, &mut work, &mut t).expect("it has a derivative");
            let wave = |k: usize| (0.7 * k as f64).sin();
            let (dx, du): (Vec<f64>, Vec<f64>) = ((0..n).map(wave).collect(), (0..nu).map(|k| wave(k + 3)).collect());
            let next: Vec<f64> = (0..n).map(|k| wave(k + 5)).collect();
            let (mut out, mut by_x, mut by_u) = (vec![0.0; n], vec![1.0; n], vec![1.0; nu]);
            jvp(&m, &d, &config, &mut work, (&dx, &du), &mut out).expect("it has a derivative");
            vjp(&m, &d, &config, &mut work, &next, (&mut by_x, &mut by_u)).expect("it has a derivative");
            let product = |i: usize| -> f64 {
                (0..n).map(|j| t.A[i * n + j] * dx[j]).sum::<f64>()
                    + (0..nu).map(|j| t.B[i * nu + j] * du[j]).sum::<f64>()
            };
            let column =
                |matrix: &[f64], cols: usize, j: usize| -> f64 { (0..n).map(|i| matrix[i * cols + j] * next[i]).sum() };
            let want: [Vec<f64>; 3] = [
                (0..n).map(product).collect(),
                (0..n).map(|j| column(&t.A, n, j)).collect(),
                (0..nu).map(|j| column(&t.B, nu, j)).collect(),
            ];
            for (got, want) in [&out, &by_x, &by_u].into_iter().zip(&want) {
                assert!(apart(got, want) < SOLVED, "{integrator:?}: {got:?} should be {want:?}");
            }
        }
    }
}

#[test]
fn gradients_over_a_roll_out_with_and_without_checkpoints() {
    let m = model(EVERYTHING);
    let d = moving(&m);
    let (n, steps) = (2 * m.nv + m.na, 23);
    let ctrl: Vec<f64> = (0..steps * m.nu).map(|k| 0.3 + 0.2 * (0.9 * k as f64).sin()).collect();
    // the loss is a weighted sum of velocities, after some of the steps
    let weight = |t: usize, i: usize| if t % 5 == 2 || t + 1 == steps { (t + 2 * i) as f64 % 3.0 - 0.7 } else { 0.0 };
    let mut rows = vec![0.0; steps * n];
    (0..steps).for_each(|t| (0..m.nv).for_each(|i| rows[t * n + m.nv + i] = weight(t, i)));
    let loss = |ctrl: &[f64], v: f64| {
        let mut d = d.clone();
        d.state.qvel[1] += v;
        (0..steps).fold(0.0, |sum, t| {
            d.state.ctrl.copy_from_slice(&ctrl[t * m.nu..][..m.nu]);
            step::step(&m, &mut d);
            sum + (0..m.nv).map(|i| weight(t, i) * d.state.qvel[i]).sum::<f64>()
        })
    };
    let mut found = Vec::new();
    let mut work = RolloutWork::new(&m);
    for every in [100, 5, 1] {
        let (mut by_x, mut by_u) = (vec![0.0; n], vec![0.0; ctrl.len()]);
        let asked = (&ctrl[..], &rows[..], every);
        rollout_vjp(&m, &d, &DerivativeConfig::default(), asked, &mut work, &mut by_x, &mut by_u).expect("it has one");
        found.push([by_x, by_u].concat());
    }
    assert!(found[0] == found[1] && found[1] == found[2], "checkpoints change nothing");
    assert!(work.states_kept() < steps * (m.nq + 3 * m.nv + m.na + 2) + 64);
    let central = |f: &dyn Fn(f64) -> f64| (f(1e-6) - f(-1e-6)) / 2e-6;
    let velocity = central(&|e| loss(&ctrl, e));
    assert!((found[0][m.nv + 1] - velocity).abs() < SETTLED * (1.0 + velocity.abs()), "{velocity}");
    for k in [0, 7, 40, ctrl.len() - 3] {
        let by = central(&|e| {
            let mut ctrl = ctrl.clone();
            ctrl[k] += e;
            loss(&ctrl, 0.0)
        });
        assert!((found[0][n + k] - by).abs() < SETTLED * (1.0 + by.abs()), "{k}: {} {by}", found[0][n + k]);
    }
    let short = rollout_vjp(&m, &d, &DerivativeConfig::default(), (&ctrl, &rows[1..], 5), &mut work, &mut [], &mut []);
    assert!(matches!(short, Err(DifferenceError::Length { .. })));
}
