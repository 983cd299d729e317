//! Singular values of matrices with three rows.
//!
//! One-sided Jacobi method: pairs of columns are rotated until they are orthogonal. The matrix is never squared, so
//! small singular values keep their relative accuracy. Hestenes 1958; Golub, Van Loan, Matrix Computations, 8.6.3.

use crate::{Vec3, mat3, vec3};

/// `A = Σ_i u_i s_i v_iᵀ`, largest value first.
#[derive(Clone, Copy, Debug)]
pub struct Svd<const N: usize> {
    /// Left singular vectors, orthonormal.
    pub u: [Vec3; N],
    /// Singular values. The third has the sign of the determinant, so that both `u` and `v` are rotations.
    pub s: [f64; N],
    /// Right singular vectors, orthonormal.
    pub v: [[f64; N]; N],
}

/// Maximum number of sweeps over all pairs; typically four are needed.
const SWEEPS: usize = 30;

/// Singular value decomposition of a matrix given by its two or three columns.
pub fn svd<const N: usize>(mut a: [Vec3; N]) -> Svd<N> {
    let mut v: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    for _ in 0..SWEEPS {
        let mut turned = false;
        for p in 0..N {
            for q in p + 1..N {
                turned |= orthogonalise(&mut a, &mut v, p, q);
            }
        }
        if !turned {
            break;
        }
    }
    let mut order: [usize; N] = std::array::from_fn(|i| i);
    let length = a.map(vec3::norm);
    order.sort_unstable_by(|&i, &j| length[j].total_cmp(&length[i]));
    let (mut columns, mut v) = (order.map(|i| a[i]), order.map(|i| v[i]));
    if N == 3 && parity(&order) {
        // same product, and `v` is a rotation again
        (columns[2], v[2]) = (vec3::scale(columns[2], -1.0), v[2].map(|x| -x));
    }
    finish(columns, order.map(|i| length[i]), v)
}

/// Rotates two columns so that they become orthogonal. Returns whether a rotation was needed.
fn orthogonalise<const N: usize>(a: &mut [Vec3; N], v: &mut [[f64; N]; N], p: usize, q: usize) -> bool {
    let (alpha, beta, gamma) = (vec3::dot(a[p], a[p]), vec3::dot(a[q], a[q]), vec3::dot(a[p], a[q]));
    // products below the smallest normal float are treated as zero
    if gamma.abs() <= f64::EPSILON * (alpha * beta).sqrt() || !gamma.is_normal() {
        return false;
    }
    let zeta = (beta - alpha) / (2.0 * gamma);
    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = c * t;
    let turn = |x: f64, y: f64| (c * x - s * y, s * x + c * y);
    for k in 0..3 {
        (a[p][k], a[q][k]) = turn(a[p][k], a[q][k]);
    }
    for k in 0..N {
        (v[p][k], v[q][k]) = turn(v[p][k], v[q][k]);
    }
    true
}

/// Whether a permutation is odd.
fn parity<const N: usize>(order: &[usize; N]) -> bool {
    (0..N).map(|i| (i + 1..N).filter(|&j| order[j] < order[i]).count()).sum::<usize>() % 2 == 1
}

/// Normalises orthogonal columns; vectors of vanishing columns are constructed from the others.
fn finish<const N: usize>(columns: [Vec3; N], length: [f64; N], v: [[f64; N]; N]) -> Svd<N> {
    let tiny = f64::EPSILON * length[0];
    let first = if length[0] > 0.0 { vec3::scale(columns[0], 1.0 / length[0]) } else { [1.0, 0.0, 0.0] };
    let second = if length[1] > tiny {
        vec3::scale(columns[1], 1.0 / length[1])
    } else {
        mat3::frame(first, [0.0; 3]).map_or([0.0, 1.0, 0.0], |frame| mat3::row(&frame, 1))
    };
    let (mut u, mut s) = ([first; N], length);
    u[1] = second;
    if N == 3 {
        u[2] = vec3::cross(first, second);
        s[2] = vec3::dot(u[2], columns[2]);
    }
    Svd { u, s, v }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back<const N: usize>(x: &Svd<N>) -> [Vec3; N] {
        std::array::from_fn(|j| (0..N).fold([0.0; 3], |sum, i| vec3::add_scaled(sum, x.u[i], x.s[i] * x.v[i][j])))
    }

    fn check<const N: usize>(a: [Vec3; N]) -> Svd<N> {
        let x = svd(a);
        for (got, want) in back(&x).iter().zip(&a) {
            assert!(vec3::dist(*got, *want) < 1e-14, "{a:?} {x:?}");
        }
        for i in 0..N {
            for j in 0..N {
                let want = f64::from(u8::from(i == j));
                assert!((vec3::dot(x.u[i], x.u[j]) - want).abs() < 1e-14, "{x:?}");
                assert!((x.v[i].iter().zip(x.v[j]).map(|(a, b)| a * b).sum::<f64>() - want).abs() < 1e-14, "{x:?}");
            }
        }
        assert!(x.s.windows(2).all(|s| s[0] >= s[1].abs()), "{x:?}");
        x
    }

    #[test]
    fn products_give_the_matrix_back() {
        let x = check([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.2], [0.3, 0.1, -2.0]]);
        let rotation = vec3::dot(vec3::cross(x.v[0], x.v[1]), x.v[2]);
        assert!((rotation - 1.0).abs() < 1e-14, "{x:?}");
        check([[0.0, 0.0, 1e-3], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0]]);
        check([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.2]]);
        check([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]);
        check([[0.0; 3]; 3]);
        check([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0; 3]]);
    }

    #[test]
    fn the_last_of_three_has_the_sign_of_the_determinant() {
        for a in
            [[[1.0, 0.0, 0.0], [0.0, -2.0, 0.1], [0.0, 0.3, 3.0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.2, 5.0]]]
        {
            let det = vec3::dot(vec3::cross(a[0], a[1]), a[2]);
            assert!(check(a).s[2] * det > 0.0, "{a:?}");
        }
    }
}
