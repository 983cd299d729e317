//! Thousands of worlds of one model on one GPU, in single precision, with the results of the CPU engine.
//!
//! A warp steps a world that lives in shared memory, and one launch steps the batch. The kernels in `kernels/` are
//! compiled for the structure of the model (sizes, tree, types of joints and pairs); its numbers are tables. Whatever
//! the kernels cannot do is refused by name.

mod arguments;
mod batch;
mod bunches;
mod cables;
pub mod compare;
mod compile;
mod cuda;
mod device;
mod digits;
pub mod emulate;
mod error;
mod facets;
mod gaps;
mod header;
mod lines;
mod outputs;
mod own;
mod pairs;
mod plan;
mod refuse;
mod request;
mod sensors;
mod sights;
mod solids;
mod sources;
mod speed;
mod starts;
mod strands;
mod swim;
mod tables;
mod team;
mod trees;
mod worlds;

pub use arguments::{Arguments, Status};
pub use batch::{Array, BatchSim};
pub use compile::{Usage, compiler_version, usage};
pub use cuda::available;
pub use device::{Kernel, Machine, Memory, Stream};
pub use error::GpuError;
pub use plan::{Capacity, Plan, Settings};
pub use refuse::Refusal;
pub use request::{Address, Chosen, Device, Given, Report};
pub use speed::{Speed, speed};
pub use tables::{Field, Shape};
pub use worlds::Worlds;
