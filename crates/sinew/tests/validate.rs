//! Every wrong integer of a model is detected and named.

use sinew_engine::fields::{DType, Holds, SliceMut};
use sinew_engine::model::enums::TrnType;
use sinew_engine::{Data, Fields, Model, step};
use sinew_mjcf::{Limits, Loader, Source, load_str};

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

/// A rope, a sheet constrained by its vertices, one that bends, a solid, a solid with control nodes.
const FLEXES: &str = r#"<mujoco>
  <worldbody>
    <flexcomp name="rope" type="grid" count="3 1 1" spacing=".1 .1 .1" dim="1" radius=".01"><edge equality="true"/></flexcomp>
    <flexcomp name="held" type="grid" count="3 3 1" spacing=".1 .1 .1" pos="0 0 1" dim="2" radius=".01">
      <edge equality="vert"/></flexcomp>
    <flexcomp name="bent" type="grid" count="2 2 1" spacing=".1 .1 .1" pos="0 0 2" dim="2" radius=".01">
      <elasticity young="1e3" thickness=".01" elastic2d="both"/></flexcomp>
    <flexcomp name="solid" type="grid" count="2 2 2" spacing=".1 .1 .1" pos="0 0 3" dim="3" radius=".01">
      <edge damping="1"/><elasticity young="1e3"/></flexcomp>
    <flexcomp name="nodes" type="grid" count="3 3 3" spacing=".1 .1 .1" pos="0 0 4" dim="3" radius=".01" dof="trilinear">
      <contact selfcollide="none" internal="false"/><elasticity young="1e3"/></flexcomp>
  </worldbody>
</mujoco>"#;

fn compiled(xml: &str) -> Model {
    load_str(xml, &Source::default()).expect("the model compiles")
}

fn model() -> Model {
    compiled(MODEL)
}

/// Writes `value` to element `index` of row `row`; returns the previous value.
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
    assert!(refused(&mut model(), |_| true) > 120);
    let checked = refused(&mut compiled(FLEXES), |field| field.starts_with("flex"));
    assert!(checked > 30, "only {checked} fields were tried");
}

/// Asserts that wrong values in the selected fields are detected; returns the number of fields.
fn refused(m: &mut Model, named: fn(&str) -> bool) -> usize {
    let mut fields = 0;
    for (row, info) in Model::FIELDS.iter().enumerate() {
        let len = m.field(row).len();
        if matches!(info.holds, Holds::Number) || len == 0 || !named(info.name) {
            continue;
        }
        fields += 1;
        let bad: &[i32] = if info.dtype == DType::U8 { &[77, 255] } else { &[i32::MAX, i32::MIN, -7, 1 << 24] };
        for (index, &value) in (0..len).flat_map(|index| bad.iter().map(move |value| (index, value))) {
            let before = swap(m, row, index, value);
            assert!(m.validate().is_err(), "{}[{index}] = {value} passes", info.name);
            swap(m, row, index, before);
        }
    }
    m.validate().expect("all is as before");
    fields
}

/// Within the arrays, but inconsistent with another field.
#[test]
fn parts_of_a_flex_are_its_own() {
    let forged = |change: fn(&mut Model)| {
        let mut m = compiled(FLEXES);
        change(&mut m);
        m.validate().map_or_else(|e| e.field, |()| "nothing")
    };
    assert_eq!(forged(|m| m.flex_edge[0][0] = 12), "flex_edge");
    assert_eq!(forged(|m| m.flex_elem[0] = 12), "flex_elem");
    assert_eq!(forged(|m| m.flex_elem[0] = m.flex_elem[1]), "flex_elem");
    assert_eq!(forged(|m| m.flex_dim[0] = 2), "flex_elem");
    assert_eq!(forged(|m| m.flex_dim[4] = 4), "flex_dim");
    assert_eq!(forged(|m| m.flex_interp[4] = 2), "flex_nodenum");
    assert_eq!(forged(|m| m.flex_interp[3] = 1), "flex_nodenum");
    assert_eq!(forged(|m| m.flex_interp[4] = 0), "flex_nodenum");
    assert_eq!(forged(|m| m.flex_vertbodyid[0] = -1), "flex_vertbodyid");
    assert_eq!(forged(|m| m.flex_condim[0] = 7), "flex_condim");
    assert_eq!(forged(|m| m.flex_bvhadr[0] = -1), "flex_bvhadr");
    assert_eq!(forged(|m| m.flex_bvhnum[0] -= 1), "bvh_child");
    assert_eq!(forged(|m| m.flexedge_J_colind[1] = m.flexedge_J_colind[0]), "flexedge_J_colind");
    assert_eq!(forged(|m| m.flexvert_J_rownnz[3][1] -= 1), "flexvert_J_rownnz");
    assert_eq!(forged(|m| (m.flexedge_J_rownnz[0], m.flexedge_J_rowadr[0]) = (0, -1)), "flexedge_J_rowadr");
    assert_eq!(forged(|m| (m.flexvert_J_rownnz[0], m.flexvert_J_rowadr[0]) = ([0; 2], [0, -1])), "flexvert_J_rowadr");
}

