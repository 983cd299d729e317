//! Geoms as shapes that can be collided.

use super::ray::height_field;
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::{EnableBit, GeomType};
use sinew_geometry::collide::{Kind, Mesh, SdfField, Settings, Shape};

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
        GeomType::Mesh => Kind::Mesh(mesh(m, geom)?),
        GeomType::Sdf => Kind::Sdf(sdf(m, geom)?),
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
        Kind::Mesh(_) => sdf(m, geom).filter(|f| !f.aabb.is_empty()).map(|f| Shape { kind: Kind::Sdf(f), ..shape }),
        _ => Some(shape),
    }
}

fn mesh(m: &Model, geom: usize) -> Option<Mesh<'_>> {
    let id = usize::try_from(m.geom_dataid[geom]).ok()?;
    let verts = m.mesh_vertadr[id] as usize..(m.mesh_vertadr[id] + m.mesh_vertnum[id]) as usize;
    let polys = m.mesh_polyadr[id] as usize..(m.mesh_polyadr[id] + m.mesh_polynum[id]) as usize;
    Some(Mesh {
        vert: &m.mesh_vert[verts.clone()],
        graph: usize::try_from(m.mesh_graphadr[id]).map_or(&[], |adr| &m.mesh_graph[adr..]),
        polynormal: &m.mesh_polynormal[polys.clone()],
        polyvertadr: &m.mesh_polyvertadr[polys.clone()],
        polyvertnum: &m.mesh_polyvertnum[polys],
        polyvert: &m.mesh_polyvert,
        polymapadr: &m.mesh_polymapadr[verts.clone()],
        polymapnum: &m.mesh_polymapnum[verts],
        polymap: &m.mesh_polymap,
    })
}

fn sdf(m: &Model, geom: usize) -> Option<SdfField<'_>> {
    let id = usize::try_from(m.geom_dataid[geom]).ok()?;
    let cells = m.mesh_octadr[id].max(0) as usize..(m.mesh_octadr[id].max(0) + m.mesh_octnum[id]) as usize;
    Some(SdfField {
        aabb: &m.oct_aabb[cells.clone()],
        child: &m.oct_child[cells.clone()],
        coeff: &m.oct_coeff[cells],
        mesh: mesh(m, geom)?,
    })
}
