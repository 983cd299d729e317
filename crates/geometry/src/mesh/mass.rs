//! Area, volume, centre of mass and inertia of triangle meshes at unit density.

use super::corners;
use sinew_math::{MINVAL, vec3};

/// What each face contributes to the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Signed volume of the pyramid under the face: exact for closed, consistently oriented meshes.
    Signed,
    /// Absolute volume of the pyramid: over-counts concave meshes, forgives bad orientation.
    Absolute,
    /// Area of the face.
    Area,
}

/// Area, normal and centre of a face.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Area; 0 for degenerate faces.
    pub area: f64,
    /// Unit normal, or the vanishing cross product for a degenerate face.
    pub normal: [f64; 3],
    /// Mean of the corners.
    pub center: [f64; 3],
}

/// Area, normal and centre of a triangle.
#[inline]
pub fn triangle(v: [[f64; 3]; 3]) -> Triangle {
    let center = [0, 1, 2].map(|k| (v[0][k] + v[1][k] + v[2][k]) / 3.0);
    let normal = vec3::cross(vec3::sub(v[1], v[0]), vec3::sub(v[2], v[0]));
    let length = vec3::norm(normal);
    if length < MINVAL {
        return Triangle { area: 0.0, normal, center };
    }
    Triangle { area: 0.5 * length, normal: normal.map(|x| x / length), center }
}

/// Total area and area-weighted centre of the faces. The centre is not divided by a vanishing area.
pub fn face_centroid(vert: &[[f64; 3]], face: &[[i32; 3]]) -> (f64, [f64; 3]) {
    let mut total = 0.0;
    let mut center = [0.0; 3];
    for &f in face {
        let t = triangle(corners(vert, f));
        for k in 0..3 {
            center[k] += t.area * t.center[k];
        }
        total += t.area;
    }
    (total, divide(center, total))
}

/// Total measure and centre of mass: each face spans a pyramid with its tip at `tip`.
pub fn center_of_mass(vert: &[[f64; 3]], face: &[[i32; 3]], tip: [f64; 3], measure: Measure) -> (f64, [f64; 3]) {
    let mut total = 0.0;
    let mut com = [0.0; 3];
    for &f in face {
        let t = triangle(corners(vert, f));
        let weight = weigh(&t, vec3::sub(t.center, tip), measure);
        total += weight;
        for k in 0..3 {
            com[k] += weight * (t.center[k] * 3.0 / 4.0 + tip[k] / 4.0);
        }
    }
    (total, divide(com, total))
}

/// Total measure and inertia xx yy zz xy xz yz about `com`.
///
/// Products of inertia of a tetrahedron with one corner at the origin, or of a triangle, are quadratic forms of the
/// corners with the standard factors 1/20 and 1/12.
pub fn inertia(vert: &[[f64; 3]], face: &[[i32; 3]], com: [f64; 3], measure: Measure) -> (f64, [f64; 6]) {
    const PAIRS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];
    let factor = if measure == Measure::Area { 12.0 } else { 20.0 };
    let mut total = 0.0;
    let mut p = [0.0; 6];
    for &f in face {
        let [d, e, g] = corners(vert, f).map(|v| vec3::sub(v, com));
        let t = triangle([d, e, g]);
        let weight = weigh(&t, t.center, measure);
        total += weight;
        for (sum, [i, j]) in p.iter_mut().zip(PAIRS) {
            *sum += weight / factor
                * (2.0 * (d[i] * d[j] + e[i] * e[j] + g[i] * g[j])
                    + d[i] * e[j]
                    + d[j] * e[i]
                    + d[i] * g[j]
                    + d[j] * g[i]
                    + e[i] * g[j]
                    + e[j] * g[i]);
        }
    }
    (total, [p[1] + p[2], p[0] + p[2], p[0] + p[1], -p[3], -p[4], -p[5]])
}

/// Measure contributed by a face whose centre is at `arm` from the tip of its pyramid.
#[inline]
fn weigh(t: &Triangle, arm: [f64; 3], measure: Measure) -> f64 {
    match measure {
        Measure::Area => t.area,
        Measure::Signed => vec3::dot(arm, t.normal) * t.area / 3.0,
        Measure::Absolute => (vec3::dot(arm, t.normal) * t.area / 3.0).abs(),
    }
}

fn divide(sum: [f64; 3], total: f64) -> [f64; 3] {
    if total >= MINVAL { sum.map(|x| x / total) } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Axis-aligned box with outward faces.
    fn cuboid(center: [f64; 3], half: [f64; 3]) -> (Vec<[f64; 3]>, Vec<[i32; 3]>) {
        let sign = |i: usize, k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
        let vert = (0..8).map(|i| [0, 1, 2].map(|k| center[k] + sign(i, k) * half[k])).collect();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let face = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        (vert, face)
    }

    #[test]
    fn box_has_textbook_mass_properties() {
        let half = [0.1, 0.2, 0.3];
        let (vert, face) = cuboid([1.0, -2.0, 0.5], half);
        let (area, centroid) = face_centroid(&vert, &face);
        assert!((area - 8.0 * (0.02 + 0.03 + 0.06)).abs() < 1e-12);
        for measure in [Measure::Signed, Measure::Absolute] {
            let (volume, com) = center_of_mass(&vert, &face, centroid, measure);
            assert!((volume - 0.048).abs() < 1e-14);
            let (_, i) = inertia(&vert, &face, com, measure);
            for k in 0..3 {
                let (a, b) = (half[(k + 1) % 3], half[(k + 2) % 3]);
                assert!((com[k] - [1.0, -2.0, 0.5][k]).abs() < 1e-13);
                assert!((i[k] - 0.048 * (a * a + b * b) / 3.0).abs() < 1e-14);
                assert!(i[k + 3].abs() < 1e-14);
            }
        }
    }

    #[test]
    fn shell_inertia_of_a_cube_is_that_of_six_plates() {
        let a = 0.4;
        let (vert, face) = cuboid([0.0; 3], [a; 3]);
        let (area, i) = inertia(&vert, &face, [0.0; 3], Measure::Area);
        // a thin cubic shell of side 2a and mass m: 5/18 m (2a)²
        assert!((i[0] - 5.0 / 18.0 * area * 4.0 * a * a).abs() < 1e-13);
    }
}
