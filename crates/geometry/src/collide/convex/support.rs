//! Support points of a convex shape and of the Minkowski difference of two: the farthest point along a direction.

use super::walk::{self, Side, Walk};
use crate::collide::element::Element;
use crate::collide::{Hull, Kind, Mesh, Shape};
use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// Meshes with fewer vertices are searched exhaustively instead of walking on their hull.
const WALK_FROM: usize = 10;

/// A convex shape in the world with a support function. It remembers the last vertex found, where the next search
/// starts.
#[derive(Clone, Copy, Debug)]
pub struct Convex<'a> {
    pub(super) pos: Vec3,
    pub(super) mat: &'a Mat3,
    pub(super) size: Vec3,
    pub(super) form: Form<'a>,
    /// The shape is inflated by half of this.
    pub(super) margin: f64,
    /// Last corner or vertex found; −1 for none.
    pub(super) vert: i32,
    /// The same vertex, as its index on the hull.
    node: usize,
}

/// Kind of a convex shape.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    /// The centre of a ball.
    Point,
    /// The axis of a capsule.
    Line,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    /// A mesh searched exhaustively.
    Cloud(&'a Mesh<'a>),
    /// A mesh whose hull is walked.
    Hull(&'a Mesh<'a>, Hull<'a>),
    /// A prism: three points below three others.
    Prism(&'a [Vec3; 6]),
    /// A few points in world coordinates.
    Simplex(&'a [Vec3]),
}

impl<'a> Convex<'a> {
    /// A shape inflated by half a margin; `None` for planes and height fields.
    #[inline]
    pub fn new(shape: &'a Shape<'a>, margin: f64) -> Option<Self> {
        let form = match &shape.kind {
            Kind::Plane | Kind::Hfield(_) => return None,
            Kind::Sphere => Form::Sphere,
            Kind::Capsule => Form::Capsule,
            Kind::Ellipsoid => Form::Ellipsoid,
            Kind::Cylinder => Form::Cylinder,
            Kind::Box => Form::Box,
            Kind::Mesh(mesh) => of_mesh(mesh)?,
            Kind::Sdf(field) => of_mesh(&field.mesh)?,
        };
        Some(Convex { pos: shape.pos, mat: shape.mat, size: shape.size, form, margin, vert: -1, node: 0 })
    }

    /// A prism: three lower points, then the three above them. Its frame is the identity.
    #[inline]
    pub fn prism(points: &'a [Vec3; 6]) -> Self {
        let form = Form::Prism(points);
        Convex { pos: [0.0; 3], mat: &mat3::IDENTITY, size: [0.0; 3], form, margin: 0.0, vert: -1, node: 0 }
    }

    /// An element of a flex, whose frame is the identity; its radius counts as margin.
    #[inline]
    pub fn simplex(e: &Element<'a>, margin: f64) -> Self {
        let (form, margin) = (Form::Simplex(e.points), margin + 2.0 * e.radius);
        Convex { pos: e.center, mat: &mat3::IDENTITY, size: [0.0; 3], form, margin, vert: -1, node: 0 }
    }

    /// Whether the last vertex found decides among ties in the next search.
    #[inline]
    pub fn remembers(&self) -> bool {
        matches!(self.form, Form::Cloud(_) | Form::Hull(..))
    }

    /// Sets the margin, by half of which the shape is inflated.
    #[inline]
    pub fn set_margin(&mut self, margin: f64) {
        self.margin = margin;
    }

    /// Twice the distance by which the shape is inflated.
    #[inline]
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The same shape at another pose, with the last vertex found.
    #[inline]
    pub fn moved(&self, pos: Vec3, mat: &'a Mat3) -> Self {
        Convex { pos, mat, ..*self }
    }

    /// Copies the last vertex found from another copy of the shape.
    #[inline]
    pub(in crate::collide) fn recall(&mut self, other: &Convex) {
        (self.vert, self.node) = (other.vert, other.node);
    }

    /// An interior point.
    #[inline]
    pub(super) fn center(&self) -> Vec3 {
        match self.form {
            Form::Prism(p) => vec3::scale(p.iter().fold([0.0; 3], |sum, &v| vec3::add(sum, v)), 1.0 / 6.0),
            _ => self.pos,
        }
    }

    /// Whether the shape has corners only, so that searches end after finitely many steps.
    #[inline]
    pub(super) fn is_discrete(&self) -> bool {
        self.margin == 0.0 && matches!(self.form, Form::Cloud(_) | Form::Hull(..) | Form::Box | Form::Prism(_))
    }

    /// Replaces a sphere by its centre and a capsule by its axis; returns the radius removed.
    #[inline]
    pub(super) fn shrink(&mut self) -> f64 {
        self.form = match self.form {
            Form::Sphere => Form::Point,
            Form::Capsule => Form::Line,
            _ => return 0.0,
        };
        self.size[0] + 0.5 * std::mem::replace(&mut self.margin, 0.0)
    }

    /// Support point along a direction, without the margin.
    #[inline(always)]
    pub fn support(&mut self, dir: Vec3) -> Vec3 {
        let (mat, pos, size) = (self.mat, self.pos, self.size);
        match self.form {
            Form::Point => pos,
            Form::Line => {
                let axis = mat3::col(mat, 2);
                let half = if vec3::dot(axis, dir) >= 0.0 { size[1] } else { -size[1] };
                vec3::add(vec3::scale(axis, half), pos)
            }
            Form::Sphere => vec3::add(vec3::scale(dir, size[0]), pos),
            Form::Capsule => {
                let local = mat3::mul_vec_t(mat, dir);
                let mut at = vec3::scale(local, size[0]);
                at[2] += if local[2] >= 0.0 { size[1] } else { -size[1] };
                self.place(at)
            }
            Form::Ellipsoid => self.place(ellipsoid(mat3::mul_vec_t(mat, dir), size)),
            Form::Cylinder => self.place(cylinder(mat3::mul_vec_t(mat, dir), size)),
            Form::Box => {
                let local = mat3::mul_vec_t(mat, dir);
                let at: Vec3 = std::array::from_fn(|i| if local[i] >= 0.0 { size[i] } else { -size[i] });
                self.vert = i32::from(at[0] > 0.0) | i32::from(at[1] > 0.0) << 1 | i32::from(at[2] > 0.0) << 2;
                self.place(at)
            }
            Form::Cloud(mesh) => {
                let vert = self.search(mesh, mat3::mul_vec_t(mat, dir));
                self.place(mesh.vertex(vert))
            }
            Form::Hull(mesh, hull) => {
                let vert = self.climb(mesh, hull, mat3::mul_vec_t(mat, dir));
                self.place(mesh.vertex(vert))
            }
            Form::Prism(p) => p[prism_corner(p, dir)],
            Form::Simplex(points) => farthest(points, dir),
        }
    }

    /// Transforms from the shape's local frame to the world.
    #[inline(always)]
    pub(super) fn place(&self, local: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(self.mat, local), self.pos)
    }

    /// The farthest of all vertices; the last one found wins ties.
    #[inline]
    fn search(&mut self, mesh: &Mesh, dir: Vec3) -> usize {
        let (mut best, mut at) = match usize::try_from(self.vert) {
            Ok(last) => (vec3::dot(dir, mesh.vertex(last)), last),
            Err(_) => (-f64::from(f32::MAX), 0),
        };
        for (i, v) in mesh.vert.iter().enumerate() {
            let along = vec3::dot(dir, v.map(f64::from));
            if along > best {
                (best, at) = (along, i);
            }
        }
        self.vert = at as i32;
        at
    }

    /// The farthest vertex of a hull; among ties, the one where a walk from the last vertex found ends.
    #[inline(never)]
    fn climb(&mut self, mesh: &Mesh, hull: Hull, dir: Vec3) -> usize {
        let at = walk::climb(&(mesh, hull, dir), self.node);
        self.remember(hull, at)
    }

    /// The farthest vertex of a hull; the last vertex found wins ties.
    pub(super) fn stay_or_climb(&mut self, mesh: &Mesh, hull: Hull, dir: Vec3) -> usize {
        let from = self.node;
        let walk = || Walk::staying(hull, from, walk::along(mesh, hull, dir)).end();
        let at = walk::summit(mesh, hull, dir).unwrap_or_else(walk);
        self.remember(hull, at)
    }

    /// Remembers a vertex of the hull, and returns its index in the mesh.
    #[inline(always)]
    fn remember(&mut self, hull: Hull, node: usize) -> usize {
        let vert = hull.vertex(node);
        (self.node, self.vert) = (node, vert as i32);
        vert
    }
}

/// The farthest of a few points; the first wins ties.
fn farthest(points: &[Vec3], dir: Vec3) -> Vec3 {
    let best = points.iter().copied().reduce(|best, p| if vec3::dot(p, dir) > vec3::dot(best, dir) { p } else { best });
    best.unwrap_or_default()
}

#[inline]
fn of_mesh<'a>(mesh: &'a Mesh<'a>) -> Option<Form<'a>> {
    if mesh.vert.is_empty() {
        return None;
    }
    Some(match mesh.hull() {
        Some(hull) if mesh.vert.len() >= WALK_FROM => Form::Hull(mesh, hull),
        _ => Form::Cloud(mesh),
    })
}

#[inline(always)]
fn ellipsoid(dir: Vec3, size: Vec3) -> Vec3 {
    // on the unit sphere the farthest point is the normalised direction
    let scaled = [dir[0] * size[0], dir[1] * size[1], dir[2] * size[2]];
    let square = vec3::dot(scaled, scaled);
    if square < MINVAL * MINVAL {
        return [size[0], 0.0, 0.0];
    }
    let inverse = 1.0 / square.sqrt();
    std::array::from_fn(|i| scaled[i] * (inverse * size[i]))
}

#[inline(always)]
fn cylinder(dir: Vec3, size: Vec3) -> Vec3 {
    let square = dir[0] * dir[0] + dir[1] * dir[1];
    let scale = if square >= MINVAL * MINVAL { size[0] / square.sqrt() } else { 0.0 };
    [scale * dir[0], scale * dir[1], if dir[2] >= 0.0 { size[1] } else { -size[1] }]
}

/// The farthest corner of a prism; the first wins ties.
#[inline(always)]
fn prism_corner(p: &[Vec3; 6], dir: Vec3) -> usize {
    let first = if dir[2] < 0.0 { 0 } else { 3 };
    let farther = |i: usize, j: usize| if vec3::dot(p[j], dir) > vec3::dot(p[i], dir) { j } else { i };
    farther(farther(first, first + 1), first + 2)
}

/// A point of the difference of two shapes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    /// `a − b`.
    pub at: Vec3,
    /// The points of both shapes.
    pub ends: Ends,
}

