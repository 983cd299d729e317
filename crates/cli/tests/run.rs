//! `sinew run` as a user sees it.

use ndarray::{Array1, Array2};
use ndarray_npy::NpzReader;
use std::path::PathBuf;
use std::process::{Command, Output};

fn sinew(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).output().expect("the command runs")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// Message of a command that must fail.
fn failure(args: &[&str]) -> String {
    let output = sinew(args);
    assert!(!output.status.success(), "{args:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// A file of this test run.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

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
    assert!((time[20] - 20.0 * time[1]).abs() < 1e-12 && time[0] == 0.0 && time[1] > 0.0);
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
