//! A plane with the convex hull of a mesh.

use super::convex::walk::{self, Walk};
use super::{Contact, Kind, Mesh, Sdf, Shape, plane_round};
use sinew_math::{Vec3, mat3, vec3};

/// At most this many contacts are reported.
const MOST: usize = 3;
/// Further contacts keep this fraction of the bounding radius away from the first.
const APART: f64 = 0.3;

/// The lowest vertex, then low vertices next to it on the hull, or any low ones where the hull is unknown.
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
    // false once enough are found
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
    /// Vertices next to it, where the hull is known.
    neighbours: Option<N>,
}

/// On the hull, or of all vertices; among equals, the end of a walk from the hull's first vertex, or the first.
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
