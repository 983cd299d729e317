//! Bending of shells by the cotangent operator.
//!
//! For an edge between two triangles, the mean curvature of small deflections is `Σ c_a x_a` with weights `c` from the
//! cotangents of the angles at the edge's ends, and the energy is a quadratic form of it, with rows `c cᵀ`. Source:
//! Wardetzky et al., Discrete quadratic curvature energies, 2007. Where the sheet is curved at rest, a cubic term
//! maintains the angle: Garg et al., Cubic shells, 2007.

use super::topology::Flap;
use sinew_math::{Vec3, vec3};

/// Cotangent of the angle at `apex` towards two points, and the area of the triangle.
fn corner(apex: Vec3, p: Vec3, q: Vec3) -> (f64, f64) {
    let (u, v) = (vec3::sub(p, apex), vec3::sub(q, apex));
    let double_area = vec3::norm(vec3::cross(u, v));
    (vec3::dot(u, v) / double_area, double_area / 2.0)
}

/// One triangle adjacent to the edge.
struct Wing {
    /// Cotangents of the angles at both ends of the edge.
    cot: [f64; 2],
    area: f64,
    /// Unit vector in the triangle, orthogonal to the edge.
    height: Vec3,
    /// Vector from the first end to the opposite vertex.
    arm: Vec3,
}

impl Wing {
    fn new(ends: [Vec3; 2], across: Vec3) -> Self {
        let (first, area) = corner(ends[0], ends[1], across);
        let (second, _) = corner(ends[1], ends[0], across);
        let edge = vec3::sub(ends[1], ends[0]);
        let arm = vec3::sub(across, ends[0]);
        let along = vec3::dot(arm, edge) / vec3::dot(edge, edge);
        let height = vec3::normalize(vec3::add_scaled(arm, edge, -along)).0;
        Wing { cot: [first, second], area, height, arm }
    }
}

/// Sixteen coefficients of the quadratic form over both ends and both opposite vertices, and the coefficient of the
/// cubic term.
pub(super) fn coefficients(flap: &Flap, at: &[Vec3], mu: f64, thickness: f64) -> [f64; 17] {
    let mut out = [0.0; 17];
    if flap.across[1] < 0 {
        return out;
    }
    let ends = flap.ends.map(|i| at[i as usize]);
    let [a, b] = flap.across.map(|i| Wing::new(ends, at[i as usize]));
    let weights = [a.cot[1] + b.cot[1], a.cot[0] + b.cot[0], -(a.cot[0] + a.cot[1]), -(b.cot[0] + b.cot[1])];
    let stiffness = 3.0 * mu * thickness.powi(3) / (24.0 * (a.area + b.area));
    // 1 where the sheet is flat at rest
    let flatness = -vec3::dot(a.height, b.height);
    for i in 0..4 {
        for j in 0..4 {
            out[4 * i + j] = weights[i] * weights[j] * flatness * stiffness;
        }
    }
    let edge = vec3::sub(ends[1], ends[0]);
    let volume = vec3::dot(vec3::cross(edge, a.arm), b.arm);
    out[16] = volume * (a.cot[0] - a.cot[1]) * (b.cot[1] - b.cot[0]) * stiffness / vec3::norm(edge).powi(3);
    out
}
