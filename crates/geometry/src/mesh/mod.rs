//! Triangle-mesh processing for the compiler: mass properties, normals, hulls, polygons, bounding volumes and distance
//! fields.
//!
//! Vertices are `[f64; 3]`, faces are triples of vertex indices that the caller has validated.

pub mod bvh;
pub mod distance;
pub mod hull;
pub mod lists;
pub mod marching;
pub mod mass;
pub mod normal;
pub mod octree;
pub mod polygon;
mod sides;

/// Corners of a face.
#[inline(always)]
pub(crate) fn corners(vert: &[[f64; 3]], face: [i32; 3]) -> [[f64; 3]; 3] {
    face.map(|i| vert[i as usize])
}
