//! The kernels on a CPU: the same source on thirty-two fibres, built by the system's C++ compiler. For tests; slow.

use crate::{Plan, Worlds};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A model's kernels, built for this machine.
#[derive(Debug)]
pub struct Emulator {
    program: PathBuf,
    shared: Vec<f32>,
    sizes: Vec<usize>,
}

/// The C++ compiler of this machine.
pub fn compiler() -> Option<String> {
    let named = std::env::var("CXX").ok();
    let works = |name: &String| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    named.into_iter().chain(["c++".to_owned(), "g++".to_owned(), "clang++".to_owned()]).find(works)
}

impl Emulator {
    /// Builds the kernels of a plan in a folder, with sanitisers of alignment and bounds if asked.
    ///
    /// # Errors
    /// There is no compiler, or it refuses the kernels.
    pub fn build(plan: &Plan, folder: &Path, sanitise: bool) -> io::Result<Self> {
        let compiler = compiler().ok_or_else(|| io::Error::other("no C++ compiler"))?;
        let (source, program) = (folder.join("emulate.cpp"), folder.join("emulate"));
        std::fs::write(&source, plan.emulator())?;
        let mut command = Command::new(compiler);
        command.args(["-std=c++17", "-O1", "-w", "-ffp-contract=off"]);
        if sanitise {
            command.args(["-fsanitize=alignment,bounds", "-fno-sanitize-recover=all"]);
        }
        let done = command.arg(&source).arg("-o").arg(&program).output()?;
        if !done.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&done.stderr).into_owned()));
        }
        Ok(Emulator { program, shared: plan.shared(), sizes: plan.outputs.iter().map(|o| o.1).collect() })
    }

    /// Steps all worlds. A seed other than 0 runs the lanes in a random order between barriers.
    ///
    /// # Errors
    /// The program failed.
    pub fn step(&self, worlds: &mut Worlds, steps: usize, seed: u32) -> io::Result<()> {
        let count = worlds.time.len();
        let mut child = Command::new(&self.program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut input: Vec<u8> = [count as u32, steps as u32, seed].iter().flat_map(|x| x.to_le_bytes()).collect();
        let state = [
            &worlds.qpos,
            &worlds.qvel,
            &worlds.act,
            &worlds.qacc_warmstart,
            &worlds.time,
            &worlds.ctrl,
            &worlds.mocap,
        ];
        for list in std::iter::once(&self.shared).chain(state) {
            input.extend(list.iter().flat_map(|x| x.to_le_bytes()));
        }
        if let Some(mut pipe) = child.stdin.take() {
            pipe.write_all(&input)?;
        }
        let mut bytes = Vec::new();
        if let Some(mut pipe) = child.stdout.take() {
            pipe.read_to_end(&mut bytes)?;
        }
        let status = child.wait()?;
        if !status.success() {
            return Err(io::Error::other(format!("the emulator ended with {status}")));
        }
        let mut words = bytes.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
        for list in [&mut worlds.qpos, &mut worlds.qvel, &mut worlds.act, &mut worlds.qacc_warmstart, &mut worlds.time]
        {
            list.iter_mut().zip(&mut words).for_each(|(x, b)| *x = f32::from_le_bytes(b));
        }
        let flags: Vec<i32> = words.by_ref().take(4 * count).map(i32::from_le_bytes).collect();
        worlds.status = flags.chunks_exact(4).map(|s| [s[0], s[1], s[2], s[3]]).collect();
        worlds.outputs =
            self.sizes.iter().map(|n| words.by_ref().take(n * count).map(f32::from_le_bytes).collect()).collect();
        Ok(())
    }
}
