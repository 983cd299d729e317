//! Nearest points.

use sinew_math::{Vec3, vec3};

/// The point of a segment that is nearest to `p`.
fn on_segment(p: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    let way = vec3::sub(b, a);
    let square = vec3::dot(way, way);
    let part = if square > 0.0 { (vec3::dot(vec3::sub(p, a), way) / square).clamp(0.0, 1.0) } else { 0.0 };
    vec3::add_scaled(a, way, part)
}

/// The point of a triangle that is nearest to `p`.
pub(super) fn on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    let square = vec3::dot(normal, normal);
    // to the left of all three sides, seen against the normal
    let left = |from: Vec3, to: Vec3| vec3::dot(vec3::cross(vec3::sub(to, from), vec3::sub(p, from)), normal) >= 0.0;
    if square > 0.0 && left(a, b) && left(b, c) && left(c, a) {
        return vec3::add_scaled(p, normal, -vec3::dot(normal, vec3::sub(p, a)) / square);
    }
    let sides = [on_segment(p, a, b), on_segment(p, b, c), on_segment(p, c, a)];
    let square = |x: Vec3| vec3::dot(vec3::sub(x, p), vec3::sub(x, p));
    sides.into_iter().reduce(|best, x| if square(x) < square(best) { x } else { best }).unwrap_or(a)
}

/// The point of an ellipsoid's surface that is nearest to `p`, both in its own axes: `x_i = s_i² p_i / (s_i² + t)`
/// where `Σ (s_i p_i / (s_i² + t))² = 1`. Source: Eberly, Distance from a point to an ellipsoid.
pub(super) fn on_ellipsoid(p: Vec3, size: Vec3) -> Vec3 {
    let squares = size.map(|s| s * s);
    let least = squares.into_iter().fold(f64::INFINITY, f64::min);
    let scaled: Vec3 = std::array::from_fn(|i| size[i] * p[i]);
    let value = |t: f64| -> f64 { (0..3).map(|i| (scaled[i] / (squares[i] + t)).powi(2)).sum::<f64>() - 1.0 };
    let slope = |t: f64| -> f64 { (0..3).map(|i| -2.0 * scaled[i].powi(2) / (squares[i] + t).powi(3)).sum() };
    // the function falls from above zero to below it
    let (mut low, mut high) = (-least, vec3::norm(scaled));
    let mut t = if value(0.0) > 0.0 { 0.0 } else { 0.5 * (low.max(-least * (1.0 - 1e-9)) + 0.0) };
    for _ in 0..100 {
        let v = value(t);
        if v > 0.0 {
            low = t
        } else {
            high = t
        }
        let newton = t - v / slope(t);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - t).abs() <= 1e-15 * least.max(t.abs()) {
            break;
        }
        t = next;
    }
    std::array::from_fn(|i| squares[i] * p[i] / (squares[i] + t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangle_regions() {
        let t = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        for (p, want) in [
            ([0.2, 0.2, 3.0], [0.2, 0.2, 0.0]),
            ([-1.0, -1.0, 1.0], [0.0; 3]),
            ([0.5, -2.0, 0.0], [0.5, 0.0, 0.0]),
            ([1.0, 1.0, -1.0], [0.5, 0.5, 0.0]),
            ([5.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ] {
            assert!(vec3::dist(on_triangle(p, t), want) < 1e-15, "{p:?}");
        }
    }

    #[test]
    fn nearest_of_an_ellipsoid_is_along_the_normal() {
        let size = [0.3, 0.5, 0.2];
        for p in [[0.4, 0.1, -0.3], [0.1, 0.05, 0.02], [0.0, 0.6, 0.0], [0.29, 0.0, 0.01]] {
            let x = on_ellipsoid(p, size);
            let on: f64 = (0..3).map(|i| (x[i] / size[i]).powi(2)).sum();
            assert!((on - 1.0).abs() < 1e-9, "{p:?} {x:?}");
            let normal: Vec3 = std::array::from_fn(|i| x[i] / size[i].powi(2));
            let off = vec3::cross(normal, vec3::sub(p, x));
            assert!(vec3::norm(off) < 1e-9 * vec3::norm(normal), "{p:?} {x:?}");
        }
    }
}
