//! Compares the resource usage of kernels, registers and spills as reported by NVRTC without a GPU, with the recorded
//! values.
//!
//! `SINEW_RECORD=1 cargo test --release -p sinew-gpu --test registers` records them.

use sinew_gpu::{Plan, Settings, compiler_version, usage};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A model of each class: a humanoid, all joints and primitives, transmissions, convex shapes, multiple contacts,
/// MPR, a height field, tendons, a small link at the end of a long arm.
const MODELS: [&str; 9] = ["humanoid", "walker", "machine", "solids", "several", "portals", "hills", "cables", "wrist"];
/// Compute capability of the GPU.
const CAPABILITY: (i32, i32) = (9, 0);
/// Tolerated growth of spills in bytes.
const SLACK: usize = 64;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn model(name: &str) -> PathBuf {
    let own = folder().join(format!("tests/models/{name}.xml"));
    if own.exists() { own } else { folder().join(format!("../../models/{name}.xml")) }
}

#[test]
fn kernels_take_no_more_than_recorded() {
    let file = folder().join("tests/registers.txt");
    let Some((major, minor)) = compiler_version() else {
        eprintln!(
            "skipped: NVRTC is not installed; pip install nvidia-cuda-nvrtc, and name its folder in LD_LIBRARY_PATH"
        );
        return;
    };
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let version = format!("nvrtc {major}.{minor}");
    let records = std::env::var_os("SINEW_RECORD").is_some();
    if !records && text.lines().next() != Some(&version) {
        eprintln!("skipped: recorded with another compiler than {version}");
        return;
    }
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), (words.next()?.parse().ok()?, words.next()?.parse().ok()?)))
    };
    let recorded: BTreeMap<String, (usize, usize)> = text.lines().skip(1).filter_map(line).collect();
    let mut out = format!("{version}\n");
    for name in MODELS {
        let m = sinew_mjcf::load_path(&model(name).to_string_lossy()).expect(name);
        let now = usage(&Plan::new(&m, &Settings::default()).expect(name), CAPABILITY).expect(name);
        out += &format!("{name} {} {}\n", now.registers, now.spilled);
        if records {
            continue;
        }
        let (registers, spilled) = *recorded.get(name).unwrap_or_else(|| panic!("{name} is not recorded"));
        assert!(
            now.registers <= registers && now.spilled <= spilled + SLACK,
            "{name}: {now:?}, recorded are {registers} registers and {spilled} bytes spilled"
        );
    }
    if records {
        std::fs::write(file, out).expect("the record can be written");
    }
}
