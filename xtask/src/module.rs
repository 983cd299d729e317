//! The Python module: in `.venv` for tests, as a wheel for distribution; one build for any processor, and another for
//! newer ones.

use crate::{Outcome, python, root, sh, sh_env};
use std::process::Command;

/// The oracle and its version; only tests import it.
const ORACLE: &str = "mujoco==3.5.0";

/// Packages whose tasks tests run with sinew, and what they import without declaring it.
const GYMNASIUM: [&str; 3] = ["gymnasium==1.4.0", "imageio==2.38.1", "packaging"];

/// Processors with AVX2. Without fused multiply-add, results equal those of the plain build.
const NEWER: &str = "-C target-cpu=x86-64-v3 -C target-feature=-fma";

/// Output folder of wheels.
const WHEELS: &str = "target/wheels";

/// Maximum size of a wheel. (byte)
const MOST_BYTES: u64 = 15_000_000;

/// Refuses wheels that are too large, or that lack the type stubs or the licences.
const WEIGH: &str = "
import pathlib, sys, zipfile
for wheel in sorted(pathlib.Path(sys.argv[1]).glob('*.whl')):
    names, size = zipfile.ZipFile(wheel).namelist(), wheel.stat().st_size
    builds = [n for n in names if n.startswith('sinew/_sinew')]
    print(f'{wheel.name}: {size / 1e6:.1f} MB, {len(names)} files, {builds}')
    licences = {n.rsplit('/', 1)[1] for n in names if '/licenses/' in n}
    needed = {'LICENSE', 'NOTICE', 'LICENSE-others'}
    if size > int(sys.argv[2]) or not {'sinew/__init__.pyi', 'sinew/py.typed'} <= set(names) or not needed <= licences:
        sys.exit('too large, or without type stubs, or without licences')
";

/// Removes the build for newer processors, which may be outdated or of another architecture.
const FORGET: &str = "
import pathlib
for path in pathlib.Path('crates/python/package/sinew').glob('_sinew_v3.*'):
    path.unlink()
";

/// Extracts the module from the wheel in a folder, under the name that `_build.py` expects.
const UNPACK: &str = "
import pathlib, sys, zipfile
[wheel] = pathlib.Path(sys.argv[1]).glob('*.whl')
with zipfile.ZipFile(wheel) as files:
    [name] = [n for n in files.namelist() if n.startswith('sinew/_sinew.')]
    path = pathlib.Path('crates/python/package') / name.replace('_sinew.', '_sinew_v3.', 1)
    path.write_bytes(files.read(name))
";

/// Installs packages into `.venv`, which is created if needed.
pub(crate) fn install(packages: &[&str]) -> Outcome {
    if !python().exists() {
        let base = if cfg!(windows) { "python" } else { "python3" };
        sh(base, &["-m", "venv", ".venv"])?;
    }
    sh(python(), &[&["-m", "pip", "install", "--quiet", "--disable-pip-version-check"], packages].concat())
}

/// Builds the module.
fn maturin(env: &[(&str, &str)], words: &[&str]) -> Outcome {
    let all = [&["-m", "maturin"], words, &["--release", "-m", "crates/python/Cargo.toml"]].concat();
    sh_env(env, python(), &all)
}

pub(crate) fn venv() -> Outcome {
    install(&[&[ORACLE, "numpy", "maturin", "pytest"], &GYMNASIUM[..]].concat())?;
    // in parallel, since the last phase of a build uses one core; in a separate folder, since cargo locks its target
    // folder
    let apart = root().join("target").join("newer").to_string_lossy().into_owned();
    let host = host()?;
    std::thread::scope(|threads| {
        let newer = threads.spawn(|| newer(&host, &[("CARGO_TARGET_DIR", &apart)], &[]));
        let plain = maturin(&[], &["develop", "--quiet"]);
        newer.join().map_err(|_| "the build for newer processors panicked".to_owned())?.and(plain)
    })
}

/// Builds the wheel of a target. zig links it for Linux, so that it runs on every distribution since 2014, and for macOS when
/// the host is no Mac.
pub(crate) fn wheel(target: &str) -> Outcome {
    install(&["maturin", "ziglang"])?;
    if target != host()? {
        sh("rustup", &["target", "add", target])?;
    }
    let portable: &[&str] = match target {
        t if t.contains("-linux-gnu") => &["--zig", "--compatibility", "manylinux2014"],
        // zig brings the system's symbols, so no Mac is needed to link
        t if t.contains("-apple-darwin") && !host()?.contains("-apple-darwin") => &["--zig"],
        _ => &[],
    };
    // where zig is looked for
    let python = python().to_string_lossy().into_owned();
    let env = [("CARGO_ZIGBUILD_PYTHON_PATH", python.as_str())];
    newer(target, &env, portable)?;
    licences()?;
    maturin(&env, &[&["build", "--target", target, "--out", WHEELS], portable].concat())?;
    sh(self::python(), &["-c", WEIGH, WHEELS, &MOST_BYTES.to_string()])
}

/// Copies the licences to where `maturin` expects them.
fn licences() -> Outcome {
    let folder = root().join("crates/python");
    let wrong = |e: std::io::Error| format!("{}: {e}", folder.display());
    for name in ["LICENSE", "NOTICE"] {
        std::fs::copy(root().join(name), folder.join(name)).map_err(wrong)?;
    }
    std::fs::write(folder.join("LICENSE-others"), crate::packages::licences()?).map_err(wrong)
}

/// Builds the module for newer x86-64 processors into the package, next to the plain one; other architectures have
/// none.
fn newer(target: &str, env: &[(&str, &str)], options: &[&str]) -> Outcome {
    sh(python(), &["-c", FORGET])?;
    if !target.starts_with("x86_64") {
        return Ok(());
    }
    let out = root().join("target").join("newer").join("wheel");
    // remove wheels of other versions
    let _ = std::fs::remove_dir_all(&out);
    let out = out.to_string_lossy().into_owned();
    // with an explicit target, build scripts are shared with the plain build
    let words = ["build", "--quiet", "--target", target, "--out", &out];
    maturin(&[&[("RUSTFLAGS", NEWER)], env].concat(), &[&words, options].concat())?;
    sh(python(), &["-c", UNPACK, &out])
}

/// The target triple of this machine.
pub(crate) fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|e| format!("cannot start rustc: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = text.lines().find_map(|line| line.strip_prefix("host: "));
    found.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".into())
}
