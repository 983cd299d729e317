//! Coplanar faces joined to polygons.

use super::tree::{NormalTree, Place};
use sinew_math::{MINVAL, vec3};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Faces whose normals have a larger dot product than this lie in one plane.
const COPLANAR: f64 = 0.99999872;

/// Below this length a cross product has no direction.
const EPS: f64 = 1e-14;

/// Boundaries with more edges than this are searched by hash.
const LONG: usize = 32;

/// Lists of integers in one array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lists {
    /// All items.
    pub items: Vec<i32>,
    /// Where each list ends.
    pub ends: Vec<usize>,
}

impl Lists {
    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The lists.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        let start = |i: usize| if i == 0 { 0 } else { self.ends[i - 1] };
        (0..self.len()).map(move |i| &self.items[start(i)..self.ends[i]])
    }

    fn push(&mut self, list: &[i32]) {
        self.items.extend(list);
        self.ends.push(self.items.len());
    }

    /// For each of `n` items, the lists that have it.
    fn transposed(&self, n: usize) -> Lists {
        let mut ends = vec![0; n];
        for &item in &self.items {
            ends[item as usize] += 1;
        }
        let mut next: Vec<usize> = Vec::with_capacity(n);
        let mut sum = 0;
        for end in &mut ends {
            next.push(sum);
            sum += *end;
            *end = sum;
        }
        let mut items = vec![0; self.items.len()];
        for (i, list) in self.iter().enumerate() {
            for &item in list {
                items[next[item as usize]] = i as i32;
                next[item as usize] += 1;
            }
        }
        Lists { items, ends }
    }
}

/// The polygons of a mesh, sorted by normal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// Vertices of each polygon, in the orientation of its faces.
    pub vert: Lists,
    /// Polygons around each vertex of the mesh.
    pub map: Lists,
}

