//! Shortest paths around or through a circle at the origin of a plane, with points as complex numbers.

use sinew_math::MINVAL;
use std::f64::consts::TAU;

/// A point or a direction of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Complex {
    pub(super) const ONE: Complex = Complex { re: 1.0, im: 0.0 };

    #[inline(always)]
    fn conj(self) -> Self {
        Complex { re: self.re, im: -self.im }
    }

    /// Product: lengths multiply, angles add.
    #[inline(always)]
    fn times(self, o: Self) -> Self {
        Complex { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }

    #[inline(always)]
    pub(super) fn scale(self, s: f64) -> Self {
        Complex { re: self.re * s, im: self.im * s }
    }

    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        Complex { re: self.re + o.re, im: self.im + o.im }
    }

    #[inline(always)]
    pub(super) fn minus(self, o: Self) -> Self {
        Complex { re: self.re - o.re, im: self.im - o.im }
    }

    #[inline(always)]
    fn dot(self, o: Self) -> f64 {
        self.re * o.re + self.im * o.im
    }

    #[inline(always)]
    pub(super) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Unit vector in the same direction; 1 for the zero vector.
    #[inline(always)]
    pub(super) fn direction(self) -> Self {
        let length = self.length();
        if length < MINVAL { Complex::ONE } else { self.scale(1.0 / length) }
    }
}

/// Point of the segment nearest to the centre, and the parameter of the nearest point of the infinite line: 0 at the
/// first end, 1 at the second, outside of [0, 1] beyond the segment. `None` if the ends coincide.
fn nearest(ends: [Complex; 2]) -> Option<(Complex, f64)> {
    let run = ends[1].minus(ends[0]);
    let square = run.dot(run);
    if square < MINVAL {
        return None;
    }
    let at = -run.dot(ends[0]) / square;
    Some((ends[0].plus(run.scale(at.clamp(0.0, 1.0))), at))
}

/// An end of a path and its two tangents: seen from the centre, they touch the circle at the angle `±α` from the end,
/// with `cos α = radius / distance`, and have the length `distance sin α`.
#[derive(Clone, Copy)]
struct View {
    end: Complex,
    square: f64,
    tangent: f64,
    radius: f64,
}

impl View {
    fn new(end: Complex, radius: f64) -> Self {
        let square = end.dot(end);
        View { end, square, tangent: (square - radius * radius).sqrt(), radius }
    }

    /// Tangent point counterclockwise from the end for `sense` 1, clockwise for −1:
    /// the end times `cos α (cos α + i sense sin α)`.
    ///
    /// If both directions are equally good for a side site, as in symmetric models, rounding decides. This order
    /// of operations rounds as MuJoCo's does.
    fn touch(self, sense: f64) -> Complex {
        let Complex { re, im } = self.end;
        let along = self.radius * self.radius;
        let across = -sense * self.radius;
        Complex {
            re: (re * along + across * im * self.tangent) / self.square,
            im: (im * along - across * re * self.tangent) / self.square,
        }
    }
}

/// An arc of the circle: its first and last point, and the angle it covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub on: Complex,
    pub off: Complex,
    pub angle: f64,
}

/// Arc of the path around the outside of the circle, on the side of `side` if given, else of the shorter path. `None`
/// if the straight path is free: it misses the circle, and `side` is not on the other side of the centre.
///
/// In either direction, the arc begins at angle `α` past the first end and finishes `β` before the second. With ends
/// `φ < π` apart, the tangents of the shorter path cross, and that path is infeasible, if
/// `|cos φ − cos α cos β| ≤ sin α sin β`; the code multiplies both sides by both distances. The straight path then
/// misses the circle, so the shorter path can only be needed for a side site. The longer path is always feasible.
pub(super) fn around(ends: [Complex; 2], side: Option<Complex>, radius: f64) -> Option<Arc> {
    if radius < MINVAL || ends.iter().any(|e| e.dot(*e) < radius * radius) {
        return None;
    }
    let (foot, _) = nearest(ends)?;
    if foot.dot(foot) > radius * radius && side.is_none_or(|s| s.dot(foot) >= 0.0) {
        return None;
    }
    let views = ends.map(|end| View::new(end, radius));
    let apart = ends[0].conj().times(ends[1]);
    let way = |sense: f64| (views[0].touch(sense), views[1].touch(-sense), sense);
    let short = if apart.im < 0.0 { -1.0 } else { 1.0 };
    let barred = side.is_some() && (apart.re - radius * radius).abs() <= views[0].tangent * views[1].tangent;
    let merit = |(on, off, _): (Complex, Complex, f64)| match side {
        Some(side) => on.plus(off).direction().dot(side),
        None => -on.minus(off).dot(on.minus(off)),
    };
    let [clockwise, counter] = [way(-1.0), way(1.0)];
    let (on, off, sense) = match barred {
        true => way(-short),
        false if merit(clockwise) > merit(counter) => clockwise,
        false => counter,
    };
    // acos rather than atan2: short arcs then round as in MuJoCo
    let between = on.direction().dot(off.direction()).min(1.0).acos();
    let angle = if sense * on.conj().times(off).im < 0.0 { TAU - between } else { between };
    Some(Arc { on, off, angle })
}

