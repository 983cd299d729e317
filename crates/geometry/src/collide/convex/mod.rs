//! Contacts of convex shapes given only by their support functions.
//!
//! The distance comes from points of the Minkowski difference that approach the origin (`gjk`), the depth from a
//! polytope that expands to the surface of the difference (`epa`). Pairs of boxes and meshes find further points where
//! the touching faces overlap (`multi`); other pairs can search for them by rotating slightly to each side. If the user
//! chooses so, overlaps are found by portal refinement instead (`mpr`).

mod bound;
mod clip;
mod epa;
mod feature;
mod few;
mod gjk;
mod middle;
mod mpr;
mod multi;
mod polytope;
mod round;
mod simplex;
mod start;
mod support;
pub(super) mod walk;

pub use bound::apart;
pub use few::HullIndex;
pub(super) use round::straighten;
pub use support::Convex;

use super::{Contact, Kind, MAX_CONTACTS, Settings, Shape, Work};
use clip::Clip;
use gjk::{Limits, Outcome};
use polytope::Polytope;
use simplex::Simplex;
use sinew_math::{Mat3, Vec3, mat3, quat, vec3};
use support::{Difference, Form};

/// Buffers of convex pairs.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    search: Search,
    clip: Clip,
    /// Pairs of points of both shapes, one for each contact.
    points: Vec<[Vec3; 2]>,
}

impl Buffers {
    /// Reserves capacity for a number of iterations.
    pub fn new(iterations: usize) -> Self {
        let search = Search { simplex: Simplex::default(), polytope: Polytope::new(iterations) };
        Buffers { search, clip: Clip::new(), points: Vec::with_capacity(MAX_CONTACTS) }
    }
}

/// Working data of the searches for distance and depth.
#[derive(Clone, Debug, Default)]
struct Search {
    simplex: Simplex,
    polytope: Polytope,
}

/// Distance of two shapes.
#[derive(Clone, Copy, Debug)]
pub struct Separation {
    /// Distance; negative where they overlap, `f64::MAX` beyond the cutoff.
    pub dist: f64,
    /// Nearest point of each shape, where known.
    pub points: Option<[Vec3; 2]>,
}

/// Result for shapes farther apart than the cutoff.
const BEYOND: Separation = Separation { dist: f64::MAX, points: None };

/// Contacts of two convex shapes; none for pairs that are [`apart`].
#[doc(alias = "mjc_Convex")]
pub fn collide(a: &Shape, b: &Shape, margin: f64, s: &Settings, work: &mut Work) {
    work.contacts.clear();
    let (Some(mut ca), Some(mut cb)) = (Convex::new(a, margin), Convex::new(b, margin)) else { return };
    let most = if s.nativeccd { most_contacts(a, b, margin, s.multiccd) } else { 1 };
    if most > 1 {
        let dist = touch(&mut ca, &mut cb, s, most, &mut work.convex);
        if dist < 0.0 {
            work.contacts.extend(work.convex.points.iter().map(|&p| contact(dist, p)));
        }
        return;
    }
    let Some(first) = penetration(&mut ca, &mut cb, s, &mut work.convex) else { return };
    work.contacts.push(Contact { dist: margin + first.dist, ..first });
    let smooth = |shape: &Shape| matches!(shape.kind, Kind::Ellipsoid | Kind::Sphere);
    if s.multiccd && !smooth(a) && !smooth(b) {
        turn(&mut ca, &mut cb, a.rbound.min(b.rbound), s, work);
    }
}

/// Deepest point of one shape inside the other, with the depth as a negative distance. The normal from a portal is made
/// that of a shape which is round there.
pub fn penetration<'a>(a: &mut Convex<'a>, b: &mut Convex<'a>, s: &Settings, work: &mut Buffers) -> Option<Contact> {
    let found = deepest(a, b, s, work)?;
    Some(if s.nativeccd { found } else { round::straighten(a, b, found) })
}

/// The same with the normal as it was found.
pub fn deepest<'a>(a: &mut Convex<'a>, b: &mut Convex<'a>, s: &Settings, work: &mut Buffers) -> Option<Contact> {
    if !s.nativeccd {
        let limits = mpr::Limits { tolerance: s.ccd_tolerance, iterations: s.ccd_iterations };
        return mpr::contact(&mut Difference { a, b }, &limits);
    }
    let dist = touch(a, b, s, 1, work);
    if dist < 0.0 { work.points.first().map(|&p| contact(dist, p)) } else { None }
}

/// Distance of two convex shapes; `None` for planes and height fields.
pub fn separation(a: &Shape, b: &Shape, cutoff: f64, s: &Settings, work: &mut Buffers) -> Option<Separation> {
    let (mut a, mut b) = (Convex::new(a, 0.0)?, Convex::new(b, 0.0)?);
    let limits = Limits { iterations: s.ccd_iterations, tolerance: s.ccd_tolerance, cutoff };
    Some(separate(&mut a, &mut b, &limits, &mut work.search).0)
}

/// Maximum number of contacts that one search can find.
fn most_contacts(a: &Shape, b: &Shape, margin: f64, multiccd: bool) -> usize {
    match (&a.kind, &b.kind) {
        _ if margin > 0.0 => 1,
        (Kind::Box, Kind::Box) => 8,
        (Kind::Box | Kind::Mesh(_), Kind::Box | Kind::Mesh(_)) if multiccd => 4,
        _ => 1,
    }
}

