//! Geoms as shapes for the colliders.

use super::ray::{height_field, mesh_tree};
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, GeomType};
use sinew_geometry::collide::convex::{self, HullIndex};
use sinew_geometry::collide::{Kind, Mesh, Method, Sdf, SdfField, Settings, Shape, Surface, Values, method};
use sinew_geometry::ray::HeightField;

/// Builds the hull indices that speed up support searches. Results do not depend on them, even after vertices change.
pub fn index_hulls(m: &mut Model) {
    m.hulls = (0..m.nmesh).map(|id| HullIndex::new(&mesh(m, id))).collect();
}

/// Settings of the colliders.
#[inline]
pub fn settings(m: &Model) -> Settings {
    let count = |n: i32| usize::try_from(n).unwrap_or(0);
    Settings {
        ccd_tolerance: m.opt.ccd_tolerance,
        ccd_iterations: count(m.opt.ccd_iterations),
        nativeccd: !m.opt.disabled(DisableFlags::NATIVECCD),
        multiccd: m.opt.enabled(EnableFlags::MULTICCD),
        sdf_initpoints: count(m.opt.sdf_initpoints),
        sdf_iterations: count(m.opt.sdf_iterations),
    }
}

/// Data of a geom besides its type and size; shapes hold a reference to it, which keeps them small.
enum Parts<'a> {
    Plain,
    Hfield(HeightField<'a>),
    Mesh(Mesh<'a>),
    Sdf(Sdf<'a>),
}

impl<'a> Parts<'a> {
    /// Data of a geom; `None` for types that never collide.
    #[inline]
    fn new(m: &'a Model, geom: usize) -> Option<Self> {
        Some(match m.geom_type(geom) {
            GeomType::Hfield => Parts::Hfield(height_field(m, geom)?),
            GeomType::Mesh => Parts::Mesh(mesh(m, mesh_id(m, geom)?)),
            GeomType::Sdf => Parts::Sdf(Sdf { values: values(m, geom)?, mesh: mesh(m, mesh_id(m, geom)?) }),
            _ => Parts::Plain,
        })
    }

    /// The geom as a shape at its current pose.
    #[inline]
    fn shape(&'a self, m: &'a Model, pose: &'a Pose, geom: usize) -> Option<Shape<'a>> {
        let kind = match self {
            Parts::Hfield(field) => Kind::Hfield(field),
            Parts::Mesh(mesh) => Kind::Mesh(mesh),
            Parts::Sdf(field) => Kind::Sdf(field),
            Parts::Plain => plain(m, geom)?,
        };
        Some(place(m, pose, geom, kind))
    }
}

/// Kind of a geom that is described by type and size alone.
#[inline]
fn plain(m: &Model, geom: usize) -> Option<Kind<'static>> {
    match m.geom_type(geom) {
        GeomType::Plane => Some(Kind::Plane),
        GeomType::Sphere => Some(Kind::Sphere),
        GeomType::Capsule => Some(Kind::Capsule),
        GeomType::Ellipsoid => Some(Kind::Ellipsoid),
        GeomType::Cylinder => Some(Kind::Cylinder),
        GeomType::Box => Some(Kind::Box),
        _ => None,
    }
}

#[inline(always)]
fn place<'a>(m: &'a Model, pose: &'a Pose, geom: usize, kind: Kind<'a>) -> Shape<'a> {
    Shape {
        pos: pose.geom_xpos[geom],
        mat: &pose.geom_xmat[geom],
        size: m.geom_size[geom],
        rbound: m.geom_rbound[geom],
        aabb: &m.geom_aabb[geom],
        kind,
    }
}

/// Calls a function with a geom that has a signed distance field; for meshes, the one in their octree. `None` if there
/// is none.
pub fn with_field<R>(m: &Model, pose: &Pose, geom: usize, f: impl FnOnce(&Shape) -> R) -> Option<R> {
    let parts = match Parts::new(m, geom)? {
        Parts::Hfield(_) => return None,
        Parts::Mesh(mesh) => {
            let field = Some(octree(m, mesh_id(m, geom)?)).filter(|field| !field.aabb.is_empty())?;
            Parts::Sdf(Sdf { values: Values::Octree(field), mesh })
        }
        parts => parts,
    };
    Some(f(&parts.shape(m, pose, geom)?))
}

/// Calls a function with the shape of a geom at its current pose; `None` for types that never collide.
pub fn with_shape<R>(m: &Model, pose: &Pose, geom: usize, f: impl FnOnce(&Shape) -> R) -> Option<R> {
    let parts = Parts::new(m, geom)?;
    Some(f(&parts.shape(m, pose, geom)?))
}

/// Whether two convex geoms are separated by their bounding boxes, so that they have no contacts within a margin.
pub fn apart(m: &Model, pose: &Pose, geoms: [usize; 2], margin: f64) -> bool {
    static NO_VERTICES: Mesh = Mesh::EMPTY;
    let outline = |geom: usize| {
        let kind = match m.geom_type(geom) {
            GeomType::Mesh => Kind::Mesh(&NO_VERTICES),
            _ => plain(m, geom)?,
        };
        Some(place(m, pose, geom, kind))
    };
    let (Some(a), Some(b)) = (outline(geoms[0]), outline(geoms[1])) else { return false };
    matches!(method(&a.kind, &b.kind), Method::Convex) && convex::apart(&a, &b, margin)
}

