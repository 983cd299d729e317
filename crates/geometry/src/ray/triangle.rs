//! Rays against triangles.

use super::Ray;
use sinew_math::{MINVAL, Vec3, vec3};

/// Signed distance along a ray's line to a triangle, and the triangle's unnormalised normal; `None` if the line misses
/// the triangle.
///
/// Solves `from + x dir = s a + t b`, relative to the last corner, by Cramer's rule (Möller and Trumbore, Fast, minimum
/// storage ray/triangle intersection, 1997).
#[inline]
pub fn triangle(corners: &[Vec3; 3], ray: Ray) -> Option<(f64, Vec3)> {
    let [a, b] = [0, 1].map(|k| vec3::sub(corners[k], corners[2]));
    let normal = vec3::cross(a, b);
    let det = vec3::dot(ray.dir, normal);
    if det.abs() < MINVAL {
        return None;
    }
    let from = vec3::sub(ray.origin, corners[2]);
    let moment = vec3::cross(ray.dir, from);
    let (s, t) = (vec3::dot(b, moment) / det, -vec3::dot(a, moment) / det);
    let inside = s >= 0.0 && t >= 0.0 && s + t <= 1.0;
    inside.then(|| (-vec3::dot(from, normal) / det, normal))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 3] = [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [0.0, 2.0, 3.0]];

    #[test]
    fn distance_and_normal_are_those_of_the_plane() {
        let ray = Ray { origin: [0.5, 0.5, -1.0], dir: [0.0, 0.0, 2.0] };
        let (dist, normal) = triangle(&CORNERS, ray).expect("it goes through");
        assert_eq!(ray.at(dist), [0.5, 0.5, 1.5]);
        assert_eq!(normal, [0.0, -4.0, 4.0]);
        let away = Ray { dir: [0.0, 0.0, -2.0], ..ray };
        assert_eq!(triangle(&CORNERS, away).expect("its line does").0, -dist);
    }

    #[test]
    fn edges_belong_to_it_and_what_is_beyond_does_not() {
        let down = |x, y| triangle(&CORNERS, Ray { origin: [x, y, 5.0], dir: [0.0, 0.0, -1.0] }).is_some();
        assert!(down(0.0, 0.0) && down(1.0, 1.0) && down(0.0, 1.0));
        assert!(!down(1.001, 1.0) && !down(-0.001, 1.0) && !down(1.0, -0.001));
    }

    #[test]
    fn nothing_is_met_edge_on() {
        let flat = Ray { origin: [-1.0, 0.5, 1.5], dir: [1.0, 0.0, 0.0] };
        assert!(triangle(&CORNERS, flat).is_none());
    }
}
