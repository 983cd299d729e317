//! Finite elements of flexes: strain, forces and stiffness modes relative to the rest shape.
//!
//! The edge vectors `d_i` from the first vertex are, at rest, the columns of `D`. The deformation gradient is
//! `F = Σ d_i b_iᵀ`, with `b_i` the rows of `D⁻¹`. Its singular value decomposition `F = Σ u_k s_k v_kᵀ` gives the
//! stretches `s`. The stress is `Σ u_k ψ_k v_kᵀ` with the slopes `ψ` of the energy, and the stiffness has closed-form
//! eigenvectors: Smith, de Goes, Kim, Analytic Eigensystems for Isotropic Distortion Energies, 2019.

use super::Response;
use crate::data::Pose;
use crate::model::Model;
use crate::support::flex;
use sinew_math::svd::{Svd, svd};
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// A triangle (`D = 2`) or a tetrahedron (`D = 3`), with `V = D + 1` vertices.
#[derive(Clone, Copy, Debug)]
pub struct Element<const D: usize, const V: usize> {
    /// Vertex indices in the model, ordered for positive volume.
    pub verts: [usize; V],
    /// Rest volume or area.
    pub size: f64,
    /// Rows `b`: gradients of the barycentric coordinates of all vertices except the first.
    pub gradients: [[f64; D]; D],
}

/// Permutation of vertices that makes the volume of a compiled tetrahedron positive.
const ORDER: [usize; 4] = [0, 2, 1, 3];

/// Index of the edge that joins two corners of an element.
fn edge_between<const N: usize>(edges: &[[usize; 2]; N], a: usize, b: usize) -> usize {
    edges.iter().position(|&[p, q]| (p, q) == (a, b) || (q, p) == (a, b)).unwrap_or(0)
}

/// All triangle elements of a flex that are not degenerate at rest.
pub fn triangles(m: &Model, f: usize) -> impl Iterator<Item = (usize, Element<2, 3>)> + '_ {
    elements::<2, 3, 3>(m, f, flex::TRIANGLE_EDGES, [0, 1, 2])
}

/// All tetrahedron elements of a flex that are not degenerate at rest.
pub fn tetrahedra(m: &Model, f: usize) -> impl Iterator<Item = (usize, Element<3, 4>)> + '_ {
    elements::<3, 4, 6>(m, f, flex::TETRAHEDRON_EDGES, ORDER)
}

fn elements<const D: usize, const V: usize, const N: usize>(
    m: &Model,
    f: usize,
    ends: [[usize; 2]; N],
    order: [usize; V],
) -> impl Iterator<Item = (usize, Element<D, V>)> + '_ {
    let (first, edge) = (m.flex_vertadr[f] as usize, m.flex_edgeadr[f] as usize);
    let edges = m.flex_elemedge[m.flex_elemedgeadr[f] as usize..].as_chunks::<N>().0;
    // edge between each pair of vertices
    let between: [[usize; V]; V] =
        std::array::from_fn(|i| std::array::from_fn(|j| edge_between(&ends, order[i], order[j])));
    let all = flex::corners::<V>(m, f).iter().zip(edges).zip(m.flex_elemadr[f] as usize..);
    all.filter_map(move |((corners, edges), id)| {
        let verts = order.map(|k| first + corners[k] as usize);
        let square = |i: usize, j: usize| m.flexedge_length0[edge + edges[between[i][j]] as usize].powi(2);
        Element::new(verts, square).map(|element| (id, element))
    })
}

