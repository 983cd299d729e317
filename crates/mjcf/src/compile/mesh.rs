//! Meshes: file or inline arrays → vertices in the inertial frame, hull graph, polygons, volumes.

use super::frames::principal;
use crate::asset::{self, RawMesh, bad, msh, obj, rows, stl};
use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec;
use sinew_engine::model::enums::{GeomType, MeshInertia};
use sinew_geometry::field::Field;
use sinew_geometry::mesh::bvh::{Leaf, Tree};
use sinew_geometry::mesh::hull::{Hull, HullError};
use sinew_geometry::mesh::marching::Grid;
use sinew_geometry::mesh::mass::{self, Measure};
use sinew_geometry::mesh::normal;
use sinew_geometry::mesh::octree::Octree;
use sinew_geometry::mesh::polygon::Polygons;
use sinew_math::{MINVAL, mat3, quat, vec3};

/// A mesh ready for the model. Vertices are relative to the centre of mass and the principal axes.
#[derive(Clone, Debug)]
pub struct CompiledMesh {
    /// Name; taken from the file name if none was given.
    pub name: String,
    /// File, as stored in the model's paths; empty for inline meshes.
    pub file: String,
    /// Material of geoms that set none.
    pub material: String,
    /// Centre of mass in the frame of the file. (m)
    pub pos: [f64; 3],
    /// Principal axes in the frame of the file.
    pub quat: [f64; 4],
    /// Scale that was applied.
    pub scale: [f64; 3],
    /// Half-sizes of the box with the same inertia. (m)
    pub boxsz: [f64; 3],
    /// Bounding box in the mesh frame: minimum, maximum. (m)
    pub aamm: [f64; 6],
    /// Volume; 0 for shells. (m³)
    pub volume: f64,
    /// Surface area; only for shells. (m²)
    pub surface: f64,
    /// How its mass is distributed.
    pub inertia: MeshInertia,
    /// Vertices. (m)
    pub vert: Vec<[f32; 3]>,
    /// Normals.
    pub normal: Vec<[f32; 3]>,
    /// Texture coordinates.
    pub texcoord: Vec<[f32; 2]>,
    /// Faces.
    pub face: Vec<[i32; 3]>,
    /// Normal of each face corner.
    pub facenormal: Vec<[i32; 3]>,
    /// Texture coordinate of each face corner; empty without texture coordinates.
    pub facetexcoord: Vec<[i32; 3]>,
    /// Convex hull graph in the layout of `mesh_graph`; empty when no hull was requested.
    pub graph: Vec<i32>,
    /// Polygons of the hull, or of the faces without one.
    pub polygons: Polygons,
    /// Normals of the polygons.
    pub polynormal: Vec<[f64; 3]>,
    /// Bounding volumes of the faces.
    pub bvh: Tree,
    /// Distance field, for meshes used by SDF geoms.
    pub octree: Option<Octree>,
}

/// A primitive fitted to a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Size parameters of the primitive. (m)
    pub size: [f64; 3],
    /// Centre in the mesh frame. (m)
    pub center: [f64; 3],
}

/// What the geoms that use a mesh need from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Need {
    /// Some geom collides with the mesh.
    pub hull: bool,
    /// Some geom is a signed distance field.
    pub sdf: bool,
}

impl CompiledMesh {
    /// Volume, or surface area if the mass is on the surface.
    pub fn volume_ref(&self) -> f64 {
        if self.inertia == MeshInertia::Shell { self.surface } else { self.volume }
    }

    /// Memory of the arrays. (byte)
    pub(super) fn bytes(&self) -> usize {
        let triples = self.vert.len() + self.normal.len() + self.face.len() + self.facenormal.len();
        let polygons = self.polygons.vert.items.len() + self.polygons.map.items.len() + self.graph.len();
        let octree = self.octree.as_ref().map_or(0, |o| size_of_val(&o.nodes[..]));
        12 * (triples + self.facetexcoord.len())
            + 8 * self.texcoord.len()
            + 24 * self.polynormal.len()
            + 4 * polygons
            + 72 * self.bvh.len()
            + octree
    }

