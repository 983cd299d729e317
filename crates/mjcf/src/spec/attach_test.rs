use super::*;
use crate::spec::{
    Actuator, Exclude, Geom, Joint, Key, Loc, Material, Mesh, Meta, Pair, Sensor, Site, Tendon, Tuple, Wrap,
};
use crate::tolerance::EXACT;
use sinew_engine::model::enums::{SensorType, TrnType};

fn named(name: &str) -> Meta {
    Meta { name: name.into(), ..Meta::default() }
}

/// A template with one frame that holds a body `b` with a joint `j`, a geom `g` and a site `s`.
fn template() -> Body {
    let body = Body {
        meta: named("b"),
        frame: Some(0),
        joints: vec![Joint { meta: named("j"), ..Joint::default() }],
        geoms: vec![Geom { meta: named("g"), material: "red".into(), ..Geom::default() }],
        sites: vec![Site { meta: named("s"), ..Site::default() }],
        ..Body::default()
    };
    Body { frames: vec![Frame::default()], bodies: vec![body], ..Body::default() }
}

fn spec_with_template() -> Spec {
    let mut spec = Spec::default();
    spec.world.geoms.push(Geom { meta: named("floor"), ..Geom::default() });
    spec.world.sites.push(Site { meta: named("origin"), ..Site::default() });
    spec.world.bodies.push(template());
    spec
}

fn turn_z(euler: [f64; 3]) -> Result<[f64; 4]> {
    Ok(quat::from_axis_angle([0.0, 0.0, 1.0], euler[2]))
}

fn copies(spec: &mut Spec, count: i32) -> Result<()> {
    let attributes = Replicate { count, offset: [1.0, 0.0, 0.0], ..Replicate::default() };
    replicate(spec, &[], 0, None, &attributes, turn_z)
}

fn sensor(name: &str, objname: &str, refname: &str) -> Sensor {
    Sensor {
        meta: named(name),
        kind: SensorType::Framepos,
        objtype: ObjType::Site,
        objname: objname.into(),
        reftype: if refname.is_empty() { ObjType::Unknown } else { ObjType::Site },
        refname: refname.into(),
        ..Sensor::default()
    }
}

fn labels<T: Follow>(list: &[T]) -> Vec<&str> {
    list.iter().map(Follow::label).collect()
}

#[test]
fn numbers_are_padded_and_poses_accumulate() {
    let mut spec = spec_with_template();
    let attributes = Replicate {
        count: 10,
        offset: [1.0, 0.0, 0.0],
        euler: [0.0, 0.0, 0.5],
        sep: "-".into(),
        ..Replicate::default()
    };
    replicate(&mut spec, &[], 0, None, &attributes, turn_z).unwrap();
    let names: Vec<_> = spec.world.bodies.iter().map(|b| b.meta.name.as_str()).collect();
    assert_eq!(names[..3], ["b-00", "b-01", "b-02"]);
    assert_eq!(names.len(), 10);
    let second = &spec.world.frames[spec.world.bodies[2].frame.unwrap()];
    let expected = [1.0 + 0.5f64.cos(), 0.5f64.sin()];
    assert!((second.pos[0] - expected[0]).abs() < EXACT && (second.pos[1] - expected[1]).abs() < EXACT);
    assert_eq!(second.quat, turn_z([0.0, 0.0, 1.0]).unwrap());
}

#[test]
fn assets_are_shared_between_copies() {
    let mut spec = spec_with_template();
    copies(&mut spec, 2).unwrap();
    assert_eq!(spec.world.bodies[1].geoms[0].material, "red");
    assert_eq!(spec.world.bodies[1].geoms[0].meta.name, "g1");
}

