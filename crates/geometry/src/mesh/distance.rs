//! Signed distance from a point to a closed triangle mesh.
//!
//! The nearest point is found with a tree of bounding spheres; the sign comes from the angle-weighted pseudonormal of
//! the nearest face, edge or vertex (Bærentzen and Aanæs, 2005).

use super::corners;
use super::mass::triangle;
use sinew_math::{Vec3, vec3};
use std::collections::HashMap;

/// A mesh prepared for distance queries.
#[derive(Clone, Debug)]
pub struct MeshDistance<'a> {
    vert: &'a [Vec3],
    face: &'a [[i32; 3]],
    nodes: Vec<Node>,
    face_normal: Vec<Vec3>,
    /// Normals of edges 01, 12, 20 of each face.
    edge_normal: Vec<[Vec3; 3]>,
    vert_normal: Vec<Vec3>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    center: Vec3,
    radius: f64,
    /// Children, or the face of a leaf.
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Inner(usize, usize),
    Face(usize),
}

/// The part of a triangle that is nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Feature {
    Vertex(usize),
    Edge(usize),
    Face,
}

#[derive(Clone, Copy, Debug)]
struct Nearest {
    square: f64,
    point: Vec3,
    face: usize,
    feature: Feature,
}

impl<'a> MeshDistance<'a> {
    /// Prepares a mesh, which must have at least one face.
    pub fn new(vert: &'a [Vec3], face: &'a [[i32; 3]]) -> Self {
        let mut vert_normal = vec![[0.0; 3]; vert.len()];
        let mut edges: HashMap<[i32; 2], Vec3> = HashMap::with_capacity(face.len() * 3 / 2);
        let mut face_normal = Vec::with_capacity(face.len());
        for &f in face {
            let v = corners(vert, f);
            let n = triangle(v).normal;
            face_normal.push(n);
            for k in 0..3 {
                let (a, b) = (f[k], f[(k + 1) % 3]);
                let sum = edges.entry([a.min(b), a.max(b)]).or_insert([0.0; 3]);
                *sum = vec3::add(*sum, n);
                let to = |j: usize| vec3::normalize(vec3::sub(v[(k + j) % 3], v[k])).0;
                let angle = vec3::dot(to(1), to(2)).clamp(-1.0, 1.0).acos();
                let sum = &mut vert_normal[a as usize];
                *sum = vec3::add_scaled(*sum, n, angle);
            }
        }
        let side = |f: &[i32; 3], k: usize| edges[&[f[k].min(f[(k + 1) % 3]), f[k].max(f[(k + 1) % 3])]];
        let edge_normal = face.iter().map(|f| [0, 1, 2].map(|k| side(f, k))).collect();
        let mut distance = MeshDistance { vert, face, nodes: Vec::new(), face_normal, edge_normal, vert_normal };
        let mut order: Vec<usize> = (0..face.len()).collect();
        distance.split(&mut order);
        distance
    }

    /// Adds the node over some faces and its subtree; the depth is at most log₂ of the face count.
    fn split(&mut self, order: &mut [usize]) -> usize {
        let points = || order.iter().flat_map(|&i| corners(self.vert, self.face[i]));
        let (mut min, mut max, mut sum) = ([f64::MAX; 3], [-f64::MAX; 3], [0.0; 3]);
        for p in points() {
            for k in 0..3 {
                min[k] = min[k].min(p[k]);
                max[k] = max[k].max(p[k]);
                sum[k] += p[k];
            }
        }
        let center = sum.map(|x| x / (3 * order.len()) as f64);
        let radius = points().map(|p| vec3::dist(p, center)).fold(0.0, f64::max);
        let index = self.nodes.len();
        self.nodes.push(Node { center, radius, kind: Kind::Face(order[0]) });
        if order.len() > 1 {
            let axis = (0..3).fold(0, |best, k| if max[k] - min[k] > max[best] - min[best] { k } else { best });
            let key = |i: usize| self.vert[self.face[i][0] as usize][axis];
            let middle = order.len() / 2;
            order.select_nth_unstable_by(middle, |&a, &b| key(a).total_cmp(&key(b)));
            let (low, high) = order.split_at_mut(middle);
            let left = self.split(low);
            let right = self.split(high);
            self.nodes[index].kind = Kind::Inner(left, right);
        }
        index
    }

