//! Signed distances on an octree.

use crate::collide::SdfField;
use sinew_math::{Vec3, vec3};

/// How far into the tree points outside are moved.
const INSET: f64 = 1e-6;

/// A point moved into the tree, and the way there.
fn enter(field: &SdfField, p: Vec3) -> Option<(Vec3, f64)> {
    let [cx, cy, cz, half @ ..] = *field.aabb.first()?;
    let away = vec3::sub(p, [cx, cy, cz]);
    let beyond: Vec3 = std::array::from_fn(|k| away[k].abs() - half[k]);
    if beyond.iter().all(|b| *b <= 0.0) {
        return Some((p, 0.0));
    }
    let mut point = p;
    let mut square = 0.0;
    for k in (0..3).filter(|&k| beyond[k] >= 0.0) {
        square += beyond[k] * beyond[k];
        point[k] -= if away[k] > 0.0 { beyond[k] + INSET } else { -(beyond[k] + INSET) };
    }
    Some((point, square.sqrt()))
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

/// Trilinear interpolation between the corners of the leaf a point lies in; from outside the tree, of the nearest
/// point in it, with the way there added.
pub fn octree(field: &SdfField, p: Vec3) -> Option<f64> {
    let (point, way) = enter(field, p)?;
    let (leaf, at) = find_leaf(field, point)?;
    let weight = |corner: usize, k: usize| if corner >> k & 1 == 1 { at[k] } else { 1.0 - at[k] };
    let mut value = 0.0;
    for (c, coeff) in field.coeff[leaf].iter().enumerate() {
        value += weight(c, 0) * weight(c, 1) * weight(c, 2) * coeff;
    }
    Some(if way > 0.0 { value + way } else { value })
}

/// Gradient of the interpolation, per edge of the leaf rather than per metre; by differences outside the tree.
pub fn octree_gradient(field: &SdfField, p: Vec3) -> Option<Vec3> {
    const STEP: f64 = 1e-8;
    let (point, way) = enter(field, p)?;
    if way > 0.0 {
        let here = octree(field, p)?;
        let mut grad = [0.0; 3];
        for k in 0..3 {
            let mut there = p;
            there[k] += STEP;
            grad[k] = (octree(field, there)? - here) / STEP;
        }
        return Some(grad);
    }
    let (leaf, at) = find_leaf(field, point)?;
    let mut grad = [0.0; 3];
    for (c, coeff) in field.coeff[leaf].iter().enumerate() {
        let high = |k: usize| c >> k & 1 == 1;
        let weight = |k: usize| if high(k) { at[k] } else { 1.0 - at[k] };
        let slope = |k: usize| if high(k) { 1.0 } else { -1.0 };
        grad[0] += slope(0) * weight(1) * weight(2) * coeff;
        grad[1] += weight(0) * slope(1) * weight(2) * coeff;
        grad[2] += weight(0) * weight(1) * slope(2) * coeff;
    }
    Some(grad)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            surface: None,
        };
        let field = SdfField { aabb: &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]], child: &[[-1; 8]], coeff: &[coeff], mesh };
        for (p, want) in [([0.7, 0.1, -0.9], 0.5), ([-0.3, 0.0, 0.0], -0.5), ([2.0, 0.0, 0.0], 1.8)] {
            assert!((octree(&field, p).unwrap() - want).abs() < 2e-6);
        }
    }
}
