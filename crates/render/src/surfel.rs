//! Surface properties at ray hits: normals, colours, textures. Rays that hit the same solid are processed together.

use crate::assets::{Assets, Material};
use crate::lens::Lens;
use crate::solid::{Kind, Solid};
use crate::surface::Surface;
use crate::texture::{Texture, octaves};
use crate::trace::Packet;
use crate::vector::{
    F, P3, V3, all, all3, among, lanes, padd, pdot, pick, pick3, pmul, psub, pturn, pturn_back, punit,
};
use crate::world::World;
use sinew_engine::model::enums::{GeomType, TextureType};
use sinew_scene::Shape;

/// Surface elements, one per ray.
pub(crate) struct Surfels {
    pub pos: P3,
    pub normal: P3,
    /// Colour of the shape, and of its texture.
    pub base: P3,
    pub texture: P3,
    pub alpha: F,
    pub specular: F,
    pub shininess: F,
    pub emission: F,
    /// Mask of the rays that have hit something.
    pub hit: F,
}

impl Surfels {
    pub fn new(assets: &Assets, world: &World, lens: &Lens, packet: &Packet) -> Surfels {
        let pos = padd(packet.origin, pmul(packet.dir, packet.t));
        let met = packet.met();
        let part = |id: i32, bits: u32| {
            let solid = &world.solids[id as usize];
            let local = pturn_back(&solid.mat, psub(pos, all3(solid.pos)));
            let patch = Patch { solid, shape: &world.shapes[solid.shape], packet, bits, local };
            patch.surfels(assets, lens, pos)
        };
        let (mut out, mut left) = (Surfels::nothing(pos), met);
        while left != 0 {
            let id = packet.solid[left.trailing_zeros() as usize];
            let bits = packet.on(id) & left;
            let part = part(id, bits);
            out = if left == met { part } else { out.covered(part, lanes(bits)) };
            left &= !bits;
        }
        Surfels { hit: lanes(met), ..out }
    }

    fn nothing(pos: P3) -> Surfels {
        let none = all(0.0);
        let [normal, base, texture] = [[none; 3]; 3];
        Surfels { pos, normal, base, texture, alpha: none, specular: none, shininess: none, emission: none, hit: none }
    }

    /// Replaces the rays in a mask by those of another.
    fn covered(self, by: Surfels, mask: F) -> Surfels {
        Surfels {
            normal: pick3(mask, by.normal, self.normal),
            base: pick3(mask, by.base, self.base),
            texture: pick3(mask, by.texture, self.texture),
            alpha: pick(mask, by.alpha, self.alpha),
            specular: pick(mask, by.specular, self.specular),
            shininess: pick(mask, by.shininess, self.shininess),
            emission: pick(mask, by.emission, self.emission),
            ..self
        }
    }
}

/// Hits of rays on one solid; values for the packet's other rays are meaningless.
struct Patch<'a> {
    solid: &'a Solid<'a>,
    shape: &'a Shape,
    packet: &'a Packet,
    bits: u32,
    local: P3,
}