    /// Fits a primitive to the inertia box, or to the bounding box if `fitaabb`. Sizes that the primitive
    /// does not have are 0.
    pub fn fit_geom(&self, kind: GeomType, fitaabb: bool, fitscale: f64) -> Result<Fit> {
        let mut center = [0.0; 3];
        let mut half = self.boxsz;
        if fitaabb {
            for i in 0..3 {
                center[i] = (self.aamm[i] + self.aamm[i + 3]) / 2.0;
                half[i] = self.aamm[i + 3] - center[i];
            }
        }
        let [x, y, z] = half;
        let size = match (kind, fitaabb) {
            (GeomType::Sphere, false) => [(x + y + z) / 3.0, 0.0, 0.0],
            (GeomType::Sphere, true) => [x.max(y).max(z), 0.0, 0.0],
            (GeomType::Capsule, false) => {
                let radius = (x + y) / 2.0;
                [radius, (z - radius / 2.0).max(0.0), 0.0]
            }
            (GeomType::Capsule, true) => [x.max(y), z - x.max(y), 0.0],
            (GeomType::Cylinder, false) => [(x + y) / 2.0, z, 0.0],
            (GeomType::Cylinder, true) => [x.max(y), z, 0.0],
            (GeomType::Ellipsoid | GeomType::Box, _) => half,
            _ => return Err(Error::invalid(format!("a {kind:?} cannot be fitted to mesh '{}'", self.name))),
        };
        Ok(Fit { size: size.map(|s| s * fitscale), center })
    }

    /// Compiles a mesh; `data` is the content of its file, if it has one. A mesh without file and vertices can be the
    /// surface of a signed distance field; it keeps the frame of that field.
    pub(crate) fn new(
        mesh: &spec::Mesh,
        data: Option<&[u8]>,
        field: Option<&dyn Field>,
        need: Need,
    ) -> Result<CompiledMesh> {
        if mesh.maxhullvert != -1 && mesh.maxhullvert < 4 {
            return Err(bad("maxhullvert must be larger than 3, or -1 for no bound"));
        }
        let field = field.filter(|_| data.is_none() && mesh.uservert.is_empty());
        let mut draft = match field {
            Some(field) => Draft::of_field(mesh, field)?,
            None => Draft::load(mesh, data)?,
        };
        draft.check()?;
        if mesh.inertia == MeshInertia::Exact {
            draft.check_orientation()?;
        }
        let hull = if need.hull || mesh.inertia == MeshInertia::Convex || draft.face.is_empty() {
            let limit = usize::try_from(mesh.maxhullvert).ok();
            Some(Hull::build(&draft.vert, limit).map_err(hull_error)?)
        } else {
            None
        };
        draft.complete(mesh, hull.as_ref());
        let polygons = Polygons::build(&draft.vert, hull.as_ref().map_or(&draft.face, |h| &h.face));
        draft.transform(mesh);

        let measured = draft.measure(mesh.inertia, hull.as_ref())?;
        let (pos, quat) = if field.is_some() { ([0.0; 3], quat::IDENTITY) } else { (measured.com, measured.quat) };
        let aamm = draft.center(pos, quat);
        let (volume, surface) =
            if mesh.inertia == MeshInertia::Shell { (0.0, measured.total) } else { (measured.total, 0.0) };
        let octree = (need.sdf && field.is_none()).then(|| {
            let (min, max) = ([aamm[0], aamm[1], aamm[2]], [aamm[3], aamm[4], aamm[5]]);
            Octree::build(&draft.vert, &draft.face, min, max)
        });
        Ok(CompiledMesh {
            name: name(mesh),
            file: String::new(),
            material: mesh.material.clone(),
            pos,
            quat,
            scale: mesh.scale,
            boxsz: measured.boxsz,
            aamm,
            volume,
            surface,
            inertia: mesh.inertia,
            polynormal: polygons.normals(&draft.vert),
            polygons,
            bvh: draft.bounding_volumes(),
            octree,
            graph: hull.map_or(Vec::new(), |h| h.graph()),
            vert: draft.vert.iter().map(|v| v.map(|x| x as f32)).collect(),
            normal: draft.normal,
            texcoord: draft.texcoord,
            face: draft.face,
            facenormal: draft.facenormal,
            facetexcoord: draft.facetexcoord,
        })
    }
}

/// Name of a mesh, which may come from its file.
pub(crate) fn name(mesh: &spec::Mesh) -> String {
    if mesh.meta.name.is_empty() { asset::stem(&mesh.file).to_string() } else { mesh.meta.name.clone() }
}

