//! Flexes whose vertices are interpolated from a grid of control nodes.

use super::elasticity::Material;
use crate::error::{Error, Result};
use crate::schema::attr;
use sinew_math::Vec3;

/// Degree of the interpolation for a number of nodes.
pub(super) fn order(nodes: usize) -> Result<usize> {
    match nodes {
        8 => Ok(1),
        27 => Ok(2),
        _ => Err(Error::invalid(format!("{nodes} nodes make no cube; 8 or 27 are needed")).attribute(attr::NODE)),
    }
}

/// Lagrange polynomials in one direction on [0, 1], and their derivatives.
fn basis(order: usize, s: f64) -> Vec<[f64; 2]> {
    match order {
        1 => vec![[1.0 - s, -1.0], [s, 1.0]],
        _ => vec![
            [2.0 * s * s - 3.0 * s + 1.0, 4.0 * s - 3.0],
            [4.0 * (s - s * s), 4.0 - 8.0 * s],
            [2.0 * s * s - s, 4.0 * s - 1.0],
        ],
    }
}

/// Points and weights of the quadrature. With three points MuJoCo places the outer ones outside the interval; its
/// stiffness is the reference.
fn quadrature(order: usize) -> Vec<[f64; 2]> {
    match order {
        1 => {
            let d = 0.5 / 3f64.sqrt();
            vec![[0.5 - d, 0.5], [0.5 + d, 0.5]]
        }
        _ => {
            let d = 0.5 / (3.0f64 / 5.0).sqrt();
            vec![[0.5 - d, 5.0 / 18.0], [0.5, 8.0 / 18.0], [0.5 + d, 5.0 / 18.0]]
        }
    }
}

/// Stiffness of the whole box, `−∫ (λ tr ε_i tr ε_j + μ ε_i : ε_j)` over the displacements of the nodes, written row by
/// row into the storage of the elements.
pub(super) fn stiffness(nodes: &[Vec3], order: usize, m: &Material, out: &mut [[f64; 21]]) -> Result<()> {
    let n = 3 * nodes.len();
    let room = n * n / 21;
    if room > out.len() {
        let message = format!("an interpolated flex with {} nodes needs at least {room} elements", nodes.len());
        return Err(Error::invalid(message).attribute(attr::ELEMENT).hint("use a finer grid of points"));
    }
    let out = out.as_flattened_mut();
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    let side: Vec3 = std::array::from_fn(|k| last[k] - first[k]);
    let volume = side[0] * side[1] * side[2];
    let points = quadrature(order);
    for [s, ws] in &points {
        for [t, wt] in &points {
            for [u, wu] in &points {
                let gradients = gradients(order, [*s, *t, *u], side);
                add_point(&gradients, ws * wt * wu * volume, m, n, out);
            }
        }
    }
    Ok(())
}

/// Gradients of all basis functions at a point of the unit cube, for a box with the given side lengths.
fn gradients(order: usize, at: Vec3, side: Vec3) -> Vec<Vec3> {
    let [x, y, z] = at.map(|s| basis(order, s));
    let mut out = Vec::with_capacity((order + 1).pow(3));
    for [fx, dx] in &x {
        for [fy, dy] in &y {
            for [fz, dz] in &z {
                out.push([dx * fy * fz / side[0], fx * dy * fz / side[1], fx * fy * dz / side[2]]);
            }
        }
    }
    out
}

/// Adds one quadrature point. A displacement of node `i` along axis `k` has the strain `sym(e_k g_iᵀ)`, so that
/// `tr ε = g_k` and `ε : ε' = ½ (δ_kl g·g' + g_l g'_k)`.
fn add_point(gradients: &[Vec3], weight: f64, m: &Material, n: usize, out: &mut [f64]) {
    for (i, a) in gradients.iter().enumerate() {
        for (j, b) in gradients.iter().enumerate() {
            let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            for k in 0..3 {
                for l in 0..3 {
                    let shear = 0.5 * (if k == l { dot } else { 0.0 } + a[l] * b[k]);
                    // the storage has MuJoCo's size; the last entries of 81 × 81 do not fit
                    if let Some(slot) = out.get_mut(n * (3 * i + k) + 3 * j + l) {
                        *slot -= (m.lambda * a[k] * b[l] + m.mu * shear) * weight;
                    }
                }
            }
        }
    }
}
