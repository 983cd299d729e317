//! Flex elements: the points within a radius of a segment, a triangle or a tetrahedron.
//!
//! Segments are capsules and collide as capsules. Triangles meet spheres, capsules and boxes in several points, at
//! corners of either shape. Everything else is a general convex pair.

use super::convex::{self, Convex};
use super::nearest;
use super::sphere_round::{Ball, balls};
use super::{Contact, Kind, Settings, Shape, Work, capsule_box, capsule_capsule, hfield, sphere_round};
use sinew_math::{MINVAL, Mat3, Vec3, mat3, quat, vec3};

/// An element, or a single vertex.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    /// Corners: one to four.
    pub points: &'a [Vec3],
    /// An interior point.
    pub center: Vec3,
    /// How far it extends beyond its corners.
    pub radius: f64,
}

/// A segment as a capsule.
struct Segment {
    pos: Vec3,
    mat: Mat3,
    size: Vec3,
}

const NO_BOX: [f64; 6] = [0.0; 6];

impl Segment {
    fn new(e: &Element) -> Option<Self> {
        let [p, q] = *e.points else { return None };
        let (dir, length) = vec3::normalize(vec3::sub(p, q));
        let pos = vec3::scale(vec3::add(p, q), 0.5);
        Some(Segment { pos, mat: quat::to_mat(quat::z_to(dir)), size: [e.radius, 0.5 * length, 0.0] })
    }

    fn shape(&self) -> Shape<'_> {
        Shape { pos: self.pos, mat: &self.mat, size: self.size, rbound: 0.0, aabb: &NO_BOX, kind: Kind::Capsule }
    }
}

/// Contacts of a shape (first) and an element.
pub fn shape(a: &Shape, e: &Element, margin: f64, s: &Settings, work: &mut Work) {
    work.contacts.clear();
    let out = &mut work.contacts;
    match (&a.kind, e.points) {
        (Kind::Plane, _) => {}
        (Kind::Hfield(_), _) => hfield::element(a, e, margin, s, work),
        (Kind::Sphere | Kind::Capsule | Kind::Box, [_, _]) => segment(a, e, margin, out),
        (Kind::Sphere, [p, q, r]) => out.extend(ball_triangle(a.pos, a.size[0], [*p, *q, *r], e.radius, margin)),
        (Kind::Capsule, [p, q, r]) => capsule_triangle(a, [*p, *q, *r], e.radius, margin, out),
        (Kind::Box, [p, q, r]) => box_triangle(a, [*p, *q, *r], e.radius, margin, out),
        _ => {
            let Some(first) = Convex::new(a, margin) else { return };
            convex_pair(first, e, margin, s, work);
        }
    }
}

/// Contacts of two elements.
pub fn pair(a: &Element, b: &Element, margin: f64, s: &Settings, work: &mut Work) {
    work.contacts.clear();
    match (Segment::new(a), Segment::new(b)) {
        (Some(a), Some(b)) => capsule_capsule::collide(&a.shape(), &b.shape(), margin, &mut work.contacts),
        _ => convex_pair(Convex::simplex(a, margin), b, margin, s, work),
    }
}

/// Contacts of a vertex (first) and an element.
pub fn vertex(v: Vec3, radius: f64, e: &Element, s: &Settings, work: &mut Work) {
    work.contacts.clear();
    match *e.points {
        [_, _] => {
            let ball = Shape {
                pos: v,
                mat: &mat3::IDENTITY,
                size: [radius, 0.0, 0.0],
                rbound: radius,
                aabb: &NO_BOX,
                kind: Kind::Sphere,
            };
            segment(&ball, e, 0.0, &mut work.contacts);
        }
        [p, q, r] => work.contacts.extend(ball_triangle(v, radius, [p, q, r], e.radius, 0.0)),
        _ => convex_pair(Convex::simplex(&Element { points: &[v], center: v, radius }, 0.0), e, 0.0, s, work),
    }
}

