//! `Data::bytes_needed` against the bytes that a simulation allocates.

use allocation_counter::measure;
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_path, load_str};
use std::ops::RangeInclusive;

/// Allowed range of the ratio of estimated to allocated bytes.
const FACTORS: RangeInclusive<f64> = 0.8..=2.0;

/// Fails unless the peak allocation while a simulation is created is close to the estimate.
fn check(what: &str, m: &Model) {
    let taken = measure(|| drop(Data::new(m))).bytes_max as f64;
    let said = Data::bytes_needed(m) as f64;
    let factor = said / taken;
    assert!(FACTORS.contains(&factor), "{what}: {said} bytes are said, {taken} are taken: {factor:.3}");
}

fn compiled(xml: &str) -> Model {
    load_str(xml, &Source::default()).expect("the model compiles")
}

#[test]
fn nothing_and_much_of_one_kind() {
    check("nothing", &compiled("<mujoco/>"));
    check("user data", &compiled(r#"<mujoco><size nuserdata="300000"/></mujoco>"#));
    let chain = |n: usize| {
        let links = r#"<body pos=".1 0 0"><joint range="-1 1" limited="true"/><geom size=".02"/>"#.repeat(n);
        compiled(&format!("<mujoco><worldbody>{links}{}</worldbody></mujoco>", "</body>".repeat(n)))
    };
    check("a short chain", &chain(5));
    check("a long chain", &chain(200));
    let sensors = r#"<jointpos joint="j" nsample="50" delay=".1"/>"#.repeat(100);
    let joint = r#"<body><joint name="j"/><geom size=".1"/></body>"#;
    check("sensors", &compiled(&format!("<mujoco><worldbody>{joint}</worldbody><sensor>{sensors}</sensor></mujoco>")));
}

#[test]
fn piles_with_every_solver_and_cone() {
    for solver in ["Newton", "CG", "PGS"] {
        for cone in ["pyramidal", "elliptic"] {
            for jacobian in ["dense", "sparse"] {
                let boxes: String = (0..30)
                    .map(|i| {
                        format!(
                            r#"<body pos="0 0 {i}"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>"#
                        )
                    })
                    .collect();
                let what = format!("{solver}, {cone}, {jacobian}");
                let option = format!(r#"<option solver="{solver}" cone="{cone}" jacobian="{jacobian}"/>"#);
                let plane = r#"<geom type="plane" size="1 1 1"/>"#;
                check(&what, &compiled(&format!("<mujoco>{option}<worldbody>{plane}{boxes}</worldbody></mujoco>")));
            }
        }
    }
}

#[test]
fn flexes() {
    for (count, dim, more) in
        [("9 9 1", 2, ""), ("6 6 6", 3, ""), ("40 1 1", 1, ""), ("8 8 8", 3, r#"dof="trilinear""#)]
    {
        let quiet = r#"<contact selfcollide="none"/>"#;
        let flex = format!(
            r#"<flexcomp name="f" type="grid" count="{count}" spacing=".1 .1 .1" dim="{dim}" radius=".01" {more}>{quiet}</flexcomp>"#
        );
        let plane = r#"<geom type="plane" size="1 1 1" pos="0 0 -1"/>"#;
        let m = compiled(&format!("<mujoco><worldbody>{plane}{flex}</worldbody></mujoco>"));
        check(&format!("{count} {more}"), &m);
    }
}

/// The models of the project; others with `SINEW_MODELS="a.xml b.xml"`.
#[test]
fn models_in_files() {
    let own =
        ["cloth", "humanoid", "shapes"].map(|name| format!("{}/../../models/{name}.xml", env!("CARGO_MANIFEST_DIR")));
    let more = std::env::var("SINEW_MODELS").unwrap_or_default();
    for path in own.iter().map(String::as_str).chain(more.split_whitespace()) {
        match load_path(path) {
            Ok(m) => check(path, &m),
            Err(e) => assert!(more.contains(path), "{path}: {e}"),
        }
    }
}
