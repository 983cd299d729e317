//! Merges coplanar triangles of the surface into polygons, drops points that are not corners, and triangulates the
//! polygons again.

use super::Hull;
use super::grow::{Facet, Surface};
use sinew_math::Vec3;
use sinew_math::order::by_key;

/// Builds the hull from a finished surface.
pub(super) fn triangulate(points: &[Vec3], surface: &Surface) -> Hull {
    let faces = Faces::new(points, surface);
    // a corner belongs to at least three planes; a point on an edge to two
    let mut planes = vec![0u32; points.len()];
    for (at, edge) in faces.borders() {
        planes[faces.begin(at, edge) as usize] += 1;
    }
    let is_corner = |i: &u32| planes[*i as usize] > 2;
    let mut hull = Hull::default();
    let mut done = vec![false; faces.facets.len()];
    let (mut polygon, mut cut) = (Vec::new(), Vec::new());
    for (at, edge) in faces.borders() {
        if std::mem::replace(&mut done[faces.plane[at]], true) {
            continue;
        }
        faces.walk(at, edge, &mut polygon);
        polygon.retain(is_corner);
        if let [a, b, c] = polygon[..] {
            hull.face.push(oriented([a, b, c], &surface.age));
        } else {
            fan(&polygon, &surface.age, &mut cut);
        }
    }
    let mut corners: Vec<u32> = surface.taken.iter().copied().filter(is_corner).collect();
    sort(&mut corners, surface, &cut);
    hull.vert = corners.iter().map(|&i| i as i32).collect();
    hull.face.append(&mut cut);
    hull.edge = edges(&hull, points.len(), &surface.age);
    hull
}

/// Sorts vertices by when they last became corners of a new triangle. Triangles of cut polygons are the newest.
fn sort(corners: &mut [u32], surface: &Surface, cut: &[[i32; 3]]) {
    let mut turn = surface.touched.clone();
    let newest = turn.iter().max().map_or(0, |last| last + 1);
    let mut next = newest;
    for i in cut.iter().flat_map(|&face| newest_first(face, &surface.age)) {
        if turn[i as usize] < newest {
            turn[i as usize] = next;
            next += 1;
        }
    }
    by_key(corners, |&i| turn[i as usize]);
}

/// Neighbours of each vertex, face by face, within each face from newest to oldest.
fn edges(hull: &Hull, count: usize, age: &[u32]) -> Vec<Vec<i32>> {
    let mut node = vec![-1i32; count];
    hull.vert.iter().enumerate().for_each(|(n, &i)| node[i as usize] = n as i32);
    let mut edge = vec![Vec::new(); hull.vert.len()];
    for &face in &hull.face {
        let corners = newest_first(face, age).map(|i| node[i as usize]);
        for at in corners {
            let list: &mut Vec<i32> = &mut edge[at as usize];
            for to in corners {
                if to != at && !list.contains(&to) {
                    list.push(to);
                }
            }
        }
    }
    edge
}

fn newest_first(mut face: [i32; 3], age: &[u32]) -> [i32; 3] {
    face.sort_by_key(|&i| std::cmp::Reverse(age[i as usize]));
    face
}

/// Orders the corners from newest to oldest, or with the first two swapped to stay counter-clockwise.
fn oriented(mut corner: [u32; 3], age: &[u32]) -> [i32; 3] {
    let age = |i: u32| age[i as usize];
    let oldest = (0..3).fold(0, |best, k| if age(corner[k]) < age(corner[best]) { k } else { best });
    corner.rotate_left((oldest + 1) % 3);
    corner.map(|i| i as i32)
}

/// Triangulates a convex polygon as a fan around its newest corner.
fn fan(polygon: &[u32], age: &[u32], out: &mut Vec<[i32; 3]>) {
    let n = polygon.len();
    let newer = |best: usize, k: usize| if age[polygon[k] as usize] > age[polygon[best] as usize] { k } else { best };
    let apex = (0..n).fold(0, newer);
    let at = |k: usize| polygon[(apex + k) % n];
    out.extend((1..n.saturating_sub(1)).map(|k| oriented([at(0), at(k), at(k + 1)], age)));
}

/// Triangles of a surface grouped by plane.
struct Faces<'a> {
    facets: &'a [Facet],
    /// For each triangle, the first triangle in its plane; itself for dead ones.
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

    /// Edges between two planes, seen from both sides, as triangle and opposite corner.
    fn borders(&self) -> impl Iterator<Item = (usize, usize)> {
        let live = self.facets.iter().enumerate().filter(|(_, facet)| facet.live);
        live.flat_map(move |(at, facet)| {
            (0..3)
                .filter(move |&edge| self.plane[facet.across[edge] as usize] != self.plane[at])
                .map(move |edge| (at, edge))
        })
    }

    /// Start point of an edge of a triangle.
    fn begin(&self, at: usize, edge: usize) -> u32 {
        self.facets[at].corner[(edge + 1) % 3]
    }

    /// Collects the points around a polygon, starting at an edge of its border.
    fn walk(&self, at: usize, edge: usize, out: &mut Vec<u32>) {
        out.clear();
        let (mut now, mut edge) = (at, edge);
        let start = self.begin(at, edge);
        loop {
            out.push(self.begin(now, edge));
            // rotate about the end of the edge to the next border
            edge = (edge + 1) % 3;
            let end = self.begin(now, edge);
            if end == start {
                return;
            }
            while self.plane[self.facets[now].across[edge] as usize] == self.plane[now] {
                now = self.facets[now].across[edge] as usize;
                edge = (0..3).find(|&k| self.begin(now, k) == end).unwrap_or(edge);
            }
        }
    }
}
