//! Models changed by programs, then saved and read back: what files can express is kept, the rest is left out.

mod common;

use common::{changed, lost, unsaid};
use sinew_engine::model::enums::{AlignFree, GainType, ObjType, SensorType};
use sinew_mjcf::compile::compile;
use sinew_mjcf::{Source, Spec, read_str};

/// A change of a model by a program.
type Change = fn(&mut Spec);

/// Changes that files can express, if not always in the obvious way.
#[test]
fn what_files_can_say_is_saved() {
    let text = r#"<mujoco><compiler angle="radian"/><default><default class="c"><position ctrlrange="-9 9"/></default></default>
        <worldbody><body name="free" pos="0 0 1"><freejoint/><geom size=".1" pos=".1 .2 .3"/></body>
        <body name="other" pos="0 0 2"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 .2 .3"/></body>
        <body><joint name="j" range="-1 1"/><geom size=".1"/><site/><site name="t" pos="1 0 0"/></body><camera fovy="30"/></worldbody>
        <actuator><motor joint="j"/><position joint="j" inheritrange="2"/><intvelocity joint="j" inheritrange="2"/></actuator>
        <sensor><user dim="1"/></sensor>
        <tendon><spatial><site site=""/><site site="t"/></spatial></tendon></mujoco>"#;
    let changes: [(&str, Change); 12] = [
        ("a site that is not looked at", |spec| {
            (spec.actuators[0].refsite, spec.actuators[0].slidersite) = ("none".into(), "none".into());
        }),
        ("a range that gives way to an inherited one", |spec| spec.actuators[1].ctrlrange = [1.0, 2.0]),
        ("the same of activations", |spec| spec.actuators[2].actrange = [1.0, 2.0]),
        ("a range beside an inherited one", |spec| spec.actuators[2].ctrlrange = [1.0, 2.0]),
        ("a range of the class", |spec| spec.actuators[1].meta.class = "c".into()),
        ("an inherited range of a general actuator", |spec| spec.actuators[1].actearly = true),
        ("the same of an integrator", |spec| spec.actuators[2].gainprm[5] = 1.0),
        ("a free joint that is more than that", |spec| {
            let joint = &mut spec.world.bodies[0].joints[0];
            (joint.armature, joint.align) = (2.0, AlignFree::True);
        }),
        ("a tendon to a site without a name", |_| {}),
        ("inertia that is in the frame of the body", |spec| {
            let body = &mut spec.world.bodies[2];
            (body.explicitinertial, body.mass, body.inertia, body.pos) = (true, 1.0, [1.0; 3], [1.0, 2.0, 3.0]);
        }),
        ("a name of a user's sensor that has no type", |spec| spec.sensors[0].objname = "none".into()),
        ("a sensor without size, and no view of its own", |spec| {
            let camera = &mut spec.world.cameras[0];
            (camera.sensor_size, camera.fovy) = ([0.0, 2.0], 45.0);
        }),
    ];
    let source = Source::default();
    let mut failed = Vec::new();
    for (what, change) in changes {
        let mut spec = read_str(text, &source).unwrap();
        change(&mut spec);
        compile(&spec, &source).unwrap();
        failed.extend(lost(&spec, &source).map(|lost| (what, lost)));
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// A model with joints and orientations in the units of the given compiler settings.
fn turned(compiler: &str) -> Spec {
    let text = format!(
        r#"<mujoco><compiler {compiler}/><worldbody><body euler=".1 .2 .3"><joint limited="false" range="-20 25"/>
        <joint axis="1 0 0" range="-.1 .2" ref=".1" springref=".7"/><geom size=".1" axisangle="1 2 3 .1"/>
        <site euler="3 .2 .1"/></body></worldbody></mujoco>"#
    );
    read_str(&text, &Source::default()).unwrap()
}

/// A file has one angle unit, but joined models may use several. Ranges without effect are not converted.
#[test]
fn angles_of_joined_models_are_kept() {
    let units = ["", "angle='radian'", "angle='radian' eulerseq='zyx'", "eulerseq='XYZ'"];
    let source = Source::default();
    for (own, other) in units.iter().flat_map(|own| units.map(|other| (own, other))) {
        let mut spec = turned(own);
        let world = spec.world_id();
        let frame = spec.add_to(world, None, ObjType::Frame, None).unwrap();
        spec.attach(frame, &mut turned(other), None, "", "").unwrap();
        assert_eq!(compile(&spec, &source).unwrap().jnt_range[0], [-20.0, 25.0]);
        assert_eq!(lost(&spec, &source), None, "{other} in {own}\n{}", spec.to_xml());
    }
}

/// What no file can express is left out: the text compiles to the model without it.
#[test]
fn what_files_cannot_say_is_left_out() {
    let text = r#"<mujoco><extension><plugin plugin="mujoco.pid"><instance name="i"/></plugin>
        <plugin plugin="mujoco.sensor.touch_grid"/></extension><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
        <worldbody><body pos="0 0 1"><freejoint/><geom type="mesh" mesh="m" mass="1"/></body>
        <body pos="0 0 2"><joint type="free" armature="1"/><geom size=".1" pos=".1 .2 .3"/></body>
        <body><joint name="j"/><geom name="g" type="mesh" mesh="m"/><site name="s"/></body><camera fovy="30"/></worldbody>
        <actuator><plugin site="s" plugin="mujoco.pid" instance="i"/><motor joint="j"/></actuator><sensor>
        <plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s"><config key="nchannel" value="1"/>
        <config key="size" value="2 2"/><config key="fov" value="45 45"/></plugin><user dim="1"/><tactile geom="g" mesh="m"/>
        <clock/><jointpos joint="j"/><framelinacc objtype="site" objname="s"/></sensor></mujoco>"#;
    let changes: [(&str, Change); 14] = [
        ("distances of a mesh", |spec| spec.meshes[0].needsdf = true),
        ("gain of a plugin", |spec| spec.actuators[0].gaintype = GainType::Affine),
        ("bias of a plugin", |spec| spec.actuators[0].biasprm[0] = 2.0),
        ("reference of a plugin", |spec| spec.actuators[0].refsite = "s".into()),
        ("length of no crank", |spec| spec.actuators[1].cranklength = 2.0),
        ("delay of a plugin", |spec| (spec.sensors[0].delay, spec.sensors[0].nsample) = (0.1, 3)),
        ("interval of a user's sensor", |spec| (spec.sensors[1].interval[0], spec.sensors[1].interp) = (0.1, 2)),
        ("noise of a tactile sensor", |spec| (spec.sensors[2].noise, spec.sensors[2].cutoff) = (0.1, 0.2)),
        ("an object of time", |spec| (spec.sensors[3].objtype, spec.sensors[3].objname) = (ObjType::Site, "s".into())),
        ("a reference of an angle", |spec| {
            (spec.sensors[4].reftype, spec.sensors[4].refname) = (ObjType::Site, "s".into());
        }),
        ("a reference of an acceleration", |spec| {
            (spec.sensors[5].reftype, spec.sensors[5].refname) = (ObjType::Site, "s".into());
        }),
        ("parameters of time", |spec| spec.sensors[3].intprm = [1, 2, 3]),
        ("a sensor without size beside a view", |spec| spec.world.cameras[0].sensor_size = [0.0, 2.0]),
        ("two alignments", |spec| {
            let joint = &mut spec.world.bodies[0].joints[0];
            (joint.armature, joint.align) = (2.0, AlignFree::True);
        }),
    ];
    let source = Source::default();
    let mut failed = Vec::new();
    for (what, change) in changes {
        let mut spec = read_str(text, &source).unwrap();
        change(&mut spec);
        assert!(lost(&spec, &source).is_some(), "{what}");
        let without = compile(&unsaid::left_out(&spec), &source).unwrap();
        failed.extend(changed(&without, &spec, &source).map(|lost| (what, lost)));
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Programs can make elements that the reader would refuse; compilation refuses them.
#[test]
fn what_only_programs_can_ask_for_is_refused() {
    let text = r#"<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/><site name="s"/></body>
        <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2"><edge equality="true"/></flexcomp>
        <flexcomp name="g" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2"/></worldbody>
        <sensor><framepos objtype="site" objname="s" reftype="body" refname="b"/></sensor></mujoco>"#;
    let changes: [(&str, Change); 3] = [
        ("'plugin' or 'instance'", |spec| spec.sensors[0].kind = SensorType::Plugin),
        ("a camera with a resolution", |spec| spec.sensors[0].kind = SensorType::Camprojection),
        ("a flex is not constrained", |spec| spec.equalities[0].name2 = "g".into()),
    ];
    let source = Source::default();
    for (what, change) in changes {
        let mut spec = read_str(text, &source).unwrap();
        compile(&spec, &source).unwrap();
        change(&mut spec);
        let error = compile(&spec, &source).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}
