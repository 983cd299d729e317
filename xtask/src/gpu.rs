//! What needs a GPU: tests of the host's side on it, models beside the CPU engine, speed.

use crate::{Outcome, root, sh, sh_env};
use std::path::Path;
use std::process::Command;

/// Tests run on this GPU instead of emulated lanes.
const DEVICE: (&str, &str) = ("SINEW_GPU_DEVICE", "0");
/// Models that are compared, where the list lies beside the project.
const LIST: &str = "../shared/corpus/rigid.txt";

pub(crate) fn run() -> Outcome {
    let listed = Command::new("nvidia-smi").arg("-L").output().is_ok_and(|o| o.status.success());
    if !listed && !Path::new("/dev/nvidiactl").exists() {
        println!(
            "skipped: there is no GPU here; the kernels are tested on emulated lanes by `cargo test -p sinew-gpu`"
        );
        return Ok(());
    }
    sh_env(&[DEVICE], "cargo", &["test", "--release", "-p", "sinew-gpu", "--test", "host"])?;
    let example = ["run", "--release", "-p", "sinew-gpu", "--example"];
    if root().join(LIST).exists() {
        sh("cargo", &[&example[..], &["conform", "--", LIST, "--gpu"]].concat())?;
    }
    sh("cargo", &[&example[..], &["speed", "--", "models/humanoid.xml"]].concat())
}
