//! Errors of batches on a GPU.

use crate::Refusal;
use sinew_engine::data::memory::OutOfMemory;

/// Why a batch cannot be created or stepped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no driver, no GPU or no compiler.
    #[error("no GPU: {0}")]
    Unavailable(&'static str),
    /// The model has something that no kernel implements.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The kernels did not compile.
    #[error("the kernels did not compile: {0}; please report this with the model")]
    Compile(String),
    /// The driver reports an error.
    #[error("the CUDA driver says: {0}")]
    Driver(#[from] cudarc::driver::DriverError),
    /// An array has the wrong size.
    #[error("{name} has {want} numbers, not {got}")]
    Size {
        /// The name of the array.
        name: String,
        /// The expected size.
        want: usize,
        /// The given size.
        got: usize,
    },
    /// More worlds or steps than the kernels' integers can count.
    #[error("{what} = {got} is more than 2147483647")]
    Count {
        /// What is counted.
        what: &'static str,
        /// The requested number.
        got: usize,
    },
    /// The host does not have enough memory.
    #[error("{0}; use fewer worlds")]
    Memory(#[from] OutOfMemory),
    /// An array that does not exist.
    #[error("no array {0}; there are qpos, qvel, act, qacc_warmstart, time, ctrl, mocap and the requested outputs")]
    Name(String),
    /// A range outside of an array.
    #[error("{bytes} bytes at offset {at} are not within the {of} bytes of the array")]
    Bounds {
        /// Its offset.
        at: usize,
        /// Its length.
        bytes: usize,
        /// The length of the array.
        of: usize,
    },
    /// A world that does not fit the shared memory of a multiprocessor.
    #[error(
        "a world needs {bytes} bytes of shared memory, more than the {most} of a multiprocessor; reduce nconmax and njmax, or step this model with the batches of the CPU"
    )]
    Large {
        /// Bytes of a world.
        bytes: usize,
        /// Bytes available.
        most: usize,
    },
    /// The kernels cannot be emulated.
    #[error("the kernels cannot be emulated: {0}")]
    Emulate(#[from] std::io::Error),
    /// A keyframe that does not exist.
    #[error("no keyframe {key}; the model has {count}")]
    Key {
        /// The requested keyframe.
        key: usize,
        /// Number of keyframes of the model.
        count: usize,
    },
    /// Per-world fields whose values need other kernels.
    #[error(
        "per-world fields may only change numbers, not the structure of the kernels: what is zero in the model stays zero"
    )]
    Structure,
    /// Worlds that did not take a step.
    #[error("{0}")]
    Failed(String),
}
