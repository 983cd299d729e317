//! Signed distance from a point to a shape, negative inside. The functions are cheap approximations rather than exact.
//!
//! Quilez, Distance functions, iquilezles.org/articles/distfunctions.

mod gradient;
mod octree;

pub use octree::Cell;

use crate::collide::{Kind, Mesh, Shape, Surface, Values};
use crate::ray::{self, Frame, MeshTree, Ray};
use sinew_math::{Vec3, clip, mat3, vec3};
use std::fmt::Debug;

/// A shape as an implicit function: its signed distance, or a cheap approximation of it.
pub trait Field: Debug + Send + Sync {
    /// Signed distance of a point, negative inside.
    fn distance(&self, p: Vec3) -> f64;

    /// Gradient of the distance at a point where the distance is `dist`. Finite differences unless overridden by a
    /// formula.
    fn gradient(&self, p: Vec3, dist: f64) -> Vec3 {
        differences(self, p, dist)
    }

    /// Centre and half-sizes of a box around the shape.
    fn aabb(&self) -> [f64; 6];
}

/// Finite-difference gradient of a field at a point where its distance is `dist`.
pub fn differences(field: &(impl Field + ?Sized), p: Vec3, dist: f64) -> Vec3 {
    const STEP: f64 = 1e-8;
    std::array::from_fn(|k| {
        let mut there = p;
        there[k] += STEP;
        (field.distance(there) - dist) / STEP
    })
}

/// Signed distance of a point in the shape's local frame; `None` for shapes without a distance function.
pub fn distance(shape: &Shape, p: Vec3) -> Option<f64> {
    Probe::new(shape, p).map(|probe| probe.dist)
}

/// Signed distance of a shape at one query point.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// Signed distance.
    pub dist: f64,
    shape: &'a Shape<'a>,
    p: Vec3,
    sample: Option<Sample<'a>>,
}

impl<'a> Probe<'a> {
    /// Evaluates a shape at a point in its local frame; `None` for shapes without a signed distance.
    #[doc(alias = "mjc_distance")]
    #[inline]
    pub fn new(shape: &'a Shape<'a>, p: Vec3) -> Option<Self> {
        let sample = match &shape.kind {
            Kind::Sdf(sdf) => Some(Sample::new(&sdf.values, p)?),
            Kind::Mesh(mesh) => match mesh.surface? {
                Surface::Octree(field) => Some(Sample::Cell(Cell::find(field, p)?)),
                Surface::Triangles(_) => None,
            },
            _ => None,
        };
        let dist = sample.as_ref().map_or_else(|| closed_form(shape, p), |sample| Some(sample.dist()))?;
        Some(Probe { dist, shape, p, sample })
    }

    /// Gradient of the signed distance.
    #[doc(alias = "mjc_gradient")]
    #[inline]
    pub fn gradient(&self) -> Option<Vec3> {
        match &self.sample {
            Some(sample) => sample.gradient(),
            None => gradient::closed_form(self.shape, self.p),
        }
    }
}

/// A query point in a signed distance field.
#[derive(Clone, Copy, Debug)]
pub enum Sample<'a> {
    /// In a cell of an octree.
    Cell(Cell<'a>),
    /// In a function.
    Function {
        /// The function.
        field: &'a dyn Field,
        /// The point.
        p: Vec3,
        /// The distance there.
        dist: f64,
    },
}

impl<'a> Sample<'a> {
    /// Looks up a point; `None` in an octree without cells.
    #[inline]
    pub fn new(values: &'a Values<'a>, p: Vec3) -> Option<Self> {
        Some(match values {
            Values::Octree(field) => Sample::Cell(Cell::find(field, p)?),
            Values::Function(field) => Sample::Function { field: *field, p, dist: field.distance(p) },
        })
    }

    /// Signed distance.
    #[inline]
    pub fn dist(&self) -> f64 {
        match self {
            Sample::Cell(cell) => cell.dist,
            Sample::Function { dist, .. } => *dist,
        }
    }

    /// Gradient of the signed distance.
    #[inline]
    pub fn gradient(&self) -> Option<Vec3> {
        match self {
            Sample::Cell(cell) => cell.gradient(),
            Sample::Function { field, p, dist } => Some(field.gradient(*p, *dist)),
        }
    }
}

fn closed_form(shape: &Shape, p: Vec3) -> Option<f64> {
    let size = shape.size;
    Some(match &shape.kind {
        Kind::Plane => p[2],
        Kind::Sphere => vec3::norm(p) - size[0],
        Kind::Capsule => vec3::norm([p[0], p[1], p[2] - clip(p[2], -size[1], size[1])]) - size[0],
        Kind::Ellipsoid => ellipsoid(p, size),
        Kind::Cylinder => cylinder(p, size),
        Kind::Box => cuboid(p, size),
        Kind::Mesh(mesh) => look(shape, triangles(mesh)?, p).dist,
        Kind::Sdf(_) | Kind::Hfield(_) => return None,
    })
}

