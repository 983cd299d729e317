//! Derivatives of inverse dynamics in closed form, against finite differences and as the inverse of those of forward
//! dynamics.

mod common;

use common::tolerance::{ROUNDING, SETTLED, SINGLE, SOLVED};
use sinew_engine::model::enums::{DisableFlags, EnableFlags, Integrator};
use sinew_engine::support::inertia::full_m;
use sinew_engine::transition::{
    DerivativeConfig, DifferenceError, InverseConfig, InverseDerivatives, InverseWanted, Method, Term, Transition,
    TransitionWork, inverse, transition,
};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};

const ALL: InverseWanted = InverseWanted { force: [true; 3], sensor: [true; 3], mass: true };

/// A box on the floor with an arm, a weld, a tendon with inertia, a limit, actuators and gravity compensation; in a
/// wind.
fn model(cone: &str) -> Model {
    let xml = format!(
        r#"<mujoco><option timestep=".002" tolerance="0" cone="{cone}" density="1.2" viscosity=".1" wind="1 0 0"/><worldbody><geom type="plane" size="2 2 .1"/>
    <body name="box" pos="0 0 .0995"><freejoint/><geom type="box" size=".2 .1 .1"/>
      <body name="arm" pos="0 0 .1" gravcomp=".5"><joint name="b" type="ball" damping=".1" stiffness="2"/><geom type="capsule" size=".03" fromto="0 0 0 .1 0 .4"/><site name="s" pos=".1 0 .4"/></body></body>
    <body name="lone" pos="0 2 1"><joint name="x" axis="1 0 0" range="-5 5" limited="true" damping=".2" frictionloss=".01" actuatorgravcomp="true"/><geom type="capsule" size=".04" fromto="0 0 0 0 .3 0"/>
      <body pos="0 .3 0" gravcomp="1"><joint type="slide" axis="0 1 1" armature=".1"/><geom size=".05"/></body></body>
    <body name="held" pos=".4 0 .6"><freejoint/><geom size=".05"/></body><site name="w" pos="0 .5 1"/></worldbody>
  <tendon><spatial name="t" stiffness="30" damping="1" armature=".05"><site site="w"/><site site="s"/></spatial></tendon>
  <equality><weld body1="held" body2="arm"/></equality>
  <actuator><position joint="x" kp="3" kv=".2"/><general tendon="t" gainprm="3" biastype="affine" biasprm="0 -1 -.3"/></actuator>
  <sensor><accelerometer site="s"/><gyro site="s"/><force site="s"/><touch site="s"/><framelinacc objtype="body" objname="held"/><jointpos joint="x"/>
    <tendonvel tendon="t"/><jointlimitfrc joint="x"/><subtreeangmom body="box"/><e_potential/><rangefinder site="s"/></sensor></mujoco>"#
    );
    load_str(&xml, &Source::default()).expect("the model compiles")
}

fn moving(m: &Model) -> Data {
    let wave = |i: usize| (1.7 * i as f64 + 0.4).sin();
    let mut d = Data::new(m);
    (0..m.nv).for_each(|i| d.state.qvel[i] = 0.1 * wave(i));
    (0..m.nu).for_each(|i| d.state.ctrl[i] = 0.3 * wave(i + 1));
    d.state.xfrc_applied[2] = [0.3, 0.2, 0.1, 0.02, -0.01, 0.03];
    (0..3).for_each(|_| step::step(m, &mut d));
    step::forward(m, &mut d);
    assert!(d.efc.nefc > 8, "{}", d.efc.nefc);
    d
}

fn found(m: &Model, d: &Data, config: &InverseConfig) -> InverseDerivatives {
    let (mut work, mut out) = (TransitionWork::new(m), InverseDerivatives::default());
    inverse(m, d, config, &mut work, &mut out).expect("it has derivatives");
    out
}

/// Matrices agree relative to their norm, or to `floor` if that is larger.
fn assert_near(got: &[f64], want: &[f64], floor: f64, what: &str) {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(floor, |max, x| max.max(x.abs()));
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).abs() < SINGLE * scale, "{what}: entry {k} is {g}, should be {w} within {scale}");
    }
}

#[test]
fn closed_forms_are_those_of_differences() {
    for cone in ["pyramidal", "elliptic"] {
        let mut m = model(cone);
        use Integrator as I;
        for integrator in [I::Euler, I::Implicit, I::Implicitfast, I::Implicitspringdamper, I::Rk4] {
            m.opt.integrator = integrator;
            let d = moving(&m);
            for (discrete, actuation) in [(false, false), (false, true), (true, false)] {
                if discrete && integrator == I::Rk4 {
                    continue;
                }
                m.opt.enableflags = if discrete { EnableFlags::INVDISCRETE } else { EnableFlags::empty() };
                let own = InverseConfig::default();
                let config = InverseConfig { actuation, wanted: ALL, centered: true, eps: 3e-7, ..own };
                let closed = found(&m, &d, &config);
                let want = found(&m, &d, &InverseConfig { method: Method::Fd, ..config });
                let case = format!("{cone} {integrator:?} discrete {discrete} actuation {actuation}");
                for k in 0..3 {
                    assert_near(&closed.force[k], &want.force[k], 1.0, &format!("{case}: force by {k}"));
                    assert_near(&closed.sensor[k], &want.sensor[k], 1.0, &format!("{case}: sensors by {k}"));
                }
                assert_near(&closed.mass, &want.mass, 1.0, &format!("{case}: mass"));
            }
        }
    }
}

