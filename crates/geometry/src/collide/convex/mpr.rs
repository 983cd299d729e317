//! Overlap of two convex shapes by Minkowski portal refinement (MPR, Snethen's XenoCollide). MuJoCo offers it as an
//! alternative to the search for the true depth.
//!
//! A ray runs from an interior point of the Minkowski difference through the origin. A portal is a triangle of points
//! of the difference that the ray passes through. Each new support point replaces one of its corners and moves it
//! outward along the ray, until it lies on the surface. The shapes overlap if the portal passes the origin on the way.
//! The depth is then the distance of the origin to the portal: measured along the ray, and so an upper bound of the
//! true depth.

use super::support::{Difference, Vertex};
use crate::collide::Contact;
use sinew_math::{Vec3, vec3};

/// Values below this count as zero.
const ZERO: f64 = f64::EPSILON;
/// Support-point limit: a portal neither found nor ruled out by then is given up.
const MAX_SEARCH: usize = 1000;

/// Termination criteria of the refinement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Maximum distance of the surface beyond the portal.
    pub tolerance: f64,
    /// Maximum number of support points once the overlap is certain.
    pub iterations: usize,
}

/// The deepest contact, with the depth as a negative distance; `None` if the shapes are disjoint, or only touch and so
/// have no normal.
pub(super) fn contact(diff: &mut Difference, limits: &Limits) -> Option<Contact> {
    let mut portal = match discover(diff)? {
        Discovery::OnRay(vertex) => return of_point(&vertex),
        Discovery::Portal(portal) => portal,
    };
    portal.reach_origin(diff, limits)?;
    portal.reach_surface(diff, limits);
    portal.contact()
}

/// How the search for a portal ended.
enum Discovery {
    Portal(Portal),
    /// The ray meets the surface at this support point.
    OnRay(Vertex),
}

/// A triangle crossed by the ray from an interior point through the origin. Its corners are ordered so that the normal
/// points outward.
struct Portal {
    inside: Vertex,
    corners: [Vertex; 3],
}

fn unit(v: Vec3) -> Vec3 {
    vec3::scale(v, 1.0 / vec3::norm(v))
}

/// Triple product; its sign tells on which side of the plane through the origin and two of the vectors the third is.
fn triple(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    vec3::dot(vec3::cross(a, b), c)
}

/// Support point along a direction, unless it does not reach the origin.
fn beyond_origin(diff: &mut Difference, dir: Vec3) -> Option<Vertex> {
    let vertex = diff.middle_support(dir);
    (vec3::dot(vertex.at, dir) >= ZERO).then_some(vertex)
}

/// Looks for a portal; `None` if a plane separates the shapes.
fn discover(diff: &mut Difference) -> Option<Discovery> {
    let mut inside = diff.centers();
    if inside.at.iter().all(|x| x.abs() < ZERO) {
        // any ray will do
        inside.at[0] += 10.0 * ZERO;
    }
    let first = beyond_origin(diff, unit(vec3::scale(inside.at, -1.0)))?;
    let across = vec3::cross(inside.at, first.at);
    if vec3::dot(across, across) < ZERO {
        return Some(Discovery::OnRay(first));
    }
    let second = beyond_origin(diff, unit(across))?;
    // the wedge from the interior point, oriented so that the origin is on the side of the third corner
    let mut wedge = [first, second];
    if vec3::dot(wedge_normal(&inside, &wedge), inside.at) > 0.0 {
        wedge.swap(0, 1);
    }
    for _ in 0..MAX_SEARCH {
        let [a, b] = wedge;
        let c = beyond_origin(diff, unit(wedge_normal(&inside, &wedge)))?;
        // the ray must also pass between the planes through the new corner
        if triple(a.at, c.at, inside.at) <= -ZERO {
            wedge[1] = c;
        } else if triple(c.at, b.at, inside.at) <= -ZERO {
            wedge[0] = c;
        } else {
            return Some(Discovery::Portal(Portal { inside, corners: [a, b, c] }));
        }
    }
    None
}

fn wedge_normal(inside: &Vertex, [a, b]: &[Vertex; 2]) -> Vec3 {
    vec3::cross(vec3::sub(a.at, inside.at), vec3::sub(b.at, inside.at))
}

/// Contact where the ray meets the surface at a support point.
fn of_point(vertex: &Vertex) -> Option<Contact> {
    let pos = vec3::scale(vec3::add(vertex.ends.a, vertex.ends.b), 0.5);
    along(vertex.at).map(|(depth, normal)| Contact { dist: -depth, pos, normal, tangent: [0.0; 3] })
}

/// Length and direction of a vector; `None` for zero.
fn along(v: Vec3) -> Option<(f64, Vec3)> {
    let length = vec3::norm(v);
    (length >= ZERO).then(|| (length, vec3::scale(v, 1.0 / length)))
}

