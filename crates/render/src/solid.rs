//! Solids: the primitives that shapes are made of, and their ray intersections.

use crate::lone::Lone;
use crate::surface::Surface;
use crate::trace::{FAR, Packet, TIE};
use crate::tree::Bounds;
use crate::vector::{F, M3, P3, V3, add, all, all3, ones, pdot, pick, psub, pturn_back, sub, turn};
use crate::walk::{Rays, Waiting, walk};

/// With at most this many active rays, rays are traced one by one: that tests fewer boxes than a packet of eight.
const FEW: u32 = 4;

/// Kind of a solid; its size is stored separately.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<'a> {
    /// The plane z = 0, within half-extents unless they are 0.
    Plane,
    Ellipsoid,
    /// Radius and half-length of the straight part.
    Capsule,
    /// Radius and half-length.
    Cylinder {
        open: bool,
    },
    Box,
    /// From a disc at the origin to a tip on the z axis.
    Cone,
    /// One corner at the origin, two along x and y; visible from both sides.
    Triangle,
    Surface(&'a Surface),
    /// A surface scaled to the solid's size.
    Stretched(&'a Surface),
}

/// A solid with its size and pose.
#[derive(Clone, Debug)]
pub(crate) struct Solid<'a> {
    pub kind: Kind<'a>,
    /// Index of the scene's shape that it is part of.
    pub shape: usize,
    pub size: V3,
    pub pos: V3,
    pub mat: M3,
}

impl Solid<'_> {
    /// Bounds in the world; not meaningful for planes.
    pub fn bounds(&self) -> Bounds {
        let [x, y, z] = self.size;
        let (low, high) = match self.kind {
            Kind::Surface(surface) => surface.bounds(),
            Kind::Stretched(surface) => {
                let (low, high) = surface.bounds();
                ([0, 1, 2].map(|k| low[k] * self.size[k]), [0, 1, 2].map(|k| high[k] * self.size[k]))
            }
            Kind::Capsule => ([-x, -y, -z - x], [x, y, z + x]),
            Kind::Cone => ([-x, -y, 0.0], [x, y, z]),
            Kind::Triangle => ([0.0; 3], [x, y, 0.0]),
            _ => ([-x, -y, -z], [x, y, z]),
        };
        let middle = turn(&self.mat, [0, 1, 2].map(|k| 0.5 * (low[k] + high[k])));
        let half: V3 = [0, 1, 2].map(|k| 0.5 * (high[k] - low[k]));
        let reach = [0, 3, 6].map(|r| (0..3).map(|k| self.mat[r + k].abs() * half[k]).sum::<f32>());
        let centre = add(self.pos, middle);
        (sub(centre, reach), add(centre, reach))
    }

    /// Intersects a packet with the solid, which has index `id` in its world; only the rays in `among` are tested.
    #[inline(always)]
    pub fn meet<const ANY: bool>(&self, packet: &mut Packet, among: u32, id: u32) {
        let origin = pturn_back(&self.mat, psub(packet.origin, all3(self.pos)));
        let dir = pturn_back(&self.mat, packet.dir);
        let near = all(packet.near);
        let t = match self.kind {
            Kind::Surface(surface) => {
                return self.meet_surface::<ANY>(surface, packet, &Rays::new(origin, dir), among, id);
            }
            Kind::Stretched(surface) => {
                let shrink = |v: P3| [0, 1, 2].map(|k| v[k] * (1.0 / self.size[k]));
                return self.meet_surface::<ANY>(surface, packet, &Rays::new(shrink(origin), shrink(dir)), among, id);
            }
            Kind::Plane => plane(self.size, origin, dir),
            Kind::Ellipsoid => ellipsoid(self.size, origin, dir, near),
            Kind::Capsule => capsule(self.size, origin, dir, near),
            Kind::Cylinder { open } => cylinder(self.size, open, origin, dir, near),
            Kind::Box => cuboid(self.size, origin, dir, near),
            Kind::Cone => cone(self.size, origin, dir, near),
            Kind::Triangle => triangle(self.size, origin, dir),
        };
        let hit = t.simd_gt(near) & t.simd_lt(packet.t * TIE) & packet.live;
        packet.meet::<ANY>(hit, t, [all(0.0); 2], id, 0);
    }

    fn meet_surface<const ANY: bool>(&self, surface: &Surface, packet: &mut Packet, rays: &Rays, among: u32, id: u32) {
        let mut waiting = Waiting::new(0.0);
        walk::<ANY>(&surface.tree, rays, packet, among, |packet, at, entering| {
            if entering.count_ones() <= FEW {
                for ray in ones(entering) {
                    let lone = Lone::new(rays, ray);
                    lone.walk::<ANY>(&surface.tree, at, packet, &mut waiting, |packet, leaf| {
                        surface.blocks[leaf].meet_one::<ANY>(packet, &lone, id, leaf);
                    });
                }
            } else if at < 0 {
                surface.blocks[!at as usize].meet::<ANY>(packet, rays, id, !at as usize);
            } else {
                return false;
            }
            true
        });
    }
}

