//! Custom texts that request physics beyond MuJoCo: which are accepted, and the errors for the others.

use sinew_engine::Model;
use sinew_engine::model::enums::{Integrator, ObjType};
use sinew_engine::model::extension::{Compliance, Xpbd};
use sinew_engine::support::actuator::{Law, SeriesElastic};
use sinew_mjcf::{Error, Source, load_str};

fn load(name: &str, data: &str) -> Result<Model, Error> {
    let xml = format!(
        "<mujoco>\n<worldbody><body><joint name='x'/><geom size='.1'/></body></worldbody>\n\
         <actuator><motor name='knee' joint='x'/></actuator>\n<custom>\n  <text name='{name}' data='{data}'/>\n</custom></mujoco>"
    );
    load_str(&xml, &Source::default())
}

#[test]
fn settings_are_read_in_order_or_by_name() {
    let solver = |data: &str| load("sinew:solver", data).expect("it compiles").extension().solver;
    assert_eq!(solver("xpbd"), Some(Xpbd::default()));
    assert_eq!(solver("convex"), None);
    let soft = Xpbd { iterations: 7, substeps: 2, compliance: Compliance::Soft, ..Xpbd::default() };
    assert_eq!(solver("xpbd 7 2 soft"), Some(soft));
    assert_eq!(solver("xpbd soft substeps=2 iterations=7"), Some(soft));
    let m = load("sinew:actuator:knee", "series_elastic 1000 10 50").expect("it compiles");
    let law = Law::SeriesElastic(SeriesElastic { k: 1000.0, d: 10.0, gear: 50.0 });
    assert_eq!(m.extension().actuators, [Some(law)]);
    let back = Model::from_bytes(&m.to_bytes()).expect("it was saved");
    assert_eq!(back.extension(), m.extension());
    let m = load("sinew:integrator", "implicitspringdamper").expect("it compiles");
    assert_eq!(m.opt.integrator, Integrator::Implicitspringdamper);
    let plain = load("sinew", "solver").expect("other names stay data");
    assert_eq!(plain.extension(), &Default::default());
}

#[test]
fn mistakes_have_a_place_and_a_way_out() {
    for (name, data, message) in [
        ("sinew:slover", "xpbd", "unknown extension 'sinew:slover'; did you mean 'sinew:solver'?"),
        ("sinew:", "xpbd", "unknown extension 'sinew:'; known are"),
        ("sinew:solver", "xpdb", "unknown word 'xpdb'; did you mean 'xpbd'?"),
        ("sinew:solver", "xpbd substeps=0", "use a whole number from 1"),
        ("sinew:solver", "xpbd substep=4", "unknown setting 'substep'; did you mean 'substeps'?"),
        ("sinew:solver", "xpbd 1 2 1 3", "unexpected word '3'"),
        ("sinew:solver", "xpbd restitution=2", "restitution = 2 is too large"),
        ("sinew:actuator:kene", "series_elastic 1 1 1", "no actuator is named 'kene'; did you mean 'knee'?"),
        ("sinew:actuator", "series_elastic 1 1 1", "write sinew:actuator:<name>"),
        ("sinew:actuator:knee", "series_elastic", "k is missing"),
        ("sinew:actuator:knee", "series_elastic k=1 k=2", "k is given twice"),
        ("sinew:actuator:knee", "series_elastic nan 0 0", "is not a number"),
        ("sinew:actuator:knee", "dc_motor 1 0", "resistance = 0 is not positive"),
        ("sinew:actuator:knee", "dc_motor 1 1 1 1 1", "dyntype=\"user\" actdim=\"1\""),
        ("sinew:pulley:line:0", "friction=1", "no tendon is named 'line'"),
        ("sinew:pulley", "friction=1", "names no tendon"),
        ("sinew:bending", "bridson", "write sinew:bending:<name>"),
        ("sinew:bending:cloht", "bridson", "no flex is named 'cloht'"),
        ("sinew:elasticity:cloth", "neo_hookean", "no flex is named 'cloth'"),
        ("sinew:deformable:cloth", "cotton", "no flex is named 'cloth'"),
        ("sinew:deformable", "cotton", "write sinew:deformable:<flex>"),
        ("sinew:integrator", "rk5", "unknown word 'rk5'"),
    ] {
        let error = load(name, data).expect_err(message);
        let text = error.to_string().replace("\n", "; ");
        let flat = text.split("; ").map(str::trim).collect::<Vec<_>>().join("; ");
        assert!(message.split("; ").all(|part| flat.contains(part)), "{text}\n{message}");
        assert_eq!((error.loc.line, error.element.as_deref()), (5, Some("text")), "{text}");
    }
    let error = load_str(
        "<mujoco><option integrator='RK4'/><custom><text name='sinew:solver' data='xpbd'/></custom></mujoco>",
        &Source::default(),
    );
    assert!(error.expect_err("it moves positions").to_string().contains("Euler"));
}

