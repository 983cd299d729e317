//! Shapes only: collisions, rays, distances, and what the compiler asks of meshes and hulls. This crate knows no body.

pub mod collide;
pub mod field;
pub mod mesh;
pub mod ray;
