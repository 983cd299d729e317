//! Eight rays at a time through trees.

use crate::tree::{Node, Tree};
use crate::vector::{F, P3, V3, all, all3, among, lanes, pcross, pdot, pick, psub};

/// Where rays meet what they do not meet.
pub(crate) const FAR: f32 = 1e30;

/// How far rays without an end go: not so far that they would meet what they do not.
pub(crate) const ENDLESS: f32 = 1e29;

/// Surfaces whose distances differ by less than this factor are at the same place.
pub(crate) const TIE: f32 = 1.0 + 4e-7;

/// Eight rays with what they have met so far.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    pub origin: P3,
    pub dir: P3,
    /// Distance of the nearest thing so far, in lengths of `dir`.
    pub t: F,
    /// What is nearer than this is not seen.
    pub near: f32,
    /// Where in its triangle it was met.
    pub u: F,
    pub v: F,
    /// Which solid was met; −1 for none.
    pub solid: [i32; 8],
    /// Which of its triangles.
    pub prim: [u32; 8],
    /// Rays that count.
    pub live: F,
}

impl Packet {
    pub fn new(origin: P3, dir: P3, near: f32, far: F, live: F) -> Self {
        let none = all(0.0);
        Packet { origin, dir, t: far, near, u: none, v: none, solid: [-1; 8], prim: [0; 8], live }
    }

    /// Rays that have met something.
    pub fn met(&self) -> u32 {
        bits(self.solid.map(|s| s >= 0)) & self.live.to_bitmask()
    }

    /// Rays that have met a certain solid.
    pub fn on(&self, solid: i32) -> u32 {
        bits(self.solid.map(|s| s == solid))
    }

    /// Notes what was met. Rays that only ask whether anything is in the way are done then.
    #[inline(always)]
    pub fn meet<const ANY: bool>(&mut self, hit: F, t: F, uv: [F; 2], solid: u32, prim: u32) {
        let mask = hit.to_bitmask();
        if mask == 0 {
            return;
        }
        if ANY {
            self.t = pick(hit, all(-1.0), self.t);
            self.live &= !hit;
            return;
        }
        let nearer = hit & t.simd_lt(self.t * (2.0 - TIE));
        let (seen, mask) = match nearer.to_bitmask() == mask {
            true => (hit, mask),
            false => self.last_of_ties(hit, t, solid as i32),
        };
        self.t = pick(seen, t, self.t);
        self.u = pick(seen, uv[0], self.u);
        self.v = pick(seen, uv[1], self.v);
        for k in 0..8 {
            let new = mask >> k & 1 == 1;
            self.solid[k] = if new { solid as i32 } else { self.solid[k] };
            self.prim[k] = if new { prim } else { self.prim[k] };
        }
    }

    /// Rays on which a solid is nearer than what they have met, or of coincident ones the last.
    #[cold]
    fn last_of_ties(&self, hit: F, t: F, solid: i32) -> (F, u32) {
        let (ts, own) = (t.to_array(), self.t.to_array());
        let seen = |k: &usize| {
            let before = self.solid[*k];
            before < solid || ts[*k] < own[*k] * if before == solid { 1.0 } else { 2.0 - TIE }
        };
        let mask = among(hit.to_bitmask()).filter(seen).fold(0, |mask, k| mask | 1 << k);
        (lanes(mask), mask)
    }

    /// Intersects a triangle: its front, or both sides if the question is whether anything is in the way.
    #[inline(always)]
    pub fn triangle<const ANY: bool>(&mut self, [corner, e1, e2]: &[V3; 3], solid: u32, prim: u32) {
        let (e1, e2) = (all3(*e1), all3(*e2));
        let p = pcross(self.dir, e2);
        let det = pdot(e1, p);
        let s = psub(self.origin, all3(*corner));
        let q = pcross(s, e1);
        let (u, v, t) = (pdot(s, p), pdot(self.dir, q), pdot(e2, q));
        let (det, u, v, t) = match ANY {
            true => {
                let sign = det & all(-0.0);
                (det ^ sign, u ^ sign, v ^ sign, t ^ sign)
            }
            false => (det, u, v, t),
        };
        let zero = all(0.0);
        let inside = det.simd_gt(zero) & u.simd_ge(zero) & v.simd_ge(zero) & (u + v).simd_le(det);
        let hit = inside & t.simd_gt(det * self.near) & t.simd_lt(self.t * TIE * det) & self.live;
        if hit.to_bitmask() != 0 {
            let per = all(1.0) / det;
            self.meet::<ANY>(hit, t * per, [u * per, v * per], solid, prim);
        }
    }
}

/// One bit per ray.
#[inline(always)]
fn bits(of: [bool; 8]) -> u32 {
    (0..8).fold(0, |bits, k| bits | u32::from(of[k]) << k)
}

/// What boxes are tested with: inverse directions, and origins divided by directions.
pub(crate) struct Slopes(P3, P3);

impl Slopes {
    pub fn new(origin: P3, dir: P3) -> Self {
        let tiny = all(1e-12);
        let inverse = dir.map(|x| all(1.0) / pick(x.abs().simd_lt(tiny), tiny, x));
        Slopes(inverse, [origin[0] * inverse[0], origin[1] * inverse[1], origin[2] * inverse[2]])
    }

    /// Which rays enter a box before `t`, and where.
    #[inline(always)]
    pub fn enter(&self, min: &V3, max: &V3, t: F) -> (F, F) {
        let (mut first, mut last) = (all(0.0), t);
        for k in 0..3 {
            let (a, b) = (self.0[k] * min[k] - self.1[k], self.0[k] * max[k] - self.1[k]);
            first = first.fast_max(a.fast_min(b));
            last = last.fast_min(a.fast_max(b));
        }
        (first.simd_le(last), first)
    }

    #[inline(always)]
    fn child(&self, node: &Node, c: usize, t: F) -> (F, F) {
        self.enter(&node.min[c], &node.max[c], t)
    }
}

/// Walks a packet through a tree, nearer boxes first. `leaf` looks at the items from a place in the order on.
#[inline(always)]
pub(crate) fn walk<const ANY: bool>(
    tree: &Tree,
    slopes: &Slopes,
    packet: &mut Packet,
    mut leaf: impl FnMut(&mut Packet, usize, usize),
) {
    if tree.nodes.is_empty() {
        return;
    }
    let mut stack = [0i32; 64];
    let (mut top, mut at) = (0, 0i32);
    loop {
        let node = &tree.nodes[at as usize];
        let reach = packet.t * TIE;
        let [(hit0, t0), (hit1, t1)] = [slopes.child(node, 0, reach), slopes.child(node, 1, reach)];
        let masks = [(hit0 & packet.live).to_bitmask(), (hit1 & packet.live).to_bitmask()];
        let swapped = masks[0] != 0 && masks[1] != 0 && {
            let first = (masks[0] | masks[1]).trailing_zeros() as usize;
            t1.to_array()[first] < t0.to_array()[first]
        };
        let mut next = -1;
        for c in if swapped { [1, 0] } else { [0, 1] } {
            if masks[c] == 0 {
                continue;
            }
            let child = node.child[c];
            if child < 0 {
                leaf(packet, !child as usize, node.count[c] as usize);
                if ANY && packet.live.to_bitmask() == 0 {
                    return;
                }
            } else if next < 0 {
                next = child;
            } else {
                // halving keeps trees far shallower than the stack
                stack[top] = child;
                top += 1;
            }
        }
        if next >= 0 {
            at = next;
        } else if top > 0 {
            top -= 1;
            at = stack[top];
        } else {
            return;
        }
    }
}
