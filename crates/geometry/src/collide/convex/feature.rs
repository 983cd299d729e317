//! Faces and edges of boxes and meshes at given corners.

use super::clip::MAX_SIDES;
use super::support::{Convex, Form};
use crate::collide::Mesh;
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// Cosine above which normals count as the same.
pub(super) const FACE_COS: f64 = 0.99999872;

/// Directions of faces or edges.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    /// Outward normal of each face, or direction of each edge.
    pub dirs: Vec<Vec3>,
    /// Index of each face.
    pub faces: Vec<usize>,
    /// Other end of each edge.
    pub ends: Vec<Vec3>,
}

impl Features {
    pub fn new() -> Self {
        let n = MAX_SIDES;
        Features { dirs: Vec::with_capacity(n), faces: Vec::with_capacity(n), ends: Vec::with_capacity(n) }
    }

    fn clear(&mut self) {
        self.dirs.clear();
        self.faces.clear();
        self.ends.clear();
    }

    fn face(&mut self, dir: Vec3, face: usize) {
        self.dirs.push(dir);
        self.faces.push(face);
    }

    fn edge(&mut self, from: Vec3, to: Vec3) {
        self.ends.push(to);
        self.dirs.push(vec3::normalize(vec3::sub(to, from)).0);
    }

    /// Finds the faces that contain all given corners; for a box, failing that, the side that `dir` points to.
    pub fn find_faces(&mut self, shape: &Convex, corners: &Corners, dir: Vec3) {
        self.clear();
        match shape.form {
            Form::Box => self.box_faces(shape.mat, corners, dir),
            Form::Cloud(mesh) | Form::Hull(mesh, _) => self.mesh_faces(mesh, shape.mat, corners),
            _ => {}
        }
    }

    /// Finds the edge between two corners, or all edges at a single one.
    pub fn find_edges(&mut self, shape: &Convex, corners: &Corners) {
        self.clear();
        if corners.dim == 2 {
            self.edge(corners.at[0], corners.at[1]);
            return;
        }
        let (from, id) = (corners.at[0], corners.id[0]);
        match shape.form {
            Form::Box => {
                let at: Vec3 = std::array::from_fn(|k| if id & (1 << k) != 0 { shape.size[k] } else { -shape.size[k] });
                for k in 0..3 {
                    let mut to = at;
                    to[k] = -to[k];
                    self.edge(from, place(shape, to));
                }
            }
            Form::Cloud(mesh) | Form::Hull(mesh, _) => {
                for &poly in polygons_at(mesh, id).iter().take(MAX_SIDES) {
                    let around = polygon(mesh, poly as usize);
                    if let Some(j) = around.iter().position(|&v| v == id) {
                        let before = around[if j == 0 { around.len() - 1 } else { j - 1 }];
                        self.edge(from, place(shape, mesh.vert[before as usize].map(f64::from)));
                    }
                }
            }
            _ => {}
        }
    }

    fn box_faces(&mut self, mat: &Mat3, corners: &Corners, dir: Vec3) {
        // sides that contain all corners
        let ids = &corners.id[..corners.dim];
        let shared = |k: usize| match ids.iter().filter(|&id| id & (1 << k) != 0).count() {
            0 => -1.0,
            n if n == ids.len() => 1.0,
            _ => 0.0,
        };
        let sides = [shared(0), shared(1), shared(2)];
        let count = sides.iter().filter(|&&s| s != 0.0).count();
        if corners.dim == 1 || count == 4 - corners.dim {
            for (k, &sign) in sides.iter().enumerate().filter(|(_, s)| **s != 0.0) {
                self.face(vec3::scale(mat3::col(mat, k), sign), 2 * k + usize::from(sign < 0.0));
            }
            return;
        }
        // a side that faces the other shape
        let local = mat3::mul_vec_t(mat, dir);
        let local = vec3::scale(local, 1.0 / vec3::dot(local, local).sqrt());
        for side in 0..6 {
            let sign = if side % 2 == 0 { 1.0 } else { -1.0 };
            if sign * local[side / 2] > FACE_COS {
                self.face(vec3::scale(mat3::col(mat, side / 2), sign), side);
                return;
            }
        }
    }

    fn mesh_faces(&mut self, mesh: &Mesh, mat: &Mat3, corners: &Corners) {
        let [p1, p2, p3] = corners.id.map(|id| polygons_at(mesh, id));
        let normal = |poly: i32| mat3::mul_vec(mat, mesh.polynormal[poly as usize]);
        let shared = || p1.iter().flat_map(|p| p2.iter().filter(move |q| *q == p)).copied().take(2);
        match corners.dim {
            3 => {
                if let Some(poly) = shared().find(|poly| p3.contains(poly)) {
                    self.face(normal(poly), poly as usize);
                }
            }
            2 => shared().for_each(|poly| self.face(normal(poly), poly as usize)),
            _ => p1.iter().take(MAX_SIDES).for_each(|&poly| self.face(normal(poly), poly as usize)),
        }
    }
}

/// Distinct corners of a shape on a face of the polytope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    /// Indices of the corners.
    pub id: [i32; 3],
    /// Positions of the corners.
    pub at: [Vec3; 3],
    /// Number of distinct corners, which come first.
    pub dim: usize,
}

impl Corners {
    pub fn new(id: [i32; 3], at: [Vec3; 3]) -> Self {
        if id[0] != id[1] {
            Corners { id, at, dim: if id[2] == id[0] || id[2] == id[1] { 2 } else { 3 } }
        } else if id[0] != id[2] {
            Corners { id: [id[0], id[2], id[2]], at: [at[0], at[2], at[2]], dim: 2 }
        } else {
            Corners { id, at, dim: 1 }
        }
    }
}

/// Corners of a face, clockwise seen from outside.
pub(super) fn face_corners(shape: &Convex, face: usize, out: &mut Vec<Vec3>) {
    /// Corners of each side of a box, as bits of positive coordinates.
    const SIDES: [[u8; 4]; 6] = [[7, 3, 1, 5], [2, 6, 4, 0], [2, 3, 7, 6], [4, 5, 1, 0], [6, 7, 5, 4], [3, 2, 0, 1]];
    out.clear();
    match shape.form {
        Form::Box => out.extend(SIDES[face].iter().map(|bits| {
            let at = std::array::from_fn(|k| if bits & (1 << k) != 0 { shape.size[k] } else { -shape.size[k] });
            place(shape, at)
        })),
        Form::Cloud(mesh) | Form::Hull(mesh, _) => {
            let verts = polygon(mesh, face);
            let verts = &verts[..verts.len().min(MAX_SIDES)];
            out.extend(verts.iter().rev().map(|&v| place(shape, mesh.vert[v as usize].map(f64::from))));
        }
        _ => {}
    }
}

#[inline]
fn place(shape: &Convex, local: Vec3) -> Vec3 {
    vec3::add(mat3::mul_vec(shape.mat, local), shape.pos)
}

/// Polygons around a vertex.
fn polygons_at<'a>(mesh: &Mesh<'a>, vert: i32) -> &'a [i32] {
    let Ok(vert) = usize::try_from(vert) else { return &[] };
    let start = mesh.polymapadr[vert] as usize;
    &mesh.polymap[start..start + mesh.polymapnum[vert] as usize]
}

/// Vertices of a polygon.
fn polygon<'a>(mesh: &Mesh<'a>, poly: usize) -> &'a [i32] {
    let start = mesh.polyvertadr[poly] as usize;
    &mesh.polyvert[start..start + mesh.polyvertnum[poly] as usize]
}