impl Patch<'_> {
    /// Surface properties of the patch. Values that cost nothing extra are set for all rays of the packet.
    fn surfels(&self, assets: &Assets, lens: &Lens, pos: P3) -> Surfels {
        let (shape, normal) = (self.shape, self.normal());
        let [r, g, b, a] = shape.rgba;
        Surfels {
            pos,
            normal,
            base: all3([r, g, b]),
            texture: self.texture(assets, normal, lens).unwrap_or([all(1.0); 3]),
            alpha: all(a),
            specular: all(shape.specular),
            shininess: all(shape.shininess * 128.0),
            emission: all(shape.emission),
            hit: lanes(self.bits),
        }
    }

    /// Normals in the world; for planes, facing the eye.
    fn normal(&self) -> P3 {
        let ([x, y, z], size) = (self.local, self.solid.size);
        let (zero, one) = (all(0.0), all(1.0));
        let local = match self.solid.kind {
            Kind::Plane => {
                let away = pturn_back(&self.solid.mat, self.packet.dir)[2].simd_gt(zero);
                [zero, zero, pick(away, -one, one)]
            }
            // both sides are lit with the front normal
            Kind::Triangle => [zero, zero, one],
            Kind::Ellipsoid => [0, 1, 2].map(|k| self.local[k] * (1.0 / (size[k] * size[k]))),
            Kind::Capsule => [x, y, z - z.fast_max(all(-size[2])).fast_min(all(size[2]))],
            Kind::Cylinder { open: true } => [x, y, zero],
            Kind::Cylinder { open: false } => {
                let side = z.abs().simd_lt(all(size[2] * 0.99999));
                [side & x, side & y, pick(side, zero, z)]
            }
            Kind::Box => {
                let share = [0, 1, 2].map(|k| self.local[k].abs() * (1.0 / size[k]));
                let last = share[2].simd_gt(share[0].fast_max(share[1]));
                let second = share[1].simd_gt(share[0]) & !last;
                let sign = |v: F| (v & all(-0.0)) | one;
                [sign(x) & !(second | last), sign(y) & second, sign(z) & last]
            }
            Kind::Cone => {
                let base = z.simd_lt(all(size[2] * 1e-4));
                let per = all(1.0 / size[0]) / (x * x + y * y).sqrt().fast_max(all(1e-12));
                pick3(base, [zero, zero, -one], [x * per, y * per, all(1.0 / size[2])])
            }
            Kind::Surface(surface) | Kind::Stretched(surface) => self.blended_normals(surface),
        };
        punit(pturn(&self.solid.mat, local))
    }

    /// Barycentric weights of the three corners of triangles.
    fn weights(&self) -> [F; 3] {
        let (u, v) = (self.packet.u, self.packet.v);
        [all(1.0) - u - v, u, v]
    }

    /// Gathers per-triangle values, ray by ray.
    fn gather<const N: usize>(&self, of: impl Fn(usize) -> [f32; N]) -> [F; N] {
        let mut out = [[0.0; 8]; N];
        for k in among(self.bits) {
            let values = of(self.packet.prim[k] as usize);
            (0..N).for_each(|c| out[c][k] = values[c]);
        }
        out.map(F::from)
    }

    fn blended_normals(&self, surface: &Surface) -> P3 {
        let weights = self.weights();
        let corner = |c: usize| self.gather(|prim| surface.face(prim).normals[c]);
        (0..3).fold([all(0.0); 3], |sum, c| padd(sum, pmul(corner(c), weights[c])))
    }

    /// Colours of the texture, if there is one.
    fn texture(&self, assets: &Assets, normal: P3, lens: &Lens) -> Option<P3> {
        let material = usize::try_from(self.shape.matid).ok().and_then(|i| assets.materials.get(i))?;
        let texture = assets.textures.get(material.texture?)?;
        let along = self.along(normal, lens);
        Some(match (self.shape.texcoord != 0, texture.kind, self.solid.kind) {
            (true, _, Kind::Surface(surface)) => self.mapped(texture, surface, along),
            (true, ..) => return None,
            (false, TextureType::T2d, _) => self.projected(material, texture, along),
            (false, ..) => self.cube(material, texture, along),
        })
    }

    /// Displacements along the surface for a step of one pixel, sideways and upwards, in the shape's frame.
    #[inline(always)]
    fn along(&self, normal: P3, lens: &Lens) -> [P3; 2] {
        let dir = self.packet.dir;
        let slope = pdot(dir, normal);
        let depth = if lens.parallel { all(1.0) } else { self.packet.t };
        let per = depth / pick(slope.abs().simd_lt(all(1e-4)), all(-1e-4), slope);
        let [right, up] = lens.pixel();
        let step = |across: V3| {
            let back = pdot(all3(across), normal) * per;
            pturn_back(&self.solid.mat, psub(pmul(all3(across), depth), pmul(dir, back)))
        };
        [step(right), step(up)]
    }

    /// Texture mapped by the texture coordinates of the triangles' corners.
    fn mapped(&self, texture: &Texture, surface: &Surface, along: [P3; 2]) -> P3 {
        let weights = self.weights();
        let uv = [0, 1, 2].map(|c| self.gather(|prim| surface.face(prim).uv[c]));
        let at = [0, 1].map(|k| uv[0][k] * weights[0] + uv[1][k] * weights[1] + uv[2][k] * weights[2]);
        // texture gradient along the two edges, from their dual vectors
        let [e1, e2] = [1, 2].map(|e| self.gather(|prim| surface.edge(prim, e)));
        let (a, b, c) = (pdot(e1, e1), pdot(e1, e2), pdot(e2, e2));
        let per = all(1.0) / (a * c - b * b).fast_max(all(1e-30));
        let size = texture.size();
        let steps = along.map(|s| {
            let (p, q) = (pdot(s, e1), pdot(s, e2));
            let (w1, w2) = ((c * p - b * q) * per, (a * q - b * p) * per);
            [0, 1].map(|k| ((uv[1][k] - uv[0][k]) * w1 + (uv[2][k] - uv[0][k]) * w2) * size[k])
        });
        texture.image(at, detail(steps), self.bits)
    }

    /// Texture projected along the shape's z axis, repeated per size of the shape or per unit of length.
    fn projected(&self, material: &Material, texture: &Texture, along: [P3; 2]) -> P3 {
        let scale = [0, 1].map(|k| {
            let size = self.shape.size[k];
            let whole = material.uniform || size <= 0.0;
            0.5 * material.repeat[k] / if whole { 1.0 } else { size }
        });
        let at = [self.local[0] * scale[0] - 0.5, self.local[1] * -scale[1] - 0.5];
        let size = texture.size();
        let steps = along.map(|s| [0, 1].map(|k| s[k] * (scale[k] * size[k])));
        texture.image(at, detail(steps), self.bits)
    }

    /// Texture of a cube map, by direction from the shape's centre; primitives are scaled to a cube first.
    fn cube(&self, material: &Material, texture: &Texture, along: [P3; 2]) -> P3 {
        let size = self.shape.size.map(|s| s.max(1e-9));
        let mesh = matches!(
            GeomType::try_from(self.shape.r#type),
            Ok(GeomType::Mesh | GeomType::Sdf | GeomType::Hfield | GeomType::Plane)
        );
        let stretch: V3 = match (mesh, material.uniform) {
            (true, false) | (false, true) => [1.0; 3],
            (true, true) => size,
            (false, false) => size.map(|s| 1.0 / s),
        };
        let mut local = self.local;
        if let (Kind::Capsule, false) = (self.solid.kind, material.uniform) {
            // caps are mapped as if they were full spheres
            let (high, sign) = (local[2].abs(), local[2] & all(-0.0));
            let ball = ((high - size[2]) * (size[2] / size[0])) | sign;
            local[2] = pick(high.simd_gt(all(size[2])), ball, local[2]);
        }
        let dir = [0, 1, 2].map(|k| local[k] * stretch[k]);
        let longest = |v: P3| v[0].abs().fast_max(v[1].abs()).fast_max(v[2].abs());
        let [a, b] = along.map(|s| longest([0, 1, 2].map(|k| s[k] * stretch[k])));
        texture.cube(dir, a.fast_max(b) / longest(dir).fast_max(all(1e-9)), self.bits)
    }
}

/// Level of detail from the pixel steps, in texels.
fn detail([a, b]: [[F; 2]; 2]) -> F {
    octaves(a[0].abs().fast_max(a[1].abs()).fast_max(b[0].abs()).fast_max(b[1].abs()))
}
