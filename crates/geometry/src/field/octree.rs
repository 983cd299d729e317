//! Signed distances on an octree.

use crate::collide::SdfField;
use sinew_math::{Vec3, vec3};

/// Points outside the tree are moved to this far inside its boundary.
const INSET: f64 = 1e-6;

/// A point moved into the tree, and the distance it was moved by.
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

/// Leaf that contains a point, and the point's position in it as fractions of its edges.
fn find_leaf(field: &SdfField, p: Vec3) -> Option<(usize, Vec3)> {
    /// Fraction of an edge: this close to the middle, the two sides are distinguished by an exact comparison.
    const NARROW: f64 = 1e-9;
    let mut node = 0;
    // real trees are never deeper; the bound makes the loop end on corrupted ones
    for _ in 0..100 {
        let b = field.aabb.get(node)?;
        let place = |k: usize| (p[k] - (b[k] - b[3 + k])) / ((b[k] + b[3 + k]) - (b[k] - b[3 + k]));
        let side = |k: usize| {
            let away = p[k] - b[k];
            usize::from(if away.abs() > NARROW * b[3 + k] { away > 0.0 } else { place(k) >= 0.5 })
        };
        let child = field.child[node][4 * side(2) + 2 * side(1) + side(0)];
        match usize::try_from(child) {
            Ok(next) => node = next,
            Err(_) => return Some((node, [place(0), place(1), place(2)])),
        }
    }
    None
}

/// A query point in an octree of signed distances.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// Trilinear interpolation between the corners of the leaf. Outside the tree: the value at the nearest point
    /// inside, plus the distance to it.
    pub dist: f64,
    field: &'a SdfField<'a>,
    /// Distances at the corners of the leaf.
    coeff: &'a [f64; 8],
    /// The point.
    p: Vec3,
    /// Position in the leaf, as fractions of its edges.
    at: Vec3,
    /// Whether the point is outside the tree.
    outside: bool,
}

impl<'a> Cell<'a> {
    /// Finds the leaf of a point; `None` without a tree.
    pub fn find(field: &'a SdfField<'a>, p: Vec3) -> Option<Self> {
        let (point, way) = enter(field, p)?;
        let (leaf, at) = find_leaf(field, point)?;
        let coeff = &field.coeff[leaf];
        let weight = |corner: usize, k: usize| if corner >> k & 1 == 1 { at[k] } else { 1.0 - at[k] };
        let mut dist = 0.0;
        for (c, coeff) in coeff.iter().enumerate() {
            dist += weight(c, 0) * weight(c, 1) * weight(c, 2) * coeff;
        }
        let outside = way > 0.0;
        Some(Cell { dist: if outside { dist + way } else { dist }, field, coeff, p, at, outside })
    }

    /// Gradient of the interpolation, per edge length of the leaf rather than per metre; finite differences outside the
    /// tree.
    pub fn gradient(&self) -> Option<Vec3> {
        const STEP: f64 = 1e-8;
        let mut grad = [0.0; 3];
        if self.outside {
            for (k, slope) in grad.iter_mut().enumerate() {
                let mut there = self.p;
                there[k] += STEP;
                *slope = (Cell::find(self.field, there)?.dist - self.dist) / STEP;
            }
            return Some(grad);
        }
        for (c, coeff) in self.coeff.iter().enumerate() {
            let high = |k: usize| c >> k & 1 == 1;
            let weight = |k: usize| if high(k) { self.at[k] } else { 1.0 - self.at[k] };
            let slope = |k: usize| if high(k) { 1.0 } else { -1.0 };
            grad[0] += slope(0) * weight(1) * weight(2) * coeff;
            grad[1] += weight(0) * slope(1) * weight(2) * coeff;
            grad[2] += weight(0) * weight(1) * slope(2) * coeff;
        }
        Some(grad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octrees_interpolate_planes_exactly() {
        // one cell around the origin with the distance from the plane x = 0.2
        let coeff: [f64; 8] = std::array::from_fn(|c| if c & 1 == 1 { 0.8 } else { -1.2 });
        let field = SdfField { aabb: &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]], child: &[[-1; 8]], coeff: &[coeff] };
        for (p, want) in [([0.7, 0.1, -0.9], 0.5), ([-0.3, 0.0, 0.0], -0.5), ([2.0, 0.0, 0.0], 1.8)] {
            assert!((Cell::find(&field, p).unwrap().dist - want).abs() < 2e-6);
        }
    }
}
