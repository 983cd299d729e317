//! Many worlds of one model, stepped together on all cores.
//!
//! ```
//! use sinew_batch::BatchSim;
//! use std::sync::Arc;
//!
//! let xml = r#"<mujoco><worldbody><body><joint name="j"/><geom size=".1" pos="0 0 .3"/></body></worldbody>
//!     <actuator><motor joint="j"/></actuator></mujoco>"#;
//! let model = Arc::new(sinew_mjcf::load_str(xml, &sinew_mjcf::Source::default())?);
//! let upright = |_: &sinew_engine::Model, d: &sinew_engine::Data| d.state.qpos[0].cos();
//! let mut sim = BatchSim::builder(model, 64).steps(5).task(upright).build()?;
//! let controls = vec![0.1; 64];
//! let out = sim.step_all(&controls)?;
//! assert!(out.errors.iter().all(Option::is_none));
//! assert!(out.rewards.iter().all(|r| *r <= 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Results of a world depend neither on the other worlds nor on the number of threads, bit for bit.

mod bench;
mod call;
mod crew;
mod job;
mod linear;
mod outputs;
mod pool;
mod rest;
mod sim;
mod task;
mod watch;
mod world;
mod worlds;

pub use call::{Call, Look, Pulse};
pub use job::Starts;
pub use linear::{Linear, Spare};
pub use outputs::Outputs;
pub use pool::Pool;
pub use sim::{BatchSim, Builder};
pub use task::Task;
pub use watch::Values;
pub use worlds::Worlds;

/// Errors of a batch.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// Controls for a different number of worlds or actuators.
    #[error("{got} controls where {want} are needed: {worlds} worlds of {nu} actuators")]
    Controls {
        /// Controls given.
        got: usize,
        /// Controls needed.
        want: usize,
        /// Worlds of the batch.
        worlds: usize,
        /// Actuators of the model.
        nu: usize,
    },
    /// A mask for a different number of worlds.
    #[error("a mask of {got} entries for {worlds} worlds")]
    Mask {
        /// Entries given.
        got: usize,
        /// Worlds of the batch.
        worlds: usize,
    },
    /// A world that does not exist.
    #[error("there is no world {index}, the batch has {worlds}")]
    World {
        /// Index requested.
        index: usize,
        /// Worlds of the batch.
        worlds: usize,
    },
    /// The last results cannot be recomputed because the model has changed.
    #[error(
        "the model has changed since the last step of world {index}, so that what it computed cannot be computed again; \
         read it before you change the model: what has been read once is kept from then on"
    )]
    Changed {
        /// Index of the first such world.
        index: usize,
    },
    /// Too many threads were requested.
    #[error("{got} threads are too many; at most {most} can be started")]
    TooManyThreads {
        /// Threads requested.
        got: usize,
        /// Maximum number of threads.
        most: usize,
    },
    /// There is not enough memory.
    #[error("{worlds} worlds need {bytes} bytes of memory, which are not available")]
    Memory {
        /// Worlds requested.
        worlds: usize,
        /// Lower bound of the memory they need.
        bytes: u128,
    },
    /// The operating system refuses to start threads.
    #[error("cannot start threads: {0}; ask for fewer")]
    Threads(#[from] std::io::Error),
    /// The operating system refuses to start `rayon` threads.
    #[error("cannot start threads: {0}; ask for fewer")]
    Rayon(#[from] rayon::ThreadPoolBuildError),
    /// The caller interrupted the call between steps.
    #[error("the call was interrupted")]
    Interrupted,
    /// A step of some world has no derivative.
    #[error(transparent)]
    Derivative(#[from] sinew_engine::transition::DifferenceError),
}