fn plane([x, y, _]: V3, o: P3, d: P3) -> F {
    let t = -o[2] / d[2];
    let within = |size: f32, k: usize| match size > 0.0 {
        true => (o[k] + t * d[k]).abs().simd_le(all(size)),
        false => t.simd_eq(t),
    };
    pick(within(x, 0) & within(y, 1), t, all(FAR))
}

fn triangle([x, y, _]: V3, o: P3, d: P3) -> F {
    let t = -o[2] / d[2];
    let (a, b) = ((o[0] + t * d[0]) * (1.0 / x), (o[1] + t * d[1]) * (1.0 / y));
    let zero = all(0.0);
    pick(a.simd_ge(zero) & b.simd_ge(zero) & (a + b).simd_le(all(1.0)), t, all(FAR))
}

/// Roots of the quadratic `a t² + 2 b t + c`: whether they are real, entry and exit.
fn roots(a: F, b: F, c: F) -> (F, F, F) {
    let square = b * b - a * c;
    let root = square.max(all(0.0)).sqrt();
    (square.simd_gt(all(0.0)), (-b - root) / a, (-b + root) / a)
}

fn ellipsoid(size: V3, o: P3, d: P3, near: F) -> F {
    let (o, d) = ([0, 1, 2].map(|k| o[k] * (1.0 / size[k])), [0, 1, 2].map(|k| d[k] * (1.0 / size[k])));
    let (hit, first, _) = roots(pdot(d, d), pdot(o, d), pdot(o, o) - 1.0);
    pick(hit & first.simd_gt(near), first, all(FAR))
}

/// Entry and exit of an infinite cylinder.
fn tube(r: f32, o: P3, d: P3) -> (F, F, F) {
    roots(d[0] * d[0] + d[1] * d[1], o[0] * d[0] + o[1] * d[1], o[0] * o[0] + o[1] * o[1] - r * r)
}

fn capsule([r, _, h]: V3, o: P3, d: P3, near: F) -> F {
    let (hit, first, _) = tube(r, o, d);
    let straight = hit & (o[2] + first * d[2]).abs().simd_le(all(h)) & first.simd_gt(near);
    let mut best = pick(straight, first, all(FAR));
    for end in [-1.0, 1.0] {
        let from = [o[0], o[1], o[2] - end * h];
        let (hit, t, _) = roots(pdot(d, d), pdot(from, d), pdot(from, from) - r * r);
        let outer = ((from[2] + t * d[2]) * end).simd_ge(all(0.0));
        best = pick(hit & outer & t.simd_gt(near) & t.simd_lt(best), t, best);
    }
    best
}

fn cylinder([r, _, h]: V3, open: bool, o: P3, d: P3, near: F) -> F {
    let (hit, first, _) = tube(r, o, d);
    let side = hit & (o[2] + first * d[2]).abs().simd_le(all(h)) & first.simd_gt(near);
    let best = pick(side, first, all(FAR));
    if open {
        return best;
    }
    // the cap facing the ray
    let facing = pick(d[2].simd_lt(all(0.0)), all(h), all(-h));
    let t = (facing - o[2]) / d[2];
    let (x, y) = (o[0] + t * d[0], o[1] + t * d[1]);
    let cap = (x * x + y * y).simd_le(all(r * r)) & t.simd_gt(near);
    pick(cap & t.simd_lt(best), t, best)
}

