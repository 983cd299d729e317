//! Plugins in models: instances, their users, copies, and errors.

use sinew_engine::Model;
use sinew_engine::model::enums::ObjType;
use sinew_mjcf::{Loader, Source, load_str};

fn load(xml: &str) -> Model {
    load_str(xml, &Source::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn name(m: &Model, instance: i32) -> String {
    m.id2name(ObjType::Plugin, instance as usize).unwrap_or_default().to_string()
}

const PID: &str = r#"<extension><plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="3"/></instance>
  </plugin></extension>"#;

#[test]
fn instances_with_names_are_shared_and_others_are_not() {
    let m = load(&format!(
        r#"<mujoco>{PID}<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator>
          <plugin joint="j" instance="pid"/><plugin joint="j" plugin="mujoco.pid"/><plugin joint="j" instance="pid"/>
        </actuator></mujoco>"#
    ));
    assert_eq!(m.nplugin, 2);
    assert_eq!(&m.actuator_plugin[..], [0, 1, 0]);
    assert_eq!(name(&m, 0), "pid");
    assert_eq!(&m.plugin_attr[..], b"3\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(&m.plugin_attradr[..], [0, 6]);
}

#[test]
fn copies_have_instances_of_their_own() {
    let m = load(&format!(
        r#"<mujoco>{PID}<worldbody><replicate count="3" sep="_"><body><joint name="j"/><geom size=".1"/></body></replicate>
          </worldbody><actuator><plugin name="a" joint="j" instance="pid"/></actuator></mujoco>"#
    ));
    assert_eq!(m.nplugin, 3);
    let names: Vec<String> = m.actuator_plugin.iter().map(|&i| name(&m, i)).collect();
    assert_eq!(names, ["pid_0", "pid_1", "pid_2"]);
}

#[test]
fn attached_models_bring_their_plugins() {
    let child = format!(
        r#"<mujoco model="c">{PID}<worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
          <actuator><plugin joint="j" instance="pid"/></actuator></mujoco>"#
    );
    let source = Source::with_files([("child.xml".to_string(), child.into_bytes())]);
    let xml = r#"<mujoco><asset><model name="c" file="child.xml"/></asset><worldbody>
      <attach model="c" body="b" prefix="l-"/><attach model="c" body="b" prefix="r-"/></worldbody></mujoco>"#;
    let m = load_str(xml, &source).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<String> = m.actuator_plugin.iter().map(|&i| name(&m, i)).collect();
    assert_eq!(names, ["l-pid", "r-pid"]);
}

#[test]
fn settings_beside_an_instance_are_warned_of() {
    let xml = format!(
        r#"<mujoco>{PID}<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator>
          <plugin joint="j" instance="pid"><config key="kp" value="9"/></plugin></actuator></mujoco>"#
    );
    let loaded = Loader::new().text(&xml).unwrap();
    assert!(loaded.warnings[0].to_string().contains("no effect"), "{:?}", loaded.warnings);
}

/// The error of an invalid model on five lines.
fn refused(extension: &str, asset: &str, body: &str, actuator: &str, sensor: &str) -> String {
    let xml = format!(
        "<mujoco><extension>{extension}</extension>\n<asset>{asset}</asset>\n<worldbody><geom size=\".1\"/><site name=\"s\"/>\
         <body><joint name=\"j\"/>{body}<geom size=\".1\"/></body></worldbody>\n<actuator>{actuator}</actuator>\n\
         <sensor>{sensor}</sensor></mujoco>"
    );
    load_str(&xml, &Source::default()).expect_err(&xml).to_string()
}

#[test]
fn refusals_say_what_and_where() {
    let pid = r#"<plugin plugin="mujoco.pid"/>"#;
    let grid = r#"<plugin plugin="mujoco.sensor.touch_grid"/>"#;
    let torus = r#"<plugin plugin="mujoco.sdf.torus"/>"#;
    let cable = r#"<plugin plugin="mujoco.elasticity.cable"/>"#;
    let use_pid = |inner: &str| format!(r#"<plugin joint="j" plugin="mujoco.pid">{inner}</plugin>"#);
    let set = |key: &str, value: &str| format!(r#"<config key="{key}" value="{value}"/>"#);
    let touch = |inner: &str| {
        format!(r#"<plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s">{inner}</plugin>"#)
    };
    let mesh = |inner: &str| format!(r#"<mesh name="m"><plugin plugin="mujoco.sdf.torus">{inner}</plugin></mesh>"#);
    let cases = [
        (
            refused(r#"<plugin plugin="mujoco.pdi"/>"#, "", "", "", ""),
            1,
            "known plugins are mujoco.pid, mujoco.elasticity",
        ),
        (refused(r#"<plugin plugin="mujoco.sdf.sdflib"/>"#, "", "", "", ""), 1, "no longer has it"),
        (refused("", "", "", &use_pid(""), ""), 4, "declare it"),
        (refused(pid, "", "", &use_pid(&set("kpp", "1")), ""), 4, "it has kp, ki, kd, imax, slewmax"),
        (refused(pid, "", "", &use_pid(&set("kp", "one")), ""), 4, "'one' is not a number"),
        (refused(pid, "", "", &use_pid(&set("ki", "1")), ""), 4, "actdim=\"1\""),
        (refused(pid, "", "", &use_pid(&[set("kp", "1"), set("kp", "2")].concat()), ""), 4, "given twice"),
        (refused(pid, "", "", &use_pid("<config key=\"kp\"/>"), ""), 4, "missing attribute 'value'"),
        (refused(pid, "", "", r#"<plugin joint="j"/>"#, ""), 4, "'plugin' or 'instance'"),
        (refused(pid, "", "", r#"<plugin joint="j" instance="x"/>"#, ""), 4, "unknown plugin instance 'x'"),
        (refused(grid, "", "", r#"<plugin joint="j" plugin="mujoco.sensor.touch_grid"/>"#, ""), 4, "has no actuators"),
        (refused(grid, "", "", "", &touch("")), 5, "size must be two"),
        (refused(grid, "", "", "", &touch(&[set("size", "2 2"), set("fov", "200 9")].concat())), 5, "fov must be"),
        (refused(grid, "", "", "", &touch(&set("size", "1e9 1e9"))), 5, "limit exceeded"),
        (refused(torus, &mesh(&set("radius2", "-1")), "", "", ""), 2, "half-sizes"),
        (refused(torus, &mesh(&set("radius1", "inf")), "", "", ""), 2, "'radius1' is inf"),
        (refused(torus, "", r#"<plugin plugin="mujoco.sdf.torus"/>"#, "", ""), 3, "has no passive forces"),
        (refused(pid, "", "", "", r#"<plugin plugin="mujoco.pid"/>"#), 5, "has no sensors"),
        (
            refused(r#"<plugin plugin="mujoco.pid"><instance name="p"/></plugin>"#, "", "", "", ""),
            1,
            "no actuator uses",
        ),
        (
            refused(
                cable,
                "",
                r#"<plugin plugin="mujoco.elasticity.cable"><config key="bend" value="x"/></plugin>"#,
                "",
                "",
            ),
            3,
            "'x'",
        ),
    ];
    for (message, line, words) in cases {
        assert!(message.contains(words), "'{words}' is not in '{message}'");
        assert!(message.starts_with(&format!("<string>:{line}:")), "line {line}: '{message}'");
    }
}
