//! Identities that derivatives of steps and of inverse dynamics must satisfy, and values known in closed form.

mod common;

use common::tolerance::{DIFFERENCED, EXACT, ROUNDING, SETTLED, SINGLE, SOLVED};
use sinew_engine::model::enums::DisableFlags;
use sinew_engine::support::inertia::full_m;
use sinew_engine::support::position::{differentiate_pos, integrate_pos};
use sinew_engine::transition::{
    DerivativeConfig, InverseWanted, RolloutWork, Transition, TransitionWork, inverse_fd, jvp, rollout_vjp, transition,
};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};

fn model(xml: &str) -> Model {
    load_str(xml, &Source::default()).expect("the model compiles")
}

fn closed(m: &Model, d: &Data) -> Transition {
    let (mut work, mut out) = (TransitionWork::new(m), Transition::default());
    transition(m, d, &DerivativeConfig::default(), &mut work, &mut out).expect("it has a derivative");
    out
}

fn wave(i: usize) -> f64 {
    (1.7 * i as f64 + 0.4).sin()
}

/// Two trees, one of which stands on the floor and is held by a weld and a spring.
const MODEL: &str = r#"<mujoco><option timestep=".002" tolerance="0"/><worldbody><geom type="plane" size="2 2 .1"/>
    <body name="box" pos="0 0 .0995"><freejoint/><geom type="box" size=".2 .1 .1"/>
      <body name="arm" pos="0 0 .1"><joint name="b" type="ball" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .1 0 .4"/><site name="s" pos=".1 0 .4"/></body></body>
    <body name="free" pos="0 2 1"><joint name="x" axis="1 0 0"/><geom type="capsule" size=".04" fromto="0 0 0 0 .3 0"/></body>
    <body name="held" pos=".4 0 .6"><freejoint/><geom size=".05"/></body><site name="w" pos="0 .5 1"/></worldbody>
  <tendon><spatial name="t" stiffness="30" damping="1"><site site="w"/><site site="s"/></spatial></tendon>
  <equality><weld body1="held" body2="arm"/></equality>
  <actuator><motor joint="x"/><general tendon="t" dyntype="filter" dynprm=".1" gainprm="3"/><motor joint="x" gear="0"/></actuator></mujoco>"#;

fn moving(m: &Model) -> Data {
    let mut d = Data::new(m);
    (0..m.nv).for_each(|i| d.state.qvel[i] = 0.2 * wave(i));
    (0..m.nu).for_each(|i| d.state.ctrl[i] = 0.3 * wave(i + 1));
    d.state.act.fill(0.4);
    (0..5).for_each(|_| step::step(m, &mut d));
    d
}

#[test]
fn composed_steps_have_the_product_of_their_derivatives() {
    let m = model(MODEL);
    let d = moving(&m);
    let n = 2 * m.nv + m.na;
    let mut product: Vec<f64> = (0..n * n).map(|k| f64::from(k / n == k % n)).collect();
    let mut along = d.clone();
    for _ in 0..3 {
        let a = closed(&m, &along).A;
        product = (0..n * n).map(|k| (0..n).map(|j| a[k / n * n + j] * product[j * n + k % n]).sum()).collect();
        step::step(&m, &mut along);
    }
    let after = |col: usize, eps: f64| {
        let mut d = d.clone();
        let mut unit = vec![0.0; m.nv];
        match col {
            j if j < m.nv => {
                unit[j] = 1.0;
                integrate_pos(&m, &mut d.state.qpos, &unit, eps);
            }
            j if j < 2 * m.nv => d.state.qvel[j - m.nv] += eps,
            j => d.state.act[j - 2 * m.nv] += eps,
        }
        (0..3).for_each(|_| step::step(&m, &mut d));
        d.state
    };
    let eps = 1e-7;
    let scale = product.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    for col in 0..n {
        let (plus, minus) = (after(col, eps), after(col, -eps));
        let mut change = vec![0.0; n];
        differentiate_pos(&m, &mut change[..m.nv], 2.0 * eps, &minus.qpos, &plus.qpos);
        (0..m.nv).for_each(|i| change[m.nv + i] = (plus.qvel[i] - minus.qvel[i]) / (2.0 * eps));
        (0..m.na).for_each(|i| change[2 * m.nv + i] = (plus.act[i] - minus.act[i]) / (2.0 * eps));
        for row in 0..n {
            let (got, want) = (product[row * n + col], change[row]);
            assert!((got - want).abs() < SETTLED * scale, "{row} {col}: {got} {want}");
        }
    }
}