fn contact(dist: f64, [a, b]: [Vec3; 2]) -> Contact {
    let pos = std::array::from_fn(|i| 0.5 * (a[i] + b[i]));
    Contact { dist, pos, normal: vec3::normalize(vec3::sub(a, b)).0, tangent: [0.0; 3] }
}

/// Distance of overlapping shapes; leaves up to `most` pairs of points in the buffers.
fn touch<'a>(a: &mut Convex<'a>, b: &mut Convex<'a>, s: &Settings, most: usize, work: &mut Buffers) -> f64 {
    let limits = Limits { iterations: s.ccd_iterations, tolerance: s.ccd_tolerance, cutoff: 0.0 };
    let (found, face) = separate(a, b, &limits, &mut work.search);
    work.points.clear();
    work.points.extend(found.points);
    if let (Some(face), Some(points), true) = (face, found.points, most > 1) {
        let corners = work.search.polytope.ends(face);
        multi::more_points(a, b, &corners, points, most, &mut work.clip, &mut work.points);
    }
    found.dist
}

/// Distance, and the face of the polytope that determined it if the shapes overlap deeply.
fn separate<'a>(
    a: &mut Convex<'a>,
    b: &mut Convex<'a>,
    limits: &Limits,
    search: &mut Search,
) -> (Separation, Option<u32>) {
    let round = |c: &Convex| matches!(c.form, Form::Sphere | Form::Capsule);
    if (round(a) || round(b))
        && let Some(found) = separate_cores(a, b, limits, &mut search.simplex)
    {
        return (found, None);
    }
    let mut diff = Difference { a, b };
    let Search { simplex, polytope } = search;
    let found = match gjk::nearest(&mut diff, limits, simplex) {
        Outcome::Beyond => return (BEYOND, None),
        Outcome::Nearest { dist, points } => Separation { dist, points: Some(points) },
        Outcome::Around => Separation { dist: 0.0, points: None },
    };
    if found.dist > limits.tolerance || simplex.len() < 2 {
        return (found, None);
    }
    polytope.reserve(limits.iterations);
    if !start::start(polytope, simplex, &mut diff) {
        return (Separation { dist: 0.0, ..found }, None);
    }
    match epa::depth(polytope, &mut diff, limits.iterations, limits.tolerance) {
        Some(d) => (Separation { dist: d.dist, points: Some(d.points) }, Some(d.face)),
        None => (Separation { dist: 0.0, points: None }, None),
    }
}

/// Distance from the centres of spheres and the axes of capsules; `None` if those overlap with the other shape.
fn separate_cores<'a>(
    a: &mut Convex<'a>,
    b: &mut Convex<'a>,
    limits: &Limits,
    simplex: &mut Simplex,
) -> Option<Separation> {
    let (mut core_a, mut core_b) = (*a, *b);
    let (ra, rb) = (core_a.shrink(), core_b.shrink());
    let cutoff = limits.cutoff + (ra + rb);
    let limits_of_cores = Limits { cutoff, ..*limits };
    let found = gjk::nearest(&mut Difference { a: &mut core_a, b: &mut core_b }, &limits_of_cores, simplex);
    a.recall(&core_a);
    b.recall(&core_b);
    let (gap, [pa, pb]) = match found {
        Outcome::Beyond => return Some(BEYOND),
        Outcome::Nearest { dist, points } if dist > limits.tolerance => (dist, points),
        _ => return None,
    };
    let way = vec3::normalize(vec3::sub(pb, pa)).0;
    let points = [vec3::add_scaled(pa, way, ra), vec3::add_scaled(pb, way, -rb)];
    let dist = gap - (ra + rb);
    let dist = if dist > limits.cutoff { f64::MAX } else { dist };
    Some(Separation { dist, points: Some(points) })
}

/// Searches for more contacts by rotating the shapes slightly about the first one, to both sides about both tangents.
fn turn(a: &mut Convex, b: &mut Convex, radius: f64, s: &Settings, work: &mut Work) {
    const ANGLE: f64 = 1e-3;
    const RELATIVE_DISTANCE: f64 = 1e-3;
    let Contact { dist, pos, normal, .. } = work.contacts[0];
    let apart = RELATIVE_DISTANCE * radius;
    let Some(frame) = mat3::frame(normal, [0.0; 3]) else { return };
    for axis in [mat3::row(&frame, 1), mat3::row(&frame, 2)] {
        for angle in [-ANGLE, ANGLE] {
            let rot = quat::to_mat(quat::from_axis_angle(axis, angle));
            let (mat_a, pos_a) = turned(a, pos, &rot);
            let (mat_b, pos_b) = turned(b, pos, &mat3::transpose(&rot));
            let (mut ta, mut tb) = (a.moved(pos_a, &mat_a), b.moved(pos_b, &mat_b));
            let found = penetration(&mut ta, &mut tb, s, &mut work.convex);
            a.recall(&ta);
            b.recall(&tb);
            let Some(new) = found else { continue };
            if work.contacts.iter().all(|old| vec3::dist(old.pos, new.pos) > apart) {
                work.contacts.push(Contact { dist, ..new });
            }
        }
    }
}

/// Frame of a shape rotated about a point.
fn turned(shape: &Convex, about: Vec3, rot: &Mat3) -> (Mat3, Vec3) {
    let away = vec3::sub(about, shape.pos);
    (mat3::mul(rot, shape.mat), vec3::sub(shape.pos, vec3::sub(mat3::mul_vec(rot, away), away)))
}
