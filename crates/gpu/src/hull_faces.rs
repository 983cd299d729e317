//! Faces and edges of mesh hulls, for the separating axis test of boxes and meshes.

use sinew_engine::Model;
use sinew_engine::model::enums::GeomType;
use sinew_math::{MINVAL, vec3};
use std::collections::BTreeMap;
use std::ops::Range;

/// Largest hull in vertices: beyond that, testing all edges takes longer than a search.
const MOST_CORNERS: usize = 512;
/// Normals that differ by less belong to one face.
const FLAT: f64 = 1e-6;

/// A face: the plane at an offset along its outward normal.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Unit normal.
    pub normal: [f64; 3],
    /// Its distance from the mesh's origin.
    pub offset: f64,
}

/// An edge between two faces.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// One end.
    pub from: [f64; 3],
    /// Vector to the other end.
    pub along: [f64; 3],
    /// Normals of both faces.
    pub normals: [[f64; 3]; 2],
}

/// The faces and edges of a geom.
#[derive(Clone, Debug, Default)]
pub struct HullRange {
    /// Faces.
    pub planes: Range<usize>,
    /// Edges.
    pub edges: Range<usize>,
}

/// Faces and edges of some meshes.
#[derive(Debug, Default)]
pub struct HullFaces {
    /// All faces.
    pub planes: Vec<Plane>,
    /// All edges.
    pub edges: Vec<Edge>,
    /// Those of each geom.
    pub of_geom: Vec<HullRange>,
}

impl HullFaces {
    /// Faces and edges of the meshes among some geoms.
    pub fn new(m: &Model, geoms: impl Iterator<Item = usize>) -> Self {
        let mut all = HullFaces { of_geom: vec![HullRange::default(); m.ngeom], ..HullFaces::default() };
        let mut known: Vec<Option<HullRange>> = vec![None; m.nmesh];
        for g in geoms.filter(|g| m.geom_type(*g) == GeomType::Mesh) {
            if let Ok(id) = usize::try_from(m.geom_dataid[g]) {
                all.of_geom[g] = known[id].get_or_insert_with(|| all.add(m, id)).clone();
            }
        }
        all
    }

    /// Whether a geom has any.
    pub fn has(&self, geom: usize) -> bool {
        !self.of_geom[geom].edges.is_empty()
    }

    /// Adds a hull; empty if it is too large or not closed.
    fn add(&mut self, m: &Model, id: usize) -> HullRange {
        let Some(Hull { corners, triangles }) = hull(m, id) else { return HullRange::default() };
        let (first_plane, first_edge) = (self.planes.len(), self.edges.len());
        let middle =
            vec3::scale(corners.values().fold([0.0; 3], |sum, x| vec3::add(sum, *x)), 1.0 / corners.len() as f64);
        let mut sides: BTreeMap<[i32; 2], Vec<usize>> = BTreeMap::new();
        for triangle in triangles {
            let Some(normal) = normal(triangle.map(|v| corners[&v]), middle) else { continue };
            let same = |p: &Plane| vec3::norm(vec3::sub(p.normal, normal)) < FLAT;
            let found = self.planes[first_plane..].iter().position(same).map(|k| first_plane + k);
            let face = found.unwrap_or_else(|| {
                // of all vertices, because thin triangles have inaccurate normals
                let offset = corners.values().map(|x| vec3::dot(normal, *x)).fold(f64::MIN, f64::max);
                self.planes.push(Plane { normal, offset });
                self.planes.len() - 1
            });
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                sides.entry([a.min(b), a.max(b)]).or_default().push(face);
            }
        }
        for ([a, b], faces) in sides {
            let &[left, right] = &faces[..] else {
                self.planes.truncate(first_plane);
                self.edges.truncate(first_edge);
                return HullRange::default();
            };
            if left != right {
                let (from, to) = (corners[&a], corners[&b]);
                let normals = [left, right].map(|face| self.planes[face].normal);
                self.edges.push(Edge { from, along: vec3::sub(to, from), normals });
            }
        }
        HullRange { planes: first_plane..self.planes.len(), edges: first_edge..self.edges.len() }
    }
}

/// A hull: positions of its vertices by index, and its triangles.
struct Hull {
    corners: BTreeMap<i32, [f64; 3]>,
    triangles: Vec<[i32; 3]>,
}

/// The hull of a mesh; `None` if it is too large, or there is none.
fn hull(m: &Model, id: usize) -> Option<Hull> {
    let graph = &m.mesh_graph[usize::try_from(m.mesh_graphadr[id]).ok()?..];
    let [corners, faces] = [graph[0], graph[1]].map(|n| n as usize);
    if corners > MOST_CORNERS {
        return None;
    }
    // layout of mesh_graph: counts, first edge of each vertex, vertices, edges, triangles
    let triangles = graph[2 + 3 * corners + 3 * faces..][..3 * faces].chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
    let place = |v: i32| m.mesh_vert[m.mesh_vertadr[id] as usize + v as usize].map(f64::from);
    let corners = graph[2 + corners..][..corners].iter().map(|v| (*v, place(*v))).collect();
    Some(Hull { corners, triangles: triangles.collect() })
}

/// Outward normal of a triangle, away from an inner point; `None` if it has no area.
fn normal([a, b, c]: [[f64; 3]; 3], inside: [f64; 3]) -> Option<[f64; 3]> {
    let (normal, length) = vec3::normalize(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)));
    let outward = if vec3::dot(normal, vec3::sub(a, inside)) < 0.0 { -1.0 } else { 1.0 };
    (length >= MINVAL).then(|| vec3::scale(normal, outward))
}
