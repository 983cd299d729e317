//! Accelerations → next state: one file per integrator, and the shared update.

pub mod advance;
pub mod euler;
pub mod flex;
pub mod implicit;
pub mod rk4;
pub mod spring_damper;
pub mod work;

pub use advance::{activations, advance, record_ctrl};
pub use euler::euler;
pub use implicit::{implicit, implicit_fast};
pub use work::IntegrateWork;
