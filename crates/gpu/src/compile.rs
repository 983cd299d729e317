//! Kernels to machine code, by the compiler that comes with CUDA, kept on disk.
#![allow(unsafe_code)] // calls of NVRTC; every pointer lives longer than its call

use crate::{GpuError, Plan};
use cudarc::nvrtc::sys;
use std::ffi::{CString, c_char};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::ptr::null;

/// Whether the compiler is installed.
pub fn available() -> bool {
    // SAFETY: it only looks for the library
    unsafe { sys::is_culib_present() }
}

/// Machine code of a plan for a compute capability; from the cache if it was compiled before.
pub fn cubin(plan: &Plan, capability: (i32, i32), fast_math: bool) -> Result<Vec<u8>, GpuError> {
    let (source, options) = (plan.source(), options(plan, capability, fast_math));
    let file = cache().map(|folder| folder.join(format!("{}.cubin", key(&source, &options))));
    if let Some(code) = file.as_ref().and_then(|f| std::fs::read(f).ok()) {
        return Ok(code);
    }
    if !available() {
        return Err(GpuError::Unavailable("NVRTC is not installed; pip install nvidia-cuda-nvrtc, or install CUDA"));
    }
    let (code, _) = compile(&source, &options)?;
    if let Some(file) = file {
        keep(&file, &code);
    }
    Ok(code)
}

/// What a kernel takes of a core, as the compiler says; it needs no GPU for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Registers of a thread.
    pub registers: usize,
    /// Bytes that did not fit them, stored and loaded, with those of the functions it calls.
    pub spilled: usize,
}

/// Version of the compiler, if it is installed.
pub fn compiler_version() -> Option<(i32, i32)> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: two integers that outlive the call
    available().then(|| unsafe { sys::nvrtcVersion(&mut major, &mut minor) })?;
    Some((major, minor))
}

/// What the step of a plan takes on a compute capability.
///
/// # Errors
/// The compiler is not installed, or refuses the kernels.
pub fn usage(plan: &Plan, capability: (i32, i32)) -> Result<Usage, GpuError> {
    if !available() {
        return Err(GpuError::Unavailable("NVRTC is not installed"));
    }
    let mut options = options(plan, capability, false);
    options.push("--ptxas-options=-v".into());
    let (_, log) = compile(&plan.source(), &options)?;
    let number = |line: &str, before: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        let at = words.iter().position(|w| w.trim_end_matches(',') == before)?;
        words.get(at.checked_sub(1)?)?.parse::<usize>().ok()
    };
    let spills = |line: &str| {
        let sum = |way: &str| line.split(',').find(|part| part.contains(way)).and_then(|part| number(part, "bytes"));
        sum("spill stores").unwrap_or(0) + sum("spill loads").unwrap_or(0)
    };
    let registers = log.lines().filter_map(|line| number(line, "registers")).max();
    let registers = registers.ok_or_else(|| GpuError::Compile("the compiler does not say what kernels take".into()))?;
    Ok(Usage { registers, spilled: log.lines().map(spills).sum() })
}

/// The first compiler that can be asked to leave out what takes it longest.
const SAVES_TIME: (i32, i32) = (12, 9);

fn options(plan: &Plan, capability: (i32, i32), fast_math: bool) -> Vec<String> {
    let mut options = vec![
        format!("--gpu-architecture=sm_{}{}", capability.0, capability.1),
        "--std=c++17".into(),
        "--disable-warnings".into(),
        // quotients to two units in the last place, roots to one: correct rounding costs a branch each, 2 to 5 % of a step
        "--prec-div=false".into(),
        "--prec-sqrt=false".into(),
    ];
    if fast_math {
        options.extend(["--use_fast_math".into(), "-DFAST_MATH".into()]);
    }
    // few worlds need the larger build, and all wait for it before their first step
    if plan.is_larger() && compiler_version() >= Some(SAVES_TIME) {
        options.push("--Ofast-compile=min".into());
    }
    options
}

/// Writes beside, then renames, so that nobody reads half a file. Without a cache all works, only slower.
pub(crate) fn keep(file: &Path, code: &[u8]) {
    let part = file.with_extension(format!("{}.part", std::process::id()));
    if std::fs::write(&part, code).is_ok() {
        let _ = std::fs::rename(&part, file);
    }
}

/// The user's folder for machine code.
pub(crate) fn cache() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let folder = base.or_else(|| std::env::home_dir().map(|h| h.join(".cache")))?.join("sinew").join("gpu");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}

/// A name for what a source becomes under options.
pub(crate) fn key(source: &str, options: &[String]) -> String {
    let (major, minor) = compiler_version().unwrap_or_default();
    let half = |salt: u64| {
        let mut h = DefaultHasher::new();
        (salt, source, options, major, minor).hash(&mut h);
        h.finish()
    };
    format!("{:016x}{:016x}", half(1), half(2))
}

/// Machine code, and what the compiler says of it.
fn compile(source: &str, options: &[String]) -> Result<(Vec<u8>, String), GpuError> {
    let no_zero = |text: &str| CString::new(text).map_err(|_| GpuError::Compile("a zero byte in a name".into()));
    let source = no_zero(source)?;
    let options = options.iter().map(|o| no_zero(o)).collect::<Result<Vec<_>, _>>()?;
    let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
    let mut program = std::ptr::null_mut();
    // SAFETY: strings and lists outlive the calls; the program is destroyed on every way out
    unsafe {
        let made = sys::nvrtcCreateProgram(&mut program, source.as_ptr(), null(), 0, null(), null());
        check(made)?;
        let result = check(sys::nvrtcCompileProgram(program, pointers.len() as i32, pointers.as_ptr()))
            .map_err(|_| GpuError::Compile(log(program)))
            .and_then(|()| Ok((code(program)?, log(program))));
        sys::nvrtcDestroyProgram(&mut program);
        result
    }
}

fn check(result: sys::nvrtcResult) -> Result<(), GpuError> {
    match result {
        sys::nvrtcResult::NVRTC_SUCCESS => Ok(()),
        other => Err(GpuError::Compile(format!("{other:?}"))),
    }
}

/// # Safety
/// The program exists.
unsafe fn log(program: sys::nvrtcProgram) -> String {
    let mut size = 0;
    // SAFETY: the caller's program; the buffer has the size that was asked for
    unsafe {
        sys::nvrtcGetProgramLogSize(program, &mut size);
        let mut text = vec![0u8; size];
        sys::nvrtcGetProgramLog(program, text.as_mut_ptr().cast());
        String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned()
    }
}

/// # Safety
/// The program is compiled.
unsafe fn code(program: sys::nvrtcProgram) -> Result<Vec<u8>, GpuError> {
    let mut size = 0;
    // SAFETY: the caller's program; the buffer has the size that was asked for
    unsafe {
        check(sys::nvrtcGetCUBINSize(program, &mut size))?;
        let mut bytes = vec![0u8; size];
        check(sys::nvrtcGetCUBIN(program, bytes.as_mut_ptr().cast()))?;
        Ok(bytes)
    }
}
