//! Asset files and procedural shapes.

pub mod builtin;
