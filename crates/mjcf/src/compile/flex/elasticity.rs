//! Stiffness of elements whose energy is a quadratic form of squared edge lengths.
//!
//! With barycentric gradients `g_a` at rest, the Green strain of an element is
//! `G = −½ Σ_e (l_e² − L_e²) sym(g_i g_jᵀ)` over its edges `e = (i, j)`: squared lengths are linear in `FᵀF`. An energy
//! `c (μ tr G² + λ (tr G)²)` is thus a quadratic form of the elongations `l_e² − L_e²`, with coefficients
//! `K_ee' = c (μ tr(E_e E_e') + λ tr E_e tr E_e')`, `E_e = sym(g_i g_jᵀ)`. The traces need only the products `g_a·g_b`.
//! The factor `c` is MuJoCo's: the volume of solids, a quarter of that of shells; its forces differ from the textbook's
//! Saint-Venant–Kirchhoff material by these constants.

use super::topology::edges_of;
use sinew_math::{Vec3, vec3};

/// Lamé's parameters. (Pa)
#[derive(Clone, Copy, Debug)]
pub(super) struct Material {
    pub mu: f64,
    pub lambda: f64,
}

impl Material {
    pub fn new(young: f64, poisson: f64) -> Self {
        Material {
            mu: young / (2.0 * (1.0 + poisson)),
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
        }
    }
}

/// Coefficients of a solid element.
pub(super) fn tetrahedron(at: [Vec3; 4], material: &Material) -> [f64; 21] {
    let [a, b, c, d] = at;
    let [u, v, w] = [vec3::sub(b, a), vec3::sub(c, a), vec3::sub(d, a)];
    let det = vec3::dot(u, vec3::cross(v, w));
    let reciprocal = |x, y| vec3::scale(vec3::cross(x, y), 1.0 / det);
    let (gb, gc, gd) = (reciprocal(v, w), reciprocal(w, u), reciprocal(u, v));
    let ga = vec3::scale(vec3::add(gb, vec3::add(gc, gd)), -1.0);
    coefficients([ga, gb, gc, gd], det.abs() / 6.0, material)
}

/// Coefficients of a shell element.
pub(super) fn triangle(at: [Vec3; 3], material: &Material, thickness: f64) -> [f64; 21] {
    let [a, b, c] = at;
    let (u, v) = (vec3::sub(b, a), vec3::sub(c, a));
    let normal = vec3::cross(u, v);
    let square = vec3::dot(normal, normal);
    // in the plane, orthogonal to the opposite side, with length one over the height
    let gb = vec3::scale(vec3::cross(v, normal), 1.0 / square);
    let gc = vec3::scale(vec3::cross(normal, u), 1.0 / square);
    let ga = vec3::scale(vec3::add(gb, gc), -1.0);
    let area = square.sqrt() / 2.0;
    coefficients([ga, gb, gc], area * thickness / 4.0, material)
}

/// Upper triangle of `K`, row by row.
fn coefficients<const N: usize>(gradients: [Vec3; N], factor: f64, m: &Material) -> [f64; 21] {
    let gram: [[f64; N]; N] = gradients.map(|a| gradients.map(|b| vec3::dot(a, b)));
    let edges = edges_of(N - 1);
    let mut out = [0.0; 21];
    let mut next = 0;
    for (row, &[i, j]) in edges.iter().enumerate() {
        for &[k, l] in &edges[row..] {
            let product = 0.5 * (gram[i][k] * gram[j][l] + gram[i][l] * gram[j][k]);
            out[next] = factor * (m.mu * product + m.lambda * gram[i][j] * gram[k][l]);
            next += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: &[f64], want: &[f64]) {
        for (g, w) in got.iter().zip(want) {
            assert!((g - w).abs() < 1e-8 * w.abs().max(1.0), "{got:?} {want:?}");
        }
    }

    #[test]
    fn energy_of_a_stretched_element() {
        // uniform stretch s along every axis: G = ½(s² − 1) I
        let at = [[0.1, 0.2, 0.3], [0.5, 0.1, 0.3], [0.2, 0.7, 0.2], [0.3, 0.3, 0.9]];
        let material = Material::new(2e3, 0.3);
        let k = tetrahedron(at, &material);
        let stretch: f64 = 1.1;
        let s: Vec<f64> = edges_of(3)
            .iter()
            .map(|&[i, j]| {
                let e = vec3::sub(at[i], at[j]);
                (stretch * stretch - 1.0) * vec3::dot(e, e)
            })
            .collect();
        let mut energy = 0.0;
        let mut next = 0;
        for i in 0..6 {
            for j in i..6 {
                energy += if i == j { 1.0 } else { 2.0 } * k[next] * s[i] * s[j];
                next += 1;
            }
        }
        let [u, v, w] = [1, 2, 3].map(|i| vec3::sub(at[i], at[0]));
        let volume = vec3::dot(u, vec3::cross(v, w)).abs() / 6.0;
        let g = 0.5 * (stretch * stretch - 1.0);
        let want = volume * (material.mu * 3.0 * g * g + material.lambda * 9.0 * g * g);
        close(&[energy / 4.0], &[want]);
    }

    #[test]
    fn a_triangle_as_mujoco_stores_it() {
        let at = [[0.0; 3], [0.2, 0.0, 0.0], [0.05, 0.15, 0.0]];
        let k = triangle(at, &Material::new(2e3, 0.3), 0.01);
        close(&k[..6], &[24.92877493, 10.68376068, -2.67094017, 96.15384615, 24.03846154, 36.05769231]);
    }
}
