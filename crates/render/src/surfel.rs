//! What rays have met: normals, colours, textures.

use crate::assets::{Assets, Material};
use crate::lens::Lens;
use crate::solid::{Kind, Solid};
use crate::texture::Texture;
use crate::trace::Packet;
use crate::vector::{F, P3, V3, add, column, dot, lane, mul, padd, pmul, sub, turn, turn_back, unit};
use crate::world::World;
use sinew_engine::model::enums::{GeomType, TextureType};
use sinew_scene::Shape;

/// Bits of surfaces, one per ray.
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
    /// Rays that have met something.
    pub hit: F,
}

/// The same, ray by ray.
#[derive(Default)]
struct Lanes {
    normal: [[f32; 8]; 3],
    base: [[f32; 8]; 3],
    texture: [[f32; 8]; 3],
    alpha: [f32; 8],
    specular: [f32; 8],
    shininess: [f32; 8],
    emission: [f32; 8],
    hit: [f32; 8],
}

impl Surfels {
    pub fn new(assets: &Assets, world: &World, lens: &Lens, packet: &Packet) -> Surfels {
        let pos = padd(packet.origin, pmul(packet.dir, packet.t));
        let (points, dirs, depths) = (pos.map(|x| x.to_array()), packet.dir.map(|x| x.to_array()), packet.t.to_array());
        let (us, vs) = (packet.u.to_array(), packet.v.to_array());
        let pixel = lens.pixel();
        let live = packet.live.to_bitmask();
        let mut out = Lanes { texture: [[1.0; 8]; 3], ..Lanes::default() };
        for k in (0..8).filter(|k| packet.solid[*k] >= 0 && live >> k & 1 == 1) {
            let solid = &world.solids[packet.solid[k] as usize];
            let shape = &world.shapes[solid.shape];
            let spot = Spot {
                solid,
                shape,
                prim: packet.prim[k] as usize,
                weights: [1.0 - us[k] - vs[k], us[k], vs[k]],
                local: solid.local(lane(&points, k)),
                dir: lane(&dirs, k),
            };
            let normal = spot.normal();
            let spread = if lens.parallel { pixel } else { pixel.map(|p| mul(p, depths[k])) };
            let texture = spot.texture(assets, normal, spread);
            for c in 0..3 {
                out.normal[c][k] = normal[c];
                out.base[c][k] = shape.rgba[c];
                out.texture[c][k] = texture[c];
            }
            out.alpha[k] = shape.rgba[3];
            out.specular[k] = shape.specular;
            out.shininess[k] = shape.shininess * 128.0;
            out.emission[k] = shape.emission;
            out.hit[k] = 1.0;
        }
        Surfels {
            pos,
            normal: out.normal.map(F::from),
            base: out.base.map(F::from),
            texture: out.texture.map(F::from),
            alpha: F::from(out.alpha),
            specular: F::from(out.specular),
            shininess: F::from(out.shininess),
            emission: F::from(out.emission),
            hit: F::from(out.hit).simd_gt(F::splat(0.0)),
        }
    }
}

/// Where one ray has met something.
struct Spot<'a> {
    solid: &'a Solid<'a>,
    shape: &'a Shape,
    prim: usize,
    weights: [f32; 3],
    local: V3,
    dir: V3,
}

