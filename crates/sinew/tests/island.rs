//! Islands and sleep change the cost of a step, not its result.

mod common;

use common::tolerance::DIFFERENCED;
use sinew_engine::model::enums::DisableFlags;
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};
use std::fmt::Write;

/// Stacks of two boxes in a row, each a separate island, and a ball in flight.
fn stacks(count: usize, option: &str) -> Model {
    let mut bodies = String::new();
    for i in 0..count {
        let x = 0.5 * i as f64;
        for (z, turn) in [(0.101, 0.0), (0.3015, 0.3)] {
            write!(
                bodies,
                r#"<body pos="{x} 0 {z}" euler="0 0 {turn}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#
            )
            .expect("strings can be written to");
        }
    }
    let xml = format!(
        r#"<mujoco><compiler angle="radian"/><option {option}/>
        <worldbody><geom type="plane" size="9 9 .1"/>{bodies}
        <body name="ball" pos="0 0 3"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#
    );
    load_str(&xml, &Source::default()).expect("the model compiles")
}

fn run(m: &Model, d: &mut Data, steps: usize) {
    (0..steps).for_each(|_| step::step(m, d));
}

#[test]
fn islands_do_not_change_the_solution() {
    for option in [r#"tolerance="1e-15" iterations="200""#, r#"tolerance="1e-15" cone="elliptic" jacobian="sparse""#] {
        let mut m = stacks(4, option);
        let mut d = Data::new(&m);
        run(&m, &mut d, 20);
        for _ in 0..20 {
            step::forward(&m, &mut d);
            assert_eq!(d.island.nisland, 4);
            let apart = d.accel.qacc.to_vec();
            m.opt.disableflags |= DisableFlags::ISLAND;
            step::forward(&m, &mut d);
            assert_eq!(d.island.nisland, 0);
            m.opt.disableflags = DisableFlags::empty();
            for (a, b) in apart.iter().zip(d.accel.qacc.iter()) {
                assert!((a - b).abs() < DIFFERENCED * (1.0 + a.abs()), "{a} {b}");
            }
            step::step(&m, &mut d);
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    for option in [r#"cone="elliptic""#, r#"solver="CG" jacobian="sparse""#, ""] {
        let m = stacks(24, option);
        let (mut alone, mut together) = (Data::new(&m), Data::new(&m));
        together.set_threads(&m, 4);
        for _ in 0..40 {
            step::step(&m, &mut alone);
            step::step(&m, &mut together);
            assert_eq!(alone.state.qpos[..], together.state.qpos[..]);
            assert_eq!(alone.solution.efc_force, together.solution.efc_force);
            assert_eq!(alone.accel.solver_niter, together.accel.solver_niter);
            assert_eq!(alone.contact, together.contact);
        }
        assert_eq!(alone.island.nisland, 24);
        assert!(alone.island.island_nefc.iter().sum::<i32>() > 256, "enough for several threads");
    }
}

#[test]
fn a_sleeping_stack_wakes_when_touched() {
    let xml = r#"<mujoco><option><flag sleep="enable"/></option>
      <worldbody><geom type="plane" size="9 9 .1"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1"/></body>
        <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos="0 0 2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#;
    let m = load_str(xml, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    let mut slept = None;
    while !d.contact.iter().any(|c| c.geom.contains(&3)) {
        step::step(&m, &mut d);
        assert!(d.state.time < 2.0, "the ball lands");
        let asleep = [0, 1].map(|t| d.state.tree_asleep[t] >= 0);
        assert_eq!(asleep[0], asleep[1], "a stack sleeps and wakes together");
        if asleep[0] && slept.is_none() {
            slept = Some(d.state.qpos[..14].to_vec());
            assert_eq!(d.state.tree_asleep[..2], [1, 0]);
            assert!(d.state.qvel[..12].iter().all(|v| *v == 0.0));
        }
        if let (Some(rest), true) = (&slept, asleep[0]) {
            assert_eq!(d.state.qpos[..14], rest[..], "what sleeps does not move");
        }
    }
    assert!(slept.is_some(), "the stack falls asleep before it is touched");
    assert_eq!(d.awake.ntree_awake, 3);
    assert!(d.state.tree_asleep.iter().all(|t| *t < 0));
}

#[test]
fn trees_that_start_asleep() {
    let model = |height: f64, policy: &str| {
        format!(
            r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 .1"/>
            <body name="low" pos="0 0 .1" sleep="init"><freejoint/><geom type="box" size=".2 .2 .1"/></body>
            <body name="high" pos="0 0 {height}" {policy}><freejoint/><geom type="box" size=".1 .1 .1"/></body>
            </worldbody></mujoco>"#
        )
    };
    let m = load_str(&model(0.299, r#"sleep="init""#), &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    assert_eq!(d.state.tree_asleep[..], [1, 0]);
    run(&m, &mut d, 5);
    assert_eq!(d.state.tree_asleep[..], [1, 0]);
    assert_eq!(d.state.qpos[..], m.qpos0[..]);

    // when they do not touch, one may sleep alone
    let m = load_str(&model(0.5, ""), &Source::default()).expect("the model compiles");
    assert_eq!(Data::new(&m).state.tree_asleep[0], 0);

    // in contact with a tree that is awake, it cannot
    let e = load_str(&model(0.299, ""), &Source::default()).expect_err("a tree that is awake touches it");
    assert!(e.to_string().contains("1 trees should start asleep but 0 can"), "{e}");
}

#[test]
fn a_tendon_equality_wakes_what_it_ties() {
    let hinge = |name: &str| {
        format!(
            r#"<body pos="0 0 1" sleep="allowed"><joint name="{name}" axis="0 1 0" damping="2"/>
            <geom size=".05" pos="0 0 -.2" contype="0" conaffinity="0"/></body>"#
        )
    };
    let xml = format!(
        r#"<mujoco><option><flag sleep="enable"/></option><worldbody>{}{}</worldbody>
        <tendon><fixed name="s"><joint joint="a" coef="1"/></fixed><fixed name="t"><joint joint="b" coef="1"/></fixed>
        </tendon><equality><tendon tendon1="s" tendon2="t"/></equality></mujoco>"#,
        hinge("a"),
        hinge("b")
    );
    let m = load_str(&xml, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    run(&m, &mut d, 30);
    assert_eq!(d.state.tree_asleep[..], [1, 0]);
    d.state.qvel[0] = 1.0;
    run(&m, &mut d, 20);
    assert!(d.state.tree_asleep.iter().all(|t| *t < 0));
    assert!((d.state.qpos[0] - d.state.qpos[1]).abs() < 1e-2 && d.state.qpos[1] > 0.001, "{:?}", d.state.qpos);
}
