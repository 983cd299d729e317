//! Thousands of worlds of one model on one GPU, in single precision, with the results of the CPU engine.
//!
//! One warp steps one world, which lives in shared memory, and one launch steps the whole batch. The kernels in
//! `kernels/` are compiled for the structure of the model (sizes, tree, types of joints and pairs); its numbers are
//! tables. Whatever the kernels do not implement is refused by name.

mod arguments;
mod batch;
mod broadphase;
mod spatial_tendons;
pub mod compare;
mod compile;
mod cuda;
mod device;
mod precision;
pub mod emulate;
mod error;
mod hull_faces;
mod geom_distances;
mod header;
mod scalar_rows;
mod outputs;
mod world_fields;
mod pairs;
mod plan;
mod refuse;
mod request;
mod sensors;
mod ray_meshes;
mod geom_shapes;
mod sources;
mod speed;
mod initial_states;
mod transmissions;
mod fluid;
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
