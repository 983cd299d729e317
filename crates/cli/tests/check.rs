//! `sinew check`, `sinew compile`, and options shared by all subcommands.

mod common;

use common::{failure, failure_of, file, scratch, sinew, sinew_reading, text};
use serde_json::Value;

const WRONG: &str = r#"<mujoco>
  <option timstep=".01"/>
  <worldbody>
    <geom sise=".1"/>
    <boddy/>
  </worldbody>
</mujoco>
"#;

#[test]
fn every_error_has_its_line() {
    let message = failure_of(&sinew(&["check", &file("wrong.xml", WRONG)]), 1);
    assert_eq!(message.matches("error: ").count(), 3, "{message}");
    for line in ["2 |   <option timstep", "4 |     <geom sise", "5 |     <boddy/>"] {
        assert!(message.contains(line), "{message}");
    }
    for hint in ["'timestep'", "'size'", "'body'"] {
        assert!(message.contains(&format!("did you mean {hint}?")), "{message}");
    }
    assert!(failure(&["info", &file("wrong2.xml", WRONG)]).contains("4 |     <geom sise"));
}

#[test]
fn warnings_count_only_when_strict() {
    let model = file("lost.xml", "<mujoco>\n<body name='lost'/>\n<worldbody/></mujoco>");
    let output = sinew(&["check", "--verbose", &model]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("warning: ") && message.contains("2 | <body"), "{message}");
    let out = text(&output);
    assert!(out.contains("1 of 1 model compiles, 1 warning") && out.contains("1 body, 0 dofs"), "{out}");
    let message = failure_of(&sinew(&["check", "--strict", &model]), 1);
    assert!(message.contains("error: ") && !message.contains("warning: "), "{message}");
    for verb in ["run", "info", "compile"] {
        assert!(failure(&[verb, "--strict", &model]).contains("error: "), "{verb}");
    }
}

#[test]
fn several_models_are_counted() {
    let [good, bad] = [file("good.xml", "<mujoco/>"), file("bad.xml", WRONG)];
    let output = sinew(&["check", &good, &bad, &good]);
    failure_of(&output, 1);
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 of 3 models compile"));
    assert!(text(&sinew_reading(&["check", "-"], "<mujoco/>")).contains("1 of 1 model compiles"));
}

/// A compiled model runs exactly as its source does, without the source files.
#[test]
fn compiled_models_run_alike() {
    let saved = scratch("humanoid.sinew");
    let saved = saved.to_str().expect("a name");
    let source = file("humanoid.xml", include_str!("../../../models/humanoid.xml"));
    let json: Value = serde_json::from_str(&text(&sinew(&["compile", &source, "--json"]))).expect("JSON");
    assert_eq!(json["file"], saved);
    assert_eq!(json["bytes"].as_u64(), std::fs::metadata(saved).ok().map(|m| m.len()));
    std::fs::remove_file(&source).expect("it was there");
    let state = |args: &[&str]| {
        let args = [&["run", "--steps", "200", "--json"], args].concat();
        let json: Value = serde_json::from_str(&text(&sinew(&args))).expect("JSON");
        json["qpos"].clone()
    };
    assert_eq!(state(&[saved]), state(&[]));
    assert!(text(&sinew(&["info", saved])).contains("knee_left"));
}

#[test]
fn damaged_files_are_told() {
    let path = scratch("damaged.sinew");
    let path = path.to_str().expect("a name");
    text(&sinew(&["compile", &file("small.xml", "<mujoco/>"), "--output", path]));
    let good = std::fs::read(path).expect("it was written");
    let mut other = good.clone();
    other[15] ^= 1;
    for content in [&good[..good.len() - 1], &other] {
        std::fs::write(path, content).expect("it can be written");
        let message = failure(&["run", path]);
        assert!(message.contains("damaged") && message.contains("compile the model again"), "{message}");
    }
    let model = file("small2.xml", "<mujoco/>");
    assert!(failure(&["compile", &model, "--output", "/no/such/folder/x"]).contains("cannot write"));
}

/// Running out of memory gives an error with a size instead of aborting the process.
#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_no_crash() {
    let boxes = "<replicate count='300000'><geom name='g' size='1'/></replicate>";
    let models = [
        format!("<mujoco><worldbody>{boxes}</worldbody></mujoco>"),
        "<mujoco><size nuserdata='200000000'/></mujoco>".to_string(),
        "<mujoco><asset><hfield name='h' nrow='5000' ncol='5000' size='1 1 1 1'/></asset></mujoco>".to_string(),
        "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='20000' height='15000'/></asset></mujoco>"
            .to_string(),
    ];
    for (i, xml) in models.iter().enumerate() {
        let path = file(&format!("huge{i}.xml"), xml);
        let script = format!("ulimit -v 300000; '{}' check '{path}'", env!("CARGO_BIN_EXE_sinew"));
        let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
        let message = failure_of(&output, 1);
        assert!(message.contains("bytes of memory"), "{xml}: {message}");
    }
}

#[test]
fn the_command_introduces_itself() {
    assert_eq!(text(&sinew(&["--version"])), format!("sinew {}\n", env!("CARGO_PKG_VERSION")));
    let help = text(&sinew(&["--help"]));
    for word in ["Examples:", "Exit status:", "run", "compile", "completions"] {
        assert!(help.contains(word), "{help}");
    }
    for verb in ["run", "info", "check", "compile", "bench"] {
        assert!(text(&sinew(&[verb, "--help"])).contains("Examples:"), "{verb}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&sinew(&["completions", shell])).contains("strict"), "{shell}");
    }
    assert_eq!(sinew(&["run", "--no-such-option"]).status.code(), Some(2));
}

#[test]
fn limits_are_arguments_of_all_verbs() {
    let many = file("many.xml", "<mujoco><worldbody><replicate count='5000'><body/></replicate></worldbody></mujoco>");
    text(&sinew(&["check", &many]));
    for given in [["--max-elements", "100"], ["--max-memory", "1M"]] {
        let message = failure_of(&sinew(&[&["check", &many], &given[..]].concat()), 1);
        assert!(message.contains("at most"), "{message}");
        failure_of(&sinew(&[&given[..], &["info", &many]].concat()), 1);
    }
    let outside =
        format!("<mujoco><include file='{}'/></mujoco>", std::env::current_exe().expect("a program").display());
    let message = failure_of(&sinew(&["check", "--confined", &file("outside.xml", &outside)]), 1);
    assert!(message.contains("directory of the model"), "{message}");
}

/// A saved model is small however much memory its simulation needs; a process that cannot get that memory ends with an
/// error, not with a signal.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_for_a_saved_model_is_an_error() {
    let xml = file("greedy.xml", "<mujoco><size nuserdata='60000000'/></mujoco>");
    let greedy = scratch("greedy.sinew");
    let greedy = greedy.to_str().expect("a name");
    text(&sinew(&["compile", &xml, "-o", greedy]));
    for verb in ["run", "info --memory", "bench"] {
        let script = format!("ulimit -v 400000; exec '{}' {verb} '{greedy}'", env!("CARGO_BIN_EXE_sinew"));
        let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
        let message = failure_of(&output, 1);
        assert!(message.contains("bytes of memory"), "{verb}: {message}");
    }
}
