//! Shapes only: meshes, hulls, what the compiler asks of triangles, and rays. This crate knows no body.

pub mod mesh;
pub mod ray;
