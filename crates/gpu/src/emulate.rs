//! The kernels on a CPU: the same source on thirty-two fibres, compiled to a library by the system's C++ compiler.
//! For tests; slow.
#![allow(unsafe_code)] // calls of that library

use crate::device::Kernel;
use crate::{Arguments, Plan, Status, Worlds, compile};
use libloading::Library;
use std::io;
use std::path::Path;
use std::process::Command;

/// A model's kernels, built for this machine.
#[derive(Debug)]
pub struct Emulator {
    /// `step` and `reset` of the library, which stays loaded as long.
    run: [Run; 2],
    _library: Library,
    shared: Vec<f32>,
    outputs: Vec<(usize, usize)>,
}

type Run = unsafe extern "C" fn(*const Arguments, u32);

/// The C++ compiler of this machine.
pub fn compiler() -> Option<String> {
    let named = std::env::var("CXX").ok();
    let works = |name: &String| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    named.into_iter().chain(["c++".to_owned(), "g++".to_owned(), "clang++".to_owned()]).find(works)
}

impl Emulator {
    /// Builds the kernels of a plan in a folder, optionally with sanitizers: alignment and bounds, or those in the
    /// environment variable `SINEW_SANITISE`.
    ///
    /// # Errors
    /// There is no compiler, or it rejects the kernels.
    pub fn build(plan: &Plan, folder: &Path, sanitise: bool) -> io::Result<Self> {
        let (source, library) = (folder.join("emulate.cpp"), folder.join("emulate.so"));
        std::fs::write(&source, plan.emulator())?;
        let compiler = compiler().ok_or_else(|| io::Error::other("no C++ compiler"))?;
        let mut command = Command::new(compiler);
        command.args(["-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fPIC", "-shared"]);
        if sanitise {
            let kinds = std::env::var("SINEW_SANITISE").unwrap_or_else(|_| "alignment,bounds".into());
            command.arg(format!("-fsanitize={kinds}")).arg("-fno-sanitize-recover=all");
        }
        let done = command.arg(&source).arg("-o").arg(&library).output()?;
        if !done.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&done.stderr).into_owned()));
        }
        Self::open(plan, &library)
    }

    /// The kernels of a plan from the user's cache; built if they are not there.
    ///
    /// # Errors
    /// As [`Emulator::build`].
    pub fn cached(plan: &Plan) -> io::Result<Self> {
        let name = compile::key(&plan.emulator(), &["emulated".into()]);
        let file = compile::cache().map(|folder| folder.join(format!("{name}.so")));
        if let Some(kept) = file.as_ref().filter(|f| f.exists()).and_then(|f| Self::open(plan, f).ok()) {
            return Ok(kept);
        }
        let folder = tempfile::tempdir()?;
        let made = Self::build(plan, folder.path(), false)?;
        if let Some(file) = file {
            compile::keep(&file, &std::fs::read(folder.path().join("emulate.so"))?);
        }
        Ok(made)
    }

    fn open(plan: &Plan, file: &Path) -> io::Result<Self> {
        // SAFETY: a library built from `emulate.cpp`, which runs nothing when it is loaded
        let library = unsafe { Library::new(file) }.map_err(io::Error::other)?;
        // SAFETY: functions of `emulate.cpp` with their types
        let (bytes, run) = unsafe {
            let named = |name: &str| library.get::<Run>(name).map(|run| *run).map_err(io::Error::other);
            let bytes = library.get::<unsafe extern "C" fn() -> u32>("batch_bytes").map_err(io::Error::other)?();
            (bytes, [named("step")?, named("reset")?])
        };
        if bytes as usize != size_of::<Arguments>() {
            return Err(io::Error::other("arguments of another size than the kernels read"));
        }
        let index = |o: &(&str, usize)| (crate::header::NAMES.iter().position(|n| *n == o.0).unwrap_or(0), o.1);
        Ok(Emulator {
            run,
            _library: library,
            shared: plan.shared(),
            outputs: plan.outputs.iter().map(index).collect(),
        })
    }

    /// Runs a kernel over all worlds. With a nonzero seed the lanes run in a random order between barriers.
    pub fn launch(&self, kernel: Kernel, arguments: &Arguments, seed: u32) {
        let [step, reset] = self.run;
        let run = match kernel {
            Kernel::Step => step,
            Kernel::Reset => reset,
        };
        // SAFETY: the library is loaded; addresses are arrays of the sizes it was compiled for
        unsafe { run(arguments, seed) }
    }

    /// Steps states in host memory.
    ///
    /// # Errors
    /// The states are those of another model.
    pub fn step(&self, worlds: &mut Worlds, steps: usize, seed: u32) -> io::Result<()> {
        let count = worlds.time.len();
        let mut status = vec![0i32; Status::WORDS * count];
        let mut results: Vec<_> = self.outputs.iter().map(|(_, n)| vec![0f32; n * count]).collect();
        let mut arguments = Arguments {
            state: worlds.lists_mut().map(|list| list.as_mut_ptr() as u64),
            shared: self.shared.as_ptr() as u64,
            status: status.as_mut_ptr() as u64,
            nworld: count as i32,
            nstep: steps as i32,
            ..Arguments::default()
        };
        for ((index, _), result) in self.outputs.iter().zip(&mut results) {
            arguments.outputs[*index] = result.as_mut_ptr() as u64;
        }
        self.launch(Kernel::Step, &arguments, seed);
        worlds.status = Status::all(&status);
        worlds.outputs = results;
        Ok(())
    }
}
