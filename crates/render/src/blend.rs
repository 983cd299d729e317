//! Colours of packets: opaque shapes, reflections, sky and haze, and the transparent shapes in front of them.

use crate::assets::Assets;
use crate::lens::Lens;
use crate::light::Lamps;
use crate::sky::Sky;
use crate::solid::Kind;
use crate::surfel::Surfels;
use crate::trace::{ENDLESS, Packet};
use crate::tree::Bounds;
use crate::vector::{F, P3, all, all3, among, column, lanes, pdot, pick, pick3, pmul, psub};
use crate::walk::{EVERY, Rays};
use crate::world::{World, behind};
use sinew_engine::model::enums::RndFlag;
use sinew_scene::Scene;

/// Relative opacity of a plane seen from behind.
const FROM_BEHIND: f32 = 0.3;

/// Everything that determines the colours.
pub(crate) struct Painter<'a> {
    pub assets: &'a Assets,
    pub world: &'a World<'a>,
    pub lens: &'a Lens,
    lamps: Lamps,
    pub sky: Sky,
    additive: bool,
    fog: bool,
    /// Bounds of the solids of each transparent shape.
    veils: Vec<Vec<Bounds>>,
}

impl<'a> Painter<'a> {
    pub fn new(assets: &'a Assets, scene: &'a Scene, world: &'a World<'a>, lens: &'a Lens) -> Self {
        let bounds = |solids: &Vec<u32>| solids.iter().map(|s| world.solids[*s as usize].bounds()).collect();
        Painter {
            assets,
            world,
            lens,
            lamps: Lamps::new(scene, lens),
            sky: Sky::new(assets, scene, lens),
            additive: scene.draws(RndFlag::Additive),
            fog: scene.draws(RndFlag::Fog),
            veils: world.veils.iter().map(|v| bounds(&v.solids)).collect(),
        }
    }

    /// Finds the opaque solids that eight rays of the image hit.
    pub fn seen(&self, mut packet: Packet) -> Packet {
        self.world.look(&mut packet, None);
        self.end_planes(&mut packet);
        packet
    }

    /// Colours of ray hits.
    pub fn colours(&self, packet: &Packet) -> P3 {
        let mut rgb = self.opaque(packet);
        self.haze(&mut rgb, packet);
        if !self.world.veils.is_empty() {
            self.glaze(&mut rgb, packet);
        }
        rgb
    }

    /// Removes hits of planes beyond the sky.
    fn end_planes(&self, packet: &mut Packet) {
        if self.sky.radius == f32::MAX {
            return;
        }
        let beyond = self.sky.hides(pmul(packet.dir, packet.t));
        let hidden = beyond.to_bitmask() & packet.met();
        if hidden != 0 {
            packet.t = pick(lanes(hidden), all(self.lens.far), packet.t);
            among(hidden).for_each(|k| packet.solid[k] = -1);
        }
    }

    fn opaque(&self, packet: &Packet) -> P3 {
        let at = Surfels::new(self.assets, self.world, self.lens, packet);
        let hit = at.hit.to_bitmask();
        let mut lit = match hit {
            0 => [all(0.0); 3],
            _ => self.lamps.shine(self.world, &at, packet, true, 1.0),
        };
        if let Some(mirror) = self.world.mirror {
            self.reflect(mirror, &mut lit, &at, packet);
        }
        if self.fog {
            self.fog(&mut lit, packet.t);
        }
        match hit {
            255 => lit,
            _ => pick3(at.hit, lit, self.sky.colour(self.assets, packet.dir, !hit)),
        }
    }

    fn fog(&self, rgb: &mut P3, depth: F) {
        let [start, end] = self.assets.look.fog;
        let clear = ((all(end) - depth) / (end - start)).max(all(0.0)).min(all(1.0));
        for k in 0..3 {
            let fog = all(self.assets.look.fog_rgb[k]);
            rgb[k] = fog + (rgb[k] - fog) * clear;
        }
    }

    /// Adds the reflection in the scene's only mirror: a plane, or the upper side of a box.
    fn reflect(&self, mirror: u32, rgb: &mut P3, at: &Surfels, packet: &Packet) {
        let shape = self.world.shape(mirror as i32);
        let normal = column(&shape.mat, 2);
        let along = pdot(packet.dir, all3(normal));
        let upper = pdot(at.normal, all3(normal)).simd_gt(all(0.999)) & along.simd_lt(all(0.0));
        let shiny = upper & at.hit & lanes(packet.on(mirror as i32));
        if shiny.to_bitmask() == 0 {
            return;
        }
        let back = pmul(all3(normal), along * 2.0);
        let mut ray = Packet::new(at.pos, psub(packet.dir, back), 0.0, all(ENDLESS), shiny);
        self.world.look(&mut ray, Some(mirror));
        if ray.met() == 0 {
            return;
        }
        // the mirror attenuates colours but not highlights
        let seen = Surfels::new(self.assets, self.world, self.lens, &ray);
        let colour = self.lamps.shine(self.world, &seen, &ray, false, shape.reflectance);
        for k in 0..3 {
            rgb[k] += seen.hit & colour[k];
        }
    }

    fn haze(&self, rgb: &mut P3, packet: &Packet) {
        if self.sky.radius != f32::MAX {
            *rgb = rgb.map(|x| x.fast_min(all(1.0)));
            self.sky.veil(rgb, packet.dir, pick(lanes(packet.met()), packet.t, all(ENDLESS)));
        }
    }

    /// Blends transparent shapes over the rest: from near to far and, unless colours are additive, once more from far
    /// to near, as MuJoCo does.
    fn glaze(&self, rgb: &mut P3, packet: &Packet) {
        let rays = Rays::new(packet.origin, packet.dir);
        let mut films: Vec<(P3, F)> = Vec::new();
        for (veil, bounds) in self.world.veils.iter().zip(&self.veils) {
            let mut ray = Packet { solid: [-1; 8], ..packet.clone() };
            for (solid, (low, high)) in veil.solids.iter().zip(bounds) {
                let of = &self.world.solids[*solid as usize];
                let entering = match of.kind {
                    Kind::Plane => EVERY,
                    _ => (rays.enter(low, high, ray.t).0 & ray.live).to_bitmask(),
                };
                if entering != 0 {
                    of.meet::<false>(&mut ray, entering, *solid);
                }
            }
            if ray.met() == 0 {
                continue;
            }
            let shape = &self.world.shapes[veil.shape];
            let at = Surfels::new(self.assets, self.world, self.lens, &ray);
            let mut colour = self.lamps.shine(self.world, &at, &ray, false, 1.0);
            if self.fog {
                self.fog(&mut colour, ray.t);
            }
            let share = if behind(shape, self.lens.pos) { FROM_BEHIND } else { 1.0 };
            films.push((colour.map(|c| c.min(all(1.0))), at.hit & (at.alpha * share)));
        }
        let again = if self.additive { 0 } else { films.len() };
        for (colour, alpha) in films.iter().chain(films.iter().rev().take(again)) {
            for k in 0..3 {
                let under = if self.additive { rgb[k] } else { rgb[k] * (all(1.0) - *alpha) };
                rgb[k] = (under + colour[k] * *alpha).min(all(1.0));
            }
        }
    }
}
