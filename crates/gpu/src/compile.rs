//! Compiles kernels with NVRTC and caches the machine code on disk.
#![allow(unsafe_code)] // calls of NVRTC; every pointer outlives its call

use crate::{GpuError, Plan};
use cudarc::nvrtc::sys;
use std::ffi::{CString, c_char};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::ptr::null;

/// Whether the compiler is installed.
pub fn available() -> bool {
    // SAFETY: only checks whether the library can be loaded
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

/// Resource usage of a kernel as reported by the compiler; no GPU is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Registers per thread.
    pub registers: usize,
    /// Bytes of register spills, stores plus loads, including those of called functions.
    pub spilled: usize,
}

/// Version of the compiler, if it is installed.
pub fn compiler_version() -> Option<(i32, i32)> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: two integers that outlive the call
    available().then(|| unsafe { sys::nvrtcVersion(&mut major, &mut minor) })?;
    Some((major, minor))
}

/// Resource usage of a plan's step kernel for a compute capability.
///
/// # Errors
/// The compiler is not installed, or rejects the kernels.
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

/// The first version of NVRTC with the option `--Ofast-compile`.
const SAVES_TIME: (i32, i32) = (12, 9);

fn options(plan: &Plan, capability: (i32, i32), fast_math: bool) -> Vec<String> {
    let mut options = vec![
        format!("--gpu-architecture=sm_{}{}", capability.0, capability.1),
        "--std=c++17".into(),
        "--disable-warnings".into(),
        // quotients within 2 ulp, square roots within 1 ulp: correct rounding costs a branch each, 2 to 5 % of a step
        "--prec-div=false".into(),
        "--prec-sqrt=false".into(),
    ];
    if fast_math {
        options.extend(["--use_fast_math".into(), "-DFAST_MATH".into()]);
    }
    // few worlds need the larger build, but all wait for it before their first step
    if plan.is_larger() && compiler_version() >= Some(SAVES_TIME) {
        options.push("--Ofast-compile=min".into());
    }
    options
}

/// Writes to a temporary file and renames it, so that nobody reads a partial file. Failure is ignored: the cache is
/// optional.
pub(crate) fn keep(file: &Path, code: &[u8]) {
    let part = file.with_extension(format!("{}.part", std::process::id()));
    if std::fs::write(&part, code).is_ok() {
        let _ = std::fs::rename(&part, file);
    }
}

/// The user's cache directory for machine code.
pub(crate) fn cache() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let folder = base.or_else(|| std::env::home_dir().map(|h| h.join(".cache")))?.join("sinew").join("gpu");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}

/// Cache key of a source with its options.
pub(crate) fn key(source: &str, options: &[String]) -> String {
    let (major, minor) = compiler_version().unwrap_or_default();
    let half = |salt: u64| {
        let mut h = DefaultHasher::new();
        (salt, source, options, major, minor).hash(&mut h);
        h.finish()
    };
    format!("{:016x}{:016x}", half(1), half(2))
}

/// Machine code, and the compiler's log.
fn compile(source: &str, options: &[String]) -> Result<(Vec<u8>, String), GpuError> {
    let no_zero = |text: &str| CString::new(text).map_err(|_| GpuError::Compile("a zero byte in a name".into()));
    let source = no_zero(source)?;
    let options = options.iter().map(|o| no_zero(o)).collect::<Result<Vec<_>, _>>()?;
    let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
    let mut program = std::ptr::null_mut();
    // SAFETY: strings and lists outlive the calls; the program is destroyed on every path
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
    // SAFETY: the caller's program; the buffer has the requested size
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
    // SAFETY: the caller's program; the buffer has the requested size
    unsafe {
        check(sys::nvrtcGetCUBINSize(program, &mut size))?;
        let mut bytes = vec![0u8; size];
        check(sys::nvrtcGetCUBIN(program, bytes.as_mut_ptr().cast()))?;
        Ok(bytes)
    }
}
