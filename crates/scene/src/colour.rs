//! Computed colours.

use sinew_math::halton;

/// Colour of an island, a function of its first dof, so that it is the same everywhere; grey without one. Pale and dark
/// when asleep.
pub(crate) fn island(dof: Option<usize>, awake: bool) -> [f32; 4] {
    let spread = |base| dof.map(|d| halton(d + 1, base) as f32);
    let hue = spread(7).unwrap_or(1.0);
    let saturation = spread(3).map_or(0.0, |x| 0.5 + 0.5 * x);
    let value = spread(5).map_or(0.7, |x| 0.6 + 0.4 * x);
    let [pale, dark] = if awake { [1.0, 1.0] } else { [0.7, 0.6] };
    let [r, g, b] = from_hsv(hue, saturation * pale, value * dark);
    [r, g, b, 1.0]
}

/// Converts HSV to RGB; each channel is full over a third of the hue circle, with slopes of a sixth on both sides.
fn from_hsv(hue: f32, saturation: f32, value: f32) -> [f32; 3] {
    [5.0, 3.0, 1.0].map(|n: f32| {
        let k = (n + hue * 6.0) % 6.0;
        value * (1.0 - saturation * k.min(4.0 - k).clamp(0.0, 1.0))
    })
}

/// Interpolates from one colour to another by `t`; the opacity of the first is kept.
pub(crate) fn mix(from: [f32; 4], to: [f32; 4], t: f64) -> [f32; 4] {
    let mut out: [f32; 4] = std::array::from_fn(|k| ((1.0 - t) * f64::from(from[k]) + t * f64::from(to[k])) as f32);
    out[3] = from[3];
    out
}

/// Colour of a perturbation: the reference colour for the first user, with red and green swapped for the second.
pub(crate) fn of_users([r, g, b, a]: [f32; 4], first: bool, second: bool) -> [f32; 4] {
    let pick = |own: f32, other: f32| {
        let base = if first { own } else { 0.0 };
        if second { base.max(other) } else { base }
    };
    [pick(r, g), pick(g, r), b, a]
}
