//! Projection between pixels and rays.

use crate::vector::{F, P3, V3, add, all, all3, cross, dot, mul, padd, pmul, sub};
use sinew_scene::{GlCamera, Result, Scene, average, in_model};

/// A camera with an image of a given size.
#[derive(Clone, Debug)]
pub(crate) struct Lens {
    pub pos: V3,
    pub forward: V3,
    pub right: V3,
    pub up: V3,
    /// Centre of the view and its half-extents: at unit depth, or at any depth if rays are parallel.
    middle: [f32; 2],
    half: [f32; 2],
    pub size: [usize; 2],
    pub near: f32,
    pub far: f32,
    pub parallel: bool,
}

impl Lens {
    /// The camera midway between the eyes of a scene, in the frame of the model.
    pub fn new(scene: &Scene, [width, height]: [usize; 2]) -> Result<Lens> {
        let eye: GlCamera = average(&scene.camera[0], &scene.camera[1])?;
        let pose = in_model(scene)?;
        let single = |v: [f64; 3]| v.map(|x| x as f32);
        let (forward, up) = (single(pose.forward), single(pose.up));
        // a model scaled in its room is seen through an inversely scaled lens
        let scale = if scene.enabletransform != 0 { 1.0 / scene.scale } else { 1.0 };
        let [near, far] = [eye.frustum_near * scale, eye.frustum_far * scale];
        let tall = 0.5 * (eye.frustum_top - eye.frustum_bottom);
        let wide = match eye.frustum_width {
            0.0 => tall * width as f32 / height as f32,
            fixed => fixed,
        };
        let parallel = eye.orthographic != 0;
        let per = if parallel { scale } else { 1.0 / eye.frustum_near };
        Ok(Lens {
            pos: single(pose.pos),
            forward,
            up,
            right: cross(forward, up),
            middle: [eye.frustum_center * per, 0.5 * (eye.frustum_top + eye.frustum_bottom) * per],
            half: [wide * per, tall * per],
            size: [width, height],
            near,
            far,
            parallel,
        })
    }

    /// Origins and directions of rays through image positions, in pixels from the upper left. Directions have unit
    /// depth: a hit at `t` has depth `t`.
    pub fn rays(&self, x: F, y: F) -> (P3, P3) {
        let [w, h] = self.size.map(|n| 2.0 / n as f32);
        let a = (x * w - 1.0) * self.half[0] + self.middle[0];
        let b = (all(1.0) - y * h) * self.half[1] + self.middle[1];
        let across = padd(pmul(all3(self.right), a), pmul(all3(self.up), b));
        match self.parallel {
            true => (padd(all3(self.pos), across), all3(self.forward)),
            false => (all3(self.pos), padd(all3(self.forward), across)),
        }
    }

    /// Displacement between neighbouring rays, sideways and upwards: at unit depth, or at any depth if they are
    /// parallel.
    pub fn pixel(&self) -> [V3; 2] {
        let [w, h] = self.size.map(|n| 2.0 / n as f32);
        [mul(self.right, self.half[0] * w), mul(self.up, self.half[1] * h)]
    }

    /// Image position of a point, in pixels from the upper left, and its depth.
    pub fn project(&self, point: V3) -> ([f32; 2], f32) {
        let away = sub(point, self.pos);
        let depth = dot(away, self.forward);
        let per = if self.parallel { 1.0 } else { depth };
        let at = |axis: V3, k: usize| (dot(away, axis) / per - self.middle[k]) / self.half[k];
        let [w, h] = self.size.map(|n| n as f32);
        ([0.5 * w * (at(self.right, 0) + 1.0), 0.5 * h * (1.0 - at(self.up, 1))], depth)
    }

    /// Clips a segment to the range between the near and the far plane.
    pub fn clip(&self, a: V3, b: V3) -> Option<[V3; 2]> {
        let depth = |p: V3| dot(sub(p, self.pos), self.forward);
        let (da, db) = (depth(a), depth(b));
        let cut = |limit: f32| add(a, mul(sub(b, a), (limit - da) / (db - da)));
        let inside = |d: f32, p: V3| match d {
            d if d < self.near => cut(self.near),
            d if d > self.far => cut(self.far),
            _ => p,
        };
        let outside = da.max(db) < self.near || da.min(db) > self.far;
        (!outside).then(|| [inside(da, a), inside(db, b)])
    }
}
