//! Convex hulls of points.
//!
//! Points are first rounded to a grid of 2⁻⁴⁰ of their extent (`grid`). On the grid every predicate is exact: integers
//! are used where floating point is uncertain. Rounding errors can therefore neither fold the surface nor lose a point:
//! all given points lie in the hull up to half a cell, 4·10⁻¹³ of the extent. Mesh coordinates are single precision,
//! and most of them are on the grid from the start.
//!
//! The surface starts as a tetrahedron (`simplex`) and grows one point at a time, the one farthest above a face (`grow`);
//! coplanar triangles become one face as soon as they meet (`join`). At the end points inside faces and edges are
//! dropped, and faces of more than one triangle are triangulated again (`facet`).

mod facet;
mod grid;
mod grow;
mod join;
mod simplex;
mod surface;

use std::fmt;

/// Why there is no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullError {
    /// Fewer than four points.
    TooFewPoints,
    /// All points lie in a plane, up to rounding.
    Flat,
    /// Some coordinate is infinite or NaN.
    NotFinite,
}

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HullError::TooFewPoints => "fewer than four points",
            HullError::Flat => "the points lie in a plane",
            HullError::NotFinite => "some point is not finite",
        })
    }
}

impl std::error::Error for HullError {}

/// A convex hull of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    /// Points that are hull vertices, in the order in which the hull reached them.
    pub vert: Vec<i32>,
    /// Faces as triples of points, counter-clockwise seen from outside.
    pub face: Vec<[i32; 3]>,
    /// Neighbours of each hull vertex, as hull vertices.
    pub edge: Vec<Vec<i32>>,
}

impl Hull {
    /// Hull of some points. With a `limit` (at least 4) it stops after adding that many points.
    pub fn build(points: &[[f64; 3]], limit: Option<usize>) -> Result<Hull, HullError> {
        let cells = grid::snap(points)?;
        let surface = grow::grow(&cells, limit)?;
        Ok(facet::triangulate(&surface))
    }

    /// The hull in the layout of `mesh_graph`: vertex count and face count, edge address and point of each vertex,
    /// neighbours of each vertex terminated by −1, faces.
    pub fn graph(&self) -> Vec<i32> {
        let mut graph = Vec::with_capacity(2 + 3 * self.vert.len() + 6 * self.face.len());
        graph.extend([self.vert.len() as i32, self.face.len() as i32]);
        let mut address = 0;
        for list in &self.edge {
            graph.push(address);
            address += list.len() as i32 + 1;
        }
        graph.extend(&self.vert);
        for list in &self.edge {
            graph.extend(list);
            graph.push(-1);
        }
        graph.extend(self.face.as_flattened());
        graph
    }
}
