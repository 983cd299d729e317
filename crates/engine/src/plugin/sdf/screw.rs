//! Shared parts of bolts and nuts: a thread along z and a hexagonal head, after Shadertoy's XtffzX.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Turns of the thread per metre.
const TURNS: f64 = 12.0;
/// Slope of cones and flanks.
pub(super) const SLOPE: f64 = FRAC_1_SQRT_2;

/// A point and its position relative to the axis.
pub(super) struct Place {
    /// The point.
    pub p: [f64; 3],
    /// Distance from the axis minus the radius of the thread.
    pub beyond: f64,
    /// Angle about the axis.
    azimuth: f64,
}

impl Place {
    pub fn new(p: [f64; 3], radius: f64) -> Self {
        Place { p, beyond: (p[0] * p[0] + p[1] * p[1]).sqrt() - radius, azimuth: p[1].atan2(p[0]) }
    }

    /// Infinite thread: a triangle wave along z that winds about the axis.
    pub fn thread(&self) -> f64 {
        let phase = self.p[2] * TURNS - self.azimuth / PI / 2.0;
        let wave = (phase - phase.floor() - 0.5).abs();
        (self.beyond - wave / TURNS) * SLOPE
    }

    /// A cone that opens upwards.
    pub fn cone(&self) -> f64 {
        (self.p[2] - self.beyond) * SLOPE
    }

    /// Head: a hexagonal prism below the origin, with its top chamfered by a cone.
    pub fn head(&self) -> f64 {
        let [x, y, z] = self.p;
        // rotate the point into the sector of the side that faces x
        let sectors = 6.0 / PI / 2.0;
        let angle = -(self.azimuth * sectors + 0.5).floor() / sectors;
        let (sin, cos) = (angle.sin(), (angle + PI * 0.5).sin());
        let across = cos * x + -sin * y;
        let prism = (across - 0.5).max((z + 0.25).abs() - 0.25);
        prism.max((z + self.beyond - 0.22) * SLOPE)
    }
}

/// Bounding box of bolt and nut.
pub(super) const AABB: [f64; 6] = [0.0, 0.0, 0.0, 0.6, 0.6, 1.0];