#[test]
fn by_acceleration_it_is_the_mass_matrix_without_constraints() {
    let mut m = model("elliptic");
    m.opt.disableflags |= DisableFlags::CONSTRAINT;
    let mut d = Data::new(&m);
    step::forward(&m, &mut d);
    let mut mass = vec![0.0; m.nv * m.nv];
    full_m(&m, &mut mass, &d.inertia.qM);
    assert_eq!(found(&m, &d, &InverseConfig::default()).force[2], mass);
}

/// The derivatives of forward dynamics follow from those of inverse dynamics: `∂a/∂x = −(∂f/∂a)⁻¹ ∂f/∂x`, so that
/// `∂f/∂a · (A_v − 1)/h = −∂f/∂v`, and the same by position and for motors, whose moments are `∂f/∂a · B_v/h`.
#[test]
fn forward_dynamics_are_its_inverse() {
    let mut m = model("elliptic");
    m.opt.disableflags |= DisableFlags::EULERDAMP; // then a step applies the acceleration directly
    let mut d = moving(&m);
    d.state.xfrc_applied.fill([0.0; 6]); // inverse dynamics has no forces on bodies
    step::forward(&m, &mut d);
    let by = found(&m, &d, &InverseConfig { actuation: true, ..InverseConfig::default() });
    let (mut work, mut t) = (TransitionWork::new(&m), Transition::default());
    transition(&m, &d, &DerivativeConfig::default(), &mut work, &mut t).expect("it has a derivative");
    let (nv, h) = (m.nv, m.opt.timestep);
    let scale = by.force[2].iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    for (kind, j) in [0, 1].into_iter().flat_map(|kind| (0..nv).map(move |j| (kind, j))) {
        for i in 0..nv {
            let acc = |k: usize| (t.A[(nv + k) * (2 * nv) + kind * nv + j] - f64::from(kind == 1 && k == j)) / h;
            let force: f64 = (0..nv).map(|k| by.force[2][k * nv + i] * acc(k)).sum();
            let want = -by.force[kind][j * nv + i];
            assert!((force - want).abs() < SOLVED * scale.max(want.abs()), "{kind} {j} {i}: {force} {want}");
        }
    }
    let pushed: f64 = (0..nv).map(|k| by.force[2][k * nv + 9] * t.B[(nv + k) * m.nu] / h).sum();
    assert!((pushed - 3.0).abs() < SETTLED, "a servo of kp 3 pushes with {pushed}");
}

#[test]
fn accelerations_of_inverse_dynamics_pass_constraints_on() {
    let m = model("pyramidal");
    let d = moving(&m);
    let by = found(&m, &d, &InverseConfig::default());
    let nv = m.nv;
    let mut mass = vec![0.0; nv * nv];
    full_m(&m, &mut mass, &d.inertia.qM);
    // H is symmetric and at least M
    let mut added = 0.0_f64;
    for (i, j) in (0..nv).flat_map(|i| (0..nv).map(move |j| (i, j))) {
        let h = &by.force[2];
        assert!((h[i * nv + j] - h[j * nv + i]).abs() < ROUNDING * (1.0 + h[i * nv + j].abs()));
        assert!(i != j || h[i * nv + i] >= mass[i * nv + i]);
        added = added.max(h[i * nv + j] - mass[i * nv + j]);
    }
    assert!(added > 1.0, "{added}");
}

#[test]
fn what_has_no_closed_form_says_so() {
    let mut m = model("elliptic");
    let d = moving(&m);
    let (mut work, mut out) = (TransitionWork::new(&m), InverseDerivatives::default());
    let mut ask = |m: &Model, config: &InverseConfig| inverse(m, &d, config, &mut work, &mut out);
    let analytic = InverseConfig { method: Method::Analytic, ..InverseConfig::default() };
    let report = ask(&m, &analytic).expect("all forces have closed forms");
    assert!(report.positions.has(Term::Contact) && report.accelerations.is_empty());
    let sensing = InverseConfig { wanted: ALL, ..analytic };
    assert_eq!(ask(&m, &sensing), Err(DifferenceError::NotClosed(Term::Sensor)));
    let hybrid = ask(&m, &InverseConfig { wanted: ALL, ..InverseConfig::default() }).expect("a ray is differenced");
    assert!(hybrid.accelerations.has(Term::Sensor));
    assert!(
        ask(&m, &InverseConfig { method: Method::Fd, ..analytic }).expect("differences").velocities.has(Term::Step)
    );
    assert!(matches!(ask(&m, &InverseConfig { eps: 0.0, ..analytic }), Err(DifferenceError::Eps(_))));
    m.opt.noslip_iterations = 2;
    assert_eq!(ask(&m, &analytic), Err(DifferenceError::Noslip));
}