/// The two points that a point of the difference comes from. Searches need them only at the end, so they are stored
/// separately from the difference.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    /// Point of the first shape.
    pub a: Vec3,
    /// Point of the second shape.
    pub b: Vec3,
    /// Corners of both shapes; −1 for none.
    pub corners: [i32; 2],
}

/// Minkowski difference of two shapes. The shapes overlap if it contains the origin.
pub(super) struct Difference<'p, 'a> {
    pub a: &'p mut Convex<'a>,
    pub b: &'p mut Convex<'a>,
}

impl Difference<'_, '_> {
    /// Support point along a unit direction. Inlined so that the point stays in registers.
    #[inline(always)]
    pub fn support(&mut self, dir: Vec3) -> Vertex {
        let back = dir.map(|x| -x);
        let (mut a, mut b) =
            if let (Form::Hull(mesh_a, hull_a), Form::Hull(mesh_b, hull_b)) = (self.a.form, self.b.form) {
                let (local_a, local_b) = (mat3::mul_vec_t(self.a.mat, dir), mat3::mul_vec_t(self.b.mat, back));
                let (i, j) = self.climb(&[(mesh_a, hull_a, local_a), (mesh_b, hull_b, local_b)]);
                (self.a.place(mesh_a.vertex(i)), self.b.place(mesh_b.vertex(j)))
            } else {
                (self.a.support(dir), self.b.support(back))
            };
        if self.a.margin > 0.0 {
            a = vec3::add(a, vec3::scale(dir, 0.5 * self.a.margin));
        }
        if self.b.margin > 0.0 {
            b = vec3::add(b, vec3::scale(back, 0.5 * self.b.margin));
        }
        Vertex { at: vec3::sub(a, b), ends: Ends { a, b, corners: [self.a.vert, self.b.vert] } }
    }

    /// Farthest vertices of both hulls, each along its direction.
    #[inline(never)]
    fn climb(&mut self, sides: &[Side; 2]) -> (usize, usize) {
        let [a, b] = walk::climb_both(sides, [self.a.node, self.b.node]);
        (self.a.remember(sides[0].1, a), self.b.remember(sides[1].1, b))
    }

    /// Support point along a direction of known length; along x if the length is zero.
    #[inline(always)]
    pub fn support_along(&mut self, dir: Vec3, length: f64) -> Vertex {
        self.support(if length > MINVAL { dir.map(|x| x / length) } else { [1.0, 0.0, 0.0] })
    }

    /// Whether both shapes have corners only.
    #[inline]
    pub fn is_discrete(&self) -> bool {
        self.a.is_discrete() && self.b.is_discrete()
    }
}