/// The point where the shortest path through the disc touches the circle from inside, for ends outside of it.
/// `None` if the straight path passes through the disc, or the ends lie on opposite sides of the centre.
///
/// At that point both legs make the same angle with the radius. If the ends are in the same direction, or the path
/// grazes the circle, the point is taken midway between the ends.
pub(super) fn through(ends: [Complex; 2], radius: f64) -> Option<Complex> {
    let distance = ends.map(Complex::length);
    if radius < MINVAL || distance.iter().any(|&d| d <= radius || d < MINVAL) {
        return None;
    }
    let run = ends[1].minus(ends[0]);
    if let Some((foot, at)) = nearest(ends)
        && at > 0.0
        && at < 1.0
        && foot.length() <= radius
    {
        return None;
    }
    let cos_apart =
        (distance[0] * distance[0] + distance[1] * distance[1] - run.dot(run)) / (2.0 * distance[0] * distance[1]);
    if cos_apart < -1.0 + MINVAL {
        return None;
    }
    let midway = || ends[0].plus(ends[1]).scale(0.5).direction().scale(radius);
    if cos_apart > 1.0 - MINVAL {
        return Some(midway());
    }
    let ratios = distance.map(|d| radius / d);
    let Some(sine) = incidence(ratios, cos_apart.acos()) else { return Some(midway()) };
    // the touching point lies counterclockwise from this end
    let from = usize::from(ends[0].conj().times(ends[1]).im <= 0.0);
    let (im, re) = (sine.asin() - (ratios[from] * sine).asin()).sin_cos();
    Some(ends[from].direction().times(Complex { re, im }).scale(radius))
}

/// Sine `z` of the angle between path and radius at the touching point; `None` if the path nearly grazes the circle.
///
/// By the law of sines, the radius to the touching point subtends `asin(z r/d)` at an end at distance `d`, so the
/// touching point is at angle `asin z − asin(z r/d)` from that end; for both ends this adds up to the angle `apart`
/// between them. The residual, `apart` minus that sum, is decreasing and concave in `z`: Newton's method from the right
/// never overshoots. MuJoCo's starting point and tolerance affect the seventh digit of the result, so they are kept.
fn incidence(ratios: [f64; 2], apart: f64) -> Option<f64> {
    const START: f64 = 1.0 - 1e-7;
    const TOLERANCE: f64 = 1e-6;
    const STEPS: usize = 20;
    let rest = |z: f64| (ratios[0] * z).asin() + (ratios[1] * z).asin() - 2.0 * z.asin() + apart;
    let slope = |z: f64| {
        let part = |k: f64| k / (1.0 - z * z * k * k).sqrt().max(MINVAL);
        part(ratios[0]) + part(ratios[1]) - 2.0 * part(1.0)
    };
    let mut z = START;
    let mut value = rest(z);
    if value > 0.0 {
        return None;
    }
    for _ in 0..STEPS {
        if value > -TOLERANCE {
            return Some(z);
        }
        z -= value / slope(z);
        value = rest(z);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(distance: f64, angle: f64) -> Complex {
        Complex { re: distance * angle.cos(), im: distance * angle.sin() }
    }

    /// Pairs of ends at varied distances and angles.
    fn cases() -> impl Iterator<Item = [Complex; 2]> {
        (0..4000).map(|k| {
            let part = |n: usize| (k as f64 * [0.618, 0.4142, 0.732][n]).fract();
            [at(1.01 + 2.0 * part(0), 3.0 * part(1)), at(1.01 + 3.0 * part(1), 3.0 * part(1) + 6.2 * part(2))]
        })
    }

    #[test]
    fn paths_around_are_tangent_and_no_shorter_than_the_other_way() {
        let mut found = 0;
        for ends in cases() {
            let Some(arc) = around(ends, None, 1.0) else { continue };
            found += 1;
            for (end, touch) in ends.into_iter().zip([arc.on, arc.off]) {
                assert!((touch.length() - 1.0).abs() < 1e-14);
                assert!(touch.dot(end.minus(touch)).abs() < 1e-12, "tangent: {ends:?}");
            }
            let straight = |a: &Arc| ends[0].minus(a.on).length() + a.angle + a.off.minus(ends[1]).length();
            for side in [at(1.0, 1.0), at(1.0, 2.5), at(1.0, -1.0)] {
                let other = around(ends, Some(side), 1.0).expect("the straight path hits the circle");
                assert!(straight(&arc) <= straight(&other) + 1e-12, "shorter: {ends:?}");
            }
        }
        assert!(found > 500);
    }

    #[test]
    fn paths_through_are_stationary() {
        let mut found = 0;
        for ends in cases() {
            let Some(touch) = through(ends, 1.0) else { continue };
            found += 1;
            let length = |turn: f64| {
                let z = touch.times(at(1.0, turn));
                ends[0].minus(z).length() + ends[1].minus(z).length()
            };
            // paths that graze the circle are not optimised
            if nearest(ends).is_some_and(|(foot, _)| foot.length() > 1.001) {
                assert!(length(0.0) <= length(1e-4) && length(0.0) <= length(-1e-4), "{ends:?}");
            }
        }
        assert!(found > 500);
    }
}