#[test]
fn forward_and_backward_products_over_a_roll_out_agree() {
    let m = model(MODEL);
    let d = moving(&m);
    let (n, nu, steps) = (2 * m.nv + m.na, m.nu, 12);
    let config = DerivativeConfig::default();
    let ctrl: Vec<f64> = (0..steps * nu).map(|k| 0.2 * wave(k)).collect();
    let changes: Vec<f64> = (0..steps * nu).map(|k| wave(k + 7)).collect();
    let weights: Vec<f64> = (0..n).map(|k| wave(3 * k)).collect();
    let start: Vec<f64> = (0..n).map(|k| wave(k + 2)).collect();
    // forward: change of the weighted final state
    let mut work = TransitionWork::new(&m);
    let (mut along, mut dx) = (d.clone(), start.clone());
    for t in 0..steps {
        along.state.ctrl.copy_from_slice(&ctrl[t * nu..][..nu]);
        let mut next = vec![0.0; n];
        jvp(&m, &along, &config, &mut work, (&dx, &changes[t * nu..][..nu]), &mut next).expect("it has a derivative");
        dx = next;
        step::step(&m, &mut along);
    }
    let forward: f64 = dx.iter().zip(&weights).map(|(x, w)| x * w).sum();
    // backward: the gradient along the same perturbations
    let mut loss = vec![0.0; steps * n];
    loss[(steps - 1) * n..].copy_from_slice(&weights);
    let (mut by_x, mut by_u) = (vec![0.0; n], vec![0.0; steps * nu]);
    let asked = (&ctrl[..], &loss[..], 4);
    rollout_vjp(&m, &d, &config, asked, &mut RolloutWork::new(&m), &mut by_x, &mut by_u).expect("it has a gradient");
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    let backward = dot(&by_x, &start) + dot(&by_u, &changes);
    assert!((forward - backward).abs() < SOLVED * forward.abs().max(1.0), "{forward} {backward}");
}

#[test]
fn inverse_dynamics_change_with_acceleration_by_the_mass_matrix() {
    let mut m = model(&MODEL.replace(r#"stiffness="30""#, r#"armature=".2""#));
    // without constraints, whose forces depend on acceleration too
    m.opt.disableflags |= DisableFlags::CONSTRAINT;
    let mut d = moving(&m);
    step::forward(&m, &mut d);
    let wanted = InverseWanted { force: [false, false, true], ..InverseWanted::default() };
    let by = inverse_fd(&m, &mut d, &mut (), 1e-4, false, wanted).expect("it has differences");
    let mut mass = vec![0.0; m.nv * m.nv];
    full_m(&m, &mut mass, &d.inertia.qM);
    for (k, (got, want)) in by.force[2].iter().zip(&mass).enumerate() {
        assert!((got - want).abs() < DIFFERENCED, "{k}: {got} {want}");
        assert_eq!(mass[k % m.nv * m.nv + k / m.nv], *want);
    }
}

#[test]
fn what_is_not_connected_has_no_derivative() {
    let m = model(MODEL);
    let d = moving(&m);
    let t = closed(&m, &d);
    let (n, lone) = (2 * m.nv + m.na, m.jnt_dofadr[m.joint("x").expect("it is there").id().index()] as usize);
    let of_lone = |k: usize| k == lone || k == m.nv + lone;
    for (row, col) in (0..n).flat_map(|r| (0..n).map(move |c| (r, c))).filter(|&(r, c)| of_lone(r) != of_lone(c)) {
        assert_eq!(t.A[row * n + col], 0.0, "{row} {col}");
    }
    for row in 0..n {
        assert_eq!(t.B[row * m.nu + 2], 0.0, "a control without gear");
        assert_eq!(t.B[row * m.nu] != 0.0, of_lone(row), "a control of one joint");
    }
}

#[test]
fn activations_and_controls_of_a_slide_have_known_columns() {
    for (dyntype, by_act, by_ctrl) in
        [("filter", 0.8, 0.2), ("filterexact", (-0.2_f64).exp(), 1.0 - (-0.2_f64).exp()), ("integrator", 1.0, 0.01)]
    {
        let m = model(&format!(
            r#"<mujoco><option timestep=".01"/><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="2"/></body></worldbody>
            <actuator><general joint="j" dyntype="{dyntype}" dynprm=".05"/><motor joint="j" ctrlrange="-1 1" ctrllimited="true"/></actuator></mujoco>"#
        ));
        for (ctrl, reaches) in [(0.0, 1.0), (1.0, 1.0), (-1.0, 1.0), (2.0, 0.0)] {
            let mut d = Data::new(&m);
            d.state.ctrl[1] = ctrl;
            let t = closed(&m, &d);
            let near = |got: f64, want: f64| assert!((got - want).abs() < EXACT, "{dyntype}: {got} {want}");
            near(t.A[8], by_act);
            near(t.A[5], 0.005);
            near(t.A[2], 5e-5);
            near(t.B[4], by_ctrl);
            near(t.B[1], 5e-5 * reaches);
            near(t.B[3], 5e-3 * reaches);
        }
    }
}

#[test]
fn a_pendulum_without_friction_keeps_volume() {
    let m = model(
        r#"<mujoco><worldbody><body><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -1"/></body></worldbody></mujoco>"#,
    );
    let mut d = Data::new(&m);
    (d.state.qpos[0], d.state.qvel[0]) = (0.7, 1.3);
    let a = closed(&m, &d).A;
    assert!((a[0] * a[3] - a[1] * a[2] - 1.0).abs() < ROUNDING, "{a:?}");
    // and its period is that of gravity: ∂v⁺/∂q = −h m g l cos q/I
    let inertia = d_inertia(&m, &d);
    let weight = 9.81 * m.body_mass[1] * 0.5 * 0.7_f64.cos();
    assert!((a[2] + m.opt.timestep * weight / inertia).abs() < SINGLE, "{}", a[2]);
}

fn d_inertia(m: &Model, d: &Data) -> f64 {
    let mut d = d.clone();
    step::forward(m, &mut d);
    d.inertia.qM[0]
}
