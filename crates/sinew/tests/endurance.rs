//! Long runs: no NaN, no growing memory.
//!
//! `SINEW_ENDURANCE_STEPS=1000000 cargo test --release -p sinew --test endurance` runs a million steps of each scene.

use allocation_counter::measure;
use sinew_engine::model::enums::Warning;
use sinew_engine::{Data, step};
use sinew_mjcf::{Source, load_str};
use std::fmt::Write;

const HUMANOID: &str = include_str!("../../../models/humanoid.xml");

/// Two four-bar linkages, closed by equalities of both kinds, swinging above the floor.
const LOOPS: &str = r#"<mujoco>
  <default><joint axis="0 1 0" damping=".01"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body pos="0 0 1"><joint/><geom/><body pos=".3 0 0"><joint/><geom/><body name="a" pos=".3 0 0"><joint/><geom/></body></body></body>
    <body pos="0 1 1"><joint/><geom/><body pos=".3 0 0"><joint/><geom/><body name="b" pos=".3 0 0"><joint/><geom/></body></body></body>
  </worldbody>
  <equality><connect body1="a" anchor="0 0 .3"/><weld body1="b" relpose=".6 1 1.1 1 0 0 0" torquescale=".1"/></equality>
</mujoco>"#;

fn pile() -> String {
    let mut bodies = String::new();
    for i in 0..12 {
        let (x, y, z) = (0.02 * (i % 3) as f64, 0.03 * (i % 2) as f64, 0.2 + 0.21 * i as f64);
        let _ = write!(
            bodies,
            r#"<body pos="{x} {y} {z}" euler="{} {} 0"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#,
            5 * i,
            7 * i
        );
    }
    format!(r#"<mujoco><worldbody><geom type="plane" size="5 5 .1"/>{bodies}</worldbody></mujoco>"#)
}

/// Steps a scene; after a tenth of the run memory must not grow any more.
fn endures(name: &str, xml: &str) {
    let steps = std::env::var("SINEW_ENDURANCE_STEPS").ok().and_then(|s| s.parse().ok()).unwrap_or(20_000_u64);
    let m = load_str(xml, &Source::default()).expect(name);
    let mut d = Data::new(&m);
    let mut run = |steps| measure(|| (0..steps).for_each(|_| step::step(&m, &mut d))).bytes_current;
    run(steps / 10);
    let growth = run(steps - steps / 10);
    for warning in [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc] {
        assert_eq!(d.warning[warning as usize].number, 0, "{name}: {warning:?}");
    }
    assert!((d.state.time / m.opt.timestep - steps as f64).abs() < 1.0, "{name}: never reset");
    assert!(d.state.qpos.iter().chain(d.state.qvel.iter()).all(|x| x.is_finite()), "{name}");
    assert!(growth <= 1 << 16, "{name}: {growth} bytes more than after a tenth of the run");
}

#[test]
fn a_pile_of_boxes() {
    endures("box pile", &pile());
}

#[test]
fn a_humanoid_on_the_floor() {
    endures("humanoid on the floor", HUMANOID);
}

#[test]
fn an_arm_with_loops() {
    endures("arm with loops", LOOPS);
}
