//! Models of the tests, with their kernels on emulated lanes.

use sinew_engine::Model;
use sinew_gpu::emulate::{Emulator, compiler};
use sinew_gpu::{Plan, compare};

/// A creature with every supported joint, shape and actuator.
const WALKER: &str = include_str!("../models/walker.xml");
/// An arm and a drone with every transmission and muscle, and fluid interaction shapes.
const MACHINE: &str = include_str!("../models/machine.xml");
/// An arm with joint ranges where both limits are active, and with force limits of every kind.
const BOUNDS: &str = include_str!("../models/bounds.xml");
/// The options that all of them contain.
const OPTION: &str = r#"<option timestep=".004"/>"#;
/// Their variants: name, model, options to use instead.
const VARIANTS: &[(&str, &str, &str)] = &[
    ("pyramids", WALKER, ""),
    ("cones", WALKER, r#"cone="elliptic" impratio="3""#),
    ("implicitfast", WALKER, r#"integrator="implicitfast" solver="CG""#),
    ("Runge-Kutta", WALKER, r#"integrator="RK4""#),
    ("implicit", WALKER, r#"integrator="implicit" viscosity=".1" density="2""#),
    ("free fall", WALKER, r#"gravity="0 0 -1"><flag contact="disable" eulerdamp="disable"/>"#),
    ("machine in water", MACHINE, r#"integrator="implicitfast" density="500" viscosity=".01" wind=".3 .2 -.1""#),
    ("implicit in water", MACHINE, r#"integrator="implicit" density="500" viscosity=".01""#),
    ("a group off", MACHINE, r#"actuatorgroupdisable="3"><flag warmstart="disable" clampctrl="disable"/>"#),
    ("all actuators off", MACHINE, r#"integrator="RK4"><flag actuation="disable"/>"#),
    ("bounds", BOUNDS, r#"integrator="implicitfast""#),
    ("bounds of nothing", BOUNDS, r#"><flag actuation="disable"/>"#),
];

/// Convex shapes of every type in a heap.
const SOLIDS: &str = include_str!("../models/solids.xml");
/// Boxes and capsules on a table and a wedge.
const BRICKS: &str = include_str!("../models/bricks.xml");
/// Boxes and meshes that only touch each other.
const CHESTS: &str = include_str!("../models/chests.xml");
/// Pairs with multiple contacts.
const MULTICCD: &str = include_str!("../models/several.xml");
/// Pairs for MPR.
const PORTALS: &str = include_str!("../models/portals.xml");
/// Ellipsoids on corners, edges and faces of boxes, on a capsule and a sphere.
const EGGS: &str = include_str!("../models/eggs.xml");
/// All of them on a height field.
const HILLS: &str = include_str!("../models/hills.xml");
/// A cylinder on a slope, tilted by less than 1e-3: its lowest point is lost if rounding removes the tilt.
const CAN: &str = r#"<mujoco><worldbody><geom type="plane" size="5 5 .1" euler="3 0 0"/>
    <body pos=".5 0 .1" euler="3 0 0"><freejoint/><geom type="cylinder" size=".05 .1"/></body></worldbody></mujoco>"#;
/// An arm on tendons around spheres and cylinders and over pulleys.
const CABLES: &str = include_str!("../models/cables.xml");

/// A light linkage far from the origin.
const LINKAGE: &str = include_str!("../models/linkage.xml");
/// A hand far from the centre of mass of its tree.
const WRIST: &str = include_str!("../models/wrist.xml");
/// Contact, touch and limit sensors, rangefinders over every primitive.
const SENSES: &str = include_str!("../models/senses.xml");
/// Distances between geoms.
const GAPS: &str = include_str!("../models/gaps.xml");
/// Meshes, height fields and cameras for rays.
const SIGHTS: &str = include_str!("../models/sights.xml");
/// Bodies with adhesion.
const STICKY: &str = include_str!("../models/sticky.xml");
/// More dofs than one warp supports, in trees that touch each other.
const TREES: &str = include_str!("../models/trees.xml");

/// As many in one tree, with boxes at its ends.
fn snake() -> String {
    let (block, links) = (r#"<geom type="box" size=".06 .05 .04"/>"#, 22);
    let link = r#"<body pos=".1 0 0"><joint type="ball" damping="1" stiffness="1" armature="1"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".03"/>"#;
    format!(
        r#"<mujoco>{OPTION}<worldbody><geom type="plane" size="5 5 .1"/><geom type="ellipsoid" pos=".9 0 0" size=".2 .2 .06"/>
        <body pos="0 0 .1"><freejoint/>{block}{}{block}{}</body></worldbody></mujoco>"#,
        link.repeat(links),
        "</body>".repeat(links)
    )
}

/// Bodies with many geoms, whose pairs are skipped where the bodies are apart.
fn brushes() -> String {
    let hair = |k: usize| {
        let (x, y) = (0.03 * (k % 5) as f64, 0.03 * (k / 5) as f64);
        format!(r#"<geom type="capsule" fromto="{x} {y} 0 {:.3} {:.3} .1" size=".01"/>"#, 1.2 * x, 1.1 * y)
    };
    let brush = |place: &str| {
        let hairs: String = (0..20).map(hair).collect();
        format!(r#"<body {place}><freejoint/>{hairs}</body>"#)
    };
    let all = [r#"pos="0 0 .1""#, r#"pos=".02 .05 .25" euler="170 20 10""#, r#"pos=".6 0 .2" euler="60 20 10""#]
        .map(brush)
        .concat();
    format!(r#"<mujoco>{OPTION}<worldbody><geom type="plane" size="5 5 .1"/>{all}</worldbody></mujoco>"#)
}

/// A model with its kernels.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// The model.
    pub model: Model,
    /// Its plan.
    pub plan: Plan,
    /// The kernels.
    pub emulator: Emulator,
    _folder: tempfile::TempDir,
}

/// All cases; `None` where there is no compiler.
pub fn cases() -> Option<impl Iterator<Item = Case>> {
    if compiler().is_none() {
        eprintln!("skipped: no C++ compiler to emulate a GPU with");
        return None;
    }
    let variants = VARIANTS.iter().map(|(name, xml, option)| case(name, &xml.replace(OPTION, &with(option))));
    let others = [
        ("solids", SOLIDS),
        ("chests", CHESTS),
        ("several", MULTICCD),
        ("portals", PORTALS),
        ("eggs", EGGS),
        ("bricks", BRICKS),
        ("hills", HILLS),
        ("can", CAN),
        ("cables", CABLES),
        ("linkage", LINKAGE),
        ("wrist", WRIST),
        ("senses", SENSES),
        ("gaps", GAPS),
        ("sights", SIGHTS),
        ("sticky", STICKY),
        ("trees", TREES),
    ];
    let teams = [
        (
            "trees, implicit",
            TREES.replace(r#"timestep=".004""#, r#"timestep=".004" integrator="implicit" cone="elliptic""#),
        ),
        (
            "wrist in water",
            WRIST.replace(OPTION, &with(r#"integrator="implicit" density="500" viscosity=".01" wind=".3 .2 -.1""#)),
        ),
        ("brushes", brushes()),
        ("snake", snake()),
        ("snake, implicitfast", snake().replace(OPTION, &with(r#"integrator="implicitfast""#))),
    ];
    let others = others.into_iter().map(|(name, xml)| (name, xml.to_owned())).chain(teams);
    Some(variants.chain(others.map(|(name, xml)| case(name, &xml))))
}

/// The options with more attributes, and with flags if `more` closes the tag.
fn with(more: &str) -> String {
    let end = if more.ends_with('>') { "</option>" } else { "/>" };
    format!(r#"<option timestep=".004" {more}{end}"#)
}

fn case(name: &'static str, xml: &str) -> Case {
    let model = sinew_mjcf::load_str(xml, &sinew_mjcf::Source::default()).expect(name);
    let plan = Plan::new(&model, &compare::everything()).expect(name);
    let folder = tempfile::tempdir().expect("a folder for tests");
    let emulator = Emulator::build(&plan, folder.path(), true).expect(name);
    Case { name, model, plan, emulator, _folder: folder }
}
