//! Blocks of four triangles, intersected with one ray at once, or one after the other with a packet of eight rays.

use crate::lone::Lone;
use crate::trace::{Packet, TIE};
use crate::vector::V3;
use crate::walk::Rays;
use wide::f32x4;

/// Triangles of a leaf, stored by axis: first corners and the edges to the two others. Degenerate triangles are never
/// hit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block([[[f32; 4]; 3]; 3]);

/// Four vectors.
type Q3 = [f32x4; 3];

#[inline(always)]
fn qsub(a: Q3, b: Q3) -> Q3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn qdot(a: Q3, b: Q3) -> f32x4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn qcross(a: Q3, b: Q3) -> Q3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl Block {
    /// Sets one of the four triangles.
    pub fn set(&mut self, place: usize, [a, b, c]: [V3; 3]) {
        for k in 0..3 {
            let parts = [a[k], b[k] - a[k], c[k] - a[k]];
            (0..3).for_each(|p| self.0[p][k][place] = parts[p]);
        }
    }

    /// First corner and edges of one of the four triangles.
    #[inline(always)]
    pub fn triangle(&self, place: usize) -> [V3; 3] {
        [0, 1, 2].map(|p| [0, 1, 2].map(|k| self.0[p][k][place]))
    }

    /// Intersects all rays of a packet with the triangles of the block, which has index `block` in its surface.
    #[inline(always)]
    pub fn meet<const ANY: bool>(&self, packet: &mut Packet, rays: &Rays, solid: u32, block: usize) {
        for place in 0..4 {
            packet.triangle::<ANY>(rays, &self.triangle(place), solid, (4 * block + place) as u32);
        }
    }

    /// Intersects one ray. The equations are those of [`Packet::triangle`], in the same order, so that the result does
    /// not depend on how rays are traced.
    #[inline(always)]
    pub fn meet_one<const ANY: bool>(&self, packet: &mut Packet, lone: &Lone, solid: u32, block: usize) {
        let [corner, e1, e2] = [0, 1, 2].map(|p| [0, 1, 2].map(|k| f32x4::new(self.0[p][k])));
        let p = qcross(lone.dir, e2);
        let det = qdot(e1, p);
        let s = qsub(lone.origin, corner);
        let q = qcross(s, e1);
        let (u, v, t) = (qdot(s, p), qdot(lone.dir, q), qdot(e2, q));
        let (det, u, v, t) = match ANY {
            true => {
                let sign = det & f32x4::splat(-0.0);
                (det ^ sign, u ^ sign, v ^ sign, t ^ sign)
            }
            false => (det, u, v, t),
        };
        let zero = f32x4::splat(0.0);
        let reach = f32x4::splat(packet.t.as_array()[lone.ray]) * TIE;
        let inside = det.simd_gt(zero) & u.simd_ge(zero) & v.simd_ge(zero) & (u + v).simd_le(det);
        let hit = (inside & t.simd_gt(det * packet.near) & t.simd_lt(reach * det)).to_bitmask();
        if hit == 0 {
            return;
        }
        if ANY {
            packet.end(lone.ray);
            return;
        }
        let per = f32x4::splat(1.0) / det;
        let [t, u, v] = [t * per, u * per, v * per].map(f32x4::to_array);
        for place in (0..4).filter(|k| hit >> k & 1 == 1) {
            packet.meet_one(lone.ray, [t[place], u[place], v[place]], solid, (4 * block + place) as u32);
        }
    }
}
