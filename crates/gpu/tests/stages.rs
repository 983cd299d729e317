//! Compares the kernels on emulated lanes with the CPU engine.

mod common;

use common::cases;
use sinew_gpu::{Plan, Settings, compare};

/// Worlds per model, and steps between their states.
const WORLDS: (usize, usize) = (12, 40);
/// Minimum number of fully compared worlds. In heaps many worlds have flat faces on each other, where any point of
/// them is the deepest.
const COMPARED: usize = 5;

#[test]
fn steps_agree_with_the_engine_in_any_order_of_lanes() {
    let Some(cases) = cases() else { return };
    let seeds = std::env::var("SINEW_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let mut failed = Vec::new();
    for case in cases {
        let states = compare::states(&case.model, WORLDS.0, WORLDS.1);
        let mut worlds = states.worlds.clone();
        case.emulator.step(&mut worlds, 1, 0).expect(case.name);
        let differences = compare::differences(&case.model, &case.plan, &worlds, &states);
        failed.extend(differences.first().map(|d| format!("{}: {d}", case.name)));
        let compared = WORLDS.0 - states.left_out();
        assert!(compared >= COMPARED, "{}: {compared} worlds are compared", case.name);
        assert!(
            states.after.iter().any(|d| !d.contact.is_empty()) || ["free fall", "cables"].contains(&case.name),
            "{}: no contact",
            case.name
        );
        for seed in 1..=seeds {
            let mut shuffled = states.worlds.clone();
            case.emulator.step(&mut shuffled, 1, seed).expect(case.name);
            assert!(shuffled == worlds, "{}: a barrier is missing", case.name);
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn what_has_no_kernel_is_refused_by_name() {
    let refused = [
        (r#"<option noslip_iterations="3"/>"#, "", "noslip"),
        (r#"<option solver="PGS"/>"#, "", "Pgs"),
        (
            r#"<option><flag nativeccd="disable" multiccd="enable"/></option>"#,
            r#"<body><freejoint/><geom type="cylinder" size=".1 .1"/></body>"#,
            "nativeccd",
        ),
        (
            r#"<actuator><general body="stuck" biastype="affine" biasprm="0 0 -1"/></actuator>"#,
            r#"<body name="stuck"><joint/><geom size=".1"/></body>"#,
            "adhesion by velocity",
        ),
    ];
    for (option, body, word) in refused {
        let xml = format!(
            r#"<mujoco>{option}<worldbody><geom name="base" type="box" size="1 1 .1"/>
            <body><joint/><geom size=".1"/></body>{body}</worldbody></mujoco>"#
        );
        let model = sinew_mjcf::load_str(&xml, &sinew_mjcf::Source::default()).expect(word);
        let refusal = Plan::new(&model, &Settings::default()).expect_err(word).to_string();
        assert!(refusal.contains(word), "{refusal}");
    }
}

#[test]
fn sensors_without_a_kernel_are_refused_to_those_who_ask() {
    let xml = r#"<mujoco><worldbody><camera name="eye" resolution="4 3"/><body><joint/><geom size=".1"/></body></worldbody>
        <sensor><rangefinder camera="eye"/></sensor></mujoco>"#;
    let model = sinew_mjcf::load_str(xml, &sinew_mjcf::Source::default()).expect("a model");
    assert!(Plan::new(&model, &Settings::default()).is_ok());
    let refusal = Plan::new(&model, &compare::everything()).expect_err("there is no kernel").to_string();
    assert!(refusal.contains("Rangefinder"), "{refusal}");
}
