//! Mid phase: pairs of nearby geoms, from the bounding volume hierarchies of two bodies.

use super::filter::too_far;
use super::work::CollisionWork;
use super::{margin, obb};
use crate::data::{Collision, Pose};
use crate::model::Model;

/// Collects the geom pairs of two bodies whose boxes overlap in `work.leaves`, in the order of their contacts.
///
/// Which of two nodes is expanded first follows MuJoCo, so that the same nodes are marked active.
#[doc(alias = "mj_collideTree")]
pub fn leaves(m: &Model, pose: &Pose, bodies: [usize; 2], active: &mut Collision, work: &mut CollisionWork) {
    let CollisionWork { stack, leaves, .. } = work;
    let [b1, b2] = bodies;
    let roots = [m.body_bvhadr[b1] as usize, m.body_bvhadr[b2] as usize];
    let (pos, mat) = ([pose.xipos[b1], pose.xipos[b2]], [&pose.ximat[b1], &pose.ximat[b2]]);
    let body_margin = margin(m, m.body_margin[b1] + m.body_margin[b2]);
    let mark = m.vis.global.bvactive != 0;
    // computed lazily: for most body pairs the roots do not overlap
    let mut frames = None;
    leaves.clear();
    stack.clear();
    stack.push(roots);
    while let Some(nodes) = stack.pop() {
        let children = [m.bvh_child[nodes[0]], m.bvh_child[nodes[1]]];
        let leaf = [children[0] == NONE, children[1] == NONE];
        let boxes = [&m.bvh_aabb[nodes[0]], &m.bvh_aabb[nodes[1]]];
        let near = match &frames {
            _ if leaf == [true, true] => {
                let geoms = [m.bvh_nodeid[nodes[0]] as usize, m.bvh_nodeid[nodes[1]] as usize];
                let near = geoms_near(m, pose, geoms);
                if near {
                    leaves.push(key(m, geoms));
                }
                near
            }
            None => {
                let near = obb::overlap_once(boxes, pos, mat, body_margin);
                if near {
                    frames = Some(obb::Frames::new(pos, mat));
                }
                near
            }
            Some(frames) => frames.overlap(boxes, body_margin),
        };
        if !near {
            continue;
        }
        if mark {
            active.bvh_active[nodes[0]] = 1;
            active.bvh_active[nodes[1]] = 1;
        }
        let open_first = match leaf {
            [true, true] => continue,
            [false, true] => true,
            [true, false] => false,
            [false, false] => size(boxes[0]) > size(boxes[1]),
        };
        // child indices are relative to the root
        let node = |root: usize, child: i32| (child >= 0).then(|| root + child as usize);
        if open_first {
            stack.extend(children[0].iter().filter_map(|&c| Some([node(roots[0], c)?, nodes[1]])));
        } else {
            stack.extend(children[1].iter().filter_map(|&c| Some([nodes[0], node(roots[1], c)?])));
        }
    }
    leaves.sort_unstable();
}

/// The children of a leaf node.
const NONE: [i32; 2] = [-1; 2];

/// Whether bounding spheres and boxes of two geoms are within their margin.
fn geoms_near(m: &Model, pose: &Pose, geoms: [usize; 2]) -> bool {
    let margin = margin(m, m.geom_margin[geoms[0]] + m.geom_margin[geoms[1]]);
    !too_far(m, pose, geoms[0], geoms[1], margin)
        && obb::overlap(
            [&m.geom_aabb[geoms[0]], &m.geom_aabb[geoms[1]]],
            [pose.geom_xpos[geoms[0]], pose.geom_xpos[geoms[1]]],
            [&pose.geom_xmat[geoms[0]], &pose.geom_xmat[geoms[1]]],
            margin,
        )
}

/// Sort key of two geoms, the one with the lower type in the upper half.
fn key(m: &Model, [g1, g2]: [usize; 2]) -> u64 {
    let [g1, g2] = if m.geom_type[g1] > m.geom_type[g2] { [g2, g1] } else { [g1, g2] };
    (g1 as u64) << 32 | g2 as u64
}

/// What MuJoCo compares to choose the node to expand: it subtracts centre from half-sizes, as if they were corners.
fn size(b: &obb::Aabb) -> f64 {
    let [x, y, z] = [b[3] - b[0], b[4] - b[1], b[5] - b[2]];
    x * y + y * z + z * x
}
