//! What a load reports besides the model: all errors of a file, and warnings.

use sinew_mjcf::{ErrorKind, Loader, Report, Source};

fn places(reports: &[&Report]) -> Vec<(u32, String)> {
    reports.iter().map(|r| (r.loc.line, r.attribute.clone().or(r.element.clone()).unwrap_or_default())).collect()
}

fn errors(xml: &str) -> Vec<(u32, String)> {
    let error = Loader::new().text(xml).expect_err("errors");
    places(&error.reports().collect::<Vec<_>>())
}

fn expected(list: &[(u32, &str)]) -> Vec<(u32, String)> {
    list.iter().map(|(line, what)| (*line, what.to_string())).collect()
}

#[test]
fn every_misspelt_name_is_reported() {
    let xml = "<mujoco>
        <option timstep='1' gravity='0 0 -9'/>
        <worldbody>
            <geom sise='1'/>
            <gem/>
            <body><joint tipe='ball' rang='1 2'/></body>
        </worldbody>
        <option integrater='x'/>
        </mujoco>";
    let found = [(2, "timstep"), (4, "sise"), (5, "gem"), (6, "tipe"), (6, "rang"), (8, "integrater")];
    assert_eq!(errors(xml), expected(&found));
}

#[test]
fn every_bad_value_is_reported() {
    let xml = "<mujoco>
        <option timestep='fast' integrator='eler'/>
        <worldbody>
            <geom size='1 2 3 4'/>
            <site rgba='red'/>
        </worldbody>
        </mujoco>";
    assert_eq!(errors(xml), expected(&[(2, "timestep"), (2, "integrator"), (4, "size"), (5, "rgba")]));
}

#[test]
fn every_wrong_element_is_reported() {
    let xml = "<mujoco>
        <default><geom quat='0 0 0 0'/><site quat='0 0 0 0'/></default>
        <worldbody>
            <joint/>
            <body><geom size='1' quat='0 0 0 0'/><geom class='none'/></body>
        </worldbody>
        <custom><text name='t' data=''/></custom>
        </mujoco>";
    assert_eq!(
        errors(xml),
        expected(&[(2, "quat"), (2, "quat"), (7, "data"), (4, "joint"), (5, "quat"), (5, "class")])
    );
}

#[test]
fn every_section_that_does_not_compile_is_reported() {
    let xml = "<mujoco>
        <worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>
        <contact><exclude body1='a' body2='world'/></contact>
        <tendon><fixed><joint joint='k' coef='1'/></fixed></tendon>
        <actuator><motor joint='i'/><motor joint='j' ctrlrange='1 0' ctrllimited='true'/></actuator>
        <sensor><jointpos joint='l'/><touch site='s'/></sensor>
        <keyframe><key qpos='1 2'/></keyframe>
        </mujoco>";
    let lines: Vec<u32> = errors(xml).iter().map(|e| e.0).collect();
    assert_eq!(lines, [3, 4, 5, 5, 6, 6, 7]);
}

#[test]
fn reports_are_bounded() {
    let xml = format!("<mujoco><worldbody>{}</worldbody></mujoco>", "<gem/>".repeat(5000));
    assert_eq!(errors(&xml).len(), sinew_mjcf::error::MAX_REPORTS);
}

