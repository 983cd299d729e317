//! Points of meshes and bounds of geoms, as the searches on convex shapes read them.

use crate::pairs::{Pairs, Work};
use sinew_engine::Model;
use sinew_engine::model::enums::GeomType;
use std::ops::Range;

/// Boxes are wider by this part of their reach than their shapes, so that rounding cannot part shapes that touch.
const SLACK: f64 = 1e-5;

/// Shapes beyond type and size.
#[derive(Debug, Default)]
pub struct Solids {
    /// Corners of the hulls of meshes that may touch something; all points where there is no hull.
    pub points: Vec<[f64; 3]>,
    /// Where the neighbours of each corner begin.
    pub adr: Vec<usize>,
    /// Neighbours on the hull.
    pub next: Vec<usize>,
    /// Heights of height fields that may touch something.
    pub heights: Vec<f64>,
    /// Points of each geom; of a height field where its heights begin, and as many as it has columns.
    pub of_geom: Vec<Range<usize>>,
    /// Rows of height fields.
    pub rows: Vec<usize>,
    /// Sizes of height fields.
    pub sizes: Vec<[f64; 4]>,
    /// Whether they are those of a hull.
    pub hull: Vec<bool>,
    /// Whether all lanes work on one pair somewhere.
    pub together: bool,
}

/// Shapes of the geoms that are in pairs.
pub fn solids(m: &Model, pairs: &Pairs) -> Solids {
    let mut used = vec![false; m.nmesh];
    for &g in pairs.all.iter().flat_map(|p| &p.geoms) {
        if let Some(id) = mesh(m, g) {
            used[id] = true;
        }
    }
    let together = pairs.kinds.iter().any(|k| k.work == Work::Together);
    let mut s = Solids { together, adr: vec![0], ..Solids::default() };
    let of_mesh: Vec<_> = (0..m.nmesh).map(|id| if used[id] { s.add(m, id) } else { (0..0, false) }).collect();
    for g in 0..m.ngeom {
        let (mut points, hull) = mesh(m, g).map_or((0..0, false), |id| of_mesh[id].clone());
        let field = (m.geom_type(g) == GeomType::Hfield).then(|| usize::try_from(m.geom_dataid[g]).ok()).flatten();
        s.rows.push(field.map_or(0, |id| m.hfield_nrow[id] as usize));
        s.sizes.push(field.map_or([0.0; 4], |id| m.hfield_size[id]));
        if let Some(id) = field {
            let (rows, columns) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
            points = s.heights.len()..s.heights.len() + columns;
            let heights = &m.hfield_data[m.hfield_adr[id] as usize..][..rows * columns];
            s.heights.extend(heights.iter().map(|x| f64::from(*x)));
        }
        s.of_geom.push(points);
        s.hull.push(hull);
    }
    s
}

fn mesh(m: &Model, g: usize) -> Option<usize> {
    (m.geom_type(g) == GeomType::Mesh).then(|| usize::try_from(m.geom_dataid[g]).ok()).flatten()
}

impl Solids {
    /// Points of a mesh, and whether they are those of its hull.
    fn add(&mut self, m: &Model, id: usize) -> (Range<usize>, bool) {
        let first = self.points.len();
        let vertices = &m.mesh_vert[m.mesh_vertadr[id] as usize..][..m.mesh_vertnum[id] as usize];
        let place = |v: usize| vertices[v].map(f64::from);
        let Some(graph) = usize::try_from(m.mesh_graphadr[id]).ok().map(|adr| &m.mesh_graph[adr..]) else {
            self.points.extend((0..vertices.len()).map(place));
            self.adr.resize(self.points.len() + 1, self.next.len());
            return (first..self.points.len(), false);
        };
        let count = graph[0] as usize;
        let (starts, rest) = graph[2..].split_at(count);
        let (corners, neighbours) = rest.split_at(count);
        for (start, corner) in starts.iter().zip(corners) {
            self.points.push(place(*corner as usize));
            let around = neighbours[*start as usize..].iter().take_while(|n| **n >= 0);
            self.next.extend(around.map(|n| first + *n as usize));
            self.adr.push(self.next.len());
        }
        (first..self.points.len(), true)
    }
}

/// Middle and half-sizes of a box around a geom, in its own axes.
pub fn bounds(m: &Model, g: usize) -> [[f64; 3]; 2] {
    let [r, h, _] = m.geom_size[g];
    let half = match m.geom_type(g) {
        GeomType::Sphere => [r; 3],
        GeomType::Capsule => [r, r, r + h],
        GeomType::Cylinder => [r, r, h],
        GeomType::Ellipsoid | GeomType::Box => m.geom_size[g],
        _ => {
            let [x, y, z, a, b, c] = m.geom_aabb[g];
            let wider = |middle: f64, half: f64| half + SLACK * (middle.abs() + half);
            return [[x, y, z], [wider(x, a), wider(y, b), wider(z, c)]];
        }
    };
    [[0.0; 3], half.map(|x| x * (1.0 + SLACK))]
}
