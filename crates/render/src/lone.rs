//! One ray through a tree, four boxes at a time.

use crate::trace::{Packet, TIE};
use crate::tree::{Node, Tree};
use crate::vector::P3;
use crate::walk::{Rays, Waiting, far_to_near};
use wide::f32x4;

/// A ray, four times.
pub(crate) struct Lone {
    pub origin: [f32x4; 3],
    pub dir: [f32x4; 3],
    inverse: [f32x4; 3],
    offset: [f32x4; 3],
    /// Which of a box's corners it passes first, by axis.
    first: [usize; 3],
    /// Its place in the packet.
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

    /// How far the ray goes after what it has met so far.
    #[inline(always)]
    pub fn reach(&self, packet: &Packet) -> f32 {
        packet.t.as_array()[self.ray] * TIE
    }

    /// Which boxes of a node the ray enters before `t`, and where.
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

    /// Walks the ray through what is below a node or leaf; `look` is given the leaves. Nothing waits before or after.
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