/// A sheet that bends and a block, with a text.
fn flexes(name: &str, data: &str) -> Result<Model, sinew_mjcf::Error> {
    let xml = format!(
        r#"<mujoco><worldbody><body name="a"><flexcomp name="sheet" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2">
        <elasticity young="1e4" poisson=".3" thickness=".01" elastic2d="bend"/></flexcomp></body>
        <body name="b"><flexcomp name="block" type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3">
        <elasticity young="1e4" poisson=".3"/></flexcomp></body>
        <body name="c"><flexcomp name="nodes" type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" dof="trilinear">
        <elasticity young="1e4" poisson=".3"/><contact selfcollide="none"/></flexcomp></body></worldbody>
        <custom><text name="{name}" data="{data}"/></custom></mujoco>"#
    );
    load_str(&xml, &Source::default())
}

#[test]
fn flexes_follow_laws() {
    for words in
        ["neo_hookean", "st_venant", "mooney_rivlin share=.3", "ogden", "ogden mu1=1 alpha1=2 young=1e3 poisson=.4"]
    {
        let m = flexes("sinew:elasticity:block", words).expect(words);
        assert!(matches!(m.extension().elasticity[..], [None, Some(_), None]), "{words}");
        let back = Model::from_bytes(&m.to_bytes()).expect("it was saved");
        assert_eq!(back.extension(), m.extension());
    }
    let m = flexes("sinew:elasticity:sheet", "neo_hookean 1e4 .3 .01").expect("moduli are given");
    assert!(m.extension().elasticity[0].is_some());
    let m = flexes("sinew:bending:sheet", "bridson").expect("the material bends");
    assert_eq!(m.extension().bending[0].map(|law| law.stiffness), Some(None));
    let m = flexes("sinew:bending:sheet", "cotangent").expect("it is MuJoCo's");
    assert_eq!(m.extension().bending, [None, None, None]);
    for (name, data, message) in [
        ("sinew:elasticity:sheet", "neo_hookean", "the moduli are missing"),
        ("sinew:elasticity:sheet", "neo_hookean 1e4 .3", "thickness is missing"),
        ("sinew:elasticity:block", "neo_hookean 1e4 .5", "poisson = 0.5 is out of range"),
        ("sinew:elasticity:block", "neo_hookian", "did you mean 'neo_hookean'?"),
        ("sinew:elasticity:block", "mooney_rivlin share=2", "share = 2 is too large"),
        ("sinew:elasticity:block", "ogden mu1=1 alpha1=-2", "is no stable term"),
        ("sinew:elasticity:nodes", "neo_hookean", "no elements that could follow the law"),
        ("sinew:bending:block", "bridson", "no hinges that could follow the law"),
        ("sinew:bending:sheet", "bridson stiffness=-1", "stiffness = -1 is too small"),
        ("sinew:bending:sheet", "bridson stif=1", "known are stiffness, damping"),
    ] {
        let error = flexes(name, data).expect_err(message).to_string();
        assert!(error.contains(message), "{error}\n{message}");
    }
}

/// An attached model brings its texts: they follow the elements they are about under their new names. Flexes keep their
/// names, as in MuJoCo, and texts about a whole model are not copied.
#[test]
fn texts_follow_what_they_are_about() {
    let part = r#"<mujoco><worldbody><body name="b"><joint name="x"/><geom size=".1"/><site name="s" pos="0 0 .3"/>
      <geom name="drum" type="cylinder" size=".1 .1"/><site name="w" pos="0 0 1"/>
      <body name="f"><flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2">
      <elasticity young="1e4" poisson=".3" thickness=".01" elastic2d="both"/></flexcomp></body></body></worldbody>
      <tendon><spatial name="cable"><site site="s"/><geom geom="drum" sidesite="w"/><site site="w"/></spatial></tendon>
      <actuator><general name="knee" joint="x" dyntype="user" actdim="1"/></actuator>
      <custom><text name="sinew:actuator:knee" data="series_elastic 1 1 1"/><text name="sinew:elasticity:cloth" data="neo_hookean"/>
      <text name="sinew:bending:cloth" data="bridson"/><text name="sinew:pulley:cable:0" data="friction=.3 inertia=.1"/>
      <text name="sinew:solver" data="xpbd"/><text name="note" data="stays"/></custom></mujoco>"#;
    let files = Source::with_files([("part.xml".to_string(), part.as_bytes().to_vec())]);
    let whole = r#"<mujoco><asset><model name="part" file="part.xml"/></asset>
      <worldbody><frame pos="0 0 1"><attach model="part" body="b" prefix="left_"/></frame></worldbody></mujoco>"#;
    let m = load_str(whole, &files).expect("the model compiles");
    let names: Vec<_> = (0..m.ntext).filter_map(|i| m.id2name(ObjType::Text, i)).collect();
    for name in [
        "sinew:actuator:left_knee",
        "sinew:elasticity:cloth",
        "sinew:bending:cloth",
        "sinew:pulley:left_cable:0",
        "left_note",
    ] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("solver")), "{names:?}");
    let all = m.extension();
    assert!(
        all.actuators[0].is_some() && all.elasticity[0].is_some() && all.bending[0].is_some() && all.solver.is_none()
    );
    assert_eq!((all.pulleys[0].friction, all.pulleys[0].inertia), (0.3, 0.1));
}
