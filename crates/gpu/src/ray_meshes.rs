//! What rangefinder rays may hit besides primitives: triangles of visible meshes, in bounding volume hierarchies.

use crate::geom_shapes::enlarged;
use crate::sensors;
use sinew_engine::Model;
use sinew_engine::model::enums::{GeomType, SensorType};
use std::ops::Range;

/// Triangles of meshes, in flattened hierarchies.
#[derive(Debug, Default)]
pub struct RayMeshes {
    /// Boxes of each geom, parents before children.
    pub of_geom: Vec<Range<usize>>,
    /// Centres and half-sizes of boxes.
    pub boxes: Vec<[[f64; 3]; 2]>,
    /// Index of the next box for a ray that misses this one.
    pub skip: Vec<usize>,
    /// Index of the triangle in a leaf, plus one; 0 for inner nodes.
    pub face: Vec<usize>,
    /// Vertices of triangles.
    pub corners: Vec<[f64; 3]>,
}

/// Whether any ray may hit geoms of a type.
pub fn rays_see(m: &Model, kind: GeomType) -> bool {
    let looks = (0..m.nsensor).any(|i| m.sensor_type(i) == SensorType::Rangefinder);
    looks && (0..m.ngeom).any(|g| m.geom_type(g) == kind && sensors::is_visible(m, g))
}

/// Triangles that rays may hit; empty if there are no rays.
pub fn ray_meshes(m: &Model) -> RayMeshes {
    let mut s = RayMeshes::default();
    let mut of_mesh: Vec<Option<Range<usize>>> = vec![None; m.nmesh];
    let any = rays_see(m, GeomType::Mesh);
    for g in 0..m.ngeom {
        let meets = any && m.geom_type(g) == GeomType::Mesh && sensors::is_visible(m, g);
        let id = usize::try_from(m.geom_dataid[g]).ok().filter(|_| meets);
        let boxes = id.map(|id| of_mesh[id].get_or_insert_with(|| s.mesh(m, id)).clone());
        s.of_geom.push(boxes.unwrap_or(0..0));
    }
    s
}

impl RayMeshes {
    fn mesh(&mut self, m: &Model, id: usize) -> Range<usize> {
        let first = self.boxes.len();
        if m.mesh_bvhadr[id] >= 0 {
            self.node(m, id, 0);
        }
        first..self.boxes.len()
    }

    /// Adds a node of a mesh's hierarchy and its descendants.
    fn node(&mut self, m: &Model, id: usize, node: usize) {
        let at = m.mesh_bvhadr[id] as usize + node;
        let [x, y, z, a, b, c] = m.bvh_aabb[at];
        let this = self.boxes.len();
        self.boxes.push([[x, y, z], [enlarged(x, a), enlarged(y, b), enlarged(z, c)]]);
        self.skip.push(0);
        self.face.push(0);
        if let Ok(face) = usize::try_from(m.bvh_nodeid[at]) {
            let corners = m.mesh_face[m.mesh_faceadr[id] as usize + face];
            let place = |v: i32| m.mesh_vert[m.mesh_vertadr[id] as usize + v as usize].map(f64::from);
            self.corners.extend(corners.map(place));
            self.face[this] = self.corners.len() / 3;
        }
        for child in m.bvh_child[at].into_iter().filter_map(|c| usize::try_from(c).ok()) {
            self.node(m, id, child);
        }
        self.skip[this] = self.boxes.len();
    }
}
