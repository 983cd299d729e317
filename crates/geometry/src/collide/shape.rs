//! Shapes at their poses.

use crate::field::Field;
use crate::ray::{HeightField, MeshTree};
use sinew_math::fours::Four;
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
    /// Radius of the bounding sphere; 0 if unbounded.
    pub rbound: f64,
    /// Centre and half-sizes of the bounding box, in local axes.
    pub aabb: &'a [f64; 6],
    /// Kind of shape, with its data.
    pub kind: Kind<'a>,
}

/// Kinds of shape, in the order of MuJoCo's geom types.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// Half-space below the xy plane.
    Plane,
    /// Elevations on a base.
    Hfield(&'a HeightField<'a>),
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
    Mesh(&'a Mesh<'a>),
    /// Signed distances.
    Sdf(&'a Sdf<'a>),
}

impl Kind<'_> {
    /// MuJoCo's index of the geom type.
    #[inline]
    pub fn index(&self) -> usize {
        match self {
            Kind::Plane => 0,
            Kind::Hfield(_) => 1,
            Kind::Sphere => 2,
            Kind::Capsule => 3,
            Kind::Ellipsoid => 4,
            Kind::Cylinder => 5,
            Kind::Box => 6,
            Kind::Mesh(_) => 7,
            Kind::Sdf(_) => 8,
        }
    }
}

/// Vertices, with the hull data from the compiler. Indices count from the mesh's own first entry unless stated
/// otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mesh<'a> {
    /// Vertices.
    pub vert: &'a [[f32; 3]],
    /// Neighbours on the hull, in MuJoCo's format; empty without a hull.
    pub graph: &'a [i32],
    /// Start table for walks on the hull, from a [`HullIndex`](super::convex::HullIndex); walks are longer if it is
    /// empty.
    pub starts: &'a [u16],
    /// Vertices of the hull in groups of four, from the same index, if they are few.
    pub fours: &'a [Four],
    /// Outward normals of the hull's polygons.
    pub polynormal: &'a [[f64; 3]],
    /// Start of each polygon in `polyvert`, which all meshes share.
    pub polyvertadr: &'a [i32],
    /// Vertices of each polygon.
    pub polyvertnum: &'a [i32],
    /// Vertices of all polygons, as indices within the mesh.
    pub polyvert: &'a [i32],
    /// Start of each vertex's list in `polymap`.
    pub polymapadr: &'a [i32],
    /// Polygons of each vertex.
    pub polymapnum: &'a [i32],
    /// Polygons around all vertices.
    pub polymap: &'a [i32],
    /// Source of its signed distance, where needed.
    pub surface: Option<&'a Surface<'a>>,
}

/// Source of a mesh's signed distance.
#[derive(Clone, Copy, Debug)]
pub enum Surface<'a> {
    /// An octree.
    Octree(SdfField<'a>),
    /// Rays against the triangles.
    Triangles(MeshTree<'a>),
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
}

/// A shape given by its signed distances.
#[derive(Clone, Copy, Debug)]
pub struct Sdf<'a> {
    /// The distances.
    pub values: Values<'a>,
    /// Its surface, as triangles.
    pub mesh: Mesh<'a>,
}

/// Source of signed distances.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// An octree.
    Octree(SdfField<'a>),
    /// A function of the point.
    Function(&'a dyn Field),
}

impl<'a> Mesh<'a> {
    /// A mesh without data.
    pub const EMPTY: Self = Mesh {
        vert: &[],
        graph: &[],
        starts: &[],
        fours: &[],
        polynormal: &[],
        polyvertadr: &[],
        polyvertnum: &[],
        polyvert: &[],
        polymapadr: &[],
        polymapnum: &[],
        polymap: &[],
        surface: None,
    };

    /// A vertex in the mesh's frame.
    #[inline(always)]
    pub fn vertex(&self, i: usize) -> Vec3 {
        self.vert[i].map(f64::from)
    }

    /// The hull, if the compiler made one.
    #[inline]
    pub fn hull(&self) -> Option<Hull<'a>> {
        let [numvert, _numface, rest @ ..] = self.graph else { return None };
        let numvert = usize::try_from(*numvert).ok().filter(|&n| n > 0)?;
        let (start, rest) = rest.split_at_checked(numvert)?;
        let (vertex, neighbour) = rest.split_at_checked(numvert)?;
        Some(Hull { start, vertex, neighbour })
    }
}

/// The graph of a hull, with hull vertex indices.
#[derive(Clone, Copy, Debug)]
pub struct Hull<'a> {
    start: &'a [i32],
    vertex: &'a [i32],
    neighbour: &'a [i32],
}

impl<'a> Hull<'a> {
    /// Number of vertices.
    pub fn count(&self) -> usize {
        self.vertex.len()
    }

    /// The mesh index of a hull vertex.
    #[inline(always)]
    pub fn vertex(&self, i: usize) -> usize {
        self.vertex[i] as usize
    }

    /// Hull vertices that share an edge with a given one.
    #[inline(always)]
    pub fn neighbours(&self, i: usize) -> impl Iterator<Item = usize> + use<'a> {
        self.neighbour[self.start[i] as usize..].iter().take_while(|n| **n >= 0).map(|n| *n as usize)
    }
}
