//! Files that make much out of little: they end in a model or an error, in reasonable time and memory.

use sinew_mjcf::spec::{MAX_DEPTH, MAX_ELEMENTS};
use sinew_mjcf::{ErrorKind, Source, load_str, read_str};
use std::fmt::Write as _;

fn limited(xml: &str) -> bool {
    let error = read_str(xml, &Source::disk()).expect_err("a limit");
    matches!(error.kind, ErrorKind::Limit(_))
}

#[test]
fn replication_is_bounded() {
    let nested = |n: usize| {
        let (open, close) = ("<replicate count='100'>".repeat(n), "</replicate>".repeat(n));
        format!("<mujoco><worldbody>{open}<geom size='1'/>{close}</worldbody></mujoco>")
    };
    let spec = read_str(&nested(2), &Source::disk()).unwrap();
    assert_eq!(spec.world.geoms.len(), 10_000);
    assert!(limited(&nested(4)));
    assert!(limited(
        "<mujoco><worldbody><replicate count='2000000000'><geom size='1'/></replicate></worldbody></mujoco>"
    ));
    let sep = "x".repeat(1 << 20);
    let long = format!("<replicate count='10000' sep='{sep}'><geom name='g' size='1'/></replicate>");
    assert!(limited(&format!("<mujoco><worldbody>{long}</worldbody></mujoco>")));
}

/// Elements that refer to nothing double with each copy.
#[test]
fn doubling_is_bounded() {
    let xml = "<mujoco><worldbody><replicate count='60'><geom size='1'/></replicate></worldbody>
      <sensor><clock/></sensor></mujoco>";
    assert!(limited(xml));
}

#[test]
fn many_copies_take_little_time() {
    let start = std::time::Instant::now();
    let xml =
        "<mujoco><worldbody><replicate count='3000'><body name='b'><joint name='j'/><geom size='1'/></body></replicate>
      </worldbody><actuator><motor name='m' joint='j'/></actuator><sensor><jointpos joint='j'/></sensor></mujoco>";
    let spec = read_str(xml, &Source::disk()).unwrap();
    assert_eq!((spec.actuators.len(), spec.sensors.len()), (3000, 3000));
    assert!(start.elapsed().as_secs() < 60);
}

/// The longest cable and the longest chain of links compile without overflowing the stack.
#[test]
fn deep_trees() {
    let cable = |n: usize| {
        let geom = "<geom type='capsule' size='.01'/>";
        format!(
            "<mujoco><worldbody><composite type='cable' curve='s' count='{n} 1 1'>{geom}</composite></worldbody></mujoco>"
        )
    };
    assert_eq!(load_str(&cable(MAX_DEPTH / 4), &Source::disk()).unwrap().nbody, MAX_DEPTH / 4);
    assert!(limited(&cable(MAX_DEPTH + 1)));
    assert!(limited(&cable(i32::MAX as usize)));
    let chain = |n: usize| {
        let mut urdf = String::from("<robot name='r'><link name='l0'/>");
        for i in 1..n {
            let inertia = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>";
            write!(urdf, "<link name='l{i}'><inertial><mass value='1'/>{inertia}</inertial></link>").unwrap();
            let ends = format!("<parent link='l{}'/><child link='l{i}'/>", i - 1);
            write!(urdf, "<joint name='j{i}' type='revolute'>{ends}</joint>").unwrap();
        }
        urdf + "</robot>"
    };
    // the first link has no joint and becomes part of the world
    assert_eq!(load_str(&chain(MAX_DEPTH / 4), &Source::disk()).unwrap().nbody, MAX_DEPTH / 4);
    assert!(limited(&chain(MAX_DEPTH + 2)));
}

/// Attaching one model many times cannot exhaust memory. Long names count.
#[test]
fn attachment_is_bounded() {
    let geom = |i: usize| format!("<geom name='{i}{}' size='1'/>", "x".repeat(1 << 16));
    let geoms: String = (0..64).map(geom).collect();
    let child = format!("<mujoco model='c'><worldbody><body name='b'>{geoms}</body></worldbody></mujoco>");
    let mut world = String::new();
    for i in 0..MAX_ELEMENTS >> 16 {
        write!(world, "<attach model='c' body='b' prefix='p{i}'/>").unwrap();
    }
    let xml = format!("<mujoco><asset><model file='c.xml'/></asset><worldbody>{world}</worldbody></mujoco>");
    let source = Source::with_files([("c.xml".to_string(), child.into_bytes())]);
    let error = read_str(&xml, &source).expect_err("a limit");
    assert!(matches!(error.kind, ErrorKind::Limit(_)));
}
