//! `sinew bench` measures something, and its stages add up to its steps.

use serde_json::Value;
use std::process::Command;

#[test]
fn json_has_speeds_and_stages() {
    let run = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["bench", "--json", "--seconds", "0.2", "--threads", "1,2"])
        .output()
        .expect("the command starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let all: Value = serde_json::from_slice(&run.stdout).expect("valid JSON");
    let humanoid = &all[0];
    assert!(humanoid["dofs"].as_u64() > Some(20));
    let speeds = humanoid["speeds"].as_array().expect("a list");
    assert_eq!(speeds.iter().map(|s| s["threads"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert!(speeds.iter().all(|s| s["steps_per_second"].as_f64() > Some(0.0)));
    let stages = humanoid["stages"].as_object().expect("an object");
    let sum: f64 = stages.values().filter_map(Value::as_f64).sum();
    let step = humanoid["seconds_per_timed_step"].as_f64().expect("a number");
    assert!((sum / step - 1.0).abs() < 0.2, "stages sum to {sum} s of {step} s");
    for stage in ["kinematics", "collision", "solver", "integrate"] {
        assert!(stages[stage].as_f64() > Some(0.0), "{stage}");
    }
}

#[test]
fn wrong_models_and_options_fail() {
    for args in [&["bench", "no_such.xml"][..], &["bench", "--threads", "0"], &["bench", "--seconds=-1"]] {
        let run = Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).output().expect("the command starts");
        assert!(!run.status.success() && !run.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn threads_are_numbers_with_commas_or_spaces() {
    let run = |args: &[&str]| {
        let args = [&["bench", "--json", "--seconds", "0.02"], args].concat();
        let output = Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).output().expect("the command starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let all: Value = serde_json::from_slice(&output.stdout).expect("valid JSON");
        let threads = |m: &Value| {
            let speeds = m["speeds"].as_array().expect("a list");
            speeds.iter().map(|s| s["threads"].as_u64().expect("a count")).collect::<Vec<_>>()
        };
        all.as_array().expect("a list").iter().map(threads).collect::<Vec<_>>()
    };
    let humanoid = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");
    assert_eq!(run(&["-t", "1", "2"]), [[1, 2]]);
    assert_eq!(run(&["-t", "1,2", humanoid]), [[1, 2]]);
    assert_eq!(run(&[humanoid, "-t", "2", "1"]), [[2, 1]]);
}
