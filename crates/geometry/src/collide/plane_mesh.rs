//! Plane against the convex hull of a mesh.

use super::convex::walk::{self, Walk};
use super::{Contact, Kind, Mesh, Sdf, Shape, plane_round};
use sinew_math::{Vec3, mat3, vec3};

/// Maximum number of contacts.
const MOST: usize = 3;
/// Additional contacts must be at least this fraction of the bounding radius from the first.
const APART: f64 = 0.3;

/// Contacts at the lowest vertex, then at low vertices next to it on the hull, or at any low ones if there is no hull.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let (Kind::Mesh(mesh) | Kind::Sdf(Sdf { mesh, .. })) = b.kind else { return };
    let normal = mat3::col(a.mat, 2);
    let down = mat3::mul_vec_t(b.mat, vec3::scale(normal, -1.0));
    let Some(lowest) = lowest(mesh, down) else { return };
    let place = |vertex: Vec3| vec3::add(mat3::mul_vec(b.mat, vertex), b.pos);
    let Some(first) = plane_round::point(a.pos, normal, place(mesh.vertex(lowest.vertex)), margin) else { return };
    out.push(first);

    let threshold = vec3::dot(normal, vec3::sub(b.pos, a.pos)) - margin;
    let mut left = MOST - 1;
    // returns false once there are enough
    let mut add = |i: usize| {
        let vertex = mesh.vertex(i);
        if vec3::dot(down, vertex) > threshold {
            let at = place(vertex);
            if vec3::dist(at, first.pos) >= APART * b.rbound {
                out.extend(plane_round::point(a.pos, normal, at, f64::INFINITY));
                left -= 1;
            }
        }
        left > 0
    };
    match lowest.neighbours {
        Some(neighbours) => {
            let _ = neighbours.into_iter().all(&mut add);
        }
        None => {
            let _ = (0..mesh.vert.len()).filter(|&i| i != lowest.vertex).all(&mut add);
        }
    }
}

/// The vertex furthest along a direction.
struct Lowest<N> {
    vertex: usize,
    /// Adjacent vertices, if there is a hull.
    neighbours: Option<N>,
}

/// The lowest vertex on the hull, or of all vertices. Among ties: the end of a walk from the hull's first vertex, or
/// the first.
fn lowest<'a>(mesh: &Mesh<'a>, dir: Vec3) -> Option<Lowest<impl Iterator<Item = usize> + use<'a>>> {
    let along = |i: usize| vec3::dot(dir, mesh.vertex(i));
    let Some(hull) = mesh.hull() else {
        let furthest = |best: (usize, f64), i| if along(i) > best.1 { (i, along(i)) } else { best };
        let first = (0, mesh.vert.first().map(|_| along(0))?);
        let vertex = (1..mesh.vert.len()).fold(first, furthest).0;
        return Some(Lowest { vertex, neighbours: None });
    };
    let best =
        walk::summit(mesh, hull, dir).unwrap_or_else(|| Walk::staying(hull, 0, walk::along(mesh, hull, dir)).end());
    let neighbours = hull.neighbours(best).map(move |i| hull.vertex(i));
    Some(Lowest { vertex: hull.vertex(best), neighbours: Some(neighbours) })
}
