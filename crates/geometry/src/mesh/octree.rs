//! Octrees around the surface of a mesh that store a distance field at their corners.

use super::distance::MeshDistance;
use sinew_math::{Vec3, vec3};
use std::collections::{HashMap, VecDeque};

/// Maximum depth: deeper nodes are not split.
const MAX_LEVEL: i32 = 6;

/// A node: a box with eight corners and, unless it is a leaf, eight children.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Depth.
    pub level: i32,
    /// Children; −1 for leaves. Bit k of the slot is set on the upper side of axis k.
    pub child: [i32; 8],
    /// Box: minimum. (m)
    pub min: Vec3,
    /// Box: maximum. (m)
    pub max: Vec3,
    /// Distances at the corners, in the order of `child`. (m)
    pub coeff: [f64; 8],
    parent: Option<(usize, usize)>,
    corner: [usize; 8],
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.child[0] < 0
    }

    fn center(&self) -> Vec3 {
        [0, 1, 2].map(|k| (self.min[k] + self.max[k]) / 2.0)
    }

    /// Box as centre and half-size.
    pub fn aabb(&self) -> [f64; 6] {
        let c = self.center();
        [c[0], c[1], c[2], half(self, 0), half(self, 1), half(self, 2)]
    }
}

fn half(n: &Node, k: usize) -> f64 {
    (n.max[k] - n.min[k]) / 2.0
}

/// An octree in breadth-first order; node 0 is the root.
#[derive(Clone, Debug, Default)]
pub struct Octree {
    /// Nodes.
    pub nodes: Vec<Node>,
    corners: Vec<Vec3>,
    index: HashMap<[u64; 3], usize>,
}

impl Octree {
    /// Distance field of a closed mesh with bounding box `min`, `max`; the root box is larger by a tenth. Neighbouring
    /// leaves differ by at most one level. Corners in the middle of a coarser neighbour's face or edge (hanging nodes)
    /// take its interpolated value, so that the field is continuous.
    pub fn build(vert: &[Vec3], face: &[[i32; 3]], min: Vec3, max: Vec3) -> Octree {
        let mut tree = Octree::default();
        let center = [0, 1, 2].map(|k| (min[k] + max[k]) / 2.0);
        let reach = [0, 1, 2].map(|k| 1.1 * ((max[k] - min[k]) / 2.0));
        tree.add(None, 0, vec3::sub(center, reach), vec3::add(center, reach));
        tree.refine(vert, face);
        tree.balance();
        tree.sample(&MeshDistance::new(vert, face));
        tree
    }

    fn add(&mut self, parent: Option<(usize, usize)>, level: i32, min: Vec3, max: Vec3) -> usize {
        let corner = std::array::from_fn(|i| {
            // + 0.0 turns −0 into 0: the two compare equal but have different bits
            let p: Vec3 = [0, 1, 2].map(|k| if i >> k & 1 == 1 { max[k] } else { min[k] } + 0.0);
            *self.index.entry(p.map(f64::to_bits)).or_insert_with(|| {
                self.corners.push(p);
                self.corners.len() - 1
            })
        });
        self.nodes.push(Node { level, child: [-1; 8], min, max, coeff: [0.0; 8], parent, corner });
        self.nodes.len() - 1
    }

    /// Creates the eight children of a leaf; returns the index of the first.
    fn subdivide(&mut self, node: usize) -> usize {
        let Node { level, min, max, .. } = self.nodes[node];
        let mid = [0, 1, 2].map(|k| (max[k] + min[k]) / 2.0);
        let first = self.nodes.len();
        for slot in 0..8 {
            let upper = [0, 1, 2].map(|k| slot >> k & 1 == 1);
            let lo = [0, 1, 2].map(|k| if upper[k] { mid[k] } else { min[k] });
            let hi = [0, 1, 2].map(|k| if upper[k] { max[k] } else { mid[k] });
            let child = self.add(Some((node, slot)), level + 1, lo, hi);
            self.nodes[node].child[slot] = child as i32;
        }
        first
    }

    /// Splits nodes that the surface passes through.
    fn refine(&mut self, vert: &[Vec3], face: &[[i32; 3]]) {
        let triangles: Vec<[Vec3; 3]> = face.iter().map(|&f| super::corners(vert, f)).collect();
        let mut queue = VecDeque::from([(0usize, (0..face.len() as u32).collect::<Vec<u32>>())]);
        while let Some((node, mut near)) = queue.pop_front() {
            let Node { level, min, max, .. } = self.nodes[node];
            near.retain(|&t| touches(&triangles[t as usize], min, max));
            if near.is_empty() || level >= MAX_LEVEL {
                continue;
            }
            let first = self.subdivide(node);
            queue.extend((0..8).map(|slot| (first + slot, near.clone())));
        }
    }

