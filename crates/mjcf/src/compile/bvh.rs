//! Bounding-volume trees over the geoms of each body.

use super::flat::{Flat, FlatBody};
use super::frames::EPS;
use sinew_engine::{Model, Sizes};
use sinew_math::{Vec3, quat, vec3};

/// A node: box about everything below, children or a geom.
struct Node {
    depth: i32,
    child: [i32; 2],
    geom: i32,
    aabb: [f64; 6],
}

/// A colliding geom as seen from the inertial frame of its body.
struct Leaf {
    geom: usize,
    center: Vec3,
    low: Vec3,
    high: Vec3,
}

/// The trees of all bodies, one after the other.
pub(crate) struct BodyTrees {
    nodes: Vec<Node>,
    /// Nodes per body.
    nums: Vec<usize>,
}

impl BodyTrees {
    pub fn new(flat: &Flat) -> Self {
        let mut trees = BodyTrees { nodes: Vec::new(), nums: Vec::with_capacity(flat.bodies.len()) };
        for body in &flat.bodies {
            let start = trees.nodes.len();
            let mut leaves = leaves(flat, body);
            if !leaves.is_empty() {
                trees.grow(&mut leaves, start, 0);
            }
            trees.nums.push(trees.nodes.len() - start);
        }
        trees
    }

    /// Adds a node over the leaves and returns its index from `start`.
    fn grow(&mut self, leaves: &mut [Leaf], start: usize, depth: i32) -> i32 {
        let mut low = leaves.iter().fold([f64::MAX; 3], |a, l| std::array::from_fn(|i| a[i].min(l.low[i])));
        let mut high = leaves.iter().fold([f64::MIN; 3], |a, l| std::array::from_fn(|i| a[i].max(l.high[i])));
        for i in 0..3 {
            if (low[i] - high[i]).abs() < EPS {
                low[i] -= EPS;
                high[i] += EPS;
            }
        }
        let index = self.nodes.len();
        let half = |i: usize| if i < 3 { (high[i] + low[i]) / 2.0 } else { (high[i - 3] - low[i - 3]) / 2.0 };
        self.nodes.push(Node { depth, child: [-1; 2], geom: -1, aabb: std::array::from_fn(half) });
        if let [leaf] = leaves {
            self.nodes[index].geom = leaf.geom as i32;
        } else {
            let edge = vec3::sub(high, low);
            let mut axis = usize::from(edge[1] >= edge[0] + EPS);
            if edge[2] >= edge[axis] + EPS {
                axis = 2;
            }
            sort_along(leaves, axis);
            let (left, right) = leaves.split_at_mut(leaves.len() / 2);
            let left = self.grow(left, start, depth + 1);
            let right = self.grow(right, start, depth + 1);
            self.nodes[index].child = [left, right];
        }
        (index - start) as i32
    }

    pub fn count(&self, sizes: &mut Sizes) {
        sizes.nbvh += self.nodes.len();
        sizes.nbvhstatic += self.nodes.len();
    }

    /// Writes the trees at the beginning of the arrays.
    pub fn fill(&self, m: &mut Model) {
        let mut adr = 0;
        for (i, &num) in self.nums.iter().enumerate() {
            m.body_bvhadr[i] = if num > 0 { adr as i32 } else { -1 };
            m.body_bvhnum[i] = num as i32;
            adr += num;
        }
        for (i, node) in self.nodes.iter().enumerate() {
            m.bvh_depth[i] = node.depth;
            m.bvh_child[i] = node.child;
            m.bvh_nodeid[i] = node.geom;
            m.bvh_aabb[i] = node.aabb;
        }
    }
}

/// Sorts by position on an axis; positions that agree to rounding keep the order of the geoms.
fn sort_along(leaves: &mut [Leaf], axis: usize) {
    leaves.sort_by(|a, b| a.center[axis].total_cmp(&b.center[axis]));
    for same in leaves.chunk_by_mut(|a, b| b.center[axis] - a.center[axis] <= EPS) {
        same.sort_by_key(|l| l.geom);
    }
}

/// Colliding geoms of a body.
fn leaves(flat: &Flat, body: &FlatBody) -> Vec<Leaf> {
    let back = quat::conj(body.spec.iquat);
    body.geoms
        .clone()
        .map(|i| (i, &flat.geoms[i]))
        .filter(|(_, g)| g.spec.contype != 0 || g.spec.conaffinity != 0)
        .map(|(geom, g)| {
            let arm = vec3::sub(g.spec.pos, body.spec.ipos);
            let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
            for corner in 0..8 {
                let sign = |i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
                let point = std::array::from_fn(|i| g.aabb[i] + sign(i) * g.aabb[i + 3]);
                let point = quat::rotate(back, vec3::add(quat::rotate(g.spec.quat, point), arm));
                low = std::array::from_fn(|i| low[i].min(point[i]));
                high = std::array::from_fn(|i| high[i].max(point[i]));
            }
            Leaf { geom, center: quat::rotate(back, arm), low, high }
        })
        .collect()
}
