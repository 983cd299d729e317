//! Which elements are near something, by the bounding volumes of flexes.

use crate::data::Pose;
use crate::model::Model;

/// Buffers of queries.
#[derive(Clone, Debug, Default)]
pub struct QueryWork {
    /// Elements found, in increasing order.
    pub elems: Vec<u32>,
    /// Pairs of elements found.
    pub pairs: Vec<[u32; 2]>,
    stack: Vec<[u32; 2]>,
}

/// Pairs of elements for which there is room from the start, per element.
const USUAL_PAIRS: usize = 32;

impl QueryWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let most = m.flex_elemnum.iter().max().map_or(0, |&n| n as usize);
        let nodes = m.flex_bvhnum.iter().max().map_or(0, |&n| n as usize);
        QueryWork {
            elems: Vec::with_capacity(most),
            pairs: Vec::with_capacity(USUAL_PAIRS * most),
            stack: Vec::with_capacity(4 * nodes),
        }
    }

    /// As if the first `count` elements had been found.
    pub fn all(&mut self, count: usize) {
        self.elems.clear();
        self.elems.extend(0..count as u32);
    }
}

/// Whether two boxes are within a margin of each other.
#[inline(always)]
pub fn overlap(a: &[f64; 6], b: &[f64; 6], margin: f64) -> bool {
    (0..3).all(|k| (a[k] - b[k]).abs() <= a[k + 3] + b[k + 3] + margin)
}

/// Nodes of a flex's tree.
struct Tree<'a> {
    m: &'a Model,
    pose: &'a Pose,
    root: usize,
}

impl<'a> Tree<'a> {
    fn new(m: &'a Model, pose: &'a Pose, f: usize) -> Self {
        Tree { m, pose, root: m.flex_bvhadr[f] as usize }
    }

    fn aabb(&self, node: u32) -> &'a [f64; 6] {
        &self.pose.bvh_aabb_dyn[self.root + node as usize - self.m.nbvhstatic]
    }

    /// The element of a leaf.
    fn elem(&self, node: u32) -> Option<u32> {
        u32::try_from(self.m.bvh_nodeid[self.root + node as usize]).ok()
    }

    fn children(&self, node: u32) -> [u32; 2] {
        self.m.bvh_child[self.root + node as usize].map(|c| c as u32)
    }
}

/// Elements whose boxes overlap with a box.
pub fn near_box(m: &Model, pose: &Pose, f: usize, target: &[f64; 6], work: &mut QueryWork) {
    let tree = Tree::new(m, pose, f);
    work.elems.clear();
    work.stack.clear();
    work.stack.push([0; 2]);
    while let Some([node, _]) = work.stack.pop() {
        if !overlap(tree.aabb(node), target, 0.0) {
            continue;
        }
        match tree.elem(node) {
            Some(e) => work.elems.push(e),
            None => work.stack.extend(tree.children(node).map(|c| [c, 0])),
        }
    }
    work.elems.sort_unstable();
}

/// Pairs of elements of two flexes whose boxes are within a margin of each other.
pub fn near_each_other(m: &Model, pose: &Pose, flexes: [usize; 2], margin: f64, work: &mut QueryWork) {
    let [a, b] = flexes.map(|f| Tree::new(m, pose, f));
    work.pairs.clear();
    work.stack.clear();
    work.stack.push([0; 2]);
    while let Some([x, y]) = work.stack.pop() {
        let (box_x, box_y) = (a.aabb(x), b.aabb(y));
        if !overlap(box_x, box_y, margin) {
            continue;
        }
        match (a.elem(x), b.elem(y)) {
            (Some(e1), Some(e2)) => work.pairs.push([e1, e2]),
            (Some(_), None) => work.stack.extend(b.children(y).map(|c| [x, c])),
            (None, Some(_)) => work.stack.extend(a.children(x).map(|c| [c, y])),
            (None, None) if size(box_x) > size(box_y) => work.stack.extend(a.children(x).map(|c| [c, y])),
            (None, None) => work.stack.extend(b.children(y).map(|c| [x, c])),
        }
    }
    work.pairs.sort_unstable();
}

/// Pairs of elements of one flex whose boxes overlap, each once. First comes the element that is first in the tree.
pub fn near_itself(m: &Model, pose: &Pose, f: usize, work: &mut QueryWork) {
    let tree = Tree::new(m, pose, f);
    work.pairs.clear();
    work.stack.clear();
    work.stack.push([0; 2]);
    while let Some([x, y]) = work.stack.pop() {
        if x == y {
            if tree.elem(x).is_none() {
                let [a, b] = tree.children(x);
                work.stack.extend([[a, a], [b, b], [a, b]]);
            }
            continue;
        }
        if !overlap(tree.aabb(x), tree.aabb(y), 0.0) {
            continue;
        }
        match (tree.elem(x), tree.elem(y)) {
            (Some(e1), Some(e2)) => work.pairs.push([e1, e2]),
            (Some(_), None) => work.stack.extend(tree.children(y).map(|c| [x, c])),
            (None, _) => work.stack.extend(tree.children(x).map(|c| [c, y])),
        }
    }
    work.pairs.sort_unstable();
}

/// Pairs as a sweep along the longest axis of the flex would find them: when an element begins, it meets those that have
/// begun before, in their order.
pub fn order_by_sweep(m: &Model, pose: &Pose, f: usize, work: &mut QueryWork) {
    let [_, _, _, x, y, z] = *Tree::new(m, pose, f).aabb(0);
    let axis = if x > y && x > z { 0 } else { 1 + usize::from(y <= z) };
    let first = m.flex_elemadr[f] as usize;
    let begin = |e: u32| {
        let aabb = &pose.flexelem_aabb[first + e as usize];
        aabb[axis] - aabb[axis + 3]
    };
    let order = |a: u32, b: u32| begin(a).total_cmp(&begin(b)).then(a.cmp(&b));
    work.pairs.iter_mut().filter(|p| order(p[1], p[0]).is_lt()).for_each(|p| p.swap(0, 1));
    work.pairs.sort_unstable_by(|p, q| order(p[1], q[1]).then_with(|| order(p[0], q[0])));
}

/// Half of the surface of a box.
fn size(b: &[f64; 6]) -> f64 {
    b[3] * b[4] + b[4] * b[5] + b[5] * b[3]
}