fn hull_error(e: HullError) -> Error {
    match e {
        HullError::TooFewPoints => bad("at least 4 vertices are needed"),
        HullError::Flat => bad("convex hull failed: the vertices lie in a plane").hint(
            "give the mesh some thickness, or make its geoms visual (contype and conaffinity 0) and its inertia shell",
        ),
        HullError::NotFinite => bad("convex hull failed: some vertex is not finite"),
    }
}

/// Mass properties, and the frame they define.
struct Measured {
    total: f64,
    com: [f64; 3],
    quat: [f64; 4],
    boxsz: [f64; 3],
}

/// A mesh under construction.
#[derive(Default)]
struct Draft {
    vert: Vec<[f64; 3]>,
    normal: Vec<[f32; 3]>,
    texcoord: Vec<[f32; 2]>,
    face: Vec<[i32; 3]>,
    facenormal: Vec<[i32; 3]>,
    facetexcoord: Vec<[i32; 3]>,
    /// In OBJ files the number of texture coordinates can differ from the number of vertices.
    obj: bool,
}

/// Writes −1 for corners without a normal or texture coordinate: files may contain indices to ones that do not exist.
fn drop_unknown(faces: &mut [[i32; 3]], count: usize) {
    let known = |i: i32| if usize::try_from(i).is_ok_and(|i| i < count) { i } else { -1 };
    faces.iter_mut().for_each(|f| *f = f.map(known));
}