impl Polygons {
    /// Joins the faces.
    pub fn build(vert: &[[f64; 3]], face: &[[i32; 3]]) -> Polygons {
        let mut groups: Vec<Group> = Vec::new();
        let mut tree = NormalTree::new();
        for &f in face {
            match tree.place(normal(f.map(|i| vert[i as usize]))) {
                Place::New => groups.push(Group::Face(f)),
                Place::Known(group) => groups[group].insert(f),
                Place::Lost => {}
            }
        }
        let mut polygons = Lists::default();
        for group in tree.order() {
            groups[group].paths(&mut polygons);
        }
        Polygons { map: polygons.transposed(vert.len()), vert: polygons }
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
pub(super) fn compare(a: &[f64; 3], b: &[f64; 3]) -> Ordering {
    if vec3::dot(*a, *b) > COPLANAR {
        return Ordering::Equal;
    }
    let differs = (0..3).find(|&k| (a[k] - b[k]).abs() > MINVAL);
    differs.and_then(|k| b[k].partial_cmp(&a[k])).unwrap_or(Ordering::Equal)
}

/// Faces with one normal.
#[derive(Clone, Debug)]
enum Group {
    /// Just one, as most are.
    Face([i32; 3]),
    /// Several.
    Region(Box<Region>),
}

impl Group {
    fn insert(&mut self, f: [i32; 3]) {
        if let Group::Face(first) = *self {
            let mut region = Region::default();
            region.insert(first);
            *self = Group::Region(Box::new(region));
        }
        if let Group::Region(region) = self {
            region.insert(f);
        }
    }

    /// Adds the boundary of each connected part.
    fn paths(&self, out: &mut Lists) {
        match self {
            Group::Face(f) => out.push(f),
            Group::Region(region) => region.paths(out),
        }
    }
}

/// Boundary of faces that need not touch: each connected set is an island, until a later face joins two.
#[derive(Clone, Debug, Default)]
struct Region {
    /// Directed edges in the order they appeared, with their island; removed ones have none.
    edges: Vec<([i32; 2], Option<u32>)>,
    /// Where edges are, once there are many.
    index: Option<HashMap<[i32; 2], Vec<usize>>>,
    /// For each island the one it was joined to, or itself. Joined islands keep the lower number.
    parent: Vec<u32>,
}

impl Region {
    /// Adds a face: an edge that meets its opposite disappears, the others extend the boundary.
    fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let sides = [[a, b], [b, c], [c, a]];
        let mut island: Option<u32> = None;
        let mut open = [true; 3];
        for (side, open) in sides.iter().zip(&mut open) {
            let Some(other) = self.remove([side[1], side[0]]) else { continue };
            let other = self.root(other);
            island = Some(match island {
                Some(mine) => {
                    let (low, high) = (mine.min(other), mine.max(other));
                    self.parent[high as usize] = low;
                    low
                }
                None => other,
            });
            *open = false;
        }
        let island = island.unwrap_or_else(|| {
            self.parent.push(self.parent.len() as u32);
            self.parent.len() as u32 - 1
        });
        for (side, _) in sides.iter().zip(open).filter(|(_, open)| *open) {
            self.add(*side, island);
        }
    }

    fn add(&mut self, edge: [i32; 2], island: u32) {
        let at = self.edges.len();
        self.edges.push((edge, Some(island)));
        if let Some(index) = &mut self.index {
            index.entry(edge).or_default().push(at);
        } else if at == LONG {
            let mut index: HashMap<[i32; 2], Vec<usize>> = HashMap::new();
            for (i, (edge, _)) in self.edges.iter().enumerate().filter(|(_, e)| e.1.is_some()) {
                index.entry(*edge).or_default().push(i);
            }
            self.index = Some(index);
        }
    }

    /// Removes the first such edge and returns its island.
    fn remove(&mut self, edge: [i32; 2]) -> Option<u32> {
        let at = match &mut self.index {
            None => self.edges.iter().position(|(e, island)| *e == edge && island.is_some())?,
            Some(index) => {
                let places = index.get_mut(&edge).filter(|places| !places.is_empty())?;
                places.remove(0)
            }
        };
        self.edges[at].1.take()
    }

    /// The island that an island has become part of.
    fn root(&mut self, island: u32) -> u32 {
        let mut root = island;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        self.parent[island as usize] = root;
        root
    }

    /// Adds the boundary of each island as a closed path. An island whose walk does not come back to its first
    /// vertex (edges that meet in a vertex more than once can do that) has no polygon.
    fn paths(&self, out: &mut Lists) {
        let mut root = self.parent.clone();
        for i in 0..root.len() {
            root[i] = root[root[i] as usize];
        }
        let live = self.edges.iter().filter_map(|(e, island)| island.map(|i| (*e, root[i as usize])));
        let edges: Vec<([i32; 2], u32)> = live.collect();
        if edges.len() == 3 {
            out.push(&[edges[0].0[0], edges[1].0[0], edges[2].0[0]]);
            return;
        }
        let mut next: HashMap<(u32, i32), i32> = HashMap::with_capacity(edges.len());
        let mut first: Vec<Option<[i32; 2]>> = vec![None; self.parent.len()];
        for (e, island) in &edges {
            next.entry((*island, e[0])).or_insert(e[1]);
            first[*island as usize].get_or_insert(*e);
        }
        for (island, start) in first.iter().enumerate() {
            let Some(path) = start.and_then(|start| walk(start, island as u32, &next)) else { continue };
            if path.len() >= 3 {
                out.push(&path);
            }
        }
    }
}

/// Follows edges from the first one until it comes back.
fn walk(start: [i32; 2], island: u32, next: &HashMap<(u32, i32), i32>) -> Option<Vec<i32>> {
    let mut path = start.to_vec();
    for _ in 0..next.len() {
        let to = *next.get(&(island, path[path.len() - 1]))?;
        if to == path[0] {
            return Some(path);
        }
        path.push(to);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(lists: &Lists) -> Vec<Vec<i32>> {
        lists.iter().map(<[i32]>::to_vec).collect()
    }

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
        assert_eq!(lists(&polygons.vert), [vec![0, 1, 2], vec![3, 4, 6, 5]]);
        assert_eq!(lists(&polygons.map)[4], [1]);
    }

    #[test]
    fn large_plane_is_one_polygon() {
        let n = 30;
        let vert: Vec<[f64; 3]> = (0..n * n).map(|i| [f64::from(i % n), f64::from(i / n), 0.0]).collect();
        let cells = (0..(n - 1) * (n - 1)).map(|i| (i / (n - 1)) * n + i % (n - 1));
        // every second row first, so that islands grow and are joined later
        let (even, odd): (Vec<i32>, Vec<i32>) = cells.partition(|i| (i / n) % 2 == 0);
        let face: Vec<[i32; 3]> =
            even.into_iter().chain(odd).flat_map(|i| [[i, i + 1, i + n], [i + 1, i + n + 1, i + n]]).collect();
        let polygons = Polygons::build(&vert, &face);
        assert_eq!(polygons.vert.len(), 1);
        assert_eq!(polygons.vert.items.len(), 4 * (n as usize - 1));
    }
}
