//! Small files that expand to much: they give a model or an error, in reasonable time and memory.

use sinew_mjcf::spec::MAX_DEPTH;
use sinew_mjcf::{ErrorKind, Limits, Loader, Source, load_str, read_str};
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

/// Elements without references double with each copy.
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

/// Attaching one model many times cannot exhaust memory, even with long names.
#[test]
fn attachment_is_bounded() {
    let geom = |i: usize| format!("<geom name='{i}{}' size='1'/>", "x".repeat(1 << 16));
    let geoms: String = (0..64).map(geom).collect();
    let child = format!("<mujoco model='c'><worldbody><body name='b'>{geoms}</body></worldbody></mujoco>");
    let mut world = String::new();
    for i in 0..Limits::default().elements >> 16 {
        write!(world, "<attach model='c' body='b' prefix='p{i}'/>").unwrap();
    }
    let xml = format!("<mujoco><asset><model file='c.xml'/></asset><worldbody>{world}</worldbody></mujoco>");
    let source = Source::with_files([("c.xml".to_string(), child.into_bytes())]);
    let error = read_str(&xml, &source).expect_err("a limit");
    assert!(matches!(error.kind, ErrorKind::Limit(_)));
}

/// Sizes given in a file are checked before allocation, and the error says which size it was.
#[test]
fn stated_sizes_are_bounded() {
    for (what, xml) in [
        ("size", "<size nuserdata='2000000000'/>"),
        ("size", "<size nkey='2000000000'/>"),
        ("size", "<size nuser_body='2000000000'/>"),
        ("hfield", "<asset><hfield name='h' nrow='60000' ncol='60000' size='1 1 1 1'/></asset>"),
        ("texture", "<asset><texture name='t' type='2d' builtin='flat' width='100000' height='100000'/></asset>"),
        ("texture", "<asset><texture name='t' type='cube' builtin='flat' width='100000' height='100000'/></asset>"),
        ("contact", "<sensor><contact num='2000000000' data='found force'/></sensor>"),
        ("user", "<sensor><user dim='2000000000'/></sensor>"),
    ] {
        let error = load_str(&format!("<mujoco>{xml}</mujoco>"), &Source::disk()).expect_err(xml);
        assert!(matches!(error.kind, ErrorKind::Limit(_)), "{xml}: {error}");
        assert!(error.element.as_ref().is_some_and(|e| e.contains(what)), "{xml}: {error}");
        assert!(error.to_string().contains(|c: char| c.is_ascii_digit()), "{xml}: {error}");
    }
}

#[test]
fn limits_can_be_set() {
    let xml = "<mujoco><worldbody><replicate count='50'><geom size='1'/></replicate></worldbody></mujoco>";
    let load = |elements| Loader::new().limits(Limits { elements, ..Limits::default() }).text(xml);
    assert_eq!(load(200).expect("within the limit").model.ngeom, 50);
    let error = load(100).expect_err("beyond the limit");
    assert!(error.to_string().contains("Loader::limits"), "{error}");
}

/// One such asset is allowed, many are not.
#[test]
fn many_assets_are_bounded() {
    let loader = Loader::new().limits(Limits { memory: 64 << 20, ..Limits::default() });
    for (element, attributes) in [
        ("hfield", "nrow='1000' ncol='1000' size='1 1 1 1'"),
        ("texture", "type='2d' builtin='flat' width='2000' height='2000'"),
        ("mesh", "builtin='plate' params='200 200'"),
    ] {
        let load = |n: usize| {
            let assets: String = (0..n).map(|i| format!("<{element} name='{i}' {attributes}/>")).collect();
            loader.text(&format!("<mujoco><asset>{assets}</asset></mujoco>"))
        };
        assert!(load(1).is_ok(), "{element}");
        let error = load(40).expect_err(element);
        assert!(matches!(error.kind, ErrorKind::Limit(_)), "{error}");
        assert_eq!(error.element.as_deref(), Some(element), "{error}");
    }
}

/// The memory limit grows with what is written in the file: elements in the file count, copies made by replication do
/// not.
#[test]
fn what_is_written_justifies_memory() {
    let limits = Limits { memory: 8 << 20, ..Limits::default() };
    let load = |content: &str| {
        let xml = format!("<mujoco><worldbody>{content}</worldbody></mujoco>");
        Loader::new().limits(limits).text(&xml)
    };
    let error = load("<replicate count='5000'><geom size='1'/></replicate>").expect_err("40 MB for a line");
    assert!(matches!(error.kind, ErrorKind::Limit(_)), "{error}");
    assert!(error.to_string().contains("SINEW_MAX_MEMORY"), "{error}");
    assert_eq!(load(&"<geom size='1'/>".repeat(5000)).expect("all are written").model.ngeom, 5000);
}

/// An image may claim to be large; it is refused without being decoded.
#[test]
fn pictures_are_bounded_by_their_files() {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 60_000, 60_000);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_chunk(png::chunk::IDAT, &[0x78, 0x9c, 0x03, 0x00]).expect("the begin of an image");
    drop(writer);
    let xml = "<mujoco><asset><texture name='t' type='2d' file='a.png'/></asset></mujoco>";
    let error = load_str(xml, &Source::with_files([("a.png".to_string(), file)])).expect_err("10 GB");
    assert!(error.to_string().contains("too large") || error.to_string().contains("imit"), "{error}");
}

/// Threads may have little stack; the deepest files still load, or are refused.
#[test]
fn deep_files_load_on_small_stacks() {
    let nest = |open: &str, core: &str, close: &str, n: usize| format!("{}{core}{}", open.repeat(n), close.repeat(n));
    let tree = nest("<body><joint/><geom size='.1'/>", "", "</body>", 490);
    let frames = nest("<frame pos='0 0 1'>", "<geom size='1'/>", "</frame>", 490);
    let mut classes = String::new();
    (0..490).for_each(|i| write!(classes, "<default class='{i}'>").unwrap());
    classes += &"</default>".repeat(490);
    let too_deep = nest("<body>", "", "</body>", 3000);
    let models = [
        (format!("<mujoco><worldbody>{tree}</worldbody></mujoco>"), true),
        (format!("<mujoco><worldbody>{frames}</worldbody></mujoco>"), true),
        (format!("<mujoco><default>{classes}</default></mujoco>"), true),
        (format!("<mujoco><worldbody>{too_deep}</worldbody></mujoco>"), false),
    ];
    for (xml, loads) in models {
        let load = move || {
            let spec = read_str(&xml, &Source::disk()); // the tree is also dropped here
            assert_eq!(spec.is_ok(), loads);
            drop(spec);
            assert_eq!(load_str(&xml, &Source::disk()).is_ok(), loads);
        };
        std::thread::Builder::new().stack_size(256 << 10).spawn(load).unwrap().join().expect("no overflow");
    }
}
