//! Rays against triangle meshes.

use super::boxes::faces;
use super::triangle::triangle;
use super::{Frame, Hit, Ray, nearer};
use sinew_math::{Vec3, mat3, vec3};

/// Capacity of the traversal stack: one pending node per level, and the compiler's trees halve at every level.
const STACK: usize = 64;

/// A mesh and the tree of boxes around its triangles.
#[derive(Clone, Copy, Debug)]
pub struct MeshTree<'a> {
    /// Half-sizes of the mesh's bounding box.
    pub size: Vec3,
    /// Vertices.
    pub vert: &'a [[f32; 3]],
    /// Vertices of each triangle.
    pub face: &'a [[i32; 3]],
    /// Centre and half-size of each node; the root comes first.
    pub aabb: &'a [[f64; 6]],
    /// Children of each node; −1 for none.
    pub child: &'a [[i32; 2]],
    /// Triangle of a leaf; −1 for inner nodes.
    pub leaf: &'a [i32],
}

/// Whether a ray passes through a box given by centre and half-size. Comparisons are false for NaN, which occurs for
/// rays within the plane of a side.
fn passes(aabb: &[f64; 6], ray: Ray, inverse: Vec3) -> bool {
    let (mut from, mut to) = (0.0, f64::INFINITY);
    for k in 0..3 {
        let low = (aabb[k] - aabb[3 + k] - ray.origin[k]) * inverse[k];
        let high = (aabb[k] + aabb[3 + k] - ray.origin[k]) * inverse[k];
        let (near, far) = if low < high { (low, high) } else { (high, low) };
        from = if from > near { from } else { near };
        to = if to < far { to } else { far };
    }
    from < to
}

/// Ray against a mesh.
pub fn mesh(frame: Frame, mesh: MeshTree, ray: Ray) -> Option<Hit> {
    faces(frame, mesh.size, ray).first?;
    let local = ray.seen_from(frame);
    let inverse = local.dir.map(|v| 1.0 / v);
    let mut best: Option<(f64, Vec3)> = None;
    let mut stack = [0usize; STACK];
    let mut waiting = 1;
    while waiting > 0 {
        waiting -= 1;
        let node = stack[waiting];
        if !passes(&mesh.aabb[node], local, inverse) {
            continue;
        }
        if let Ok(face) = usize::try_from(mesh.leaf[node]) {
            let v = mesh.face[face].map(|i| mesh.vert[i as usize].map(f64::from));
            if let Some((dist, normal)) = triangle(&v, local)
                && nearer(dist, best.map(|b| b.0))
            {
                best = Some((dist, normal));
            }
            continue;
        }
        for child in mesh.child[node].into_iter().filter_map(|c| usize::try_from(c).ok()) {
            stack[waiting] = child;
            waiting += 1;
        }
    }
    best.map(|(dist, normal)| Hit { dist, normal: mat3::mul_vec(frame.mat, vec3::normalize(normal).0) })
}
