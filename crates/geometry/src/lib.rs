//! Shapes only: meshes, hulls, and what the compiler asks of triangles. This crate knows no body.

pub mod mesh;