impl<const D: usize, const V: usize> Element<D, V> {
    /// An element with given squared rest distances between vertices; `None` if its volume is zero.
    fn new(verts: [usize; V], square: impl Fn(usize, usize) -> f64) -> Option<Self> {
        // Cholesky factor: columns of an upper triangle R, with RᵀR the products of edge vectors
        let mut r = [[0.0; D]; D];
        for j in 0..D {
            for i in 0..=j {
                let product = if i == j {
                    square(0, i + 1)
                } else {
                    0.5 * (square(0, i + 1) + square(0, j + 1) - square(i + 1, j + 1))
                };
                let rest = product - (0..i).map(|k| r[k][i] * r[k][j]).sum::<f64>();
                if i < j {
                    r[i][j] = rest / r[i][i];
                } else if rest > FLAT * square(0, i + 1) {
                    r[i][i] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        let mut gradients = [[0.0; D]; D];
        for j in 0..D {
            gradients[j][j] = 1.0 / r[j][j];
            for i in (0..j).rev() {
                let sum: f64 = (i + 1..=j).map(|k| r[i][k] * gradients[k][j]).sum();
                gradients[i][j] = -sum / r[i][i];
            }
        }
        let size = (0..D).map(|i| r[i][i] / (i + 1) as f64).product();
        Some(Element { verts, size, gradients })
    }

    /// Stretches and their axes at the current vertex positions.
    pub fn strain(&self, pose: &Pose) -> Strain<D, V> {
        let at = self.verts.map(|v| pose.flexvert_xpos[v]);
        let edges: [Vec3; D] = std::array::from_fn(|i| vec3::sub(at[i + 1], at[0]));
        let column = |j: usize| (0..D).fold([0.0; 3], |sum, i| vec3::add_scaled(sum, edges[i], self.gradients[i][j]));
        Strain { element: *self, axes: svd(std::array::from_fn(column)) }
    }
}

/// Relative squared height below which an element is degenerate.
const FLAT: f64 = 1e-24;

/// An element and its deformation.
#[derive(Clone, Copy, Debug)]
pub struct Strain<const D: usize, const V: usize> {
    element: Element<D, V>,
    /// Singular value decomposition of the deformation gradient.
    pub axes: Svd<D>,
}

impl<const D: usize, const V: usize> Strain<D, V> {
    /// Contracts a matrix `Σ u_k weight_kl v_lᵀ`, given in the axes of strain, with the derivative of the deformation
    /// gradient with respect to each vertex.
    fn spread(&self, left: &[Vec3], weight: impl Fn(usize, usize) -> f64) -> [Vec3; V] {
        let mut out = [[0.0; 3]; V];
        for i in 0..D {
            let b = self.element.gradients[i];
            let along = self.axes.v.map(|v| v.iter().zip(b).map(|(v, b)| v * b).sum::<f64>());
            let mut sum = [0.0; 3];
            for (k, u) in left.iter().enumerate() {
                let factor = (0..D).map(|l| weight(k, l) * along[l]).sum();
                sum = vec3::add_scaled(sum, *u, factor);
            }
            out[i + 1] = sum;
            out[0] = vec3::sub(out[0], sum);
        }
        out
    }

    /// Derivative of the energy with respect to each vertex position.
    pub fn gradient(&self, r: &Response<D>) -> [Vec3; V] {
        self.spread(&self.axes.u, |k, l| if k == l { self.element.size * r.slope[k] } else { 0.0 })
    }

    /// Visits eigenvectors and positive eigenvalues of the stiffness: `K = Σ k d dᵀ`.
    pub fn modes(&self, r: &Response<D>, mut visit: impl FnMut([Vec3; V], f64)) {
        let s = self.axes.s;
        let mut give = |d: [Vec3; V], k: f64| {
            if k > 0.0 {
                visit(d, self.element.size * k);
            }
        };
        let (values, vectors) = eigen(&r.curvature);
        for (k, axis) in values.into_iter().zip(vectors) {
            give(self.spread(&self.axes.u, |i, j| if i == j { axis[i] } else { 0.0 }), k);
        }
        for i in 0..D {
            for j in i + 1..D {
                for sign in [1.0, -1.0] {
                    // twist and flip modes: rotation of one axis against the other, and shear
                    let apart = s[i] + sign * s[j];
                    let k = if apart.abs() > CLOSE {
                        (r.slope[i] + sign * r.slope[j]) / apart
                    } else {
                        r.curvature[i][i] + sign * r.curvature[i][j]
                    };
                    let weight = |a: usize, b: usize| match (a, b) {
                        (a, b) if (a, b) == (i, j) => std::f64::consts::FRAC_1_SQRT_2,
                        (a, b) if (a, b) == (j, i) => -sign * std::f64::consts::FRAC_1_SQRT_2,
                        _ => 0.0,
                    };
                    give(self.spread(&self.axes.u, weight), k);
                }
            }
        }
        if D == 2 {
            // out of the plane a sheet resists by its tension
            let normal = vec3::cross(self.axes.u[0], self.axes.u[1]);
            for l in 0..D {
                let k = if s[l] > CLOSE { r.slope[l] / s[l] } else { 0.0 };
                give(self.spread(&[normal], |_, b| if b == l { 1.0 } else { 0.0 }), k);
            }
        }
    }
}

/// Difference below which two stretches count as equal.
const CLOSE: f64 = 1e-6;

/// Eigenvalues and eigenvectors of a symmetric 2 × 2 or 3 × 3 matrix.
fn eigen<const D: usize>(a: &[[f64; D]; D]) -> ([f64; D], [[f64; D]; D]) {
    let most = a.iter().flatten().fold(f64::MIN_POSITIVE, |most: f64, x| most.max(x.abs()));
    let mut full: Mat3 = [0.0; 9];
    // for two rows, the padding eigenvalue −2 sorts last
    full[8] = if D == 2 { -2.0 } else { 0.0 };
    (0..D).for_each(|i| (0..D).for_each(|j| full[3 * i + j] = a[i][j] / most));
    let e = mat3::eig(&full);
    let vector = |k: usize| std::array::from_fn(|i| e.vectors[3 * i + k]);
    (std::array::from_fn(|k| e.values[k] * most), std::array::from_fn(vector))
}
