//! Packets of eight rays, and their hits.

use crate::vector::{F, P3, V3, all, all3, among, lanes, pcross, pdot, pick, psub};
use crate::walk::Rays;

/// Intersection distance that marks a miss.
pub(crate) const FAR: f32 = 1e30;

/// Maximum distance of infinite rays: less than [`FAR`], so that a miss is never in range.
pub(crate) const ENDLESS: f32 = 1e29;

/// Surfaces whose distances differ by less than this factor count as coincident.
pub(crate) const TIE: f32 = 1.0 + 4e-7;

/// Eight rays with their nearest hits so far.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    pub origin: P3,
    pub dir: P3,
    /// Distance of the nearest hit so far, in units of the length of `dir`.
    pub t: F,
    /// Near limit: hits closer than this are ignored.
    pub near: f32,
    /// Barycentric coordinates of the hit in its triangle.
    pub u: F,
    pub v: F,
    /// Index of the solid hit; −1 for none.
    pub solid: [i32; 8],
    /// Index of the triangle in the solid.
    pub prim: [u32; 8],
    /// Mask of the active rays.
    pub live: F,
}

impl Packet {
    pub fn new(origin: P3, dir: P3, near: f32, far: F, live: F) -> Self {
        let none = all(0.0);
        Packet { origin, dir, t: far, near, u: none, v: none, solid: [-1; 8], prim: [0; 8], live }
    }

    /// Rays that have hit something.
    pub fn met(&self) -> u32 {
        bits(self.solid.map(|s| s >= 0)) & self.live.to_bitmask()
    }

    /// Rays that have hit a given solid.
    pub fn on(&self, solid: i32) -> u32 {
        bits(self.solid.map(|s| s == solid))
    }

    /// Records hits. Occlusion rays (`ANY`) end at their first hit.
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

    /// Rays on which a solid replaces the current hit: it is nearer, or coincident and later in order.
    #[cold]
    fn last_of_ties(&self, hit: F, t: F, solid: i32) -> (F, u32) {
        let ts = t.to_array();
        let mask = among(hit.to_bitmask()).filter(|k| self.sees(*k, ts[*k], solid)).fold(0, |mask, k| mask | 1 << k);
        (lanes(mask), mask)
    }

    /// Whether a solid, not farther than a ray's hit, replaces it: of coincident solids the last one is seen.
    #[inline(always)]
    fn sees(&self, ray: usize, t: f32, solid: i32) -> bool {
        let before = self.solid[ray];
        before < solid || t < self.t.as_array()[ray] * if before == solid { 1.0 } else { 2.0 - TIE }
    }

    /// Records a hit of one ray, given as distance and barycentric coordinates, if it is not farther than the current
    /// one.
    #[inline(always)]
    pub fn meet_one(&mut self, ray: usize, [t, u, v]: V3, solid: u32, prim: u32) {
        if t < self.t.as_array()[ray] * TIE && self.sees(ray, t, solid as i32) {
            self.t.as_mut_array()[ray] = t;
            self.u.as_mut_array()[ray] = u;
            self.v.as_mut_array()[ray] = v;
            (self.solid[ray], self.prim[ray]) = (solid as i32, prim);
        }
    }

    /// Ends an occlusion ray.
    pub fn end(&mut self, ray: usize) {
        self.t.as_mut_array()[ray] = -1.0;
        self.live.as_mut_array()[ray] = 0.0;
    }

    /// Intersects a triangle: front side only, or both sides for occlusion rays.
    #[inline(always)]
    pub fn triangle<const ANY: bool>(&mut self, rays: &Rays, [corner, e1, e2]: &[V3; 3], solid: u32, prim: u32) {
        let (e1, e2) = (all3(*e1), all3(*e2));
        let p = pcross(rays.dir, e2);
        let det = pdot(e1, p);
        let s = psub(rays.origin, all3(*corner));
        let q = pcross(s, e1);
        let (u, v, t) = (pdot(s, p), pdot(rays.dir, q), pdot(e2, q));
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