impl Draft {
    /// Takes each array from the file or from the element; it is an error if both have it.
    fn load(mesh: &spec::Mesh, data: Option<&[u8]>) -> Result<Draft> {
        let mut draft = Draft::default();
        let mut raw = RawMesh::default();
        if let Some(data) = data {
            let mirrored = mesh.scale[0] * mesh.scale[1] * mesh.scale[2] <= 0.0;
            let kind = asset::media_type(&mesh.file, &mesh.content_type);
            raw = match kind.as_str() {
                "model/stl" => stl::read(data, mirrored)?,
                "model/obj" => obj::read(data, mirrored)?,
                "model/vnd.mujoco.msh" => msh::read(data, mirrored)?,
                _ => return Err(bad(format!("unknown mesh file type '{}'", mesh.file)).hint("use STL, OBJ or MSH")),
            };
            draft.obj = kind == "model/obj";
        }
        let vert = pick(raw.vert, &mesh.uservert, "vertex")?;
        if let Some(i) = vert.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
            return Err(bad(format!("vertex {i} is not finite")));
        }
        draft.vert = vert.into_iter().map(|v| v.map(f64::from)).collect();
        draft.normal = pick(raw.normal, &mesh.usernormal, "normal")?;
        draft.texcoord = pick(raw.texcoord, &mesh.usertexcoord, "texcoord")?;
        draft.face = pick(raw.face, &mesh.userface, "face")?;
        draft.facetexcoord = pick(raw.facetexcoord, &mesh.userfacetexcoord, "facetexcoord")?;
        draft.facenormal = raw.facenormal;
        if data.is_some() && draft.facenormal.is_empty() {
            draft.facenormal = rows(&mesh.userfacenormal);
        }
        Ok(draft)
    }

    /// The surface of a signed distance field, on a grid with about 300 points along the three sides of its box in
    /// total.
    fn of_field(mesh: &spec::Mesh, field: &dyn Field) -> Result<Draft> {
        if mesh.scale != [1.0; 3] {
            let hint = "set the size with the settings of the plugin";
            return Err(Error::invalid("signed distances have no scale").attribute(attr::SCALE).hint(hint));
        }
        let [cx, cy, cz, half @ ..] = field.aabb();
        if !half.iter().all(|h| h.is_finite() && *h > 0.0) {
            return Err(bad(format!("the box around the signed distances has the half-sizes {half:?}"))
                .hint("sizes of the plugin must be positive"));
        }
        let center = [cx, cy, cz];
        let total = half[0] + half[1] + half[2];
        let size = half.map(|h| (300.0 / total * h).floor() as usize + 1);
        if size.contains(&1) {
            return Err(bad("the box around the signed distances is too flat"));
        }
        let mut values = Vec::with_capacity(size.iter().product());
        for k in 0..size[2] {
            for j in 0..size[1] {
                for i in 0..size[0] {
                    let p = [i, j, k];
                    let place = |a: usize| center[a] - half[a] + 2.0 * half[a] * p[a] as f64 / (size[a] - 1) as f64;
                    values.push(field.distance([place(0), place(1), place(2)]) as f32);
                }
            }
        }
        let surface = Grid { size, values }.surface();
        let place =
            |v: f32, a: usize| (2.0 * half[a] * f64::from(v) / (size[a] - 1) as f64 + center[a] - half[a]) as f32;
        let vert = surface.vert.iter().map(|v| [0, 1, 2].map(|a| f64::from(place(v[a], a)))).collect();
        Ok(Draft { vert, normal: surface.normal, face: surface.face, ..Draft::default() })
    }

    fn check(&self) -> Result<()> {
        if self.vert.len() < 4 {
            return Err(bad(format!("mesh has {} vertices, at least 4 are needed", self.vert.len())));
        }
        if !self.texcoord.is_empty()
            && self.texcoord.len() != self.vert.len()
            && self.facetexcoord.is_empty()
            && !self.obj
        {
            return Err(bad("there must be one texture coordinate per vertex if faces have none of their own"));
        }
        let valid = |i: &i32| (0..self.vert.len() as i32).contains(i);
        if let Some((i, f)) = self.face.iter().enumerate().find(|(_, f)| !f.iter().all(valid)) {
            return Err(bad(format!("face {i} refers to vertices {f:?}, there are only {}", self.vert.len())));
        }
        if !self.facenormal.is_empty() && self.facenormal.len() != self.face.len() {
            return Err(bad("face normals must be as many as faces"));
        }
        if !self.facetexcoord.is_empty() && self.facetexcoord.len() != self.face.len() {
            return Err(bad("face texture coordinates must be as many as faces"));
        }
        Ok(())
    }

    /// Refuses faces that share a directed edge.
    fn check_orientation(&self) -> Result<()> {
        let area = |f: &[i32; 3]| mass::triangle(f.map(|i| self.vert[i as usize])).area;
        let real = self.face.iter().filter(|f| area(f) > MINVAL.sqrt());
        let mut edges: Vec<[i32; 2]> = real.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        edges.sort_unstable();
        match edges.windows(2).find(|w| w[0] == w[1]) {
            None => Ok(()),
            Some(w) => {
                let [a, b] = w[0];
                Err(bad(format!("faces at vertices {} and {} have inconsistent orientation", a + 1, b + 1))
                    .hint("make all faces counter-clockwise seen from outside, or choose another mesh inertia"))
            }
        }
    }

    /// Fills in missing arrays: faces from the hull, normals from faces, indices from faces.
    fn complete(&mut self, mesh: &spec::Mesh, hull: Option<&Hull>) {
        if let (true, Some(hull)) = (self.face.is_empty(), hull) {
            self.face = hull.face.clone();
        }
        if self.normal.is_empty() {
            self.normal = normal::vertex_normals(&self.vert, &self.face, mesh.smoothnormal);
            self.facenormal = self.face.clone();
        }
        if self.facetexcoord.is_empty() && !self.texcoord.is_empty() {
            self.facetexcoord = self.face.clone();
        }
        if self.facenormal.is_empty() {
            // builtin wedges and plates have three normals per vertex
            let each = (self.normal.len() / self.vert.len()) as i32;
            self.facenormal = self.face.iter().map(|f| f.map(|i| each * i)).collect();
        }
        drop_unknown(&mut self.facenormal, self.normal.len());
        drop_unknown(&mut self.facetexcoord, self.texcoord.len());
    }

    /// Applies the reference pose and scale.
    fn transform(&mut self, mesh: &spec::Mesh) {
        if mesh.refpos != [0.0; 3] {
            self.vert.iter_mut().for_each(|v| *v = vec3::sub(*v, mesh.refpos));
        }
        if mesh.refquat != quat::IDENTITY {
            let r = quat::to_mat(unit(mesh.refquat));
            self.vert.iter_mut().for_each(|v| *v = mat3::mul_vec_t(&r, *v));
            self.normal.iter_mut().for_each(|n| *n = mat3::mul_vec_t(&r, n.map(f64::from)).map(|x| x as f32));
        }
        if mesh.scale != [1.0; 3] {
            let s = mesh.scale;
            self.vert.iter_mut().for_each(|v| *v = [v[0] * s[0], v[1] * s[1], v[2] * s[2]]);
            for n in &mut self.normal {
                *n = [0, 1, 2].map(|k| (f64::from(n[k]) * s[k]) as f32);
            }
        }
        for n in &mut self.normal {
            let square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
            *n = if f64::from(square) > MINVAL {
                let factor = 1.0 / square.sqrt();
                n.map(|x| x * factor)
            } else {
                [0.0, 0.0, 1.0]
            };
        }
    }

    fn measure(&self, inertia: MeshInertia, hull: Option<&Hull>) -> Result<Measured> {
        let measure = match inertia {
            MeshInertia::Shell => Measure::Area,
            MeshInertia::Legacy => Measure::Absolute,
            MeshInertia::Exact | MeshInertia::Convex => Measure::Signed,
        };
        let face = match hull {
            Some(hull) if inertia == MeshInertia::Convex => &hull.face,
            _ => &self.face,
        };
        let small_area = || bad("mesh surface area is too small").hint("check the scale of the mesh");
        let (area, tip) = mass::face_centroid(&self.vert, &self.face);
        if area < MINVAL {
            return Err(small_area());
        }
        let (total, com) = mass::center_of_mass(&self.vert, face, tip, measure);
        if total < MINVAL {
            return Err(match measure {
                Measure::Area => small_area(),
                _ if total < 0.0 => bad("mesh volume is negative: its faces are inside out"),
                _ => bad("mesh volume is too small").hint("set the inertia of the mesh to shell"),
            });
        }
        let (total, i) = mass::inertia(&self.vert, face, com, measure);
        let eigen = principal(&[i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]]);
        let [a, b, c] = eigen.values;
        if c <= 0.0 {
            return Err(bad("moments of inertia of the mesh are not positive"));
        }
        let broken = |x: f64, y: f64, z: f64| x + y < z * (1.0 - 1e-6) - 1e-9;
        if broken(a, b, c) || broken(a, c, b) || broken(b, c, a) {
            return Err(bad("moments of inertia of the mesh break the triangle inequality"));
        }
        let half = |s: f64| 0.5 * (6.0 * s / total).sqrt();
        let boxsz = [half(b + c - a), half(a + c - b), half(a + b - c)];
        Ok(Measured { total, com, quat: eigen.quat, boxsz })
    }

    /// Moves the vertices to the inertial frame and returns their bounding box.
    fn center(&mut self, com: [f64; 3], q: [f64; 4]) -> [f64; 6] {
        let r = quat::to_mat(quat::conj(q));
        let mut aamm: [f64; 6] = [1e10, 1e10, 1e10, -1e10, -1e10, -1e10];
        for v in &mut self.vert {
            *v = mat3::mul_vec(&r, vec3::sub(*v, com));
            for k in 0..3 {
                aamm[k] = aamm[k].min(v[k]);
                aamm[k + 3] = aamm[k + 3].max(v[k]);
            }
        }
        self.normal.iter_mut().for_each(|n| *n = mat3::mul_vec(&r, n.map(f64::from)).map(|x| x as f32));
        aamm
    }

    fn bounding_volumes(&self) -> Tree {
        let leaf = |(id, f): (usize, &[i32; 3])| {
            let v = f.map(|i| self.vert[i as usize]);
            let low = [0, 1, 2].map(|k| v[0][k].min(v[1][k]).min(v[2][k]));
            let high = [0, 1, 2].map(|k| v[0][k].max(v[1][k]).max(v[2][k]));
            // rounded as if the box were stored as centre and half-size
            let center = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
            let half = [0, 1, 2].map(|k| 0.5 * (high[k] - low[k]));
            Leaf {
                id: id as i32,
                center: normal::circumcenter(v),
                min: vec3::sub(center, half),
                max: vec3::add(center, half),
            }
        };
        Tree::build(&self.face.iter().enumerate().map(leaf).collect::<Vec<_>>())
    }
}

/// The array of the file, otherwise the inline one.
fn pick<T: Copy + Default, const N: usize>(file: Vec<[T; N]>, inline: &[T], what: &str) -> Result<Vec<[T; N]>> {
    if !inline.len().is_multiple_of(N) {
        return Err(bad(format!("length of {what} data must be a multiple of {N}")).attribute(what));
    }
    match (file.is_empty(), inline.is_empty()) {
        (false, false) => Err(bad(format!("{what} data is in the file and in the element")).attribute(what)),
        (false, true) => Ok(file),
        _ => Ok(rows(inline)),
    }
}

/// Normalises a quaternion; a zero one is left unchanged.
fn unit(q: [f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm * norm < 1e-14 { q } else { q.map(|x| x / norm) }
}