/// Calls a function with the shapes of two geoms; `None` for types that never collide. A mesh paired with a signed
/// distance field gets one as well.
#[inline]
pub fn with_shapes<R>(m: &Model, pose: &Pose, geoms: [usize; 2], f: impl FnOnce(&Shape, &Shape) -> R) -> Option<R> {
    if let (Some(a), Some(b)) = (plain(m, geoms[0]), plain(m, geoms[1])) {
        return Some(f(&place(m, pose, geoms[0], a), &place(m, pose, geoms[1], b)));
    }
    // mesh views are large: build them in place rather than moving them
    if let (Some(a), Some(b)) = (plain(m, geoms[0]), mesh_geom(m, geoms[1])) {
        let b = mesh(m, b);
        return Some(f(&place(m, pose, geoms[0], a), &place(m, pose, geoms[1], Kind::Mesh(&b))));
    }
    if let (Some(a), Some(b)) = (mesh_geom(m, geoms[0]), mesh_geom(m, geoms[1])) {
        let (a, b) = (mesh(m, a), mesh(m, b));
        return Some(f(&place(m, pose, geoms[0], Kind::Mesh(&a)), &place(m, pose, geoms[1], Kind::Mesh(&b))));
    }
    with_parts(m, pose, geoms, f)
}

/// [`with_shapes`] for any geoms.
fn with_parts<R>(m: &Model, pose: &Pose, geoms: [usize; 2], f: impl FnOnce(&Shape, &Shape) -> R) -> Option<R> {
    let surface;
    let (mut a, mut b) = (Parts::new(m, geoms[0])?, Parts::new(m, geoms[1])?);
    match (&mut a, &mut b) {
        (Parts::Mesh(mesh), Parts::Sdf(_)) => {
            surface = surface_of(m, geoms[0]);
            mesh.surface = surface.as_ref();
        }
        (Parts::Sdf(_), Parts::Mesh(mesh)) => {
            surface = surface_of(m, geoms[1]);
            mesh.surface = surface.as_ref();
        }
        _ => {}
    }
    Some(f(&a.shape(m, pose, geoms[0])?, &b.shape(m, pose, geoms[1])?))
}

/// The mesh id of a mesh geom.
#[inline]
fn mesh_geom(m: &Model, geom: usize) -> Option<usize> {
    if m.geom_type(geom) == GeomType::Mesh { mesh_id(m, geom) } else { None }
}

/// Source of the signed distance of a mesh geom. MuJoCo looks for an octree under the id of the geom instead of its
/// mesh; reproduced here.
fn surface_of(m: &Model, geom: usize) -> Option<Surface<'_>> {
    if m.mesh_octnum.get(geom).is_some_and(|&n| n > 0) {
        Some(Surface::Octree(octree(m, geom)))
    } else {
        mesh_tree(m, geom).map(Surface::Triangles)
    }
}

fn mesh_id(m: &Model, geom: usize) -> Option<usize> {
    usize::try_from(m.geom_dataid[geom]).ok()
}

fn mesh(m: &Model, id: usize) -> Mesh<'_> {
    let verts = m.mesh_vertadr[id] as usize..(m.mesh_vertadr[id] + m.mesh_vertnum[id]) as usize;
    let polys = m.mesh_polyadr[id] as usize..(m.mesh_polyadr[id] + m.mesh_polynum[id]) as usize;
    let vert = &m.mesh_vert[verts.clone()];
    let (starts, fours) = m.hulls.get(id).map_or_else(Default::default, |index| index.of(vert));
    Mesh {
        vert,
        starts,
        fours,
        graph: usize::try_from(m.mesh_graphadr[id]).map_or(&[], |adr| &m.mesh_graph[adr..]),
        polynormal: &m.mesh_polynormal[polys.clone()],
        polyvertadr: &m.mesh_polyvertadr[polys.clone()],
        polyvertnum: &m.mesh_polyvertnum[polys],
        polyvert: &m.mesh_polyvert,
        polymapadr: &m.mesh_polymapadr[verts.clone()],
        polymapnum: &m.mesh_polymapnum[verts],
        polymap: &m.mesh_polymap,
        surface: None,
    }
}

/// Signed distance function of a geom: from its plugin, or from its mesh.
pub(super) fn values(m: &Model, geom: usize) -> Option<Values<'_>> {
    match usize::try_from(m.geom_plugin[geom]) {
        Ok(instance) => m.plugins().field(instance).map(Values::Function),
        Err(_) => mesh_id(m, geom).map(|id| Values::Octree(octree(m, id))),
    }
}

fn octree(m: &Model, id: usize) -> SdfField<'_> {
    let cells = m.mesh_octadr[id].max(0) as usize..(m.mesh_octadr[id].max(0) + m.mesh_octnum[id]) as usize;
    SdfField { aabb: &m.oct_aabb[cells.clone()], child: &m.oct_child[cells.clone()], coeff: &m.oct_coeff[cells] }
}
