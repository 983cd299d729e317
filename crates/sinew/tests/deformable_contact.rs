//! Contacts of position-based flexes: all kinds of geoms, themselves, each other; and forces on attached bodies.

mod common;

use allocation_counter::measure;
use common::deformable::{model, run};
use sinew_batch::BatchSim;
use sinew_engine::{Data, Model, step};
use sinew_math::{Vec3, vec3};
use sinew_mjcf::{Source, load_str};
use std::sync::Arc;

/// A sheet of `n` × `n` vertices, `spacing` apart.
fn flex(name: &str, n: usize, spacing: f64, z: f64, inside: &str) -> String {
    format!(
        r#"<flexcomp name="{name}" type="grid" dim="2" count="{n} {n} 1" spacing="{spacing} {spacing} {spacing}" pos="0 0 {z}" mass=".1" radius=".005">{inside}</flexcomp>"#
    )
}

const ASSETS: &str = r#"<mesh name="brick" vertex="-.2 -.2 -.1 .2 -.2 -.1 -.2 .2 -.1 .2 .2 -.1 -.2 -.2 .1 .2 -.2 .1 -.2 .2 .1 .2 .2 .1"/>
    <hfield name="ground" nrow="3" ncol="3" size=".4 .4 .1 .1" elevation="0 0 0 0 0 0 0 0 0"/>"#;

#[test]
fn every_kind_of_geom_stops_a_sheet() {
    for geom in [
        r#"type="plane" size="1 1 1" pos="0 0 .1""#,
        r#"type="sphere" size=".3" pos="0 0 -.2""#,
        r#"type="capsule" size=".1 .3" euler="90 0 0""#,
        r#"type="cylinder" size=".4 .05" pos="0 0 .05""#,
        r#"type="ellipsoid" size=".4 .4 .1""#,
        r#"type="box" size=".4 .4 .05" pos="0 0 .05""#,
        r#"type="mesh" mesh="brick""#,
        r#"type="hfield" hfield="ground" pos="0 0 .1""#,
    ] {
        let bodies = format!("<geom {geom}/>{}", flex("s", 7, 0.03, 0.15, ""));
        let m = model("timestep='.004'", ASSETS, &bodies, &[("s", "cotton damping=3")]);
        let d = run(&m, 0.6);
        let middle = d.pose.flexvert_xpos[24];
        assert!((middle[2] - 0.105).abs() < 2e-3, "{geom}: {middle:?}");
    }
}

#[test]
fn nothing_comes_through_at_speed() {
    for (speed, h) in [(5.0, 0.01), (50.0, 0.005)] {
        let slab = r#"<geom type="box" size="1 1 .005"/>"#;
        let m =
            model(&format!("timestep='{h}'"), "", &format!("{slab}{}", flex("s", 7, 0.03, 0.4, "")), &[("s", "silk")]);
        let mut d = Data::new(&m);
        d.state.qvel.chunks_exact_mut(3).for_each(|v| v[2] = -speed);
        (0..100).for_each(|_| step::step(&m, &mut d));
        let lowest = d.pose.flexvert_xpos.iter().fold(1.0, |low: f64, x| low.min(x[2]));
        assert!(lowest > 0.0099, "at {speed} m/s: {lowest}");
    }
}

#[test]
fn a_ball_smaller_than_the_mesh_is_caught() {
    let ball = r#"<body pos=".05 .03 .3"><freejoint/><geom size=".02" mass=".01"/></body>"#;
    let pins = r#"<contact selfcollide="none"/><pin id="0 3 12 15"/>"#;
    let m =
        model("timestep='.004'", "", &format!("{ball}{}", flex("s", 4, 0.1, 0.2, pins)), &[("s", "leather damping=2")]);
    let d = run(&m, 1.0);
    let lowest = d.pose.flexvert_xpos.iter().fold(1.0, |low: f64, x| low.min(x[2]));
    assert!(d.state.qpos[2] > lowest, "{} {lowest}", d.state.qpos[2]);
}

