//! Compiled meshes → arrays of the model.

use super::mesh::CompiledMesh;
use sinew_engine::{Model, Sizes};

impl CompiledMesh {
    /// Adds what the mesh needs to the sizes.
    pub(crate) fn count(&self, sizes: &mut Sizes) {
        sizes.nmeshvert += self.vert.len();
        sizes.nmeshnormal += self.normal.len();
        sizes.nmeshtexcoord += self.texcoord.len();
        sizes.nmeshface += self.face.len();
        sizes.nmeshgraph += self.graph.len();
        sizes.nmeshpoly += self.polygons.vert.len();
        sizes.nmeshpolyvert += self.polygons.vert.items.len();
        sizes.nmeshpolymap += self.polygons.map.items.len();
        sizes.nbvhstatic += self.bvh.len();
        sizes.nbvh += self.bvh.len();
        sizes.noct += self.octree.as_ref().map_or(0, |o| o.nodes.len());
    }
}

/// First free index in each array.
#[derive(Default)]
struct Next {
    vert: usize,
    normal: usize,
    texcoord: usize,
    face: usize,
    graph: usize,
    poly: usize,
    polyvert: usize,
    polymap: usize,
    bvh: usize,
    oct: usize,
}

/// Copies `items` to the next free index and returns that index.
fn put<T: Copy>(array: &mut [T], next: &mut usize, items: &[T]) -> i32 {
    let start = *next;
    array[start..start + items.len()].copy_from_slice(items);
    *next += items.len();
    start as i32
}

/// Address of an array that may be absent.
fn some(address: i32, count: usize) -> i32 {
    if count > 0 { address } else { -1 }
}

/// Writes all meshes. Their bounding volumes come after those of the bodies.
pub(crate) fn fill(meshes: &[CompiledMesh], m: &mut Model) {
    let bvh = m.nbvhstatic - meshes.iter().map(|mesh| mesh.bvh.len()).sum::<usize>();
    let mut next = Next { bvh, ..Next::default() };
    for (i, mesh) in meshes.iter().enumerate() {
        m.mesh_scale[i] = mesh.scale;
        m.mesh_pos[i] = mesh.pos;
        m.mesh_quat[i] = mesh.quat;
        surface(i, mesh, m, &mut next);
        polygons(i, mesh, m, &mut next);
        volumes(i, mesh, m, &mut next);
    }
}

fn surface(i: usize, mesh: &CompiledMesh, m: &mut Model, next: &mut Next) {
    m.mesh_vertnum[i] = mesh.vert.len() as i32;
    m.mesh_vertadr[i] = put(&mut m.mesh_vert, &mut next.vert, &mesh.vert);
    m.mesh_normalnum[i] = mesh.normal.len() as i32;
    m.mesh_normaladr[i] = put(&mut m.mesh_normal, &mut next.normal, &mesh.normal);
    m.mesh_texcoordnum[i] = mesh.texcoord.len() as i32;
    m.mesh_texcoordadr[i] = some(put(&mut m.mesh_texcoord, &mut next.texcoord, &mesh.texcoord), mesh.texcoord.len());
    m.mesh_facenum[i] = mesh.face.len() as i32;
    put(&mut m.mesh_facenormal, &mut next.face.clone(), &mesh.facenormal);
    if !mesh.texcoord.is_empty() {
        put(&mut m.mesh_facetexcoord, &mut next.face.clone(), &mesh.facetexcoord);
    }
    m.mesh_faceadr[i] = put(&mut m.mesh_face, &mut next.face, &mesh.face);
    m.mesh_graphadr[i] = some(put(&mut m.mesh_graph, &mut next.graph, &mesh.graph), mesh.graph.len());
}

fn polygons(i: usize, mesh: &CompiledMesh, m: &mut Model, next: &mut Next) {
    m.mesh_polynum[i] = mesh.polygons.vert.len() as i32;
    for (k, list) in mesh.polygons.vert.iter().enumerate() {
        m.mesh_polyvertnum[next.poly + k] = list.len() as i32;
        m.mesh_polyvertadr[next.poly + k] = put(&mut m.mesh_polyvert, &mut next.polyvert, list);
    }
    m.mesh_polyadr[i] = put(&mut m.mesh_polynormal, &mut next.poly, &mesh.polynormal);
    let first = m.mesh_vertadr[i] as usize;
    for (k, list) in mesh.polygons.map.iter().enumerate() {
        m.mesh_polymapnum[first + k] = list.len() as i32;
        m.mesh_polymapadr[first + k] = put(&mut m.mesh_polymap, &mut next.polymap, list);
    }
}

fn volumes(i: usize, mesh: &CompiledMesh, m: &mut Model, next: &mut Next) {
    m.mesh_bvhnum[i] = mesh.bvh.len() as i32;
    put(&mut m.bvh_child, &mut next.bvh.clone(), &mesh.bvh.child);
    put(&mut m.bvh_depth, &mut next.bvh.clone(), &mesh.bvh.level);
    put(&mut m.bvh_nodeid, &mut next.bvh.clone(), &mesh.bvh.nodeid);
    m.mesh_bvhadr[i] = some(put(&mut m.bvh_aabb, &mut next.bvh, &mesh.bvh.aabb), mesh.bvh.len());
    let nodes = mesh.octree.as_ref().map_or(&[][..], |o| &o.nodes);
    m.mesh_octnum[i] = nodes.len() as i32;
    m.mesh_octadr[i] = some(next.oct as i32, nodes.len());
    for node in nodes {
        m.oct_depth[next.oct] = node.level;
        m.oct_child[next.oct] = node.child;
        m.oct_aabb[next.oct] = node.aabb();
        m.oct_coeff[next.oct] = node.coeff;
        next.oct += 1;
    }
}
