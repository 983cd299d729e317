//! `mujoco.sdf.gear`: a spur gear about z with involute teeth, after Shadertoy's 3lG3WR.

use super::{Kind, without};
use crate::plugin::Field;
use sinew_math::{Vec3, clip};
use std::f64::consts::PI;

/// The gear plugin.
pub const KIND: Kind = Kind {
    name: "mujoco.sdf.gear",
    numbers: &[("alpha", 0.0), ("diameter", 2.8), ("teeth", 25.0), ("thickness", 0.2), ("innerdiameter", -1.0)],
    shape: |n| Box::new(Gear::new(n[0], n[1], n[2], n[3], n[4])),
};

/// A gear, with the circles and angles derived from its diameter and number of teeth.
#[derive(Debug)]
struct Gear {
    /// Rotation angle about z.
    alpha: f64,
    /// Diameter of the pitch circle.
    diameter: f64,
    thickness: f64,
    /// Radius of the hole.
    inner: f64,
    /// Radius of the tooth tips.
    outer: f64,
    /// Radius of the base circle, from which the involutes unwind.
    base: f64,
    /// Tooth depth, from tip to root.
    depth: f64,
    /// Angle from one tooth to the next.
    stride: f64,
    /// Angle of a gap at the base circle.
    gap: f64,
}

impl Gear {
    fn new(alpha: f64, diameter: f64, teeth: f64, thickness: f64, innerdiameter: f64) -> Self {
        let pitch_radius = diameter / 2.0;
        let per_length = teeth / diameter;
        let outer = (diameter + 2.0 * (1.0 / per_length)) / 2.0;
        let depth = 2.2 / per_length;
        let inner = if innerdiameter >= 0.0 { innerdiameter / 2.0 } else { outer - depth - 0.14 * diameter };
        let pressure_angle = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551;
        let base = diameter * pressure_angle.cos() / 2.0;
        let stride = PI / per_length / pitch_radius;
        let unwound = (base / pitch_radius).acos();
        let gap = stride / 2.0 - 2.0 * (unwound.tan() - unwound);
        Gear { alpha, diameter, thickness, inner, outer, base, depth, stride, gap }
    }

    /// Signed distance in the plane of the gear.
    fn outline(&self, x: f64, y: f64) -> f64 {
        let rho = (x * x + y * y).sqrt();
        if self.inner - rho > 0.0 {
            return self.inner - rho;
        }
        // far away the teeth are negligible
        if self.outer - rho < -0.2 {
            return rho - self.outer;
        }
        let angle = y.atan2(x) + self.alpha;
        let half = self.gap / 2.0;
        let within = |angle: f64| angle - self.stride * (angle / self.stride).floor();
        // angles from both flanks of the nearest tooth
        let flanks = [within(angle + half) - half, within(-angle - self.gap + half) - half];
        let involute = |flank: f64| {
            if self.base >= rho {
                return -1.0e6;
            }
            let tangent = (rho * rho - self.base * self.base).sqrt();
            tangent - self.base * (flank + (self.base / rho).acos())
        };
        let wall = |flank: f64| flank - (self.stride - self.gap);
        let [a, b] = flanks;
        let teeth = wall(a).max(wall(b)).max(involute(a).max(involute(b)));
        let teeth = smooth_intersection(rho - self.outer, teeth, 0.0035 * self.diameter);
        let teeth = smooth_union(rho - (self.outer - self.depth), teeth, self.base - self.outer + self.depth);
        without(teeth, rho - self.inner)
    }
}

fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = clip(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    without(a.max(b), smooth_union(without(a, b), without(b, a), k))
}

impl Field for Gear {
    fn distance(&self, p: Vec3) -> f64 {
        let (across, along) = (self.outline(p[0], p[1]), p[2].abs() - self.thickness / 2.0);
        let (x, y) = (across.max(0.0), along.max(0.0));
        across.max(along).min(0.0) + (x * x + y * y).sqrt()
    }

    fn aabb(&self) -> [f64; 6] {
        let wide = self.diameter / 2.0 * 1.25;
        [0.0, 0.0, 0.0, wide, wide, self.thickness / 2.0 * 1.1]
    }
}
