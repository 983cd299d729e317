//! Every integer of a model that is wrong is found and named.

use sinew_engine::fields::{DType, Holds, SliceMut};
use sinew_engine::{Fields, Model};
use sinew_mjcf::{Source, load_str};

const MODEL: &str = r#"<mujoco>
  <asset>
    <texture name="sky" type="skybox" builtin="flat" width="8" height="8"/><material name="m"/>
    <mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <mesh name="field" builtin="sphere" params="1"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 1 .1"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="hills"/><camera name="eye" mode="targetbody" target="box" resolution="2 3"/><light/>
    <body name="hand" mocap="true"><geom size=".1"/></body>
    <body name="box"><freejoint/><geom name="box" type="box" size=".1 .2 .3" material="m"/><site name="s"/>
      <body name="arm" pos=".3 0 0"><joint name="ball" type="ball"/><geom type="mesh" mesh="tetra"/><site name="t" pos=".2 0 0"/>
        <geom type="sdf" mesh="field"/>
        <body pos=".3 0 0"><joint name="hinge" axis="0 1 0"/><geom name="pin" type="cylinder" size=".1 .1"/>
          <geom size=".1"/></body>
      </body>
    </body>
    <body name="slider" pos="3 0 0"><joint name="slide" type="slide"/><geom size=".1"/></body>
  </worldbody>
  <contact><pair geom1="box" geom2="pin"/><exclude body1="box" body2="slider"/></contact>
  <equality><weld body1="box" body2="slider"/><joint joint1="hinge" joint2="slide"/><connect site1="s" site2="t"/></equality>
  <tendon>
    <spatial name="ten"><site site="s"/><geom geom="pin" sidesite="t"/><site site="t"/></spatial>
    <fixed name="fixed"><joint joint="hinge" coef="1"/></fixed>
  </tendon>
  <actuator><muscle tendon="ten" lengthrange=".1 1"/><position joint="hinge" nsample="4" delay=".004"/>
    <general site="t" refsite="s"/><adhesion body="box" ctrlrange="0 1"/></actuator>
  <sensor><accelerometer site="t"/><jointpos joint="hinge" nsample="5" delay=".006"/><tactile mesh="tetra" geom="pin"/>
    <framepos objtype="site" objname="t" reftype="site" refname="s"/><rangefinder camera="eye"/>
    <contact geom1="box" num="2" data="found force"/><clock/></sensor>
  <custom><numeric name="n" data="1 2"/><text name="x" data="abc"/>
    <tuple name="both"><element objtype="geom" objname="pin"/></tuple></custom>
  <keyframe><key name="start"/></keyframe>
</mujoco>"#;

fn model() -> Model {
    load_str(MODEL, &Source::default()).expect("the model compiles")
}

/// Writes `value` to element `index` of row `row`; what was there.
fn swap(m: &mut Model, row: usize, index: usize, value: i32) -> i32 {
    match m.field_mut(row) {
        SliceMut::I32(values) => std::mem::replace(&mut values[index], value),
        SliceMut::U8(values) => std::mem::replace(&mut values[index], value as u8).into(),
        _ => panic!("{} holds no integers", Model::FIELDS[row].name),
    }
}

#[test]
fn compiled_models_are_valid() {
    let m = model();
    m.validate().expect("the compiler makes valid models");
    Model::from_bytes(&m.to_bytes()).expect("a saved model is valid");
    let mut m = m;
    m.body_parentid[1] = 5;
    assert!(Model::from_bytes(&m.to_bytes()).is_err(), "a saved model is checked");
}

#[test]
fn every_integer_is_checked() {
    let mut m = model();
    let mut fields = 0;
    for (row, info) in Model::FIELDS.iter().enumerate() {
        let len = m.field(row).len();
        if matches!(info.holds, Holds::Number) || len == 0 {
            continue;
        }
        fields += 1;
        let bad: &[i32] = if info.dtype == DType::U8 { &[77, 255] } else { &[i32::MAX, i32::MIN, -7, 1 << 24] };
        for (index, &value) in (0..len).flat_map(|index| bad.iter().map(move |value| (index, value))) {
            let before = swap(&mut m, row, index, value);
            assert!(m.validate().is_err(), "{}[{index}] = {value} passes", info.name);
            swap(&mut m, row, index, before);
        }
    }
    assert!(fields > 120, "only {fields} fields were tried");
    m.validate().expect("all is as before");
}

#[test]
fn errors_name_field_place_and_remedy() {
    let mut m = model();
    m.jnt_type[2] = 9;
    let e = m.validate().unwrap_err();
    assert_eq!((e.field, e.index), ("jnt_type", 2));
    assert_eq!(
        e.to_string(),
        "jnt_type[2] is 9, expected a value of mjtJoint: 0 (mjJNT_FREE), 1 (mjJNT_BALL), 2 (mjJNT_SLIDE), 3 (mjJNT_HINGE)"
    );
    let mut m = model();
    m.bvh_child[1] = [0, 0]; // a cycle
    assert_eq!(m.validate().unwrap_err().field, "bvh_child");
    let mut m = model();
    m.sensor_dim[0] = 2;
    assert_eq!(m.validate().unwrap_err().to_string(), "sensor_dim[0] is 2, expected 3 outputs of Accelerometer");
    let mut m = model();
    let graph = m.mesh_graphadr[0] as usize;
    m.mesh_graph[graph] = 1000;
    assert_eq!(m.validate().unwrap_err().field, "mesh_graph");
}
