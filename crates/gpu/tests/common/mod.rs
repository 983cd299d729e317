//! Models of the tests and their kernels on emulated lanes.

use sinew_engine::Model;
use sinew_gpu::emulate::{Emulator, compiler};
use sinew_gpu::{Plan, compare};

/// A creature with every joint, shape and actuator that has a kernel.
const WALKER: &str = include_str!("../models/walker.xml");
/// Its variants: the first is replaced by the others.
const VARIANTS: &[(&str, &str)] = &[
    ("pyramids", r#"<option timestep=".004"/>"#),
    ("cones", r#"<option timestep=".004" cone="elliptic" impratio="3"/>"#),
    ("implicitfast", r#"<option timestep=".004" integrator="implicitfast"/>"#),
    ("free fall", r#"<option timestep=".004" gravity="0 0 -1"><flag contact="disable" eulerdamp="disable"/></option>"#),
];

/// Convex shapes of every kind in a heap.
const SOLIDS: &str = include_str!("../models/solids.xml");
/// Boxes and capsules on a table and a wedge.
const BRICKS: &str = include_str!("../models/bricks.xml");
/// All of them on a height field.
const HILLS: &str = include_str!("../models/hills.xml");

/// A model with its kernels.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// The model.
    pub model: Model,
    /// What was planned.
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
    let walkers = VARIANTS.iter().map(|(name, option)| case(name, &WALKER.replace(VARIANTS[0].1, option)));
    Some(walkers.chain([("solids", SOLIDS), ("bricks", BRICKS), ("hills", HILLS)].map(|(name, xml)| case(name, xml))))
}

fn case(name: &'static str, xml: &str) -> Case {
    let model = sinew_mjcf::load_str(xml, &sinew_mjcf::Source::default()).expect(name);
    let plan = Plan::new(&model, &compare::settings()).expect(name);
    let folder = tempfile::tempdir().expect("a folder for tests");
    let emulator = Emulator::build(&plan, folder.path(), true).expect(name);
    Case { name, model, plan, emulator, _folder: folder }
}
