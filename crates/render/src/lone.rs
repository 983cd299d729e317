//! Traversal of a tree with a single ray, four boxes at a time.

use crate::trace::{Packet, TIE};
use crate::tree::{Node, Tree};
use crate::vector::P3;
use crate::walk::{Rays, Waiting, far_to_near};
use wide::f32x4;

/// One ray, replicated in four lanes.
pub(crate) struct Lone {
    pub origin: [f32x4; 3],
    pub dir: [f32x4; 3],
    inverse: [f32x4; 3],
    offset: [f32x4; 3],
    /// For each axis, which of a box's corners the ray passes first.
    first: [usize; 3],
    /// Its index in the packet.
    pub ray: usize,
}

impl Lone {
    #[inline(always)]
    pub fn new(rays: &Rays, ray: usize) -> Lone {
        let one = |v: &P3| [0, 1, 2].map(|k| v[k].as_array()[ray]);
        let four = |v: &P3| one(v).map(f32x4::splat);
        Lone {
            origin: four(&rays.origin),
            dir: four(&rays.dir),
            inverse: four(&rays.inverse),
            offset: four(&rays.offset),
            first: one(&rays.inverse).map(|x| usize::from(x < 0.0)),
            ray,
        }
    }

    /// Distance up to which the ray is traced, given its hit so far.
    #[inline(always)]
    pub fn reach(&self, packet: &Packet) -> f32 {
        packet.t.as_array()[self.ray] * TIE
    }

    /// The boxes of a node that the ray enters before `t`, and the entry distances.
    #[inline(always)]
    fn enter(&self, node: &Node, t: f32) -> (u32, [f32; 4]) {
        let (mut enter, mut leave) = (f32x4::splat(0.0), f32x4::splat(t));
        for k in 0..3 {
            let first = self.first[k] & 1;
            let [near, far] = [first, 1 - first].map(|side| f32x4::new(node.corners[side][k]));
            enter = enter.fast_max(self.inverse[k] * near - self.offset[k]);
            leave = leave.fast_min(self.inverse[k] * far - self.offset[k]);
        }
        (enter.simd_le(leave).to_bitmask(), enter.to_array())
    }

    /// Traverses the subtree of a node or leaf with the ray; `look` is called with the leaves. The stack is empty
    /// before and after.
    #[inline(always)]
    pub fn walk<const ANY: bool>(
        &self,
        tree: &Tree,
        from: i32,
        packet: &mut Packet,
        waiting: &mut Waiting<f32>,
        mut look: impl FnMut(&mut Packet, usize),
    ) {
        let mut next = Some((from, 0.0));
        while let Some((at, entry)) = next {
            let reach = self.reach(packet);
            if entry > reach {
                next = waiting.pop();
                continue;
            }
            if at < 0 {
                look(packet, !at as usize);
                next = waiting.pop();
                continue;
            }
            let node = &tree.nodes[at as usize];
            let (mask, t) = self.enter(node, reach);
            let (mut entered, mut count) = ([(0.0, 0, ()); 4], 0);
            for c in 0..4 {
                if mask >> c & 1 == 1 {
                    entered[count] = (t[c], node.child[c], ());
                    count += 1;
                }
            }
            if !ANY {
                far_to_near(&mut entered[..count]);
            }
            entered[..count].iter().for_each(|(t, child, ())| waiting.push(*child, *t));
            next = waiting.pop();
        }
    }
}
