//! Searches for nearby elements in the bounding volume hierarchies of flexes.

use super::element::{bodies, is_active, share};
use crate::collision::obb::{self, Frames};
use crate::collision::sweep;
use crate::collision::work::SweepWork;
use crate::data::Pose;
use crate::model::Model;
use sinew_math::mat3;

/// Buffers of queries.
#[derive(Clone, Debug, Default)]
pub struct QueryWork {
    /// Elements found, in increasing order.
    pub elems: Vec<u32>,
    /// Pairs of elements found, the first in the upper half.
    pub pairs: Vec<u64>,
    stack: Vec<[u32; 2]>,
    sweep: SweepWork,
    /// Bodies of the elements of a flex.
    bodies: Vec<[i32; 4]>,
    /// Rank of each element in the sweep order.
    rank: Vec<u32>,
}

/// Sort key of two elements.
#[inline(always)]
fn pair(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// The elements of a [`pair`].
#[inline(always)]
pub fn unpair(pair: u64) -> [usize; 2] {
    [(pair >> 32) as usize, (pair & 0xFFFF_FFFF) as usize]
}

/// Initial capacity for pairs, per element.
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
            sweep: SweepWork::with_capacity(most),
            bodies: Vec::with_capacity(most),
            rank: Vec::with_capacity(most),
        }
    }

    /// Sets the result to the first `count` elements, without a search.
    pub fn all(&mut self, count: usize) {
        self.elems.clear();
        self.elems.extend(0..count as u32);
    }
}

/// Whether two boxes are within a margin of each other. Box ends are compared, as in MuJoCo: boxes of a flat cloth just
/// touch, so rounding decides.
#[inline(always)]
pub fn overlap(a: &[f64; 6], b: &[f64; 6], margin: f64) -> bool {
    (0..3).all(|k| a[k] + a[k + 3] + margin >= b[k] - b[k + 3] && b[k] + b[k + 3] + margin >= a[k] - a[k + 3])
}

/// Bounding volume hierarchy of a flex.
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

    /// The element of a leaf; `None` for an inner node.
    fn elem(&self, node: u32) -> Option<u32> {
        u32::try_from(self.m.bvh_nodeid[self.root + node as usize]).ok()
    }

    fn children(&self, node: u32) -> [u32; 2] {
        self.m.bvh_child[self.root + node as usize].map(|c| c as u32)
    }
}

/// Finds elements whose boxes are within a margin of the box of a geom.
pub fn near_geom(m: &Model, pose: &Pose, [f, g]: [usize; 2], margin: f64, work: &mut QueryWork) {
    let tree = Tree::new(m, pose, f);
    let (pos, mat) = ([pose.geom_xpos[g], [0.0; 3]], [&pose.geom_xmat[g], &mat3::IDENTITY]);
    let frames = Frames::new(pos, mat);
    let reach = m.geom_rbound[g] + margin;
    let [x, y, z] = pose.geom_xpos[g];
    let around = [x, y, z, reach, reach, reach];
    work.elems.clear();
    work.stack.clear();
    work.stack.push([0; 2]);
    while let Some([node, _]) = work.stack.pop() {
        let boxes = [&m.geom_aabb[g], tree.aabb(node)];
        if !overlap(&around, boxes[1], 0.0) {
            continue;
        }
        match tree.elem(node) {
            Some(e) if obb::overlap(boxes, pos, mat, margin) => work.elems.push(e),
            None if frames.overlap(boxes, margin) => work.stack.extend(tree.children(node).map(|c| [c, 0])),
            _ => {}
        }
    }
    work.elems.sort_unstable();
}

/// Finds pairs of elements of two flexes whose boxes are within a margin of each other.
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
            (Some(e1), Some(e2)) => work.pairs.push(pair(e1, e2)),
            (Some(_), None) => work.stack.extend(b.children(y).map(|c| [x, c])),
            (None, Some(_)) => work.stack.extend(a.children(x).map(|c| [c, y])),
            (None, None) if size(box_x) > size(box_y) => work.stack.extend(a.children(x).map(|c| [c, y])),
            (None, None) => work.stack.extend(b.children(y).map(|c| [x, c])),
        }
    }
    work.pairs.sort_unstable();
}

/// Finds pairs of elements of one flex whose boxes overlap and that share no body, each pair once. The element that
/// comes first in the tree is first in the pair.
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
            (Some(e1), Some(e2)) => {
                if !share(&bodies(m, f, e1 as usize), &bodies(m, f, e2 as usize)) {
                    work.pairs.push(pair(e1, e2));
                }
            }
            (Some(_), None) => work.stack.extend(tree.children(y).map(|c| [x, c])),
            (None, _) => work.stack.extend(tree.children(x).map(|c| [c, y])),
        }
    }
    work.pairs.sort_unstable();
}

/// Finds the same pairs, in the order of a sweep along the longest axis of the flex: each element, when its interval
/// begins, is paired with those whose intervals began before, in that order.
pub fn sweep_itself(m: &Model, pose: &Pose, f: usize, work: &mut QueryWork) {
    let [_, _, _, x, y, z] = *Tree::new(m, pose, f).aabb(0);
    let axes = if x > y && x > z { [0, 1, 2] } else { [[1, 0, 2], [2, 0, 1]][usize::from(y <= z)] };
    let boxes = &pose.flexelem_aabb[m.flex_elemadr[f] as usize..][..m.flex_elemnum[f] as usize];
    let QueryWork { pairs, sweep, bodies: of, rank, .. } = work;
    sweep.spans.clear();
    for (e, b) in boxes.iter().enumerate().filter(|&(e, _)| is_active(m, f, e)) {
        sweep.push(e, axes.map(|k| b[k] - b[k + 3]), axes.map(|k| b[k] + b[k + 3]));
    }
    of.clear();
    of.extend((0..boxes.len()).map(|e| bodies(m, f, e)));
    pairs.clear();
    sweep::overlaps(sweep, |a, b| {
        if !share(&of[a], &of[b]) && overlap(&boxes[a], &boxes[b], 0.0) {
            pairs.push(pair(a as u32, b as u32));
        }
    });
    rank.resize(boxes.len(), 0);
    sweep.sorted.iter().enumerate().for_each(|(k, s)| rank[s.body as usize] = k as u32);
    for p in pairs.iter_mut() {
        let [a, b] = unpair(*p).map(|e| rank[e]);
        *p = pair(a.max(b), a.min(b));
    }
    pairs.sort_unstable();
    for p in pairs.iter_mut() {
        let [later, earlier] = unpair(*p).map(|k| sweep.sorted[k].body);
        *p = pair(earlier, later);
    }
}

/// An eighth of the surface area of a box, for comparing sizes.
fn size(b: &[f64; 6]) -> f64 {
    b[3] * b[4] + b[4] * b[5] + b[5] * b[3]
}
