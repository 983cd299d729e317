//! Pairs of geoms near each other, by the bounding-volume trees of two bodies.

use super::filter::too_far;
use super::{margin, obb};
use crate::data::collision_work::CollisionWork;
use crate::data::{Collision, Pose};
use crate::model::Model;

/// One body's tree.
struct Tree {
    root: usize,
}

impl Tree {
    fn of(m: &Model, body: usize) -> Self {
        Tree { root: m.body_bvhadr[body] as usize }
    }

    /// Children of a node, both nodes counted from the root; none for a leaf.
    fn children(&self, m: &Model, node: usize) -> [Option<usize>; 2] {
        m.bvh_child[self.root + node].map(|c| usize::try_from(c).ok())
    }
}

/// Pairs of geoms of two bodies whose boxes overlap, in the order of contacts; they go to `work.leaves`.
///
/// Which of two nodes is opened first follows MuJoCo, so that the same nodes count as active.
#[doc(alias = "mj_collideTree")]
pub fn leaves(m: &Model, pose: &Pose, bodies: [usize; 2], active: &mut Collision, work: &mut CollisionWork) {
    let CollisionWork { stack, leaves, .. } = work;
    let trees = bodies.map(|b| Tree::of(m, b));
    let (pos, mat) = (bodies.map(|b| pose.xipos[b]), bodies.map(|b| &pose.ximat[b]));
    // most pairs of bodies end at the roots
    let mut frames = None;
    let body_margin = margin(m, m.body_margin[bodies[0]] + m.body_margin[bodies[1]]);
    let mark = m.vis.global.bvactive != 0;
    leaves.clear();
    stack.clear();
    stack.push([0, 0]);
    while let Some(nodes) = stack.pop() {
        let ids = [trees[0].root + nodes[0], trees[1].root + nodes[1]];
        let children = [trees[0].children(m, nodes[0]), trees[1].children(m, nodes[1])];
        let leaf = children.map(|c| c == [None, None]);
        let boxes = ids.map(|id| &m.bvh_aabb[id]);
        let near = if leaf == [true, true] {
            let geoms = ids.map(|id| m.bvh_nodeid[id] as usize);
            let near = geoms_near(m, pose, geoms);
            if near {
                leaves.push(key(m, geoms));
            }
            near
        } else {
            match nodes {
                [0, 0] => obb::overlap_once(boxes, pos, mat, body_margin),
                _ => frames.get_or_insert_with(|| obb::Frames::new(pos, mat)).overlap(boxes, body_margin),
            }
        };
        if !near {
            continue;
        }
        if mark {
            ids.iter().for_each(|&id| active.bvh_active[id] = 1);
        }
        let side = match leaf {
            [true, true] => continue,
            [false, true] => 0,
            [true, false] => 1,
            [false, false] => usize::from(size(boxes[0]) <= size(boxes[1])),
        };
        for child in children[side].into_iter().flatten() {
            let mut next = nodes;
            next[side] = child;
            stack.push(next);
        }
    }
    leaves.sort_unstable();
}

/// Whether two geoms are near enough to be collided.
fn geoms_near(m: &Model, pose: &Pose, geoms: [usize; 2]) -> bool {
    let margin = margin(m, m.geom_margin[geoms[0]] + m.geom_margin[geoms[1]]);
    !too_far(m, pose, geoms[0], geoms[1], margin)
        && obb::overlap(
            geoms.map(|g| &m.geom_aabb[g]),
            geoms.map(|g| pose.geom_xpos[g]),
            geoms.map(|g| &pose.geom_xmat[g]),
            margin,
        )
}

/// Two geoms, that of the lower type first, as a number to sort by.
fn key(m: &Model, [g1, g2]: [usize; 2]) -> u64 {
    let [g1, g2] = if m.geom_type[g1] > m.geom_type[g2] { [g2, g1] } else { [g1, g2] };
    (g1 as u64) << 32 | g2 as u64
}

/// What MuJoCo compares to choose the node to open: half-sizes minus centre, as if they were corners.
fn size(b: &obb::Aabb) -> f64 {
    let [x, y, z] = [b[3] - b[0], b[4] - b[1], b[5] - b[2]];
    x * y + y * z + z * x
}
