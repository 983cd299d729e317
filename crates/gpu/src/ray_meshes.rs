//! What rays of rangefinders meet beyond primitives: triangles of visible meshes, in their trees of boxes.

use crate::geom_shapes::wider;
use crate::sensors;
use sinew_engine::Model;
use sinew_engine::model::enums::{GeomType, SensorType};
use std::ops::Range;

/// Triangles of meshes.
#[derive(Debug, Default)]
pub struct RayMeshes {
    /// Boxes of each geom, parents before what is in them.
    pub of_geom: Vec<Range<usize>>,
    /// Middles and half-sizes of boxes.
    pub boxes: Vec<[[f64; 3]; 2]>,
    /// The next box for a ray that misses this one.
    pub skip: Vec<usize>,
    /// The triangle in a box, counted from one; none where there are further boxes in it.
    pub face: Vec<usize>,
    /// Corners of triangles.
    pub corners: Vec<[f64; 3]>,
}

/// Whether rays look for geoms of a kind.
pub fn rays_see(m: &Model, kind: GeomType) -> bool {
    let looks = (0..m.nsensor).any(|i| m.sensor_type(i) == SensorType::Rangefinder);
    looks && (0..m.ngeom).any(|g| m.geom_type(g) == kind && sensors::is_visible(m, g))
}

/// Triangles that rays may meet; none where there are no rays.
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

    /// A box of a mesh and all in it.
    fn node(&mut self, m: &Model, id: usize, node: usize) {
        let at = m.mesh_bvhadr[id] as usize + node;
        let [x, y, z, a, b, c] = m.bvh_aabb[at];
        let this = self.boxes.len();
        self.boxes.push([[x, y, z], [wider(x, a), wider(y, b), wider(z, c)]]);
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
