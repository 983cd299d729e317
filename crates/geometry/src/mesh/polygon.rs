//! Coplanar faces joined to polygons.

use super::tree::NormalTree;
use sinew_math::{MINVAL, vec3};
use std::collections::HashMap;

/// Faces whose normals have a larger dot product than this lie in one plane.
const COPLANAR: f64 = 0.99999872;

/// Below this length a cross product has no direction.
const EPS: f64 = 1e-14;

/// The polygons of a mesh, sorted by normal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// Vertices of each polygon, in the orientation of its faces.
    pub vert: Vec<Vec<i32>>,
    /// Polygons around each vertex of the mesh.
    pub map: Vec<Vec<i32>>,
}

impl Polygons {
    /// Joins the faces.
    pub fn build(vert: &[[f64; 3]], face: &[[i32; 3]]) -> Polygons {
        let mut groups: Vec<Group> = Vec::new();
        let mut tree = NormalTree::new();
        for &f in face {
            let normal = normal(f.map(|i| vert[i as usize]));
            match tree.find(&normal) {
                Some(group) => groups[group].insert(f),
                None if tree.insert(normal) => groups.push(Group::new(f)),
                None => {}
            }
        }
        let paths = tree.order().into_iter().flat_map(|g| groups[g].paths()).filter(|p| p.len() >= 3);
        let mut polygons = Polygons { vert: paths.collect(), map: vec![Vec::new(); vert.len()] };
        for (i, path) in polygons.vert.iter().enumerate() {
            for &v in path {
                polygons.map[v as usize].push(i as i32);
            }
        }
        polygons
    }

    /// Normals of the polygons, from their first three vertices.
    pub fn normals(&self, vert: &[[f64; 3]]) -> Vec<[f64; 3]> {
        self.vert.iter().map(|p| normal([p[0], p[1], p[2]].map(|i| vert[i as usize]))).collect()
    }
}

/// Unit normal of a triangle. A degenerate one gets `x` over its tiny length: far from every other normal.
fn normal(v: [[f64; 3]; 3]) -> [f64; 3] {
    let n = vec3::cross(vec3::sub(v[1], v[0]), vec3::sub(v[2], v[0]));
    let length = vec3::norm(n);
    let n = if length < EPS { [1.0, 0.0, 0.0] } else { n };
    n.map(|x| x / length)
}

/// Order of normals: decreasing components, all coplanar ones equal.
pub(super) fn precedes(a: &[f64; 3], b: &[f64; 3]) -> bool {
    if vec3::dot(*a, *b) > COPLANAR {
        return false;
    }
    (0..3).find(|&k| (a[k] - b[k]).abs() > MINVAL).is_some_and(|k| a[k] > b[k])
}

/// Faces with one normal. They need not touch: each connected set is an island, until a later face joins two.
struct Group {
    /// Directed boundary edges with the island each belongs to.
    edges: Vec<([i32; 2], u32)>,
    islands: u32,
}

impl Group {
    fn new([a, b, c]: [i32; 3]) -> Group {
        Group { edges: vec![([a, b], 0), ([b, c], 0), ([c, a], 0)], islands: 1 }
    }

    /// Adds a face: an edge that meets its opposite disappears, the others extend the boundary.
    fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let sides = [[a, b], [b, c], [c, a]];
        let mut island: Option<u32> = None;
        let mut open = [true; 3];
        for (side, open) in sides.iter().zip(&mut open) {
            let Some(at) = self.edges.iter().position(|(e, _)| e[0] == side[1] && e[1] == side[0]) else { continue };
            let other = self.edges[at].1;
            island = Some(match island {
                Some(mine) if mine != other => self.join(mine.min(other), mine.max(other)),
                _ => other,
            });
            self.edges.remove(at);
            *open = false;
        }
        let island = island.unwrap_or_else(|| {
            self.islands += 1;
            self.islands - 1
        });
        self.edges.extend(sides.iter().zip(open).filter(|(_, open)| *open).map(|(side, _)| (*side, island)));
    }

    /// Merges island `high` into `low` and closes the gap in the numbering.
    fn join(&mut self, low: u32, high: u32) -> u32 {
        self.islands -= 1;
        for (_, island) in &mut self.edges {
            if *island == high {
                *island = low;
            } else if *island > high {
                *island -= 1;
            }
        }
        low
    }

    /// Boundary of each island as a closed path. An island whose walk does not come back to its first vertex
    /// (edges that meet in a vertex more than once can do that) has no polygon.
    fn paths(&self) -> Vec<Vec<i32>> {
        if self.edges.len() == 3 {
            return vec![self.edges.iter().map(|(e, _)| e[0]).collect()];
        }
        let mut next: HashMap<(u32, i32), i32> = HashMap::with_capacity(self.edges.len());
        for (e, island) in &self.edges {
            next.entry((*island, e[0])).or_insert(e[1]);
        }
        (0..self.islands).filter_map(|island| self.path(island, &next)).collect()
    }

    fn path(&self, island: u32, next: &HashMap<(u32, i32), i32>) -> Option<Vec<i32>> {
        let (first, _) = self.edges.iter().find(|(_, i)| *i == island)?;
        let mut path = first.to_vec();
        for _ in 0..self.edges.len() {
            let to = *next.get(&(island, path[path.len() - 1]))?;
            if to == path[0] {
                return Some(path);
            }
            path.push(to);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_has_six_squares_with_outward_normals() {
        let vert: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1))).collect();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let face: Vec<_> = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let polygons = Polygons::build(&vert, &face);
        assert_eq!(polygons.vert.len(), 6);
        assert!(polygons.vert.iter().all(|p| p.len() == 4));
        assert!(polygons.map.iter().all(|m| m.len() == 3));
        assert_eq!(polygons.normals(&vert)[0], [1.0, 0.0, 0.0]);
        assert_eq!(polygons.normals(&vert)[5], [-1.0, 0.0, 0.0]);
    }

    #[test]
    fn coplanar_faces_apart_stay_two_polygons() {
        let vert = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [5., 0., 0.], [6., 0., 0.], [5., 1., 0.], [6., 1., 0.]];
        let polygons = Polygons::build(&vert, &[[0, 1, 2], [3, 4, 5], [4, 6, 5]]);
        assert_eq!(polygons.vert, [vec![0, 1, 2], vec![3, 4, 6, 5]]);
    }
}