#[test]
fn referring_elements_follow_and_the_originals_go() {
    let mut spec = spec_with_template();
    spec.pairs.push(Pair { geomname1: "floor".into(), geomname2: "g".into(), ..Pair::default() });
    spec.excludes.push(Exclude { meta: named("x"), bodyname1: "world".into(), bodyname2: "b".into() });
    let site = |site: &str| (Wrap::Site { site: site.into() }, Loc::default());
    spec.tendons.push(Tendon { meta: named("t"), path: vec![site("origin"), site("s")], ..Tendon::default() });
    let target =
        |kind, name: &str| Actuator { meta: named("a"), trntype: kind, target: name.into(), ..Actuator::default() };
    spec.actuators.push(target(TrnType::Tendon, "t"));
    spec.sensors.push(sensor("p", "s", "origin"));
    spec.sensors.push(sensor("q", "origin", ""));
    copies(&mut spec, 2).unwrap();
    let pairs: Vec<_> = spec.pairs.iter().map(|p| (p.geomname1.as_str(), p.geomname2.as_str())).collect();
    assert_eq!(pairs, [("floor", "g0"), ("floor", "g1")]);
    assert_eq!(labels(&spec.excludes), ["x0", "x1"]);
    assert_eq!(labels(&spec.tendons), ["t0", "t1"]);
    assert_eq!(spec.tendons[1].path[0].0, Wrap::Site { site: "origin".into() });
    assert_eq!(spec.actuators[1].target, "t1");
    assert_eq!(labels(&spec.sensors), ["q", "p0", "p1"]);
}

/// As in MuJoCo, elements without references are copied each time, including earlier copies.
#[test]
fn elements_without_references_double() {
    let mut spec = spec_with_template();
    spec.sensors.push(Sensor { meta: named("c"), kind: SensorType::Clock, ..Sensor::default() });
    copies(&mut spec, 3).unwrap();
    assert_eq!(labels(&spec.sensors), ["c", "c0", "c1", "c01", "c2", "c02", "c12", "c012"]);
}

/// As in MuJoCo, the original tuple is kept when its objects are replicated.
#[test]
fn tuples_follow_but_stay() {
    let mut spec = spec_with_template();
    let mut tuple = Tuple::named("t");
    tuple.push(ObjType::Body, "b", 0.0);
    spec.tuples.push(tuple);
    copies(&mut spec, 1).unwrap();
    assert_eq!(labels(&spec.tuples), ["t", "t0"]);
}

#[test]
fn keyframes_are_split_among_copies() {
    let mut spec = spec_with_template();
    spec.keys.push(Key { meta: named("k"), qpos: vec![1.0], ..Key::default() });
    copies(&mut spec, 3).unwrap();
    keys::settle(&mut spec);
    let found: Vec<_> = spec
        .keys
        .iter()
        .map(|k| (k.meta.name.as_str(), k.open.qpos.first() == Some(&(0..1)), k.qpos.clone()))
        .collect();
    assert_eq!(found[0].0, "k0");
    assert_eq!(found[0].2[0], 1.0);
    assert_eq!(found[1].2[..2], [0.0, 1.0]);
    assert_eq!(found[2].2[..3], [0.0, 0.0, 1.0]);
    assert_eq!((found[3].0, found[3].1), ("k", false));
    assert_eq!(found.len(), 4);
}

#[test]
fn keyframe_of_the_final_size_is_refused() {
    let mut spec = spec_with_template();
    spec.keys.push(Key { qpos: vec![1.0; 3], ..Key::default() });
    assert!(copies(&mut spec, 3).unwrap_err().to_string().contains("invalid qpos size"));
}

#[test]
fn memory_is_bounded() {
    let mut spec = spec_with_template();
    assert!(matches!(copies(&mut spec, i32::MAX).unwrap_err().kind, ErrorKind::Limit(_)));
    let mut spec = spec_with_template();
    spec.sensors.push(Sensor { kind: SensorType::Clock, ..Sensor::default() });
    assert!(matches!(copies(&mut spec, 64).unwrap_err().kind, ErrorKind::Limit(_)));
}

