//! From a surface of triangles to polygons and back: coplanar triangles are joined, points that are no corners are
//! dropped, and polygons are cut again.

use super::Hull;
use super::grow::{Facet, Surface};
use sinew_math::Vec3;

/// The hull that a surface describes.
pub(super) fn triangulate(points: &[Vec3], surface: &Surface) -> Hull {
    let faces = Faces::new(points, surface);
    // a corner belongs to three planes or more; two meet in an edge
    let mut planes = vec![0u32; points.len()];
    for (at, edge) in faces.borders() {
        planes[faces.facets[at].corner[edge] as usize] += 1;
    }
    let mut node = vec![-1i32; points.len()];
    let mut hull = Hull::default();
    for &i in surface.taken.iter().filter(|&&i| planes[i as usize] > 2) {
        node[i as usize] = hull.vert.len() as i32;
        hull.vert.push(i as i32);
    }
    let mut done = vec![false; faces.facets.len()];
    let mut polygon = Vec::new();
    for (at, edge) in faces.borders() {
        if std::mem::replace(&mut done[faces.plane[at]], true) {
            continue;
        }
        faces.walk(at, edge, &mut polygon);
        polygon.retain(|&i| node[i as usize] >= 0);
        cut(&polygon, &node, &mut hull.face);
    }
    hull.edge = vec![Vec::new(); hull.vert.len()];
    for f in &hull.face {
        for k in 0..3 {
            // the edge is met once in each direction
            let [from, to] = [f[k], f[(k + 1) % 3]].map(|i| node[i as usize]);
            hull.edge[from as usize].push(to);
        }
    }
    hull
}

/// Cuts a convex polygon by diagonals from the vertex that was reached last.
fn cut(polygon: &[u32], node: &[i32], out: &mut Vec<[i32; 3]>) {
    let n = polygon.len();
    let apex =
        (0..n).fold(0, |best, k| if node[polygon[k] as usize] > node[polygon[best] as usize] { k } else { best });
    let at = |k: usize| polygon[(apex + k) % n] as i32;
    out.extend((1..n.saturating_sub(1)).map(|k| [at(0), at(k), at(k + 1)]));
}

/// Triangles of a surface by planes.
struct Faces<'a> {
    facets: &'a [Facet],
    /// For each triangle, the first that lies in its plane; itself for dead ones.
    plane: Vec<usize>,
}

impl<'a> Faces<'a> {
    fn new(points: &[Vec3], surface: &'a Surface) -> Self {
        let facets = &surface.facets[..];
        let mut plane = vec![usize::MAX; facets.len()];
        let mut near = Vec::new();
        for first in 0..facets.len() {
            if !facets[first].live || plane[first] != usize::MAX {
                continue;
            }
            plane[first] = first;
            near.push(first);
            while let Some(at) = near.pop() {
                for other in facets[at].across.map(|f| f as usize) {
                    let inside = |&i: &u32| facets[first].plane.contains(points[i as usize]);
                    if plane[other] == usize::MAX && facets[other].corner.iter().all(inside) {
                        plane[other] = first;
                        near.push(other);
                    }
                }
            }
        }
        Faces { facets, plane }
    }

    /// Edges between two planes, as triangle and edge, from both sides.
    fn borders(&self) -> impl Iterator<Item = (usize, usize)> {
        let live = self.facets.iter().enumerate().filter(|(_, facet)| facet.live);
        live.flat_map(move |(at, facet)| {
            (0..3)
                .filter(move |&edge| self.plane[facet.across[edge] as usize] != self.plane[at])
                .map(move |edge| (at, edge))
        })
    }

    /// Points around a polygon, from an edge of its border.
    fn walk(&self, at: usize, edge: usize, out: &mut Vec<u32>) {
        out.clear();
        let (mut now, mut edge) = (at, edge);
        let start = self.facets[at].corner[edge];
        loop {
            out.push(self.facets[now].corner[edge]);
            // around the end of the edge to the next border
            edge = (edge + 1) % 3;
            let end = self.facets[now].corner[edge];
            if end == start {
                return;
            }
            while self.plane[self.facets[now].across[edge] as usize] == self.plane[now] {
                now = self.facets[now].across[edge] as usize;
                edge = (0..3).find(|&k| self.facets[now].corner[k] == end).unwrap_or(edge);
            }
        }
    }
}
