//! A saved model is equivalent to the loaded one: every field of the two compiled models is bitwise equal.

mod common;

use common::lost;
use sinew_mjcf::compile::compile;
use sinew_mjcf::{Source, Spec, read_path, read_str};
use std::path::PathBuf;

#[test]
fn saved_seeds_compile_to_the_same_model() {
    for name in ["assets.xml", "motion.xml", "tree.xml", "parts.xml"] {
        let path = format!("{}/tests/fuzz_seeds/{name}", env!("CARGO_MANIFEST_DIR"));
        let source = Source::disk();
        let Ok(spec) = read_path(&path, &source) else { continue };
        assert_eq!(lost(&spec, &source), None, "{name}:\n{}", spec.to_xml());
    }
}

#[test]
fn the_text_is_what_a_person_would_write() {
    let text = r#"<mujoco model="arm">
  <compiler angle="radian"/>

  <option timestep="0.001" integrator="implicitfast">
    <flag gravity="disable"/>
  </option>

  <default>
    <geom size="0.1"/>
    <default class="link">
      <geom type="capsule" size="0.05 0.2"/>
      <position kp="20"/>
    </default>
  </default>

  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="upper" childclass="link" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-1 1"/>
      <geom/>
      <geom name="tip" class="main" pos="0 0 0.4"/>
      <frame name="mount" euler="0.1 0 0">
        <site name="hand" pos="0 0 1e-7"/>
      </frame>
    </body>
  </worldbody>

  <actuator>
    <position name="drive" class="link" joint="shoulder" kv="2"/>
  </actuator>

  <sensor>
    <framepos name="where" objtype="site" objname="hand"/>
  </sensor>

  <keyframe>
    <key name="up" qpos="0.5"/>
  </keyframe>
</mujoco>
"#;
    let spec = read_str(text, &Source::default()).unwrap();
    assert_eq!(spec.to_xml(), text);
    assert_eq!(lost(&spec, &Source::default()), None);
}

/// Models of the corpus beside the project: those of `SINEW_LIST`, or the quick ones. Skipped if there is no corpus.
#[test]
fn saved_corpus_compiles_to_the_same_models() {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let dir = std::env::var_os("SINEW_CORPUS").map_or(beside, PathBuf::from);
    let list = std::env::var("SINEW_LIST").unwrap_or_else(|_| "quick.txt".into());
    let Ok(list) = std::fs::read_to_string(dir.join(list)) else { return };
    let source = Source::disk();
    let mut failed = Vec::new();
    for name in list.lines() {
        let Ok(spec) = read_path(&dir.join(name).to_string_lossy(), &source) else { continue };
        failed.extend(lost(&spec, &source).map(|what| format!("{name}: {what}")));
    }
    let total = list.lines().count();
    assert!(failed.is_empty(), "{} of {total} models are not kept:\n{}", failed.len(), failed.join("\n"));
}

/// Editing: ids stay valid, references follow, the saved text compiles to the same model.
#[test]
fn an_edited_model_is_saved_as_it_is() {
    use sinew_engine::model::enums::ObjType;
    use sinew_mjcf::spec::{Geom, Joint, Site};
    let robot = r#"<mujoco><compiler angle="radian"/><worldbody><body name="base" euler="0 0 .5"><freejoint name="root"/>
        <geom name="hull" size=".1"/><body name="arm"><joint name="j" range="-1 1"/><geom name="g" size=".1"/></body></body>
        </worldbody><actuator><motor name="m" joint="j"/></actuator><sensor><jointpos name="s" joint="j"/></sensor>
        <keyframe><key name="k" qpos="0 0 1 1 0 0 0 .3"/></keyframe></mujoco>"#;
    let source = Source::default();
    let mut child = read_str(robot, &source).unwrap();
    let mut spec = Spec::default();
    let table = spec.add_body(None, "table").unwrap();
    spec.body_at(table).unwrap().geoms.push(Geom::named("top").with_size([0.5, 0.0, 0.0]));
    spec.body_at(table).unwrap().joints.push(Joint::named("lift").with_axis([0.0, 0.0, 1.0]));
    let world = spec.world_id();
    let frame = spec.add_to(world, None, ObjType::Frame, None).unwrap();
    let base = child.find(ObjType::Body, "base").unwrap();
    let pairs = spec.attach(frame, &mut child, Some(base), "a_", "_z").unwrap();
    let new = pairs.iter().find(|(old, _)| *old == base).unwrap().1;
    assert_eq!(spec.element(new).unwrap().meta().name, "a_base_z");
    assert_eq!(spec.parent(new), Some(world));
    spec.body_at(new).unwrap().sites.push(Site::named("mark"));
    compile(&spec, &source).unwrap();
    assert_eq!(lost(&spec, &source), None, "{}", spec.to_xml());
    assert_eq!((spec.actuators.len(), spec.sensors.len(), spec.waiting.len()), (1, 1, 1));
    assert!(spec.to_xml().contains(r#"<key name="a_k_z" qpos="0 0 0 1 1 0 0 0 0.3"/>"#), "{}", spec.to_xml());

    let arm = spec.find(ObjType::Body, "a_arm_z").unwrap();
    let top = spec.find(ObjType::Geom, "top").unwrap();
    spec.delete(arm).unwrap();
    assert_eq!((spec.actuators.len(), spec.sensors.len()), (0, 0), "what refers to a body goes with it");
    assert_eq!(spec.element(top).unwrap().meta().name, "top");
    assert!(spec.element(arm).is_err());
    spec.waiting.clear();
    let root = spec.find(ObjType::Joint, "a_root_z").unwrap();
    spec.delete(root).unwrap();
    let held = spec.to_frame(new).unwrap();
    assert_eq!(spec.kind_of(held), Some(ObjType::Frame));
    compile(&spec, &source).unwrap();
    assert_eq!(lost(&spec, &source), None, "{}", spec.to_xml());
    let error = spec.find(ObjType::Geom, "tip").unwrap_err().to_string();
    assert!(error.contains("did you mean 'top'?"), "{error}");
}

/// An error about an element made by a program names that element.
#[test]
fn errors_blame_elements_of_programs() {
    let mut spec = Spec::default();
    let body = spec.add_body(None, "b").unwrap();
    let geom = spec.add_to(body, None, sinew_engine::model::enums::ObjType::Geom, None).unwrap();
    let error = compile(&spec, &Source::default()).unwrap_err();
    assert_eq!(spec.blamed(&error), Some(geom));
}
