//! Nearest points on segments and triangles.

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
    // inside all three sides, seen along the normal
    let left = |from: Vec3, to: Vec3| vec3::dot(vec3::cross(vec3::sub(to, from), vec3::sub(p, from)), normal) >= 0.0;
    if square > 0.0 && left(a, b) && left(b, c) && left(c, a) {
        return vec3::add_scaled(p, normal, -vec3::dot(normal, vec3::sub(p, a)) / square);
    }
    let sides = [on_segment(p, a, b), on_segment(p, b, c), on_segment(p, c, a)];
    let square = |x: Vec3| vec3::dot(vec3::sub(x, p), vec3::sub(x, p));
    sides.into_iter().reduce(|best, x| if square(x) < square(best) { x } else { best }).unwrap_or(a)
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
}
