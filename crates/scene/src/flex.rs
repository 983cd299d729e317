//! Faces of flexes: the faces of their elements, or a smooth skin around them.

use crate::scene::Scene;
use crate::shape::single;
use sinew_engine::model::enums::VisFlag;
use sinew_engine::support::flex::{elems, verts};
use sinew_engine::view::{SceneFields, ViewOptions};
use sinew_engine::{Data, Model};
use sinew_math::{Vec3, vec3};

/// Updates vertices of all flexes, and the faces that the options enable.
#[doc(alias = "mjv_updateActiveFlex")]
pub fn update_flexes(m: &Model, d: &Data, opt: &ViewOptions, scene: &mut Scene) {
    let fields = scene.fields_mut();
    let shown = |flag| u8::from(opt.shows(flag));
    fields.flexvertopt = shown(VisFlag::Flexvert);
    fields.flexedgeopt = shown(VisFlag::Flexedge);
    fields.flexfaceopt = shown(VisFlag::Flexface);
    fields.flexskinopt = shown(VisFlag::Flexskin);
    for (out, x) in fields.flexvert.iter_mut().zip(d.pose.flexvert_xpos.as_flattened()) {
        *out = *x as f32;
    }
    for f in 0..m.nflex {
        let mut faces = Faces::new(m, d, f, fields);
        if m.flex_dim[f] != 1 && opt.shows(VisFlag::Flexskin) {
            faces.skin();
        } else if m.flex_dim[f] != 1 && opt.shows(VisFlag::Flexface) {
            faces.elements(opt.flex_layer);
        }
        let used = faces.used as i32;
        fields.flexfaceused[f] = used;
    }
}

/// Faces of a flex under construction.
struct Faces<'a> {
    m: &'a Model,
    flex: usize,
    points: &'a [Vec3],
    radius: f64,
    /// Start of the flex's range in the scene's arrays, in faces.
    first: usize,
    room: usize,
    used: usize,
    out: &'a mut SceneFields,
}

type Corner = (Vec3, Vec3);

impl<'a> Faces<'a> {
    fn new(m: &'a Model, d: &'a Data, flex: usize, out: &'a mut SceneFields) -> Self {
        let (first, room) = (out.flexfaceadr[flex] as usize, out.flexfacenum[flex] as usize);
        let points = &d.pose.flexvert_xpos[verts(m, flex)];
        Faces { m, flex, points, radius: m.flex_radius[flex], first, room, used: 0, out }
    }

    /// Adds a face, given positions and normals of its corners and their texture coordinates.
    fn push(&mut self, corners: [Corner; 3], texture: [i32; 3]) {
        if self.used >= self.room {
            return;
        }
        let at = self.first + self.used;
        for (k, (pos, normal)) in corners.into_iter().enumerate() {
            let corner = 9 * at + 3 * k;
            self.out.flexface[corner..corner + 3].copy_from_slice(&single(&pos));
            self.out.flexnormal[corner..corner + 3].copy_from_slice(&single(&normal));
        }
        if let Ok(first) = usize::try_from(self.m.flex_texcoordadr[self.flex]) {
            for (k, t) in texture.into_iter().enumerate() {
                let uv = usize::try_from(t).ok().and_then(|t| self.m.flex_texcoord.get(first + t));
                let uv = uv.copied().unwrap_or_default();
                self.out.flextexcoord[6 * at + 2 * k..6 * at + 2 * k + 2].copy_from_slice(&uv);
            }
        }
        self.used += 1;
    }

    fn normal(&self, [a, b, c]: [i32; 3]) -> Vec3 {
        let [a, b, c] = [a, b, c].map(|v| self.points[v as usize]);
        vec3::normalize(vec3::cross(vec3::sub(b, a), vec3::sub(c, a))).0
    }