#[test]
fn a_sheet_slides_where_the_slope_is_steeper_than_its_friction() {
    for (slope, slides) in [(0.45f64, false), (0.55, true)] {
        let (g, angle) = (9.81, slope.atan());
        let gravity = format!("gravity='{} 0 {}'", g * angle.sin(), -g * angle.cos());
        let bodies = format!(r#"<geom type="plane" size="9 9 1" friction=".1"/>{}"#, flex("s", 5, 0.05, 0.005, ""));
        let m = model(&gravity, "", &bodies, &[("s", "paper friction=.5")]);
        let d = run(&m, 0.5);
        let (moved, free) = (d.state.qpos[36], 0.5 * g * (angle.sin() - 0.5 * angle.cos()) * 0.25);
        if slides {
            assert!((moved / free - 1.0).abs() < 0.05, "{moved} {free}");
        } else {
            assert!(moved.abs() < 1e-4, "{moved}");
        }
    }
}

#[test]
fn parts_of_a_sheet_stay_apart() {
    // a strip that falls on its edge folds over repeatedly
    let strip = r#"<geom type="plane" size="1 1 1"/><flexcomp name="s" type="grid" dim="2" count="31 4 1" spacing=".02 .02 .02" pos="0 0 .35"
        euler="0 85 0" mass=".05" radius=".004"/>"#;
    let m = model("timestep='.004'", "", strip, &[("s", "silk damping=2")]);
    let d = run(&m, 1.5);
    let x = &d.pose.flexvert_xpos;
    let mut nearest = f64::INFINITY;
    for i in 0..x.len() {
        for j in 0..i {
            if i.abs_diff(j) > 12 {
                nearest = nearest.min(vec3::dist(x[i], x[j]));
            }
        }
    }
    assert!(nearest > 0.012, "{nearest}");
    assert!(x.iter().all(|x| x[2] < 0.3), "it has fallen");
}

#[test]
fn a_sheet_lies_on_another() {
    let corners = r#"<pin id="0 8 72 80"/>"#;
    let bodies = format!("{}{}", flex("low", 9, 0.03, 0.2, corners), flex("high", 5, 0.03, 0.26, ""));
    let m = model("timestep='.004'", "", &bodies, &[("low", "leather damping=3"), ("high", "cotton damping=3")]);
    let d = run(&m, 1.0);
    let x = &d.pose.flexvert_xpos;
    let (low, high) = (x[40], x[81 + 12]);
    assert!(high[2] > low[2] + 0.02 && high[2] < low[2] + 0.05, "{low:?} {high:?}");
}

/// A rope between a free ball and a fixed point, given explicitly.
fn tether(options: &str) -> Model {
    let point = |i: usize| {
        let axes = ["1 0 0", "0 1 0", "0 0 1"].map(|a| format!(r#"<joint type="slide" axis="{a}"/>"#)).concat();
        format!(
            r#"<body name="p{i}" pos="{} 0 0"><inertial pos="0 0 0" mass=".05" diaginertia="1e-6 1e-6 1e-6"/>{axes}</body>"#,
            0.1 * i as f64
        )
    };
    let points: String = (1..6).map(point).collect();
    let xml = format!(
        r#"<mujoco><option {options}/><worldbody><body name="ball"><freejoint/><geom type="box" size=".05 .04 .03" mass=".5" contype="0" conaffinity="0"/></body>{points}</worldbody>
        <deformable><flex name="rope" dim="1" body="ball p1 p2 p3 p4 p5" vertex="0 .04 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0" element="0 1 1 2 2 3 3 4 4 5" radius=".01"/></deformable>
        <custom><text name="sinew:deformable:rope" data="rope"/></custom></mujoco>"#
    );
    load_str(&xml, &Source::default()).expect("the model compiles")
}

#[test]
fn a_body_feels_the_rope_that_hangs_on_it() {
    let m = tether("gravity='0 0 0'");
    let mut d = Data::new(&m);
    let (first, last) = (0, m.nv - 3);
    d.state.qvel[last..].copy_from_slice(&[1.0, 0.5, -0.3]);
    let momentum = |d: &Data| -> Vec3 {
        let ball: Vec3 = std::array::from_fn(|k| 0.5 * d.state.qvel[first + k]);
        d.state.qvel[6..].chunks_exact(3).fold(ball, |sum, v| vec3::add_scaled(sum, [v[0], v[1], v[2]], 0.05))
    };
    for _ in 0..300 {
        let before = momentum(&d);
        step::step(&m, &mut d);
        assert!(vec3::dist(momentum(&d), before) < 1e-12, "{before:?} {:?}", momentum(&d));
    }
    assert!(d.state.qvel[first] > 0.05, "the rope pulls: {:?}", &d.state.qvel[..6]);
    step::forward(&m, &mut d);
    for (a, b) in d.pose.flexvert_xpos.iter().zip(d.pose.flexvert_xpos.iter().skip(1)).skip(1) {
        assert!((vec3::dist(*a, *b) - 0.1).abs() < 2e-3, "{a:?} {b:?}");
    }
}

/// Everything at once: a sheet that collides with itself, with a ball and with a floor.
fn everything() -> Model {
    let bodies = r#"<geom type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/><geom size=".08" mass=".3"/></body>
        <body pos=".1 .1 .1"><freejoint/><geom type="box" size=".04 .04 .04" mass=".3"/></body>"#;
    model("timestep='.005'", "", &format!("{bodies}{}", flex("s", 11, 0.04, 0.25, "")), &[("s", "silk detections=2")])
}

#[test]
fn threads_of_a_large_sheet_make_no_difference() {
    // large enough for several blocks of particles
    let bodies = format!(
        r#"<geom type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/><geom size=".08" mass=".3"/></body>{}"#,
        flex("s", 50, 0.01, 0.2, "")
    );
    let m = model("timestep='.01'", "", &bodies, &[("s", "cotton substeps=3 iterations=2")]);
    let states = [1, 2, 8].map(|threads| {
        let mut d = Data::new(&m);
        d.set_threads(&m, threads);
        (0..40).for_each(|_| step::step(&m, &mut d));
        assert!(d.warning.iter().all(|w| w.number == 0), "{:?}", d.warning);
        d.state.qpos
    });
    assert!(states[0][2] > 0.05 && states.iter().all(|s| *s == states[0]));
}

#[test]
fn steps_allocate_nothing() {
    let m = everything();
    let mut d = Data::new(&m);
    for i in 0..150 {
        assert_eq!(measure(|| step::step(&m, &mut d)).count_total, 0, "step {i}");
    }
    assert!(d.warning.iter().all(|w| w.number == 0), "{:?}", d.warning);
}

#[test]
fn worlds_on_threads_and_copies_are_the_same_to_the_last_bit() {
    let m = everything();
    let mut d = Data::new(&m);
    (0..40).for_each(|_| step::step(&m, &mut d));
    let mut copy = Data::new(&m);
    copy.copy_from(&d);
    let sig = sinew_engine::model::enums::StateFlags::INTEGRATION.bits();
    let mut state = vec![0.0; sinew_engine::data::state::state_size(&m, sig).expect("it is a signature")];
    d.state.get(&m, &mut state, sig).expect("it fits");
    let mut set = Data::new(&m);
    set.set_state(&m, &state, sig).expect("it fits");
    let mut clone = d.clone();
    (0..40).for_each(|_| [&mut d, &mut copy, &mut set, &mut clone].into_iter().for_each(|d| step::step(&m, d)));
    assert_eq!(d.state.qpos, clone.state.qpos);
    assert_eq!(d.state.qpos, copy.state.qpos);
    assert_eq!(d.state.qpos, set.state.qpos);
    let m = Arc::new(m);
    for threads in [1, 8] {
        let mut worlds = BatchSim::builder(m.clone(), 10).threads(threads).steps(80).build().expect("there is room");
        worlds.step_all(&[]).expect("no controls");
        for i in 0..10 {
            assert_eq!(worlds.world(i).expect("it is there").state.qpos, d.state.qpos, "{threads}: world {i}");
        }
    }
}
