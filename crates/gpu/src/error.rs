//! What can go wrong on the way to a GPU.

use crate::Refusal;

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
    /// An array that does not exist.
    #[error("no array {0}; there are qpos, qvel, act, qacc_warmstart, time, ctrl and the outputs that were asked for")]
    Name(String),
}
