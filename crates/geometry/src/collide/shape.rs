//! Shapes in their place.

use crate::ray::HeightField;
use sinew_math::{Mat3, Vec3};

/// A shape in the world.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Position.
    pub pos: Vec3,
    /// Axes as columns.
    pub mat: &'a Mat3,
    /// MuJoCo's `geom_size`: radius; radius and half-length; half-sizes.
    pub size: Vec3,
    /// Radius of a sphere around it; 0 without bounds.
    pub rbound: f64,
    /// Centre and half-sizes of a box around it, in its own axes.
    pub aabb: &'a [f64; 6],
    /// What it is.
    pub kind: Kind<'a>,
}

/// Kinds of shape, in the order of MuJoCo's geom types.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// Half-space below the xy plane.
    Plane,
    /// Elevations on a base.
    Hfield(HeightField<'a>),
    /// Ball.
    Sphere,
    /// Cylinder along z with round caps.
    Capsule,
    /// Ellipsoid.
    Ellipsoid,
    /// Cylinder along z.
    Cylinder,
    /// Box.
    Box,
    /// Convex hull of vertices.
    Mesh(Mesh<'a>),
    /// Signed distances on an octree.
    Sdf(SdfField<'a>),
}

/// Vertices, with what the compiler found out about their hull. Indices count from the mesh's own first entry
/// unless said otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    /// Vertices.
    pub vert: &'a [[f32; 3]],
    /// Neighbours on the hull, in MuJoCo's format; empty without a hull.
    pub graph: &'a [i32],
    /// Outward normals of the hull's polygons.
    pub polynormal: &'a [[f64; 3]],
    /// Start of each polygon in `polyvert`, which all meshes share.
    pub polyvertadr: &'a [i32],
    /// Vertices of each polygon.
    pub polyvertnum: &'a [i32],
    /// Vertices of all polygons, counted within the mesh.
    pub polyvert: &'a [i32],
    /// Start of each vertex's list in `polymap`.
    pub polymapadr: &'a [i32],
    /// Polygons of each vertex.
    pub polymapnum: &'a [i32],
    /// Polygons around all vertices.
    pub polymap: &'a [i32],
}

/// Signed distances at the corners of octree cells.
#[derive(Clone, Copy, Debug)]
pub struct SdfField<'a> {
    /// Cells: centre and half-sizes.
    pub aabb: &'a [[f64; 6]],
    /// Children of each cell; −1 for none.
    pub child: &'a [[i32; 8]],
    /// Distances at the corners of each cell.
    pub coeff: &'a [[f64; 8]],
    /// The mesh itself.
    pub mesh: Mesh<'a>,
}