fn cuboid(size: V3, o: P3, d: P3, near: F) -> F {
    let (mut first, mut last) = (all(-FAR), all(FAR));
    for k in 0..3 {
        let inverse = all(1.0) / d[k];
        let (a, b) = ((all(-size[k]) - o[k]) * inverse, (all(size[k]) - o[k]) * inverse);
        first = first.max(a.min(b));
        last = last.min(a.max(b));
    }
    pick(first.simd_le(last) & first.simd_gt(near), first, all(FAR))
}

fn cone([r, _, h]: V3, o: P3, d: P3, near: F) -> F {
    let k = r / h * (r / h);
    let below = all(h) - o[2];
    let (hit, t0, t1) = roots(
        d[0] * d[0] + d[1] * d[1] - d[2] * d[2] * k,
        o[0] * d[0] + o[1] * d[1] + below * d[2] * k,
        o[0] * o[0] + o[1] * o[1] - below * below * k,
    );
    let mut best = all(FAR);
    for t in [t0, t1] {
        let [x, y, z] = [0, 1, 2].map(|k| o[k] + t * d[k]);
        let within = z.simd_ge(all(0.0)) & z.simd_le(all(h));
        let facing = (x * d[0] + y * d[1] + (all(h) - z) * d[2] * k).simd_lt(all(0.0));
        best = pick(hit & within & facing & t.simd_gt(near) & t.simd_lt(best), t, best);
    }
    let t = -o[2] / d[2];
    let (x, y) = (o[0] + t * d[0], o[1] + t * d[1]);
    let base = d[2].simd_gt(all(0.0)) & (x * x + y * y).simd_le(all(r * r)) & t.simd_gt(near);
    pick(base & t.simd_lt(best), t, best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers from −1 to 1.
    fn noise(i: usize) -> f32 {
        ((i as f32 * 12.9898).sin() * 43758.547).fract()
    }

    fn rays(of: impl Fn(usize) -> V3) -> P3 {
        [0, 1, 2].map(|c| F::from(std::array::from_fn::<f32, 8, _>(|k| of(k)[c])))
    }

    /// Traced through the tree, together or one by one, rays hit the same triangles as in a brute-force search.
    #[test]
    fn trees_hide_nothing() {
        let corner = |i: usize| [noise(3 * i), noise(3 * i + 1), noise(3 * i + 2)];
        let near = |i: usize, by: usize| add(corner(7 * i), corner(7 * i + by).map(|x| 0.1 * x));
        let corners: Vec<[V3; 3]> = (0..3000).map(|i| [near(i, 1), near(i, 2), near(i, 3)]).collect();
        let surface = Surface::flat(&corners);
        let solid = Solid {
            kind: Kind::Surface(&surface),
            shape: 0,
            size: [1.0; 3],
            pos: [0.0; 3],
            mat: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        };
        let (mut met, mut shaded) = (0, 0);
        for i in 0..200 {
            // coherent bundles, and rays that diverge
            let spread = if i % 2 == 0 { 0.002 } else { 1.0 };
            let origin = rays(|_| [3.0, 0.2 * noise(i), 0.2 * noise(i + 1)]);
            let dir = rays(|k| [-1.0, 0.2 * noise(2 * i), 0.3 * spread * noise(100 * i + k)]);
            let new = || Packet::new(origin, dir, 0.0, all(100.0), all(0.0).simd_eq(all(0.0)));
            let [mut tree, mut each, mut shade] = [new(), new(), new()];
            solid.meet::<false>(&mut tree, 255, 0);
            solid.meet::<true>(&mut shade, 255, 0);
            let (local, mut any) = (Rays::new(origin, dir), new());
            for (k, block) in surface.blocks.iter().enumerate() {
                block.meet::<false>(&mut each, &local, 0, k);
                block.meet::<true>(&mut any, &local, 0, k);
            }
            assert_eq!(tree.t.to_array(), each.t.to_array());
            assert_eq!((tree.solid, shade.t.to_array()), (each.solid, any.t.to_array()));
            met += tree.met().count_ones();
            shaded += shade.t.to_array().iter().filter(|t| **t < 0.0).count();
        }
        assert!(met > 200 && met < 1600 && shaded > met as usize, "{met} {shaded}");
    }
}
