//! Geoms as shapes that can be collided.

use super::ray::{height_field, mesh_tree};
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::{EnableBit, GeomType};
use sinew_geometry::collide::{Kind, Mesh, SdfField, Settings, Shape, Surface};

/// Settings of the colliders.
#[inline]
pub fn settings(m: &Model) -> Settings {
    let count = |n: i32| usize::try_from(n).unwrap_or(0);
    Settings {
        ccd_tolerance: m.opt.ccd_tolerance,
        ccd_iterations: count(m.opt.ccd_iterations),
        multiccd: m.opt.enabled(EnableBit::Multiccd),
        sdf_initpoints: count(m.opt.sdf_initpoints),
        sdf_iterations: count(m.opt.sdf_iterations),
    }
}

/// A geom in its place; `None` for types that never collide.
#[inline]
pub fn geom_shape<'a>(m: &'a Model, pose: &'a Pose, geom: usize) -> Option<Shape<'a>> {
    let kind = match GeomType::try_from(m.geom_type[geom]).ok()? {
        GeomType::Plane => Kind::Plane,
        GeomType::Hfield => Kind::Hfield(height_field(m, geom)?),
        GeomType::Sphere => Kind::Sphere,
        GeomType::Capsule => Kind::Capsule,
        GeomType::Ellipsoid => Kind::Ellipsoid,
        GeomType::Cylinder => Kind::Cylinder,
        GeomType::Box => Kind::Box,
        GeomType::Mesh => Kind::Mesh(mesh(m, mesh_id(m, geom)?)),
        GeomType::Sdf => Kind::Sdf(sdf(m, mesh_id(m, geom)?)),
        _ => return None,
    };
    Some(Shape {
        pos: pose.geom_xpos[geom],
        mat: &pose.geom_xmat[geom],
        size: m.geom_size[geom],
        rbound: m.geom_rbound[geom],
        aabb: &m.geom_aabb[geom],
        kind,
    })
}

/// A geom by its signed distance: meshes by the one on their octree. `None` where there is none.
pub fn field_shape<'a>(m: &'a Model, pose: &'a Pose, geom: usize) -> Option<Shape<'a>> {
    let shape = geom_shape(m, pose, geom)?;
    match shape.kind {
        Kind::Hfield(_) => None,
        Kind::Mesh(_) => {
            let field = sdf(m, mesh_id(m, geom)?);
            (!field.aabb.is_empty()).then_some(Shape { kind: Kind::Sdf(field), ..shape })
        }
        _ => Some(shape),
    }
}

/// Calls a function with two geoms in their places; `None` for types that never collide. A mesh beside a signed
/// distance field has one as well.
#[inline]
pub fn with_shapes<R>(m: &Model, pose: &Pose, geoms: [usize; 2], f: impl FnOnce(&Shape, &Shape) -> R) -> Option<R> {
    let (mut a, mut b) = (geom_shape(m, pose, geoms[0])?, geom_shape(m, pose, geoms[1])?);
    let surface;
    match (&mut a.kind, &mut b.kind) {
        (Kind::Mesh(mesh), Kind::Sdf(_)) => {
            surface = surface_of(m, geoms[0]);
            mesh.surface = surface.as_ref();
        }
        (Kind::Sdf(_), Kind::Mesh(mesh)) => {
            surface = surface_of(m, geoms[1]);
            mesh.surface = surface.as_ref();
        }
        _ => {}
    }
    Some(f(&a, &b))
}

/// What the signed distance of a mesh geom is taken from. MuJoCo looks for an octree under the number of the geom, not
/// of its mesh.
fn surface_of(m: &Model, geom: usize) -> Option<Surface<'_>> {
    if m.mesh_octnum.get(geom).is_some_and(|&n| n > 0) {
        Some(Surface::Octree(sdf(m, geom)))
    } else {
        mesh_tree(m, geom).map(Surface::Triangles)
    }
}

pub(super) fn mesh_id(m: &Model, geom: usize) -> Option<usize> {
    usize::try_from(m.geom_dataid[geom]).ok()
}

fn mesh(m: &Model, id: usize) -> Mesh<'_> {
    let verts = m.mesh_vertadr[id] as usize..(m.mesh_vertadr[id] + m.mesh_vertnum[id]) as usize;
    let polys = m.mesh_polyadr[id] as usize..(m.mesh_polyadr[id] + m.mesh_polynum[id]) as usize;
    Mesh {
        vert: &m.mesh_vert[verts.clone()],
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

pub(super) fn sdf(m: &Model, id: usize) -> SdfField<'_> {
    let cells = m.mesh_octadr[id].max(0) as usize..(m.mesh_octadr[id].max(0) + m.mesh_octnum[id]) as usize;
    SdfField {
        aabb: &m.oct_aabb[cells.clone()],
        child: &m.oct_child[cells.clone()],
        coeff: &m.oct_coeff[cells],
        mesh: mesh(m, id),
    }
}