    /// Distance to the surface, negative inside.
    pub fn signed(&self, p: Vec3) -> f64 {
        let mut best = Nearest { square: f64::MAX, point: p, face: 0, feature: Feature::Face };
        self.query(0, p, &mut best);
        let f = self.face[best.face];
        let normal = match best.feature {
            Feature::Vertex(k) => self.vert_normal[f[k] as usize],
            Feature::Edge(k) => self.edge_normal[best.face][k],
            Feature::Face => self.face_normal[best.face],
        };
        let distance = best.square.sqrt();
        if vec3::dot(vec3::sub(p, best.point), normal) >= 0.0 { distance } else { -distance }
    }

    fn query(&self, node: usize, p: Vec3, best: &mut Nearest) {
        match self.nodes[node].kind {
            Kind::Face(face) => {
                let (point, feature) = nearest(p, corners(self.vert, self.face[face]));
                let d = vec3::sub(p, point);
                let square = vec3::dot(d, d);
                if square < best.square {
                    *best = Nearest { square, point, face, feature };
                }
            }
            Kind::Inner(left, right) => {
                let gap = |i: usize| vec3::dist(p, self.nodes[i].center) - self.nodes[i].radius;
                let (a, b) = (gap(left), gap(right));
                let sides = if a < b { [(a, left), (b, right)] } else { [(b, right), (a, left)] };
                for (gap, child) in sides {
                    if gap < best.square.sqrt() {
                        self.query(child, p, best);
                    }
                }
            }
        }
    }
}

/// Point of a triangle nearest to `p`, and the feature it lies on, by Voronoi regions.
fn nearest(p: Vec3, [a, b, c]: [Vec3; 3]) -> (Vec3, Feature) {
    let along = |from: Vec3, to: Vec3| vec3::dot(vec3::sub(p, from), vec3::sub(to, from));
    let (ab, ba) = (along(a, b), along(b, a));
    let (ac, ca) = (along(a, c), along(c, a));
    let (bc, cb) = (along(b, c), along(c, b));
    if ab <= 0.0 && ac <= 0.0 {
        return (a, Feature::Vertex(0));
    }
    if ba <= 0.0 && bc <= 0.0 {
        return (b, Feature::Vertex(1));
    }
    if ca <= 0.0 && cb <= 0.0 {
        return (c, Feature::Vertex(2));
    }
    let n = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    let part = |x: Vec3, y: Vec3| vec3::dot(n, vec3::cross(vec3::sub(x, p), vec3::sub(y, p)));
    let mix = |x: Vec3, y: Vec3, s: f64, t: f64| {
        let w = s / (s + t);
        vec3::add_scaled(vec3::scale(x, 1.0 - w), y, w)
    };
    let wc = part(a, b);
    if wc <= 0.0 && ab >= 0.0 && ba >= 0.0 {
        return (mix(a, b, ab, ba), Feature::Edge(0));
    }
    let wa = part(b, c);
    if wa <= 0.0 && bc >= 0.0 && cb >= 0.0 {
        return (mix(b, c, bc, cb), Feature::Edge(1));
    }
    let wb = part(c, a);
    if wb <= 0.0 && ac >= 0.0 && ca >= 0.0 {
        return (mix(a, c, ac, ca), Feature::Edge(2));
    }
    let sum = wa + wb + wc;
    let (u, v) = (wa / sum, wb / sum);
    let point = vec3::add_scaled(vec3::add_scaled(vec3::scale(a, u), b, v), c, 1.0 - u - v);
    (point, Feature::Face)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_to_a_cube() {
        let vert: Vec<Vec3> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(2 * (i >> k & 1) - 1))).collect();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let face: Vec<_> = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let cube = MeshDistance::new(&vert, &face);
        for i in 0..7i32.pow(3) {
            let p = [i % 7, i / 7 % 7, i / 49].map(|x| f64::from(x - 3) * 0.61);
            let q = p.map(|x| x.abs() - 1.0);
            let outside = vec3::norm(q.map(|x| x.max(0.0)));
            let expected = outside + q[0].max(q[1]).max(q[2]).min(0.0);
            assert!((cube.signed(p) - expected).abs() < 1e-12, "{p:?}");
        }
    }
}