/// Rows of the mass matrix are contiguous, as islands require.
#[test]
fn rows_of_the_mass_matrix_have_their_places() {
    let mut m = model();
    m.M_rowadr[1] = m.M_rowadr[2];
    assert_eq!(m.validate().unwrap_err().field, "M_rowadr");
    let mut m = model();
    m.tree_dofnum[0] -= 1;
    assert_eq!(m.validate().unwrap_err().field, "tree_dofnum");
    let mut m = model();
    m.dof_simplenum[1] = 2;
    assert_eq!(m.validate().unwrap_err().field, "dof_simplenum");
}

/// A few bytes can request much memory.
#[test]
fn saved_models_keep_to_the_limits() {
    let greedy = compiled("<mujoco><size nuserdata='1000000'/></mujoco>").to_bytes();
    Loader::new().saved(&greedy).expect("within the usual limits");
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let error = Loader::new().limits(limits).saved(&greedy).unwrap_err().to_string();
    assert!(error.contains("bytes of memory") && error.contains("SINEW_MAX_MEMORY"), "{error}");
}

/// Each node may appear only once; otherwise a walk through twenty nodes could take a million steps.
#[test]
fn trees_of_volumes_are_trees() {
    let mut m = compiled(FLEXES);
    let root = m.flex_bvhadr[4] as usize;
    m.bvh_child[root] = [1, 1];
    assert_eq!(m.validate().unwrap_err().field, "bvh_child");
}

/// Steps with flags and values that do not match the rest of the model.
#[test]
fn what_passes_can_be_stepped() {
    let changes: [fn(&mut Model); 8] = [
        |m| m.flex_rigid.fill(1),
        |m| m.flex_centered.fill(1),
        |m| m.flex_edgestiffness.fill(1.0),
        |m| m.flex_edgeequality.fill(2),
        |m| m.flexedge_rigid.fill(0),
        |m| m.flexedge_J_rownnz.fill(0),
        |m| m.flexvert_J_rownnz.fill([0; 2]),
        |m| m.flex_stiffness.iter_mut().for_each(|k| k[0] = 1.0),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let mut m = compiled(FLEXES);
        change(&mut m);
        m.validate().unwrap_or_else(|e| panic!("change {i}: {e}"));
        let mut d = Data::new(&m);
        (0..3).for_each(|_| step::step(&m, &mut d));
    }
}

/// Equalities and nodes for which MuJoCo reads beyond its arrays.
#[test]
fn odd_flexes_from_files_can_be_stepped() {
    let bodies: String = (0..8)
        .map(|i| format!("<body name='b{i}' pos='{}.1 {} {}'><joint/><geom size='.01'/></body>", i, i % 2, i % 3))
        .collect();
    let carriers: String = (0..64).map(|i| format!("b{} ", i % 8)).collect();
    let elements: String = (0..60).map(|i| format!("{} {} {} {} ", i, i + 1, i + 2, i + 3)).collect();
    let nodes = "b0 b1 b2 b3 b4 b5 b6 b7";
    let hinged = format!(
        "<mujoco><worldbody>{bodies}</worldbody><deformable><flex name='f' dim='3' radius='.01' body='{carriers}' \
         node='{nodes}' element='{elements}'><contact selfcollide='none' internal='false'/><elasticity young='1e3'/></flex>\
         </deformable></mujoco>"
    );
    let held =
        FLEXES.replace("</mujoco>", "<equality><flexvert flex='nodes'/><flexvert flex='bent'/></equality></mujoco>");
    for xml in [hinged, held] {
        let m = compiled(&xml);
        let mut d = Data::new(&m);
        (0..3).for_each(|_| step::step(&m, &mut d));
    }
}

#[test]
fn moments_of_actuators_have_room() {
    let mut m = model();
    // an actuator on a joint becomes one on a body, with a moment for every dof
    m.actuator_trntype[1] = TrnType::Body as i32;
    m.actuator_trnid[1] = [1, -1];
    let found = m.validate().expect_err("there is no room");
    assert_eq!(found.field, "actuator_trntype");
}

#[test]
fn contacts_of_flexes_have_one_to_six_dimensions() {
    let xml =
        |condim: i32| FLEXES.replace("selfcollide=\"none\"", &format!("selfcollide=\"none\" condim=\"{condim}\""));
    for condim in [-1, 0, 7] {
        let error = load_str(&xml(condim), &Source::default()).expect_err("no such contacts");
        assert!(error.to_string().contains("condim"), "{error}");
    }
    let five = compiled(&xml(5));
    Model::from_bytes(&five.to_bytes()).expect("MuJoCo takes five");
}

#[test]
fn tendons_have_a_path() {
    let mut m = model();
    m.tendon_num[0] = 0;
    assert_eq!(m.validate().unwrap_err().to_string(), "tendon_num[0] is 0, expected at least 1");
}

#[test]
fn height_fields_have_points() {
    let mut m = model();
    m.hfield_nrow[0] = 0;
    assert_eq!(m.validate().unwrap_err().to_string(), "hfield_nrow[0] is 0, expected at least 1");
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
    m.body_parentid[2] = -1;
    assert_eq!(m.validate().unwrap_err().to_string(), "body_parentid[2] is -1, expected an index below 2");
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