/// Content that MuJoCo silently ignores gives a warning, which a strict loader turns into an error.
#[test]
fn ignored_content_is_told() {
    let joint = "<worldbody><body><joint/><geom size='1'/></body></worldbody>";
    for (body, line, what) in [
        ("<worldbody/>\n<body name='a'><geom size='wrong'/></body>", 2, "body"),
        ("\n\n<frame/>", 3, "frame"),
        (
            "<sensor>\n<framepos objtype='body' objname='world' reftype='foo' refname='world'/></sensor>",
            2,
            "reftype",
        ),
        (&format!("{joint}\n<equality><joint joint1=''/></equality>"), 2, "joint"),
        (&format!("{joint}\n<contact><exclude body1='world' body2=''/></contact>"), 2, "body"),
        (&format!("{joint}<contact>\n<pair geom1='' geom2=''/></contact>"), 2, "geom"),
        (
            "<deformable>\n<skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 9'>
            <bone body='world' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></deformable>",
            2,
            "face",
        ),
    ] {
        let xml = format!("<mujoco>{body}</mujoco>");
        let loaded = Loader::new().text(&xml).unwrap_or_else(|e| panic!("{body}: {e}"));
        let warning = loaded.warnings.first().unwrap_or_else(|| panic!("no warning: {body}"));
        assert!(matches!(warning.kind, ErrorKind::Ignored(_)), "{warning}");
        assert_eq!(places(&[warning]), expected(&[(line, what)]), "{warning}");
        assert_eq!(warning.file.as_deref(), Some("<string>"), "{warning}");
        let error = Loader::new().strict(true).text(&xml).expect_err("strict");
        assert_eq!(error.reports().next(), Some(warning));
    }
}

#[test]
fn warnings_of_attached_models_name_their_file() {
    let child = "<mujoco model='c'>\n<frame/><worldbody><body name='b'/></worldbody></mujoco>";
    let xml = "<mujoco><asset><model file='c.xml'/></asset><worldbody><attach model='c' body='b' prefix='p'/></worldbody></mujoco>";
    let source = Source::with_files([("c.xml".to_string(), child.into())]);
    let loaded = Loader::new().source(&source).text(xml).expect("it loads");
    assert_eq!(loaded.warnings[0].file.as_deref(), Some("c.xml"));
    assert_eq!(loaded.warnings[0].loc.line, 2);
}

#[test]
fn ordinary_models_have_no_warnings() {
    let humanoid = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");
    assert!(Loader::new().strict(true).path(humanoid).expect("it loads").warnings.is_empty());
}

/// Samples of a history buffer are in time order, so time must advance.
#[test]
fn history_needs_a_positive_timestep() {
    for (timestep, loads) in [("-0.01", false), ("0", false), ("0.01", true)] {
        let xml = format!(
            "<mujoco><option timestep='{timestep}'/><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>
            <actuator><motor joint='j' nsample='3' delay='.02'/></actuator></mujoco>"
        );
        assert_eq!(Loader::new().text(&xml).is_ok(), loads, "{timestep}");
    }
}

/// A corner may lack a normal or texture coordinate, or refer to one that the file does not have.
#[test]
fn corners_name_what_is_there_or_nothing() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\nf 1/1/1 3//1 2/1\nf 1/9/1 2/1/1 4/1/9\nf 1/1/1 4/1/1 3/1/1\nf 2/1/1 3/1/1 4/1/1\n";
    let source = Source::with_files([("a.obj".to_string(), obj.into())]);
    let xml = "<mujoco><asset><mesh file='a.obj'/></asset><worldbody><geom type='mesh' mesh='a'/></worldbody></mujoco>";
    let m = sinew_mjcf::load_str(xml, &source).expect("a model");
    assert_eq!((m.mesh_facenormal[0], m.mesh_facenormal[1]), ([0, 0, -1], [0, 0, -1]));
    assert_eq!((m.mesh_facetexcoord[0], m.mesh_facetexcoord[1]), ([0, -1, 0], [-1, 0, 0]));
    m.validate().expect("it can be saved and read again");
}

#[test]
fn negative_numbers_of_pixels_are_none() {
    let xml = "<mujoco><worldbody><camera name='c' resolution='6 -1'/></worldbody>\
               <sensor><rangefinder camera='c'/></sensor></mujoco>";
    let m = Loader::new().text(xml).expect("MuJoCo reads it").model;
    assert_eq!(m.nsensordata, 0);
    m.validate().expect("it can be saved and read again");
    sinew_engine::step::step(&m, &mut sinew_engine::Data::new(&m));
}
