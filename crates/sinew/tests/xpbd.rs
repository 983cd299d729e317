//! The position-based solver: resting bodies stay at rest, overlaps are resolved, ties hold.

use sinew_engine::model::enums::{EnableFlags, Integrator};
use sinew_engine::model::extension::{Compliance, Xpbd};
use sinew_engine::sim::{AnimationSim, SimBuilder};
use sinew_engine::solver::Convex;
use sinew_engine::step;
use sinew_engine::support::bending::Dihedral;
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_path, load_str};

fn model(xml: &str) -> Model {
    load_str(xml, &Source::default()).expect("the model compiles")
}

/// A box of 1 kg whose lower face is `height` above a plane inclined by `slope` about y.
fn box_on_plane(height: f64, slope: f64, options: &str) -> Model {
    let (z, g) = (0.1 + height, 9.81);
    let gravity = format!("{} 0 {}", g * slope.sin(), -g * slope.cos());
    model(&format!(
        r#"<mujoco><option gravity="{gravity}" {options}/><default><geom friction=".5"/></default><worldbody>
        <geom type="plane" size="9 9 1"/><body pos="0 0 {z}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
        </worldbody></mujoco>"#
    ))
}

fn xpbd(m: Model) -> AnimationSim {
    SimBuilder::new().bending(Dihedral::default()).solver(Xpbd::default()).build(m).expect("it can be built")
}

fn run(sim: &mut AnimationSim, seconds: f64) {
    let end = sim.data().state.time + seconds;
    while sim.data().state.time < end - 1e-9 {
        sim.step().expect("the motion is tame");
    }
}

fn depth(d: &Data) -> f64 {
    d.contact.iter().map(|c| -c.dist).fold(0.0, f64::max)
}

