//! MuJoCo's lighting: ambient, diffuse and specular terms of each light, clamped, times the texture.

use crate::lens::Lens;
use crate::surfel::Surfels;
use crate::trace::{ENDLESS, Packet};
use crate::vector::{F, P3, V3, all, all3, mul, padd, pdot, pick, pmul, power, psub, unit};
use crate::world::World;
use sinew_engine::model::enums::{LightType, RndFlag};
use sinew_scene::{Light, Scene};

/// Maximum number of lights drawn.
const MAX_LIGHTS: usize = 8;
/// Ambient light of a scene without lights.
const DARK: f32 = 0.3;

/// A light prepared for shading.
struct Lamp {
    of: Light,
    /// Direction to a light at infinity.
    towards: Option<V3>,
    cos_cutoff: f32,
    casts: bool,
}

/// The lights of a scene.
pub(crate) struct Lamps(Vec<Lamp>);

impl Lamps {
    pub fn new(scene: &Scene, lens: &Lens) -> Lamps {
        let shadows = scene.draws(RndFlag::Shadow);
        let lamp = |of: &Light| {
            let kind = LightType::try_from(of.r#type);
            let towards = match kind {
                Ok(LightType::Directional) => Some(mul(unit(of.dir), -1.0)),
                Ok(LightType::Spot) => None,
                // MuJoCo's renderer leaves these lights at OpenGL's default: behind the viewer
                _ => Some(mul(lens.forward, -1.0)),
            };
            let casts = shadows && of.castshadow != 0 && matches!(kind, Ok(LightType::Directional | LightType::Spot));
            Lamp { of: Light { dir: unit(of.dir), ..*of }, towards, cos_cutoff: of.cutoff.to_radians().cos(), casts }
        };
        Lamps(scene.lit().iter().take(MAX_LIGHTS).map(lamp).collect())
    }

    /// Colours of ray hits. Lights that cast shadows are added one by one, as in MuJoCo, where each is a separate pass;
    /// `tint` scales the shapes' colours but not highlights.
    pub fn shine(&self, world: &World, at: &Surfels, packet: &Packet, shadows: bool, tint: f32) -> P3 {
        let (zero, one) = (all(0.0), all(1.0));
        let base = pmul(at.base, all(tint));
        let eye = pmul(packet.dir, all(-1.0) / pdot(packet.dir, packet.dir).sqrt());
        let global = if self.0.is_empty() { DARK } else { 0.0 };
        let mut first = base.map(|b| b * (at.emission + global));
        let mut rest = [zero; 3];
        for lamp in &self.0 {
            let (towards, mut strength, far) = lamp.reach(at.pos);
            let facing = pdot(at.normal, towards);
            let bright = strength.simd_gt(all(1e-4)) & at.hit;
            if bright.to_bitmask() == 0 {
                continue;
            }
            let lit = facing.simd_gt(zero) & bright;
            let casts = lamp.casts && shadows;
            if casts {
                // in shadow (including self-shadow) not even this light's ambient term remains
                strength = lit & strength;
                if lit.to_bitmask() == 0 {
                    continue;
                }
                let lift = packet.t * 1e-4 + 1e-5;
                let from = padd(at.pos, pmul(at.normal, lift));
                let mut ray = Packet::new(from, towards, 0.0, far, lit);
                world.shade(&mut ray);
                strength = pick(ray.t.simd_lt(zero), zero, strength);
            }
            let half = padd(towards, eye);
            let gloss = pdot(at.normal, half) / pdot(half, half).sqrt();
            let shiny = lit & gloss.simd_gt(zero);
            let gloss = match shiny.to_bitmask() != 0 && lamp.of.specular != [0.0; 3] {
                true => shiny & power(gloss, at.shininess),
                false => zero,
            };
            for k in 0..3 {
                let diffuse = lit & (facing * base[k] * lamp.of.diffuse[k]);
                let sum = base[k] * lamp.of.ambient[k] + diffuse + gloss * at.specular * lamp.of.specular[k];
                match casts {
                    true => rest[k] += (strength * sum).min(one) * at.texture[k],
                    false => first[k] += strength * sum,
                }
            }
        }
        [0, 1, 2].map(|k| first[k].min(one) * at.texture[k] + rest[k])
    }
}

impl Lamp {
    /// Directions to the light, its intensity, and its distance.
    fn reach(&self, pos: P3) -> (P3, F, F) {
        if let Some(towards) = self.towards {
            return (all3(towards), all(1.0), all(ENDLESS));
        }
        let away = psub(all3(self.of.pos), pos);
        let dist = pdot(away, away).sqrt();
        let towards = pmul(away, all(1.0) / dist);
        let along = -pdot(towards, all3(self.of.dir));
        let inside = along.simd_ge(all(self.cos_cutoff));
        let focus = match (self.of.cutoff >= 180.0, self.of.exponent > 0.0) {
            (true, _) => all(1.0),
            (_, true) => inside & power(along, all(self.of.exponent)),
            (_, false) => inside & all(1.0),
        };
        let [c, l, q] = self.of.attenuation;
        (towards, focus / (all(c) + dist * l + dist * dist * q), dist)
    }
}