impl Portal {
    /// Outward unit normal.
    fn normal(&self) -> Vec3 {
        let [a, b, c] = self.at();
        unit(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)))
    }

    fn at(&self) -> [Vec3; 3] {
        self.corners.map(|v| v.at)
    }

    /// Moves the portal out past the origin; `None` if the surface comes first.
    fn reach_origin(&mut self, diff: &mut Difference, limits: &Limits) -> Option<()> {
        for _ in 0..MAX_SEARCH {
            let normal = self.normal();
            if vec3::dot(normal, self.corners[0].at) > -ZERO {
                return Some(());
            }
            let new = diff.middle_support(normal);
            if vec3::dot(normal, new.at) <= -ZERO || self.is_at_surface(normal, &new, limits) {
                return None;
            }
            self.narrow(new);
        }
        None
    }

    /// Moves the portal out to the surface.
    fn reach_surface(&mut self, diff: &mut Difference, limits: &Limits) {
        for _ in 0..=limits.iterations {
            let normal = self.normal();
            let new = diff.middle_support(normal);
            if self.is_at_surface(normal, &new, limits) {
                return;
            }
            self.narrow(new);
        }
    }

    /// Whether the surface is beyond some corner by no more than the tolerance.
    fn is_at_surface(&self, normal: Vec3, new: &Vertex, limits: &Limits) -> bool {
        let surface = vec3::dot(normal, new.at);
        let gap = |corner: &Vertex| surface - vec3::dot(normal, corner.at);
        // NaN ends the search, too
        !self.corners.iter().all(|corner| gap(corner) > limits.tolerance * (1.0 + ZERO))
    }

    /// Replaces a corner by a new one so that the ray still passes through: planes through the ray and the new corner
    /// divide the portal, and the side whose start is before them and whose end is behind them stays.
    fn narrow(&mut self, new: Vertex) {
        let plane = vec3::cross(new.at, self.inside.at);
        let before = self.at().map(|corner| vec3::dot(corner, plane) > 0.0);
        let gone = match before {
            [true, false, _] => 2,
            [false, _, true] => 1,
            _ => 0,
        };
        self.corners[gone] = new;
    }

    /// Barycentric weights of the origin in the tetrahedron of interior point and portal, or of the ray on the portal
    /// if the tetrahedron has no volume.
    fn weights(&self) -> [f64; 4] {
        let (o, [a, b, c]) = (self.inside.at, self.at());
        let weight = [triple(a, b, c), triple(c, b, o), triple(o, a, c), triple(b, a, o)];
        let total = weight[0] + weight[1] + weight[2] + weight[3];
        if total >= ZERO {
            return weight.map(|w| w / total);
        }
        let n = self.normal();
        let weight = [triple(b, c, n), triple(c, a, n), triple(a, b, n)];
        let total = weight[0] + weight[1] + weight[2];
        [0.0, weight[0] / total, weight[1] / total, weight[2] / total]
    }

    /// Depth and normal from the point of the portal nearest to the origin, position from the weights.
    fn contact(&self) -> Option<Contact> {
        let (depth, normal) = along(nearest(self.at()))?;
        let [a, b, c] = self.corners;
        let mut pos = [0.0; 3];
        for (corner, weight) in [self.inside, a, b, c].iter().zip(self.weights()) {
            pos = vec3::add_scaled(pos, vec3::add(corner.ends.a, corner.ends.b), 0.5 * weight);
        }
        pos.iter().chain(&normal).all(|x| x.is_finite()).then_some(Contact {
            dist: -depth,
            pos,
            normal,
            tangent: [0.0; 3],
        })
    }
}

/// The point of a triangle nearest to the origin: inside, where the squared distance of `a + s·ab + t·ac` is minimal,
/// or on a side. Degenerate triangles are reduced to their sides.
fn nearest([a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac) = (vec3::sub(b, a), vec3::sub(c, a));
    let (bb, cc, bc) = (vec3::dot(ab, ab), vec3::dot(ac, ac), vec3::dot(ab, ac));
    let (ob, oc) = (vec3::dot(a, ab), vec3::dot(a, ac));
    let area = cc * bb - bc * bc;
    let s = (oc * bc - cc * ob) / area;
    let t = (-s * bc - oc) / cc;
    if area.abs() >= ZERO && s > -ZERO && t > -ZERO && s + t <= 1.0 + ZERO {
        return vec3::add_scaled(vec3::add_scaled(a, ab, s), ac, t);
    }
    let on_side = |p: Vec3, side: Vec3| {
        let t = -vec3::dot(p, side) / vec3::dot(side, side);
        // the comparison also handles a side of zero length
        vec3::add_scaled(p, side, if t > 0.0 { t.min(1.0) } else { 0.0 })
    };
    let nearer = |p: Vec3, q: Vec3| if vec3::dot(q, q) < vec3::dot(p, p) { q } else { p };
    nearer(nearer(on_side(a, ab), on_side(a, ac)), on_side(b, vec3::sub(c, b)))
}
