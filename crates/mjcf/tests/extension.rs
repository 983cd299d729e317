//! Custom texts that ask for physics beyond MuJoCo: what is understood, and what is said about the rest.

use sinew_engine::Model;
use sinew_engine::model::enums::Integrator;
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
    let soft = Xpbd { iterations: 7, substeps: 2, compliance: Compliance::Soft };
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
        ("sinew:solver", "xpbd 1 2 3", "'3' is one word too many"),
        ("sinew:actuator:kene", "series_elastic 1 1 1", "no actuator is named 'kene'; did you mean 'knee'?"),
        ("sinew:actuator", "series_elastic 1 1 1", "write sinew:actuator:<name>"),
        ("sinew:actuator:knee", "series_elastic", "k is missing"),
        ("sinew:actuator:knee", "series_elastic k=1 k=2", "k is given twice"),
        ("sinew:actuator:knee", "series_elastic nan 0 0", "is not a number"),
        ("sinew:actuator:knee", "dc_motor 1 0", "resistance = 0 is not positive"),
        ("sinew:actuator:knee", "dc_motor 1 1 1 1 1", "dyntype=\"user\" actdim=\"1\""),
        ("sinew:pulley:line:0", "friction=1", "no tendon is named 'line'"),
        ("sinew:pulley", "friction=1", "names no tendon"),
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
