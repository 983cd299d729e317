//! What can go wrong on the way to a GPU.

use crate::Refusal;
use sinew_engine::data::memory::OutOfMemory;

/// Why a batch cannot be made or stepped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no driver, no GPU or no compiler.
    #[error("no GPU: {0}")]
    Unavailable(&'static str),
    /// The model has something that no kernel does.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The kernels did not compile.
    #[error("the kernels did not compile: {0}; please report this with the model")]
    Compile(String),
    /// The driver refuses.
    #[error("the CUDA driver says: {0}")]
    Driver(#[from] cudarc::driver::DriverError),
    /// An array of another size.
    #[error("{name} has {want} numbers, not {got}")]
    Size {
        /// The array.
        name: String,
        /// Its size.
        want: usize,
        /// What was given.
        got: usize,
    },
    /// More worlds or steps than kernels can count.
    #[error("{what} = {got} is more than 2147483647")]
    Count {
        /// What is counted.
        what: &'static str,
        /// What was asked for.
        got: usize,
    },
    /// The host has not got the memory.
    #[error("{0}; ask for fewer worlds")]
    Memory(#[from] OutOfMemory),
    /// An array that does not exist.
    #[error(
        "no array {0}; there are qpos, qvel, act, qacc_warmstart, time, ctrl, mocap and the outputs that were asked for"
    )]
    Name(String),
    /// A stretch outside of an array.
    #[error("{bytes} bytes at {at} are not within the {of} bytes of the array")]
    Bounds {
        /// Where it begins.
        at: usize,
        /// Its length.
        bytes: usize,
        /// The length of the array.
        of: usize,
    },
    /// A world that does not fit a core of the GPU.
    #[error(
        "a world has {bytes} bytes, more than the {most} of a core; ask for fewer contacts and rows, or step this model with the batches of the CPU"
    )]
    Large {
        /// Bytes of a world.
        bytes: usize,
        /// Bytes there are.
        most: usize,
    },
    /// The kernels cannot be emulated.
    #[error("the kernels cannot be emulated: {0}")]
    Emulate(#[from] std::io::Error),
    /// A keyframe that does not exist.
    #[error("no keyframe {key}; the model has {count}")]
    Key {
        /// What was asked for.
        key: usize,
        /// Keyframes of the model.
        count: usize,
    },
    /// Fields of a world that ask for other kernels.
    #[error("the fields of a world change more than numbers of the kernels: what is zero in the model stays zero")]
    Structure,
    /// Worlds that did not take a step.
    #[error("{0}")]
    Failed(String),
}
