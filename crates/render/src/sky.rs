//! The background, and the haze at the horizon.

use crate::assets::Assets;
use crate::lens::Lens;
use crate::vector::{F, M3, P3, V3, all, column, dot, pick, pturn_back, sub};
use sinew_engine::model::enums::{GeomType, RndFlag};
use sinew_scene::{Scene, Shape};

/// Radius and half-height of the sky, relative to the distance of the far plane.
const SKY: f32 = 0.7;

/// The sky of a scene.
pub(crate) struct Sky {
    texture: Option<usize>,
    /// Distance of the sky, where infinite planes end.
    pub radius: f32,
    haze: Option<Haze>,
    /// Size of a pixel relative to the length of a direction.
    spread: f32,
}

/// A ring of haze above a plane: zero at its lower and upper rim, full in between.
struct Haze {
    mat: M3,
    /// Height of the eye above the plane, relative to the distance of the sky.
    height: f32,
    width: f32,
    /// Level at which the haze is full, from 0 at the plane to 1 at the height of the eye.
    full: f32,
    rgb: V3,
}

impl Sky {
    pub fn new(assets: &Assets, scene: &Scene, lens: &Lens) -> Sky {
        let texture = assets.sky.filter(|_| scene.draws(RndFlag::Skybox));
        let radius = if texture.is_some() { SKY * lens.far } else { f32::MAX };
        let endless = |s: &&Shape| s.r#type == GeomType::Plane as i32 && s.size[0] == 0.0 && s.size[1] == 0.0;
        let plane = scene.shapes().iter().find(endless).filter(|_| texture.is_some() && scene.draws(RndFlag::Haze));
        let haze = plane.map(|plane| {
            let width = assets.look.haze;
            let alpha = 1f32.atan2(width);
            let beta = 0.75 * std::f32::consts::PI - alpha;
            Haze {
                mat: plane.mat,
                height: dot(sub(lens.pos, plane.pos), column(&plane.mat, 2)) / radius,
                width,
                full: 0.5f32.sqrt() * width * alpha.sin() / beta.sin(),
                rgb: assets.look.haze_rgb,
            }
        });
        let [_, up] = lens.pixel();
        Sky { texture, radius, haze: haze.filter(|h| h.height >= 0.0), spread: dot(up, up).sqrt() }
    }

    /// Colours in the given directions.
    pub fn colour(&self, assets: &Assets, [x, y, z]: P3, bits: u32) -> P3 {
        let Some(texture) = self.texture.and_then(|i| assets.textures.get(i)) else { return [all(0.0); 3] };
        texture.cube([x, z, -y], all(self.spread), bits)
    }

    /// Mask of the points, relative to the eye, that are beyond the sky.
    pub fn hides(&self, [x, y, z]: P3) -> F {
        (x * x + y * y).simd_gt(all(self.radius * self.radius)) | z.abs().simd_gt(all(self.radius))
    }

    /// Blends haze over colours seen in the given directions at distance `t`, in units of their length.
    pub fn veil(&self, rgb: &mut P3, dir: P3, t: F) {
        let Some(haze) = &self.haze else { return };
        let [x, y, z] = pturn_back(&haze.mat, dir);
        let level = (x * x + y * y).sqrt().fast_max(all(1e-12));
        let slope = z / level;
        let at = (slope * (1.0 - haze.width) + haze.height) / (all(haze.height) - slope * haze.width);
        let (zero, one) = (all(0.0), all(1.0));
        let rim = (at * haze.width + (1.0 - haze.width)) * self.radius;
        let hazy = at.simd_ge(zero) & at.simd_le(one) & (t * level).simd_ge(rim);
        if hazy.to_bitmask() == 0 {
            return;
        }
        let rising = at.simd_lt(all(haze.full));
        let share = hazy & pick(rising, at * (1.0 / haze.full), (one - at) * (1.0 / (1.0 - haze.full)));
        for k in 0..3 {
            rgb[k] += share * (all(haze.rgb[k]) - rgb[k]);
        }
    }
}
