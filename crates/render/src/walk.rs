//! Packet traversal of trees, nearer boxes first.

use crate::trace::{Packet, TIE};
use crate::tree::{Node, STACK, Tree};
use crate::vector::{F, P3, V3, all, pick};

/// Mask of all rays of a packet.
pub(crate) const EVERY: u32 = 255;

/// Rays in a frame, with precomputed values for box tests.
pub(crate) struct Rays {
    pub origin: P3,
    pub dir: P3,
    pub inverse: P3,
    /// Origins divided by directions.
    pub offset: P3,
}

impl Rays {
    pub fn new(origin: P3, dir: P3) -> Self {
        let tiny = all(1e-12);
        let inverse = dir.map(|x| all(1.0) / pick(x.abs().simd_lt(tiny), tiny, x));
        let offset = [origin[0] * inverse[0], origin[1] * inverse[1], origin[2] * inverse[2]];
        Rays { origin, dir, inverse, offset }
    }

    /// Mask of the rays that enter a box before `t`, and the entry distances.
    #[inline(always)]
    pub fn enter(&self, min: &V3, max: &V3, t: F) -> (F, F) {
        let (mut first, mut last) = (all(0.0), t);
        for k in 0..3 {
            let (a, b) = (self.inverse[k] * min[k] - self.offset[k], self.inverse[k] * max[k] - self.offset[k]);
            first = first.fast_max(a.fast_min(b));
            last = last.fast_min(a.fast_max(b));
        }
        (first.simd_le(last), first)
    }

    #[inline(always)]
    fn child(&self, node: &Node, c: usize, t: F) -> (F, F) {
        let [min, max] = node.corners.map(|corner| corner.map(|axis| axis[c]));
        self.enter(&min, &max, t)
    }
}

/// Traversal stack: nodes still to be visited, nearest last.
pub(crate) struct Waiting<T> {
    stack: [(i32, T); STACK],
    top: usize,
}

impl<T: Copy> Waiting<T> {
    pub fn new(any: T) -> Self {
        Waiting { stack: [(0, any); STACK], top: 0 }
    }

    #[inline(always)]
    pub fn push(&mut self, child: i32, with: T) {
        self.stack[self.top] = (child, with);
        self.top += 1;
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<(i32, T)> {
        self.top = self.top.checked_sub(1)?;
        Some(self.stack[self.top])
    }
}

/// Sorts the children of a node, farthest first.
#[inline(always)]
pub(crate) fn far_to_near<T: Copy>(list: &mut [(f32, i32, T)]) {
    for i in 1..list.len() {
        let mut k = i;
        while k > 0 && list[k - 1].0 < list[k].0 {
            list.swap(k - 1, k);
            k -= 1;
        }
    }
}

/// Traverses a tree with some rays of a packet, nearer boxes first. `visit` is called for nodes and leaves (leaves as
/// complements, negative) with the rays that enter them; it returns whether it has handled them, which it must for
/// leaves.
#[inline(always)]
pub(crate) fn walk<const ANY: bool>(
    tree: &Tree,
    rays: &Rays,
    packet: &mut Packet,
    among: u32,
    mut visit: impl FnMut(&mut Packet, i32, u32) -> bool,
) {
    if tree.nodes.is_empty() {
        return;
    }
    let mut waiting = Waiting::new(0);
    let mut next = Some((0, among & packet.live.to_bitmask()));
    while let Some((at, mask)) = next {
        let mask = if ANY { mask & packet.live.to_bitmask() } else { mask };
        if mask == 0 || visit(packet, at, mask) {
            next = waiting.pop();
            continue;
        }
        let node = &tree.nodes[at as usize];
        let (reach, leader) = (packet.t * TIE, mask.trailing_zeros() as usize & 7);
        let (mut entered, mut count) = ([(0.0, 0, 0); 4], 0);
        for c in 0..node.count {
            let (hit, t) = rays.child(node, c, reach);
            let into = hit.to_bitmask() & mask;
            if into != 0 {
                entered[count] = (t.as_array()[leader], node.child[c], into);
                count += 1;
            }
        }
        far_to_near(&mut entered[..count]);
        entered[..count].iter().for_each(|(_, child, into)| waiting.push(*child, *into));
        next = waiting.pop();
    }
}
