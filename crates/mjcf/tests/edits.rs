//! Random edits of models: nothing panics, and a saved model compiles to the same model.
//!
//! The sequence of edits is the same in every run. `SINEW_EDITS` sets the number of models; `cargo xtask campaign` runs
//! many more.

mod common;

use common::edited::Edits;
use sinew_engine::model::enums::ObjType;
use sinew_mjcf::Spec;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Number of edited models in a test run.
const EDITS: u64 = 3000;

#[test]
fn edited_models_are_saved_as_they_are() {
    let edits = std::env::var("SINEW_EDITS").ok().and_then(|s| s.parse().ok()).unwrap_or(EDITS);
    let all = Edits::new();
    let mut compiled = 0;
    let mut failed: Vec<(String, String)> = Vec::new();
    for number in 0..edits {
        let mut log = Vec::new();
        match catch_unwind(AssertUnwindSafe(|| all.one(number, &mut log))) {
            Ok(Ok(ok)) => compiled += u64::from(ok),
            Ok(Err(what)) => failed.push((format!("edit {number}: {what}"), log.join("\n"))),
            Err(_) => failed.push((format!("edit {number}: panic"), log.join("\n"))),
        }
    }
    println!("{edits} models, {compiled} compile");
    failed.sort_by_key(|f| f.1.len());
    let list: Vec<&str> = failed.iter().map(|f| f.0.as_str()).collect();
    assert!(failed.is_empty(), "{}\nthe shortest:\n{}", list.join("\n"), failed[0].1);
    assert!(compiled * 5 > edits, "{compiled} of {edits} compile");
}

#[test]
fn a_frame_does_not_stand_in_itself() {
    let mut spec = Spec::default();
    let world = spec.world_id();
    let outer = spec.add_to(world, None, ObjType::Frame, None).expect("a frame");
    let inner = spec.add_to(world, Some(outer), ObjType::Frame, None).expect("a frame");
    assert!(spec.set_frame(outer, Some(outer)).is_err() && spec.set_frame(outer, Some(inner)).is_err());
    spec.add_to(world, Some(outer), ObjType::Body, None).expect("a body");
    spec.delete(outer).expect("it is there");
    assert!(spec.to_xml().contains("<body"));
}
