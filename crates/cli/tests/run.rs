//! `sinew run` from the user's point of view.

mod common;

use common::tolerance::{ROUNDING, SOLVED};
use common::{failure, failure_of, file, scratch, sinew, sinew_reading, text};
use ndarray::{Array1, Array2};
use ndarray_npy::{NpzReader, WriteNpyExt};
use serde_json::Value;

/// A ball without gravity, with two motors.
const PLANE: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"/>
    <joint name="y" type="slide" axis="0 1 0"/><geom size=".1" mass="1"/></body></worldbody>
    <actuator><motor name="push" joint="x"/><motor name="pull" joint="y"/></actuator></mujoco>"#;

/// The number that follows a phrase.
fn number(text: &str, phrase: &str) -> f64 {
    let rest = text.split_once(phrase).unwrap_or_else(|| panic!("no '{phrase}' in {text}")).1.trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-.e".contains(c))).unwrap_or(rest.len());
    rest[..end].parse().unwrap_or_else(|_| panic!("no number after '{phrase}' in {text}"))
}

#[test]
fn the_humanoid_falls_and_its_weight_is_carried() {
    let out = text(&sinew(&["run", "--time", "4"]));
    for line in ["simulated", "speed", "energy", "state", "contacts", "force"] {
        assert!(out.contains(line), "{out}");
    }
    let weight = number(&out, "weight");
    let carried = number(&out, "total normal");
    assert!((carried / weight - 1.0).abs() < 0.3, "{out}");
    assert!(number(&out, "at most") >= 4.0, "{out}");
    let depth = number(&out, "deepest penetration");
    assert!(depth > 0.0 && depth < 50.0, "{out}");
}

#[test]
fn both_formats_hold_the_same_states() {
    let [csv, npz] = ["same.csv", "same.npz"].map(scratch);
    for path in [&csv, &npz] {
        text(&sinew(&["run", "--steps", "20", "--noise", ".5", "--output", path.to_str().expect("a name")]));
    }
    let mut file = NpzReader::new(std::fs::File::open(&npz).expect("it was written")).expect("an npz file");
    let time: Array1<f64> = file.by_name("time").expect("times");
    let mut rows: Vec<Vec<f64>> = time.iter().map(|t| vec![*t]).collect();
    for name in ["qpos", "qvel", "act", "ctrl", "sensordata"] {
        let values: Array2<f64> = file.by_name(name).expect(name);
        assert_eq!(values.nrows(), 21);
        rows.iter_mut().zip(values.rows()).for_each(|(row, v)| row.extend(v));
    }
    let lines = std::fs::read_to_string(&csv).expect("it was written");
    let mut lines = lines.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    assert_eq!((head[0], head[1], head.len()), ("time", "qpos0", rows[0].len()));
    let read: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|v| v.parse().expect("a number")).collect()).collect();
    assert_eq!(read, rows);
    assert!((time[20] - 20.0 * time[1]).abs() < ROUNDING && time[0] == 0.0 && time[1] > 0.0);
    assert_ne!(read[0][1..], read[20][1..], "it moved");
}

#[test]
fn keyframes_by_name_and_number() {
    let [a, b] = ["named.csv", "numbered.csv"].map(scratch);
    text(&sinew(&["run", "--steps", "0", "--keyframe", "squat", "--output", a.to_str().expect("a name")]));
    text(&sinew(&["run", "--steps", "0", "--key", "0", "--output", b.to_str().expect("a name")]));
    let [a, b] = [a, b].map(|p| std::fs::read_to_string(p).expect("it was written"));
    assert_eq!(a, b);
    assert!(failure(&["run", "--keyframe", "no such"]).contains("squat"), "names are listed");
    assert!(failure(&["run", "--keyframe", "99"]).contains("does not exist"));
}

#[test]
fn mistakes_are_told() {
    assert!(failure(&["run", "--output", "trajectory.txt"]).contains(".npz or .csv"));
    assert!(failure(&["run", "--output", "/no/such/folder/x.csv"]).contains("cannot write"));
    assert!(failure(&["run", "--time", "-1"]).contains("not negative"));
    assert!(failure(&["run", "--time", "1", "--steps", "3"]).contains("cannot be used with"));
    assert!(failure(&["run", "no_such_model.xml"]).contains("no_such_model.xml"));
}

