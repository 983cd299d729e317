//! Ray casting against flexes and skins, which [`ray`](super::ray::ray) ignores.

use super::flex;
use crate::data::Pose;
use crate::model::Model;
use sinew_geometry::ray::{self as shape, Frame, Ray};
use sinew_math::{Vec3, mat3, quat, vec3};

/// Which parts of a flex a ray can hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Spheres at the vertices; ignored if edges or the skin are included, whose capsules contain them.
    pub vert: bool,
    /// Capsules at the edges.
    pub edge: bool,
    /// Triangles: elements of shells, and faces of the elements of a solid in one [`layer`](Parts::layer).
    pub face: bool,
    /// The skin of shells and solids: capsules at edges, and faces of the elements at the surface.
    pub skin: bool,
    /// Layer of elements whose faces are included, counted from 0 at the surface of a solid.
    pub layer: i32,
}

/// Intersection of a ray with a flex or a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexHit {
    /// Distance in units of the length of the ray's direction.
    pub dist: f64,
    /// The nearest vertex of the part that was hit, counted from the first vertex of the flex or skin.
    pub vertid: usize,
    /// Unit normal of the surface.
    pub normal: Vec3,
}

/// Corners of each face of a tetrahedron.
const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

/// The nearest intersection along a ray so far; on a tie the first one stays.
struct Nearest {
    ray: Ray,
    best: Option<VertexHit>,
}

impl Nearest {
    /// Keeps an intersection if it is nearer, with the nearest of the given corners; on a tie the first corner.
    fn take(&mut self, dist: f64, normal: Vec3, corners: &[(usize, Vec3)]) {
        if !(dist >= 0.0 && self.best.is_none_or(|b| dist < b.dist)) {
            return;
        }
        let at = self.ray.at(dist);
        let mut near = (f64::INFINITY, 0);
        for &(vertid, corner) in corners {
            let away = vec3::dist(corner, at);
            if away < near.0 {
                near = (away, vertid);
            }
        }
        self.best = Some(VertexHit { dist, vertid: near.1, normal });
    }
}

/// Whether a ray hits the bounding box of some points, grown by `radius`.
fn passes_box(points: impl Iterator<Item = Vec3>, radius: f64, ray: Ray) -> bool {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in points {
        for k in 0..3 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    let (low, high) = (low.map(|x| x - radius), high.map(|x| x + radius));
    let center = vec3::scale(vec3::add(low, high), 0.5);
    let half = vec3::scale(vec3::sub(high, low), 0.5);
    shape::cuboid(Frame { pos: center, mat: &mat3::IDENTITY }, half, ray).is_some()
}

/// Intersection of a ray with a capsule between two points.
fn edge(a: Vec3, b: Vec3, radius: f64, ray: Ray) -> Option<shape::Hit> {
    let (along, length) = vec3::normalize(vec3::sub(b, a));
    let mat = quat::to_mat(quat::z_to(along));
    let frame = Frame { pos: vec3::scale(vec3::add(a, b), 0.5), mat: &mat };
    shape::capsule(frame, [radius, 0.5 * length, 0.0], ray)
}

/// The first intersection of a ray with the selected parts of a flex.
///
/// *Reads* `flexvert_xpos`.
#[doc(alias = "mj_rayFlex")]
pub fn ray_flex(m: &Model, pose: &Pose, f: usize, parts: Parts, ray: Ray) -> Option<VertexHit> {
    let verts = &pose.flexvert_xpos[flex::verts(m, f)];
    let (radius, dim) = (m.flex_radius[f], m.flex_dim[f]);
    if !passes_box(verts.iter().copied(), radius, ray) {
        return None;
    }
    let skin = parts.skin && dim > 1;
    let mut nearest = Nearest { ray, best: None };
    if parts.edge || skin {
        for &ends in &m.flex_edge[flex::edges(m, f)] {
            let [a, b] = ends.map(|v| (v as usize, verts[v as usize]));
            if let Some(hit) = edge(a.1, b.1, radius, ray) {
                // at the middle of an edge, the second vertex counts as nearest
                nearest.take(hit.dist, hit.normal, &[b, a]);
            }
        }
    } else if parts.vert {
        for (v, &center) in verts.iter().enumerate() {
            if let Some(hit) = shape::sphere(center, radius, ray) {
                nearest.take(hit.dist, hit.normal, &[(v, center)]);
            }
        }
    }
    if skin || (parts.face && dim > 1) {
        let layer = if parts.skin { 0 } else { parts.layer };
        for (e, corners) in flex::elems(m, f) {
            if dim == 3 && m.flex_elemlayer[e] != layer {
                continue;
            }
            for face in &FACES[..if dim == 2 { 1 } else { 4 }] {
                let corners = face.map(|k| (corners[k] as usize, verts[corners[k] as usize]));
                if let Some((dist, normal)) = shape::triangle(&corners.map(|c| c.1), ray) {
                    nearest.take(dist, vec3::normalize(normal).0, &corners);
                }
            }
        }
    }
    nearest.best
}

/// The first intersection of a ray with the triangles of a skin. Faces with an invalid vertex index are skipped.
#[doc(alias = "mju_raySkin")]
pub fn ray_skin(face: &[[i32; 3]], vert: &[[f32; 3]], ray: Ray) -> Option<VertexHit> {
    let at = |v: usize| vert.get(v).map(|p| p.map(f64::from));
    if !passes_box((0..vert.len()).filter_map(at), 0.0, ray) {
        return None;
    }
    let mut nearest = Nearest { ray, best: None };
    for face in face {
        let [Some(a), Some(b), Some(c)] = face.map(|v| usize::try_from(v).ok().and_then(|v| Some((v, at(v)?)))) else {
            continue;
        };
        if let Some((dist, normal)) = shape::triangle(&[a.1, b.1, c.1], ray) {
            nearest.take(dist, vec3::normalize(normal).0, &[a, b, c]);
        }
    }
    nearest.best
}