    fn leaves(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&i| self.nodes[i].is_leaf()).collect()
    }

    /// Splits leaves until neighbours differ by at most one level.
    fn balance(&mut self) {
        loop {
            let mut coarse = Vec::new();
            for leaf in self.leaves() {
                for direction in 0..6 {
                    let Some(other) = self.neighbor(leaf, direction) else { continue };
                    let (mine, its) = (self.nodes[leaf].level, self.nodes[other].level);
                    if its > mine + 1 {
                        coarse.push(leaf);
                    }
                    if mine > its + 1 {
                        coarse.push(other);
                    }
                }
            }
            if coarse.is_empty() {
                return;
            }
            for node in coarse {
                if self.nodes[node].is_leaf() {
                    self.subdivide(node);
                }
            }
        }
    }

    /// The leaf across a face of the box: axis `direction / 2`, upper side if odd.
    fn neighbor(&self, node: usize, direction: usize) -> Option<usize> {
        let (axis, upper) = (direction / 2, direction % 2 == 1);
        let bit = 1 << axis;
        let mut at = node;
        let mut other = loop {
            let (parent, slot) = self.nodes[at].parent?;
            if upper != (slot & bit != 0) {
                break self.nodes[parent].child[slot ^ bit] as usize;
            }
            at = parent;
        };
        let center = self.nodes[node].center();
        while !self.nodes[other].is_leaf() {
            let middle = self.nodes[other].center();
            let slot: usize = (0..3).filter(|&k| center[k] > middle[k]).map(|k| 1 << k).sum();
            let slot = if upper { slot & !bit } else { slot | bit };
            other = self.nodes[other].child[slot] as usize;
        }
        Some(other)
    }

    /// For each corner that hangs on a coarser neighbour, the corners whose mean it takes.
    fn hanging(&self) -> Vec<Vec<usize>> {
        let mut hang = vec![Vec::new(); self.corners.len()];
        for leaf in self.leaves() {
            for direction in 0..6 {
                let Some(other) = self.neighbor(leaf, direction) else { continue };
                if self.nodes[other].level >= self.nodes[leaf].level {
                    continue;
                }
                let (axis, upper) = (direction / 2, direction % 2);
                for i in 0..4usize {
                    let slot = upper << axis | (i & 1) << ((axis + 1) % 3) | (i >> 1) << ((axis + 2) % 3);
                    let corner = self.nodes[leaf].corner[slot];
                    if hang[corner].is_empty() {
                        hang[corner] = self.supports(self.corners[corner], other);
                    }
                }
            }
        }
        hang
    }

    /// Corners of `node` that a point in the middle of one of its edges or faces is interpolated from.
    fn supports(&self, p: Vec3, node: usize) -> Vec<usize> {
        let n = &self.nodes[node];
        let at = |k: usize, x: f64| (p[k] - x).abs() < 1e-9;
        let fixed = [0, 1, 2].map(|k| (at(k, n.min[k]) || at(k, n.max[k])).then(|| usize::from(at(k, n.max[k]))));
        if !matches!(fixed.iter().flatten().count(), 1 | 2) {
            return Vec::new();
        }
        let matches = |slot: usize| (0..3).all(|k| fixed[k].is_none_or(|bit| slot >> k & 1 == bit));
        (0..8).filter(|&slot| matches(slot)).map(|slot| n.corner[slot]).collect()
    }

    /// Computes the coefficients, coarse corners before those that hang on them.
    fn sample(&mut self, distance: &MeshDistance) {
        let hang = self.hanging();
        let mut value: Vec<Option<f64>> = vec![None; self.corners.len()];
        let mut queue = VecDeque::from([0usize]);
        while let Some(node) = queue.pop_front() {
            for corner in self.nodes[node].corner {
                if value[corner].is_some() {
                    continue;
                }
                let known: Vec<f64> = hang[corner].iter().filter_map(|&c| value[c]).collect();
                let sum: f64 = known.iter().sum();
                let direct = known.is_empty() || known.len() < hang[corner].len();
                value[corner] =
                    Some(if direct { distance.signed(self.corners[corner]) } else { sum / known.len() as f64 });
            }
            queue.extend(self.nodes[node].child.iter().filter(|&&c| c >= 0).map(|&c| c as usize));
        }
        for node in &mut self.nodes {
            node.coeff = node.corner.map(|c| value[c].unwrap_or(0.0));
        }
    }
}

/// Whether a triangle overlaps a box: tests bounding boxes, plane, and the projections of its edges on the three
/// coordinate planes (Schwarz and Seidel, 2010).
fn touches(v: &[Vec3; 3], min: Vec3, max: Vec3) -> bool {
    for k in 0..3 {
        if v.iter().all(|p| p[k] < min[k]) || v.iter().all(|p| p[k] > max[k]) {
            return false;
        }
    }
    let edge = [0, 1, 2].map(|i| vec3::sub(v[(i + 1) % 3], v[i]));
    let n = vec3::cross(edge[0], edge[1]);
    let size = vec3::sub(max, min);
    let critical = [0, 1, 2].map(|k| if n[k] > 0.0 { size[k] } else { 0.0 });
    let near = vec3::sub(critical, v[0]);
    let far = vec3::sub(vec3::sub(size, critical), v[0]);
    let base = vec3::dot(n, min);
    if (base + vec3::dot(n, near)) * (base + vec3::dot(n, far)) > 0.0 {
        return false;
    }
    (0..3).all(|a| {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if n[a] >= 0.0 { 1.0 } else { -1.0 };
        (0..3).all(|i| {
            let ne = [-edge[i][c] * sign, edge[i][b] * sign];
            let reach = (size[b] * ne[0]).max(0.0) + (size[c] * ne[1]).max(0.0);
            let offset = -(ne[0] * v[i][b] + ne[1] * v[i][c]) + reach;
            ne[0] * min[b] + ne[1] * min[c] + offset >= 0.0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_distances_on_the_boundary_of_the_root() {
        let vert: Vec<Vec3> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(2 * (i >> k & 1) - 1))).collect();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let face: Vec<_> = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let tree = Octree::build(&vert, &face, [-1.0; 3], [1.0; 3]);
        let corner = 0.1 * 3f64.sqrt();
        assert!(tree.nodes[0].coeff.iter().all(|c| (c - corner).abs() < 1e-12));
        assert!(tree.nodes.iter().any(|n| n.level == MAX_LEVEL));
        assert!(tree.nodes.iter().any(|n| n.coeff[0] < -0.5));
    }
}
