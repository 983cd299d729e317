//! Runs the command as a user does.
#![allow(dead_code)] // each test program uses a part of this

#[path = "../../../sinew/tests/common/tolerance.rs"]
pub mod tolerance;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Runs the command.
pub fn sinew(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).output().expect("the command runs")
}

/// Runs the command with standard input.
pub fn sinew_reading(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let piped = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the command runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("the command ends")
}

/// Output of a command that must succeed.
pub fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// Message of a command that must fail with this exit status.
pub fn failure_of(output: &Output, status: i32) -> String {
    let message = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(output.status.code(), Some(status), "{message}");
    message
}

/// Message of a command that must fail.
pub fn failure(args: &[&str]) -> String {
    let output = sinew(args);
    assert!(!output.status.success(), "{args:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// Path of a temporary file of this test run.
pub fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Writes a temporary file of this test run; returns its path.
pub fn file(name: &str, content: &str) -> String {
    let path = scratch(name);
    std::fs::write(&path, content).expect("it can be written");
    path.to_str().expect("a name").to_string()
}
