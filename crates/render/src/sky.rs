//! What is behind everything, and the haze at the horizon.

use crate::assets::Assets;
use crate::lens::Lens;
use crate::vector::{M3, V3, column, dot, sub, turn_back};
use sinew_engine::model::enums::{GeomType, RndFlag};
use sinew_scene::{Scene, Shape};

/// Radius and half-height of the sky, in distances of the far plane.
const SKY: f32 = 0.7;

/// The sky of a scene.
pub(crate) struct Sky {
    texture: Option<usize>,
    /// Distance of the sky; infinite planes end there.
    pub radius: f32,
    haze: Option<Haze>,
    /// Size of a pixel in a direction.
    spread: f32,
}

/// A ring of haze above a plane: none at its lower and upper rim, full in between.
struct Haze {
    mat: M3,
    /// Height of the eye above the plane, in distances of the sky.
    height: f32,
    width: f32,
    /// Where it is full, from 0 at the plane to 1 at the height of the eye.
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

    /// Colour in a direction.
    pub fn colour(&self, assets: &Assets, dir: V3) -> V3 {
        let Some(texture) = self.texture.and_then(|i| assets.textures.get(i)) else { return [0.0; 3] };
        let [x, y, z] = dir;
        texture.cube([x, z, -y], self.spread)
    }

    /// Whether a point away from the eye is beyond the sky.
    pub fn hides(&self, away: V3) -> bool {
        let [x, y, z] = away;
        x * x + y * y > self.radius * self.radius || z.abs() > self.radius
    }

    /// Puts haze in front of a colour that was seen in a direction, `t` lengths of it away.
    pub fn veil(&self, rgb: V3, dir: V3, t: f32) -> V3 {
        let Some(haze) = &self.haze else { return rgb };
        let [x, y, z] = turn_back(&haze.mat, dir);
        let level = x.hypot(y).max(1e-12);
        let slope = z / level;
        let at = (haze.height + slope * (1.0 - haze.width)) / (haze.height - slope * haze.width);
        if !(0.0..=1.0).contains(&at) || t * level < self.radius * (1.0 - haze.width * (1.0 - at)) {
            return rgb;
        }
        let share = if at < haze.full { at / haze.full } else { (1.0 - at) / (1.0 - haze.full) };
        [0, 1, 2].map(|k| rgb[k] + share * (haze.rgb[k] - rgb[k]))
    }
}