fn ellipsoid(p: Vec3, size: Vec3) -> f64 {
    let once: Vec3 = std::array::from_fn(|k| p[k] / size[k]);
    let twice: Vec3 = std::array::from_fn(|k| once[k] / size[k]);
    let k0 = vec3::norm(once);
    k0 * (k0 - 1.0) / vec3::norm(twice)
}

fn cylinder(p: Vec3, size: Vec3) -> f64 {
    let (side, cap) = ((p[0] * p[0] + p[1] * p[1]).sqrt() - size[0], p[2].abs() - size[1]);
    let (x, y) = (side.max(0.0), cap.max(0.0));
    side.max(cap).min(0.0) + (x * x + y * y).sqrt()
}

fn triangles<'a>(mesh: &Mesh<'a>) -> Option<&'a MeshTree<'a>> {
    match mesh.surface? {
        Surface::Triangles(tree) => Some(tree),
        Surface::Octree(_) => None,
    }
}

/// What a ray cast from a point sees of a mesh.
struct Sight {
    dist: f64,
    inside: bool,
}

/// What MuJoCo uses as the distance to a mesh without octree. It casts a ray from the point towards the world's origin;
/// the hit is in units of the distance to the origin. If that number exceeds the distance itself, the point counts as
/// inside, and the result is minus the hit of the opposite ray. A miss counts as −1.
fn look(shape: &Shape, tree: &MeshTree, p: Vec3) -> Sight {
    let frame = Frame { pos: shape.pos, mat: shape.mat };
    let origin = vec3::add(mat3::mul_vec(shape.mat, p), shape.pos);
    let meets = |dir: Vec3| ray::mesh(frame, *tree, Ray { origin, dir }).map_or(-1.0, |hit| hit.dist);
    let dir = vec3::scale(origin, -1.0);
    let dist = meets(dir);
    let inside = dist > vec3::norm(dir);
    Sight { dist: if inside { -meets(origin) } else { dist }, inside }
}

/// Outward direction used inside a box, a blend between radial and the normal of the nearest face. `a` is the signed
/// distance to each face.
fn radial(a: Vec3, p: Vec3, size: Vec3) -> Vec3 {
    let b = vec3::normalize(std::array::from_fn(|k| -size[k] / a[k])).0;
    std::array::from_fn(|k| if p[k] < 0.0 { -b[k] } else { b[k] })
}

/// Exact outside; inside, the distance to the surface along a direction that blends from radial to the normal of the
/// nearest face.
fn cuboid(p: Vec3, size: Vec3) -> f64 {
    let a: Vec3 = std::array::from_fn(|k| p[k].abs() - size[k]);
    if a.iter().any(|v| *v >= 0.0) {
        return vec3::norm(a.map(|v| v.max(0.0)));
    }
    let b = radial(a, p, size);
    let t: Vec3 = std::array::from_fn(|k| -a[k] / b[k].abs());
    -t[0].min(t[1]).min(t[2]) * vec3::norm(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::mat3;

    #[test]
    fn distances_change_sign_at_the_surface() {
        let size = [0.3, 0.4, 0.5];
        let at = |kind, p| {
            distance(&Shape { pos: [0.0; 3], mat: &mat3::IDENTITY, size, rbound: 0.0, aabb: &[0.0; 6], kind }, p)
                .unwrap()
        };
        for (kind, surface) in [
            (Kind::Sphere, [0.3, 0.0, 0.0]),
            (Kind::Capsule, [0.0, 0.0, 0.7]),
            (Kind::Ellipsoid, [0.0, 0.4, 0.0]),
            (Kind::Cylinder, [0.0, 0.0, 0.4]),
            (Kind::Box, [0.1, 0.1, 0.5]),
            (Kind::Plane, [3.0, 4.0, 0.0]),
        ] {
            assert!(at(kind, surface).abs() < 1e-12, "{kind:?}");
            if !matches!(kind, Kind::Plane) {
                assert!(at(kind, vec3::scale(surface, 0.9)) < -0.01, "{kind:?}");
                assert!(at(kind, vec3::scale(surface, 1.1)) > 0.01, "{kind:?}");
            }
        }
        assert!((at(Kind::Box, [0.6, 0.8, 0.5]) - 0.5).abs() < 1e-12);
    }
}