/// The controls are forces on a mass of 1 kg, so velocity is their sum times the time step.
#[test]
fn controls_from_files() {
    let model = file("plane.xml", PLANE);
    let velocity = |control: &str| {
        let out = text(&sinew(&["run", &model, "--steps", "4", "--json", "--control", control]));
        let json: Value = serde_json::from_str(&out).expect("JSON");
        [0, 1].map(|i| json["qvel"][i].as_f64().expect("a number") / 0.002)
    };
    let close = |got: [f64; 2], wanted: [f64; 2]| {
        assert!(got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < SOLVED), "{got:?}, expected {wanted:?}");
    };
    close(velocity(&file("named.csv", "pull, push\n1, 2\n3, 4\n")), [2.0 + 4.0 * 3.0, 1.0 + 3.0 * 3.0]);
    close(velocity(&file("plain.csv", "2,1\n4,3\n")), [14.0, 10.0]);
    close(velocity(&file("one.csv", "ctrl1\n5\n")), [0.0, 20.0]);
    close(velocity(&file("timed.csv", "time,push\n0.002,1\n0.006,10\n")), [1.0 + 1.0 + 10.0, 0.0]);
    let npy = scratch("controls.npy");
    let array = Array2::from_shape_vec((2, 2), vec![2.0, 1.0, 4.0, 3.0]).expect("its shape");
    array.write_npy(std::fs::File::create(&npy).expect("it can be written")).expect("it is written");
    close(velocity(npy.to_str().expect("a name")), [14.0, 10.0]);
}

#[test]
fn wrong_controls_are_told() {
    let model = file("plane2.xml", PLANE);
    let wrong = |content: &str| failure(&["run", &model, "--control", &file("wrong.csv", content)]);
    assert!(wrong("pushh\n1\n").contains("did you mean 'push'?"));
    assert!(wrong("push,pull\n1,2\n1\n").contains("line 3"));
    assert!(wrong("push\n1\nx\n").contains("line 3, column 1: 'x'"));
    assert!(wrong("1,2,3\n").contains("3 columns"));
    assert!(wrong("time,push\n1,0\n0,0\n").contains("not decrease"));
    assert!(wrong("").contains("empty"));
    assert!(wrong("push\nnan\n").contains("NaN"));
    assert!(failure(&["run", &model, "--control", "controls.txt"]).contains(".csv or .npy"));
}

/// A spring too stiff for the time step: the simulation must not silently continue from a reset state.
#[test]
fn divergence_is_an_error() {
    let model = file(
        "unstable.xml",
        r#"<mujoco><option timestep=".1"><flag eulerdamp="disable"/></option><worldbody><body><joint axis="0 1 0" damping="1e9"/>
        <geom size=".1" pos=".1 0 0"/></body></worldbody></mujoco>"#,
    );
    let output = sinew(&["run", &model, "--json"]);
    let message = failure_of(&output, 3);
    assert!(message.contains("error: step") && message.contains("unstable"), "{message}");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let (steps, time) = (json["steps"].as_f64().expect("a count"), json["time"].as_f64().expect("a time"));
    assert!(steps < 100.0 && (time - 0.1 * steps).abs() < SOLVED, "{json:#}");
    assert!(message.contains(json["error"].as_str().expect("a message")), "{message}");
}

#[test]
fn strict_runs_insist_on_convergence() {
    let model = file(
        "hasty.xml",
        r#"<mujoco><option solver="PGS" iterations="1" tolerance="1e-12"/><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .2 .1"/></body></worldbody></mujoco>"#,
    );
    text(&sinew(&["run", &model, "--steps", "50"]));
    assert!(failure_of(&sinew(&["run", &model, "--steps", "50", "--strict"]), 3).contains("did not converge"));
    text(&sinew(&["run", "--time", "1", "--strict"]));
}

#[test]
fn json_has_what_the_text_has() {
    let json: Value = serde_json::from_str(&text(&sinew(&["run", "--time", ".5", "--json"]))).expect("JSON");
    assert!((json["time"].as_f64().expect("a time") - 0.5).abs() < SOLVED);
    assert!(json["contacts"]["weight"].as_f64() > Some(100.0));
    assert_eq!(json["qvel"].as_array().map(Vec::len), json["dofs"].as_u64().map(|n| n as usize));
    assert!(json["error"].is_null());
}

#[test]
fn standard_input_is_a_model() {
    let out = text(&sinew_reading(&["run", "-", "--steps", "1"], PLANE));
    assert!(out.contains("2 dofs, 2 actuators") && out.contains("in 1 step,"), "{out}");
    let wrong = sinew_reading(&["run", "-"], "<mujoco>\n<worldboddy/></mujoco>");
    let message = failure_of(&wrong, 1);
    assert!(message.contains("<stdin>:2:1") && message.contains("2 | <worldboddy/>"), "{message}");
}

#[test]
fn a_timestep_of_zero_has_no_number_of_steps() {
    let model = file("still.xml", r#"<mujoco><option timestep="0"/></mujoco>"#);
    assert!(failure(&["run", &model]).contains("--steps"));
    text(&sinew(&["run", &model, "--steps", "2"]));
}