    /// Adds both sides of triangles, or all sides of the tetrahedra of one layer, offset outwards by the radius.
    fn elements(&mut self, layer: i32) {
        const TRIANGLE: &[[usize; 3]] = &[[0, 1, 2], [0, 2, 1]];
        const TETRAHEDRON: &[[usize; 3]] = &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        let m = self.m;
        let solid = m.flex_dim[self.flex] == 3;
        let (first, data) = (m.flex_elemadr[self.flex] as usize, m.flex_elemdataadr[self.flex] as usize);
        for (k, (_, elem)) in elems(m, self.flex).enumerate() {
            if solid && m.flex_elemlayer[first + k] != layer {
                continue;
            }
            let texture = &m.flex_elemtexcoord[data + k * elem.len()..][..elem.len()];
            for side in if solid { TETRAHEDRON } else { TRIANGLE } {
                let corners = side.map(|c| elem[c]);
                let normal = self.normal(corners);
                let at = |v: i32| (vec3::add_scaled(self.points[v as usize], normal, self.radius), normal);
                self.push(corners.map(at), side.map(|c| texture[c]));
            }
        }
    }

    /// Triangles of the surface, each with vertex indices and texture-coordinate indices.
    fn surface(&self) -> Vec<([i32; 3], [i32; 3])> {
        let (m, f) = (self.m, self.flex);
        let three = |v: &[i32]| [v[0], v[1], v[2]];
        if m.flex_dim[f] == 2 {
            let texture = &m.flex_elemtexcoord[m.flex_elemdataadr[f] as usize..];
            let pairs = elems(m, f).zip(texture.chunks(3));
            return pairs.map(|((_, e), t)| (three(e), three(t))).collect();
        }
        // shell fragments have no texture coordinates, so the vertices' are used
        self.shell().chunks(3).map(|s| (three(s), three(s))).collect()
    }

    /// Shell fragments: edges of a sheet, triangles of a solid.
    fn shell(&self) -> &'a [i32] {
        let (m, f) = (self.m, self.flex);
        let count = (m.flex_shellnum[f] * m.flex_dim[f]) as usize;
        // without a shell the address is negative
        usize::try_from(m.flex_shelldataadr[f]).map_or(&[], |first| &m.flex_shell[first..][..count])
    }

    /// Adds a surface around the flex, offset by the radius from its vertices along their mean normals. Sheets have two
    /// sides and are closed along their edges.
    fn skin(&mut self) {
        let surface = self.surface();
        let mut normals = vec![[0.0; 3]; self.points.len()];
        for (corners, _) in &surface {
            let normal = self.normal(*corners);
            for v in corners {
                normals[*v as usize] = vec3::add(normals[*v as usize], normal);
            }
        }
        normals.iter_mut().for_each(|n| *n = vec3::normalize(*n).0);
        let sheet = self.m.flex_dim[self.flex] == 2;
        for ([a, b, c], [s, t, u]) in surface {
            self.side(&normals, [a, b, c], [s, t, u], self.radius);
            if sheet {
                self.side(&normals, [a, c, b], [s, u, t], -self.radius);
            }
        }
        for edge in if sheet { self.shell().chunks(2) } else { [].chunks(2) } {
            self.rim(&normals, [edge[0], edge[1]], self.radius);
            self.rim(&normals, [edge[1], edge[0]], -self.radius);
        }
    }

    /// Adds a face of the skin on one side.
    fn side(&mut self, normals: &[Vec3], corners: [i32; 3], texture: [i32; 3], radius: f64) {
        let outwards = if radius > 0.0 { 1.0 } else { -1.0 };
        let flat = (self.m.flex_flatskin[self.flex] != 0).then(|| self.normal(corners));
        let corner = |v: i32| {
            let (point, normal) = (self.points[v as usize], normals[v as usize]);
            (vec3::add_scaled(point, normal, radius), vec3::scale(flat.unwrap_or(normal), outwards))
        };
        self.push(corners.map(corner), texture);
    }

    /// Adds half of the strip that closes a sheet along an edge.
    fn rim(&mut self, normals: &[Vec3], [a, b]: [i32; 2], radius: f64) {
        let along = vec3::sub(self.points[b as usize], self.points[a as usize]);
        let across = vec3::cross(along, normals[b as usize]);
        let normal = vec3::normalize(if radius < 0.0 { vec3::scale(across, -1.0) } else { across }).0;
        let corner = |v: i32, by: f64| (vec3::add_scaled(self.points[v as usize], normals[v as usize], by), normal);
        self.push([corner(a, radius), corner(b, -radius), corner(b, radius)], [a, b, b]);
    }
}
