//! Geometry only: collision, ray casting, distances, and mesh and hull processing for the compiler. Knows nothing of
//! bodies.

pub mod collide;
pub mod field;
pub mod mesh;
pub mod ray;