fn segment(a: &Shape, e: &Element, margin: f64, out: &mut Vec<Contact>) {
    let Some(line) = Segment::new(e) else { return };
    match a.kind {
        Kind::Sphere => sphere_round::capsule(a, &line.shape(), margin, out),
        Kind::Capsule => capsule_capsule::collide(a, &line.shape(), margin, out),
        _ => {
            capsule_box::collide(&line.shape(), a, margin, out);
            out.iter_mut().for_each(|c| c.normal = vec3::scale(c.normal, -1.0));
        }
    }
}

fn convex_pair<'a>(mut a: Convex<'a>, e: &Element<'a>, margin: f64, s: &Settings, work: &mut Work) {
    let mut b = Convex::simplex(e, margin);
    let found = convex::deepest(&mut a, &mut b, s, &mut work.convex);
    // the normal of a thin element is more accurate when taken from a round shape next to it; MuJoCo leaves normals from
    // portals as they are
    let straight = s.nativeccd && e.points.len() == 3;
    let found = found.map(|c| if straight { convex::straighten(&a, &b, c) } else { c });
    work.contacts.extend(found.map(|c| Contact { dist: c.dist + margin, ..c }));
}

/// Contact of a sphere with a triangle that has a radius.
fn ball_triangle(center: Vec3, radius: f64, t: [Vec3; 3], thickness: f64, margin: f64) -> Option<Contact> {
    let touch = nearest::on_triangle(center, t);
    let (normal, distance) = vec3::normalize(vec3::sub(touch, center));
    if distance > margin + radius + thickness {
        return None;
    }
    let dist = distance - radius - thickness;
    let pos = vec3::add_scaled(center, normal, radius + dist / 2.0);
    Some(Contact { dist, pos, normal, ..Contact::default() })
}

/// Contacts of both ends of the capsule with the triangle, and of triangle corners beside the capsule's axis.
fn capsule_triangle(a: &Shape, t: [Vec3; 3], thickness: f64, margin: f64, out: &mut Vec<Contact>) {
    let [radius, half, _] = a.size;
    let axis = mat3::col(a.mat, 2);
    for end in [-half, half] {
        out.extend(ball_triangle(vec3::add_scaled(a.pos, axis, end), radius, t, thickness, margin));
    }
    for corner in t {
        let along = vec3::dot(vec3::sub(corner, a.pos), axis);
        let beside = (along + half) / (2.0 * half);
        if beside > MINVAL && beside < 1.0 - MINVAL {
            let inner = Ball { center: vec3::add_scaled(a.pos, axis, along), radius, axis };
            out.extend(balls(inner, Ball { center: corner, radius: thickness, axis: [1.0, 0.0, 0.0] }, margin));
        }
    }
}

/// Contacts of triangle corners inside the box, pushed out through the nearest face, and of box corners with the
/// triangle.
fn box_triangle(a: &Shape, t: [Vec3; 3], thickness: f64, margin: f64, out: &mut Vec<Contact>) {
    for corner in t {
        let local = mat3::mul_vec_t(a.mat, vec3::sub(corner, a.pos));
        let beyond: Vec3 = std::array::from_fn(|k| local[k].abs() - a.size[k]);
        let face = (1..3).fold(0, |best, k| if beyond[k] > beyond[best] { k } else { best });
        if beyond[face] - thickness > margin {
            continue;
        }
        let side = if local[face] > 0.0 { 1.0 } else { -1.0 };
        let normal = vec3::scale(mat3::col(a.mat, face), side);
        let dist = beyond[face] - thickness;
        let pos = vec3::add_scaled(corner, normal, -(thickness + 0.5 * dist));
        out.push(Contact { dist, pos, normal, ..Contact::default() });
    }
    for i in 0..8 {
        let sign = |k: usize| if i >> k & 1 == 1 { a.size[k] } else { -a.size[k] };
        let corner = vec3::add(mat3::mul_vec(a.mat, [sign(0), sign(1), sign(2)]), a.pos);
        out.extend(ball_triangle(corner, 0.0, t, thickness, margin));
    }
}