impl Spot<'_> {
    /// Normal in the world; of what is seen from both sides, towards the eye.
    fn normal(&self) -> V3 {
        let ([x, y, z], size) = (self.local, self.solid.size);
        let flat = |out: V3| {
            let towards = dot(turn(&self.solid.mat, out), self.dir) <= 0.0;
            if towards { out } else { mul(out, -1.0) }
        };
        let local = match self.solid.kind {
            Kind::Plane => flat([0.0, 0.0, 1.0]),
            // lit from its front on both sides
            Kind::Triangle => [0.0, 0.0, 1.0],
            Kind::Ellipsoid => [0, 1, 2].map(|k| self.local[k] / (size[k] * size[k])),
            Kind::Capsule => [x, y, z - z.clamp(-size[2], size[2])],
            Kind::Cylinder { open } if open || z.abs() < size[2] * 0.99999 => [x, y, 0.0],
            Kind::Cylinder { .. } => [0.0, 0.0, z],
            Kind::Box => {
                let share = [0, 1, 2].map(|k| self.local[k].abs() / size[k]);
                let axis = (0..3).fold(0, |best, k| if share[k] > share[best] { k } else { best });
                let mut out = [0.0; 3];
                out[axis] = self.local[axis].signum();
                out
            }
            Kind::Cone if z < size[2] * 1e-4 => [0.0, 0.0, -1.0],
            Kind::Cone => {
                let out = x.hypot(y).max(1e-12);
                [x / out / size[0], y / out / size[0], 1.0 / size[2]]
            }
            Kind::Surface(surface) | Kind::Stretched(surface) => {
                let normals = &surface.faces[self.prim].normals;
                (0..3).fold([0.0; 3], |sum, k| add(sum, mul(normals[k], self.weights[k])))
            }
        };
        unit(turn(&self.solid.mat, local))
    }

    /// Colour of the texture; `spread` is how far apart neighbouring rays are here, across the view.
    fn texture(&self, assets: &Assets, normal: V3, spread: [V3; 2]) -> V3 {
        const PLAIN: V3 = [1.0; 3];
        let material = usize::try_from(self.shape.matid).ok().and_then(|i| assets.materials.get(i));
        let Some((material, texture)) = material.and_then(|m| Some((m, assets.textures.get(m.texture?)?))) else {
            return PLAIN;
        };
        // what a step to the next pixel is along the surface, in the shape's frame
        let slope = dot(self.dir, normal);
        let slope = if slope.abs() < 1e-4 { -1e-4 } else { slope };
        let along = spread.map(|s| turn_back(&self.solid.mat, sub(s, mul(self.dir, dot(s, normal) / slope))));
        if self.shape.texcoord != 0 {
            return self.mapped(texture, along);
        }
        match texture.kind {
            TextureType::T2d => self.projected(material, texture, along),
            _ => self.cube(material, texture, along),
        }
    }

    /// By coordinates of the triangle's corners.
    fn mapped(&self, texture: &Texture, along: [V3; 2]) -> V3 {
        let Kind::Surface(surface) = self.solid.kind else { return [1.0; 3] };
        let uv = surface.faces[self.prim].uv;
        let at = [0, 1].map(|c| (0..3).map(|k| uv[k][c] * self.weights[k]).sum::<f32>());
        // texture per length along the two edges, from their dual vectors
        let [_, e1, e2] = surface.triangles[self.prim];
        let (a, b, c) = (dot(e1, e1), dot(e1, e2), dot(e2, e2));
        let det = (a * c - b * b).max(1e-30);
        let size = texture.size();
        let step = |s: V3| {
            let (p, q) = (dot(s, e1), dot(s, e2));
            let (w1, w2) = ((c * p - b * q) / det, (a * q - b * p) / det);
            let d = [0, 1].map(|c| ((uv[1][c] - uv[0][c]) * w1 + (uv[2][c] - uv[0][c]) * w2) * size[c]);
            d[0].abs().max(d[1].abs())
        };
        texture.image(at, detail(along.map(step)))
    }

    /// Along z of the shape, repeated per size of the shape or per unit of length.
    fn projected(&self, material: &Material, texture: &Texture, along: [V3; 2]) -> V3 {
        let scale = [0, 1].map(|k| {
            let size = self.shape.size[k];
            let whole = material.uniform || size <= 0.0;
            0.5 * material.repeat[k] / if whole { 1.0 } else { size }
        });
        let at = [self.local[0] * scale[0] - 0.5, -self.local[1] * scale[1] - 0.5];
        let size = texture.size();
        let step = |s: V3| {
            let d = [0, 1].map(|k| s[k] * scale[k] * size[k]);
            d[0].abs().max(d[1].abs())
        };
        texture.image(at, detail(along.map(step)))
    }

    /// By direction from the middle of the shape, which primitives stretch to a cube.
    fn cube(&self, material: &Material, texture: &Texture, along: [V3; 2]) -> V3 {
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
        if let (Kind::Capsule, false) = (self.solid.kind, material.uniform)
            && local[2].abs() > size[2]
        {
            // caps are whole balls to their texture
            let beyond = (local[2].abs() - size[2]) / size[0];
            local[2] = local[2].signum() * beyond * size[2];
        }
        let dir: V3 = [0, 1, 2].map(|k| local[k] * stretch[k]);
        let length = dir.iter().fold(1e-9f32, |a, x| a.max(x.abs()));
        let step = |s: V3| (0..3).map(|k| (s[k] * stretch[k]).abs()).fold(0.0, f32::max) / length;
        let [a, b] = along.map(step);
        texture.cube(dir, a.max(b))
    }
}

/// Level of detail from steps in pixels of the texture.
fn detail([a, b]: [f32; 2]) -> f32 {
    a.max(b).max(1e-6).log2()
}

/// The normal of a mirror: z of a plane or a box.
pub(crate) fn mirror_normal(shape: &Shape) -> V3 {
    column(&shape.mat, 2)
}
