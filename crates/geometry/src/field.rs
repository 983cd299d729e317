//! Signed distance from a point to a shape, negative inside, as functions that are cheap rather than exact.
//!
//! Quilez, Distance functions, iquilezles.org/articles/distfunctions.

use crate::collide::{Kind, SdfField, Shape};
use sinew_math::{Vec3, clip, vec3};

/// Signed distance of a point in the shape's own frame; `None` for shapes without such a function.
#[doc(alias = "mjc_distance")]
pub fn distance(shape: &Shape, p: Vec3) -> Option<f64> {
    let size = shape.size;
    Some(match &shape.kind {
        Kind::Plane => p[2],
        Kind::Sphere => vec3::norm(p) - size[0],
        Kind::Capsule => vec3::norm([p[0], p[1], p[2] - clip(p[2], -size[1], size[1])]) - size[0],
        Kind::Ellipsoid => ellipsoid(p, size),
        Kind::Cylinder => cylinder(p, size),
        Kind::Box => cuboid(p, size),
        Kind::Sdf(field) => octree(field, p)?,
        Kind::Hfield(_) | Kind::Mesh(_) => return None,
    })
}

fn ellipsoid(p: Vec3, size: Vec3) -> f64 {
    let once: Vec3 = std::array::from_fn(|k| p[k] / size[k]);
    let twice: Vec3 = std::array::from_fn(|k| once[k] / size[k]);
    let k0 = vec3::norm(once);
    k0 * (k0 - 1.0) / vec3::norm(twice)
}

fn cylinder(p: Vec3, size: Vec3) -> f64 {
    let (side, cap) = ((p[0] * p[0] + p[1] * p[1]).sqrt() - size[0], p[2].abs() - size[1]);
    let (x, y) = (side.max(0.0), cap.max(0.0));
    side.max(cap).min(0.0) + (x * x + y * y).sqrt()
}

/// Exact outside; inside, the way to the surface along a direction that turns from radial to that of the nearest face.
fn cuboid(p: Vec3, size: Vec3) -> f64 {
    let a: Vec3 = std::array::from_fn(|k| p[k].abs() - size[k]);
    if a.iter().any(|v| *v >= 0.0) {
        return vec3::norm(a.map(|v| v.max(0.0)));
    }
    let b = vec3::normalize(std::array::from_fn(|k| -size[k] / a[k])).0;
    let t: Vec3 = std::array::from_fn(|k| -a[k] / b[k].abs());
    -t[0].min(t[1]).min(t[2]) * vec3::norm(b)
}

/// Trilinear interpolation between the corners of the leaf a point lies in; from outside the tree, of the nearest
/// point in it, with the way there added.
pub fn octree(field: &SdfField, p: Vec3) -> Option<f64> {
    /// How far into the tree points outside are moved.
    const INSET: f64 = 1e-6;
    let [cx, cy, cz, half @ ..] = *field.aabb.first()?;
    let away = vec3::sub(p, [cx, cy, cz]);
    let mut point = p;
    let mut square = 0.0;
    let beyond: Vec3 = std::array::from_fn(|k| away[k].abs() - half[k]);
    if beyond.iter().any(|b| *b > 0.0) {
        for k in (0..3).filter(|&k| beyond[k] >= 0.0) {
            square += beyond[k] * beyond[k];
            point[k] -= (beyond[k] + INSET).copysign(if away[k] > 0.0 { 1.0 } else { -1.0 });
        }
    }
    let (leaf, at) = find_leaf(field, point)?;
    let value: f64 = (0..8)
        .map(|corner: usize| {
            let weight = |k: usize| if corner >> k & 1 == 1 { at[k] } else { 1.0 - at[k] };
            weight(0) * weight(1) * weight(2) * field.coeff[leaf][corner]
        })
        .fold(0.0, |sum, v| sum + v);
    Some(if square > 0.0 { value + square.sqrt() } else { value })
}

/// Leaf of an octree, and the place in it as fractions of its edges.
fn find_leaf(field: &SdfField, p: Vec3) -> Option<(usize, Vec3)> {
    let mut node = 0;
    // deeper trees do not occur; a damaged one must end as well
    for _ in 0..100 {
        let b = field.aabb.get(node)?;
        let at: Vec3 = std::array::from_fn(|k| (p[k] - (b[k] - b[3 + k])) / ((b[k] + b[3 + k]) - (b[k] - b[3 + k])));
        let child = &field.child[node];
        if child.iter().all(|&c| c == -1) {
            return Some((node, at));
        }
        let side = |k: usize| usize::from(at[k] >= 0.5);
        node = usize::try_from(child[4 * side(2) + 2 * side(1) + side(0)]).ok()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::mat3;

    #[test]
    fn distances_change_sign_at_the_surface() {
        let size = [0.3, 0.4, 0.5];
        let at = |kind, p| {
            distance(&Shape { pos: [0.0; 3], mat: &mat3::IDENTITY, size, rbound: 0.0, aabb: &[0.0; 6], kind }, p)
                .unwrap()
        };
        for (kind, surface) in [
            (Kind::Sphere, [0.3, 0.0, 0.0]),
            (Kind::Capsule, [0.0, 0.0, 0.7]),
            (Kind::Ellipsoid, [0.0, 0.4, 0.0]),
            (Kind::Cylinder, [0.0, 0.0, 0.4]),
            (Kind::Box, [0.1, 0.1, 0.5]),
            (Kind::Plane, [3.0, 4.0, 0.0]),
        ] {
            assert!(at(kind, surface).abs() < 1e-12, "{kind:?}");
            if !matches!(kind, Kind::Plane) {
                assert!(at(kind, vec3::scale(surface, 0.9)) < -0.01, "{kind:?}");
                assert!(at(kind, vec3::scale(surface, 1.1)) > 0.01, "{kind:?}");
            }
        }
        assert!((at(Kind::Box, [0.6, 0.8, 0.5]) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn octrees_interpolate_planes_exactly() {
        // one cell around the origin, and the distance from the plane x = 0.2
        let coeff: [f64; 8] = std::array::from_fn(|c| if c & 1 == 1 { 0.8 } else { -1.2 });
        let mesh = crate::collide::Mesh {
            vert: &[],
            graph: &[],
            polynormal: &[],
            polyvertadr: &[],
            polyvertnum: &[],
            polyvert: &[],
            polymapadr: &[],
            polymapnum: &[],
            polymap: &[],
        };
        let field = SdfField { aabb: &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]], child: &[[-1; 8]], coeff: &[coeff], mesh };
        for (p, want) in [([0.7, 0.1, -0.9], 0.5), ([-0.3, 0.0, 0.0], -0.5), ([2.0, 0.0, 0.0], 1.8)] {
            assert!((octree(&field, p).unwrap() - want).abs() < 2e-6);
        }
    }
}
