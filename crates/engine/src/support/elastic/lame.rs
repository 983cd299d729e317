//! Elastic moduli of flexes, recovered from the element stiffness: the compiled model does not store them.

use super::element::{Element, tetrahedra, triangles};
use crate::model::Model;
use crate::support::flex::{TETRAHEDRON_EDGES, TRIANGLE_EDGES};
use crate::support::flex_law::is_elastic;

/// Lamé parameters; for sheets, multiplied by the thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// Shear modulus.
    pub mu: f64,
    /// First Lamé parameter.
    pub lambda: f64,
}

impl Lame {
    /// Lamé parameters from Young's modulus and Poisson's ratio.
    pub fn new(young: f64, poisson: f64) -> Self {
        Lame {
            mu: young / (2.0 * (1.0 + poisson)),
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
        }
    }

    /// Parameters for plane stress: in-plane strains without stress across the plane.
    pub fn plane(self) -> Self {
        let Lame { mu, lambda } = self;
        Lame { mu, lambda: 2.0 * mu * lambda / (lambda + 2.0 * mu) }
    }
}

/// Moduli of a flex; `None` if its elements have no stiffness.
pub fn lame(m: &Model, f: usize) -> Option<Lame> {
    if !is_elastic(m, f) {
        return None;
    }
    if m.flex_dim[f] == 2 {
        triangles(m, f).find_map(|(id, element)| of_triangle(&element, &m.flex_stiffness[id]))
    } else {
        tetrahedra(m, f).find_map(|(id, element)| of_tetrahedron(&element, &m.flex_stiffness[id]))
    }
}

/// Moduli of a triangle times the thickness, from its stiffness, which contains a quarter of them.
pub fn of_triangle(element: &Element<2, 3>, stiffness: &[f64; 21]) -> Option<Lame> {
    let Lame { mu, lambda } = fit(element, TRIANGLE_EDGES, [0, 1, 2], stiffness)?;
    Some(Lame { mu: 4.0 * mu, lambda: 4.0 * lambda })
}

/// Moduli of a tetrahedron, from its stiffness.
pub fn of_tetrahedron(element: &Element<3, 4>, stiffness: &[f64; 21]) -> Option<Lame> {
    fit(element, TETRAHEDRON_EDGES, [0, 2, 1, 3], stiffness)
}

/// Least-squares fit of `K_ee' = c (μ tr(E_e E_e') + λ tr E_e tr E_e')` to the stored stiffness, with `E_e` the
/// symmetric product of the gradients at the ends of edge `e`.
fn fit<const D: usize, const V: usize, const N: usize>(
    element: &Element<D, V>,
    edges: [[usize; 2]; N],
    place: [usize; V],
    stiffness: &[f64; 21],
) -> Option<Lame> {
    let gradient = |a: usize| -> [f64; D] {
        match place[a].checked_sub(1) {
            Some(i) => element.gradients[i],
            None => std::array::from_fn(|k| -element.gradients.iter().map(|g| g[k]).sum::<f64>()),
        }
    };
    let gram = |a: usize, b: usize| gradient(a).iter().zip(gradient(b)).map(|(x, y)| x * y).sum::<f64>();
    let (mut normal, mut right) = ([[0.0; 2]; 2], [0.0; 2]);
    let mut next = 0;
    for (row, &[i, j]) in edges.iter().enumerate() {
        for &[k, l] in &edges[row..] {
            let terms = [0.5 * (gram(i, k) * gram(j, l) + gram(i, l) * gram(j, k)), gram(i, j) * gram(k, l)];
            for p in 0..2 {
                right[p] += terms[p] * stiffness[next] / element.size;
                (0..2).for_each(|q| normal[p][q] += terms[p] * terms[q]);
            }
            next += 1;
        }
    }
    let det = normal[0][0] * normal[1][1] - normal[0][1] * normal[1][0];
    let mu = (right[0] * normal[1][1] - right[1] * normal[0][1]) / det;
    let lambda = (right[1] * normal[0][0] - right[0] * normal[1][0]) / det;
    (mu > 0.0).then_some(Lame { mu, lambda })
}
