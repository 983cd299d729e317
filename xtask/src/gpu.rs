//! Batches on a GPU: host-side tests on it, models compared with the CPU engine, batch shapes, graphs, a long run,
//! speed; and longer tests on emulated lanes, which need no GPU.

use crate::{Outcome, python, root, sh, sh_env};
use std::path::Path;
use std::process::Command;

/// Makes tests run on this GPU instead of emulated lanes.
const DEVICE: (&str, &str) = ("SINEW_GPU_DEVICE", "0");
/// Models to compare, if the list is next to the project.
const LIST: &str = "../shared/corpus/rigid.txt";
/// The page for the resulting counts.
const TABLE: &str = "docs/gpu-corpus.md";
/// Number of lane orders that a long test tries.
const SEEDS: (&str, &str) = ("SINEW_SEEDS", "16");
/// All sanitisers that support fibres.
const SANITISERS: (&str, &str) = ("SINEW_SANITISE", "undefined,float-divide-by-zero");

const STAGES: [&str; 6] = ["test", "--release", "-p", "sinew-gpu", "--test", "stages"];
const EXAMPLE: [&str; 5] = ["run", "--release", "-p", "sinew-gpu", "--example"];

pub(crate) fn run() -> Outcome {
    match std::env::args().nth(2).as_deref() {
        None => device(),
        Some("corpus") => conform(&["--table", TABLE]),
        Some("lanes") => sh_env(&[SEEDS], "cargo", &STAGES),
        Some("sanitise") => sh_env(&[SANITISERS], "cargo", &STAGES),
        Some("record") => {
            sh_env(&[("SINEW_RECORD", "1")], "cargo", &["test", "--release", "-p", "sinew-gpu", "--test", "registers"])
        }
        Some(other) => Err(format!("'gpu {other}' is not known; there are corpus, lanes, sanitise and record")),
    }
}

fn device() -> Outcome {
    let listed = Command::new("nvidia-smi").arg("-L").output().is_ok_and(|o| o.status.success());
    if !listed && !Path::new("/dev/nvidiactl").exists() {
        println!(
            "skipped: there is no GPU here; the kernels are tested on emulated lanes by `cargo test -p sinew-gpu`"
        );
        return Ok(());
    }
    sh_env(&[DEVICE], "cargo", &["test", "--release", "-p", "sinew-gpu", "--test", "host"])?;
    conform(&["--gpu"])?;
    sh(python(), &["conformance/gpu.py"])?;
    sh("cargo", &[&EXAMPLE[..], &["speed", "--", "models/humanoid.xml"]].concat())
}

/// Compares models of the corpus with the CPU engine, if the corpus is next to the project.
fn conform(more: &[&str]) -> Outcome {
    if !root().join(LIST).exists() {
        println!("skipped: there is no {LIST}");
        return Ok(());
    }
    sh("cargo", &[&EXAMPLE[..], &["conform", "--", LIST], more].concat())
}