fn speed(d: &Data) -> f64 {
    d.state.qvel.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[test]
fn a_box_rests() {
    for cone in ["elliptic", "pyramidal"] {
        let mut sim = xpbd(box_on_plane(0.01, 0.0, &format!("cone=\"{cone}\"")));
        run(&mut sim, 2.0);
        let (m, d) = (sim.model().clone(), sim.data());
        assert!(depth(d) < 1e-4 && speed(d) < 1e-3, "{cone}: {} {}", depth(d), speed(d));
        assert!(d.state.qpos[0].hypot(d.state.qpos[1]) < 1e-3, "{cone}: it drifts");
        let weight: f64 = d.contact.iter().map(|c| d.contact_force(&m, c)[0]).sum();
        assert!((weight / 9.81 - 1.0).abs() < 0.01, "{cone}: {weight}");
    }
}

#[test]
fn an_overlap_is_parted_without_a_kick() {
    let mut sim = xpbd(box_on_plane(-0.02, 0.0, ""));
    sim.step().expect("the motion is tame");
    assert!(speed(sim.data()) < 0.1, "{}", speed(sim.data()));
    sim.forward();
    assert!(depth(sim.data()) < 1e-3, "{}", depth(sim.data()));
}

#[test]
fn soft_rows_give_way_as_far_as_mujocos() {
    // without friction and rotation the closed form is exact; a box averages over its corners
    let ball = model(
        r#"<mujoco><worldbody><geom type="plane" size="9 9 1" condim="1"/><body pos="0 0 .1">
        <joint type="slide" axis="0 0 1"/><geom size=".1" mass="1" condim="1"/></body></worldbody></mujoco>"#,
    );
    let soft = Xpbd { compliance: Compliance::Soft, ..Xpbd::default() };
    for (m, bound) in
        [(ball, 1e-6), (box_on_plane(0.0, 0.0, ""), 0.02), (box_on_plane(0.0, 0.0, "cone=\"elliptic\""), 0.02)]
    {
        let mut sim = SimBuilder::new().solver(soft).build(m.clone()).expect("it can be built");
        let mut d = Data::new(&m);
        for _ in 0..3000 {
            sim.step().expect("the motion is tame");
            step::step(&m, &mut d);
        }
        let (ours, newton) = (depth(sim.data()), depth(&d));
        assert!(newton > 1e-5 && (ours / newton - 1.0).abs() < bound, "{ours} {newton}");
    }
}

#[test]
fn a_box_slides_where_the_slope_is_steeper_than_friction() {
    for cone in ["elliptic", "pyramidal"] {
        for (factor, slides) in [(0.98_f64, false), (1.02, true)] {
            let slope = (0.5 * factor).atan();
            let mut sim = xpbd(box_on_plane(0.0, slope, &format!("cone=\"{cone}\"")));
            run(&mut sim, 2.0);
            let v = sim.data().state.qvel[0];
            // g (sin − μ cos) t
            let free = 9.81 * (slope.sin() - 0.5 * slope.cos()) * 2.0;
            let expected = if slides { free } else { 0.0 };
            assert!((v - expected).abs() < 0.02, "{cone} {factor}: {v} {expected}");
        }
    }
}

#[test]
fn a_stack_of_ten_stands() {
    let bodies: String = (0..10)
        .map(|i| {
            format!(
                r#"<body pos="0 0 {}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>"#,
                0.1 + 0.2 * f64::from(i)
            )
        })
        .collect();
    let m = model(&format!(r#"<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>"#));
    let mut sim = xpbd(m);
    run(&mut sim, 2.0);
    assert!(depth(sim.data()) < 1e-4, "{}", depth(sim.data()));
    run(&mut sim, 3.0);
    assert!(speed(sim.data()) < 1e-5, "it neither creeps nor leans: {}", speed(sim.data()));
    for body in 0..10 {
        let q = &sim.data().state.qpos[7 * body..];
        assert!((q[2] - 0.1 - 0.2 * body as f64).abs() < 5e-3, "box {body} is at {}", q[2]);
        assert!(q[0].hypot(q[1]) < 1e-3, "box {body} has moved to {} {}", q[0], q[1]);
    }
}

#[test]
fn a_soft_pile_comes_to_rest() {
    let bodies: String = (0..6)
        .map(|i| {
            let [x, y, z] = [0.012 * f64::from(i % 3), -0.01 * f64::from(i % 2), 0.11 + 0.21 * f64::from(i)];
            format!(r#"<body pos="{x} {y} {z}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>"#)
        })
        .collect();
    let m = model(&format!(r#"<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>"#));
    let soft = Xpbd { compliance: Compliance::Soft, ..Xpbd::default() };
    let mut sim = SimBuilder::new().solver(soft).build(m).expect("it can be built");
    (0..1000).for_each(|_| sim.step().expect("the motion is tame"));
    assert!(speed(sim.data()) < 1e-2, "{}", speed(sim.data()));
}

#[test]
fn what_is_tied_stays_tied() {
    let m = model(
        r#"<mujoco><option timestep=".002"/><worldbody>
        <body name="a" pos="0 0 1"><freejoint/><geom type="box" size=".1 .05 .05" mass="1"/></body>
        <body name="b" pos=".3 0 1"><freejoint/><geom type="box" size=".1 .05 .05" mass="2"/></body>
        <body name="c" pos="0 1 1"><joint axis="0 1 0" limited="true" range="-30 30"/><geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/></body>
        </worldbody><equality><connect body1="a" anchor="-.1 0 0"/><weld body1="a" body2="b"/></equality></mujoco>"#,
    );
    let mut sim = xpbd(m);
    for _ in 0..1000 {
        sim.step().expect("the motion is tame");
    }
    sim.forward();
    let d = sim.data();
    let rows = d.efc.efc_pos.len();
    assert!(rows >= 9, "{rows}");
    let off = d.efc.efc_pos[..9].iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    assert!(off < 1e-4, "connect and weld are {off} apart");
    // the limit holds too: it carries the arm
    let angle = d.state.qpos[14].abs();
    assert!((angle - 30f64.to_radians()).abs() < 1e-4, "{angle}");
}

#[test]
fn solvers_change_between_steps() {
    let m = box_on_plane(0.0, 0.0, "");
    let mut newton = SimBuilder::new().solver(Convex).build(m).expect("it can be built");
    (0..100).for_each(|_| newton.step().expect("the motion is tame"));
    let mut positions = newton.with_solver(Xpbd::default()).expect("it integrates by Euler");
    (0..100).for_each(|_| positions.step().expect("the motion is tame"));
    let mut newton = positions.with_solver(Convex).expect("it serves every model");
    (0..500).for_each(|_| newton.step().expect("the motion is tame"));
    assert!(speed(newton.data()) < 1e-3 && (newton.data().state.time - 1.4).abs() < 1e-9);
}

#[test]
fn a_humanoid_falls_and_lies() {
    let mut m =
        load_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml")).expect("the model compiles");
    m.opt.enableflags |= EnableFlags::ENERGY;
    m.opt.integrator = Integrator::Euler;
    let mut sim = xpbd(m);
    run(&mut sim, 10.0);
    let energy = sim.data().sensor.energy[1];
    assert!(energy < 1e-2, "it still moves: {energy} J");
    assert!(sim.data().state.qpos[2] < 0.5 && sim.data().state.qpos[2] > 0.0, "it lies: {}", sim.data().state.qpos[2]);
}

/// A wall of boxes, each over the gap between two, dropped from a small height: overlaps vanish, and all come to rest.
#[test]
fn a_pile_comes_to_rest() {
    let mut bodies = String::new();
    for row in 0..4 {
        for k in 0..4 - row {
            let (x, z) = (0.21 * (f64::from(k) + 0.5 * f64::from(row)), 0.1 + 0.203 * f64::from(row));
            bodies +=
                &format!(r#"<body pos="{x} 0 {z}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>"#);
        }
    }
    let m = model(&format!(r#"<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>"#));
    let mut sim = xpbd(m);
    run(&mut sim, 2.0);
    assert!(depth(sim.data()) < 1e-4, "{}", depth(sim.data()));
    assert!(speed(sim.data()) < 1e-2, "{}", speed(sim.data()));
    let weight: f64 =
        sim.data().contact.iter().filter(|c| c.geom[0] == 0).map(|c| sim.data().contact_force(sim.model(), c)[0]).sum();
    assert!((weight - 98.1).abs() < 1.0, "the floor carries {weight} N of ten boxes");
}

/// The multipliers of the last step warm-start the next one. They are part of copies and saved simulations; setting or
/// resetting the state clears them.
#[test]
fn memories_belong_to_the_simulation() {
    let mut sim = xpbd(box_on_plane(0.0, 0.1, ""));
    run(&mut sim, 0.1);
    assert!(sim.data().multipliers.iter().any(|one| one.force > 0.0));
    let m = sim.model().clone();
    let mut copy = Data::new(&m);
    copy.copy_from(sim.data());
    let mut saved = Data::from_bytes(&m, &sim.data().to_bytes()).expect("it was saved");
    let mut parts = sim.parts().clone();
    for _ in 0..20 {
        sim.step().expect("the motion is tame");
        step::try_step(&m, &mut copy, &mut parts).expect("the motion is tame");
        step::try_step(&m, &mut saved, &mut parts).expect("the motion is tame");
    }
    assert_eq!(sim.data().state.qpos[..], copy.state.qpos[..]);
    assert_eq!(sim.data().state.qpos[..], saved.state.qpos[..]);
    // evaluating the state changes nothing
    sim.forward();
    let first = sim.data().accel.qacc.to_vec();
    sim.forward();
    assert_eq!(first, sim.data().accel.qacc.to_vec());
    sim.reset();
    assert!(sim.data().multipliers.is_empty());
}

#[test]
fn balls_bounce_as_high_as_restitution_says() {
    for e in [0.0, 0.5, 0.8, 1.0] {
        let m = model(
            r#"<mujoco><option timestep=".001"/><worldbody><geom type="plane" size="9 9 1"/>
            <body pos="0 0 1.1"><freejoint/><geom size=".1" mass="1"/></body></worldbody></mujoco>"#,
        );
        let solver = Xpbd { restitution: e, ..Xpbd::default() };
        let mut sim = SimBuilder::new().solver(solver).build(m).expect("it can be built");
        // a fall of 1 m takes .4515 s; the way up after the bounce takes e times that
        let mut highest: f64 = 0.0;
        for _ in 0..900 {
            sim.step().expect("the motion is tame");
            if sim.data().state.time > 0.46 {
                highest = highest.max(sim.data().state.qpos[2] - 0.1);
            }
        }
        assert!((highest - e * e).abs() < 0.01, "{e}: {highest}");
    }
    let refused = Xpbd { restitution: 2.0, ..Xpbd::default() };
    assert!(SimBuilder::new().solver(refused).build(box_on_plane(0.0, 0.0, "")).is_err());
}
