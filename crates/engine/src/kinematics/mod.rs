//! qpos → poses: bodies with their geoms and sites, centre-of-mass frames, cameras and lights, flexes, tendons.

pub mod body;
pub mod com;
pub mod camlight;
mod circle;
pub mod flex;
mod flex_strain;
pub mod tendon;
pub mod wrap;

pub use body::{kinematics1, kinematics2};
pub use camlight::camlight;
pub use com::com_pos;
pub use flex::flex;
pub use tendon::tendon;