#[test]
fn template_names_must_be_free() {
    let mut spec = spec_with_template();
    spec.world.geoms.push(Geom { meta: named("g"), ..Geom::default() });
    let named = vec![(ObjType::Geom, "g".into(), Loc::default())];
    let attributes = Replicate { count: 2, named, ..Replicate::default() };
    let error = replicate(&mut spec, &[], 0, None, &attributes, turn_z).unwrap_err();
    assert_eq!(error.kind, ErrorKind::RepeatedName("g".into()));
}

/// A model with a body `arm` that holds a joint, a mesh geom and an actuator, and a keyframe.
fn child() -> Spec {
    let mut spec = Spec::default();
    spec.modelname = "child".into();
    spec.compilers[0].degree = false;
    spec.meshes.push(Mesh { file: "a/b.c.stl".into(), ..Mesh::default() });
    spec.materials.push(Material { meta: named("m"), ..Material::default() });
    spec.world.geoms.push(Geom { meta: named("floor"), ..Geom::default() });
    spec.world.bodies.push(Body {
        meta: named("arm"),
        joints: vec![Joint { meta: named("j"), ..Joint::default() }],
        geoms: vec![Geom { meshname: "b.c".into(), material: "m".into(), ..Geom::default() }],
        ..Body::default()
    });
    let motor = Actuator { meta: named("motor"), trntype: TrnType::Joint, target: "j".into(), ..Actuator::default() };
    spec.actuators.push(motor);
    spec.keys.push(Key { meta: named("home"), qpos: vec![2.0], ctrl: vec![3.0], ..Key::default() });
    spec
}

#[test]
fn attached_body_brings_assets_followers_and_keyframes() {
    let mut spec = spec_with_template();
    spec.world.bodies.truncate(0);
    spec.world.frames.push(Frame::default());
    let mut other = child();
    for prefix in ["l_", "r_"] {
        attach(&mut spec, &[], 0, &mut other, &Part::Body(vec![0]), [prefix, ""]).unwrap();
    }
    keys::settle(&mut spec);
    let arm = &spec.world.bodies[1];
    assert_eq!((arm.meta.name.as_str(), arm.frame, arm.meta.compiler), ("r_arm", Some(0), 1));
    assert_eq!((arm.geoms[0].meshname.as_str(), arm.geoms[0].material.as_str()), ("r_b.c", "r_m"));
    assert_eq!(labels(&spec.meshes), ["l_b.c", "r_b.c"]);
    assert_eq!(spec.actuators[1].target, "r_j");
    assert_eq!(spec.compilers.len(), 2);
    assert_eq!(spec.world.geoms.len(), 1);
    assert_eq!(spec.keys[1].meta.name, "r_home");
    assert!(spec.keys[1].open.qpos.first() == Some(&(0..1)) && spec.keys[1].qpos[1] == 2.0);
    assert_eq!(spec.keys[1].ctrl, [0.0, 3.0]);
}

#[test]
fn attached_world_brings_everything_into_one_frame() {
    let mut spec = Spec::default();
    spec.world.frames.push(Frame::default());
    let mut other = child();
    other.world.frames.push(Frame::default());
    other.world.geoms[0].frame = Some(0);
    attach(&mut spec, &[], 0, &mut other, &Part::World, ["x/", ""]).unwrap();
    let parents: Vec<_> = spec.world.frames.iter().map(|f| f.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1)]);
    assert_eq!(spec.world.geoms[0].frame, Some(2));
    assert_eq!(spec.world.bodies[0].frame, Some(1));
    assert_eq!(spec.world.geoms[0].meta.name, "x/floor");
    assert_eq!(spec.world.meta.name, "world");
}

#[test]
fn tendon_around_a_geom_without_side_site_stays_behind() {
    let mut spec = Spec::default();
    spec.world.frames.push(Frame::default());
    let mut other = child();
    let path = vec![(Wrap::Geom { geom: "floor".into(), sidesite: String::new() }, Loc::default())];
    other.tendons.push(Tendon { meta: named("t"), path, ..Tendon::default() });
    attach(&mut spec, &[], 0, &mut other, &Part::World, ["x/", ""]).unwrap();
    assert!(spec.tendons.is_empty());
}
