//! 3×3 matrices, row-major, and eigenvalues of symmetric ones.

use crate::pair::Real;
use crate::{Mat3, Quat, Vec3, quat, vec3};

/// The identity matrix.
pub const IDENTITY: Mat3 = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// `m v`.
#[inline(always)]
pub fn mul_vec<T: Real>(m: &[T; 9], v: [T; 3]) -> [T; 3] {
    [
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    ]
}

/// `mᵀ v`.
#[inline(always)]
pub fn mul_vec_t(m: &Mat3, v: Vec3) -> Vec3 {
    [
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    ]
}

/// `a b`.
#[inline(always)]
pub fn mul(a: &Mat3, b: &Mat3) -> Mat3 {
    let mut r = [0.0; 9];
    for i in 0..3 {
        for j in 0..3 {
            r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
    r
}

/// `mᵀ`.
#[inline(always)]
pub fn transpose(m: &Mat3) -> Mat3 {
    [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]]
}

/// Column `j`.
#[inline(always)]
pub fn col(m: &Mat3, j: usize) -> Vec3 {
    [m[j], m[3 + j], m[6 + j]]
}

/// Row `i`.
#[inline(always)]
pub fn row(m: &Mat3, i: usize) -> Vec3 {
    [m[3 * i], m[3 * i + 1], m[3 * i + 2]]
}

/// Frame with a unit normal and two tangents as rows. The first tangent is near `tangent` or, if that is zero, near y
/// or z; `None` if the normal is zero.
#[doc(alias = "mju_makeFrame")]
pub fn frame(normal: Vec3, tangent: Vec3) -> Option<Mat3> {
    let (x, len) = vec3::normalize(normal);
    if len < 0.5 {
        return None;
    }
    let y = match vec3::dot(tangent, tangent) {
        square if square >= 0.25 => tangent,
        _ if x[1] < 0.5 && x[1] > -0.5 => [0.0, 1.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    };
    let (y, _) = vec3::normalize(vec3::sub(y, vec3::scale(x, vec3::dot(x, y))));
    let z = vec3::cross(x, y);
    Some([x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]])
}

/// Eigenvalues in decreasing order and the rotation whose columns are the eigenvectors.
#[derive(Clone, Copy, Debug)]
pub struct Eigen {
    /// Eigenvalues, largest first.
    pub values: Vec3,
    /// Eigenvectors as columns.
    pub vectors: Mat3,
    /// The same eigenvectors as a quaternion.
    pub quat: Quat,
    /// Number of Jacobi rotations used.
    pub iterations: usize,
}

/// Symmetric eigenvalue decomposition.
#[doc(alias = "mju_eig3")]
pub fn eig(m: &Mat3) -> Eigen {
    eig_by(m, |q| quat::normalize(q).0)
}

/// Absolute tolerance for off-diagonal elements, differences of eigenvalues, and the difference of a rotation's cosine
/// from 1. It is not relative to the matrix.
const EIG_EPS: f64 = 1e-12;

/// Jacobi's method: each rotation clears the largest off-diagonal element. The rotations are accumulated as a
/// quaternion that `unit` normalises, and the given matrix is transformed by the accumulated rotation each time, so
/// that rounding errors do not accumulate.
///
/// Where eigenvalues are nearly equal, rounding determines the eigenvectors. MuJoCo's order of operations is kept for
/// this reason: pivot, angle, quaternion, product.
pub fn eig_by(m: &Mat3, unit: impl Fn(Quat) -> Quat) -> Eigen {
    const MOST: usize = 500;
    let turned = |q: Quat| congruent(m, &quat::to_mat(q));
    let (mut q, mut iterations) = (quat::IDENTITY, 0);
    let mut now = turned(q);
    while iterations < MOST {
        let Some(turn) = clearing_turn(&now) else { break };
        q = unit(quat::mul(q, unit(turn)));
        iterations += 1;
        if iterations < MOST {
            now = turned(q);
        }
    }
    let (values, q) = descending([now[0], now[4], now[8]], q, unit);
    Eigen { values, vectors: quat::to_mat(q), quat: q, iterations }
}

/// Upper triangle of the symmetric `rᵀ m r`; the rest is unused and left zero.
#[inline(always)]
fn congruent(m: &Mat3, r: &Mat3) -> Mat3 {
    let half = mul(&transpose(r), m);
    let at = |i: usize, j: usize| half[3 * i] * r[j] + half[3 * i + 1] * r[3 + j] + half[3 * i + 2] * r[6 + j];
    [at(0, 0), at(0, 1), at(0, 2), 0.0, at(1, 1), at(1, 2), 0.0, 0.0, at(2, 2)]
}

/// The rotation that clears the largest off-diagonal element of `m`, the last one in case of ties; `None` if that
/// element or the angle is negligible. Rotating the lower axis towards the higher one is a negative rotation about x
/// and z.
#[inline(always)]
fn clearing_turn(m: &Mat3) -> Option<Quat> {
    let [xy, xz, yz] = [m[1], m[2], m[5]].map(f64::abs);
    if yz >= xz && yz >= xy {
        half_turn(m[5], [m[4], m[8]], -1.0).map(|[cos, sin]| [cos, sin, 0.0, 0.0])
    } else if xz >= xy {
        half_turn(m[2], [m[0], m[8]], 1.0).map(|[cos, sin]| [cos, 0.0, sin, 0.0])
    } else {
        half_turn(m[1], [m[0], m[4]], -1.0).map(|[cos, sin]| [cos, 0.0, 0.0, sin])
    }
}

/// Cosine and sine of half the angle that clears the element `off` between two diagonal ones.
#[inline(always)]
fn half_turn(off: f64, [low, high]: [f64; 2], sense: f64) -> Option<[f64; 2]> {
    if off.abs() < EIG_EPS {
        return None;
    }
    // of the two angles that clear the element, take the one below 45 degrees, from the cotangent of twice the angle
    let cot2 = (high - low) / (2.0 * off);
    let tan = 1.0 / (cot2.abs() + (1.0 + cot2 * cot2).sqrt());
    let cos = 1.0 / (1.0 + tan * tan).sqrt();
    if cos > 1.0 - EIG_EPS {
        return None;
    }
    let sin_half = (0.5 - 0.5 * cos).sqrt();
    Some([(1.0 - sin_half * sin_half).sqrt(), if cot2 >= 0.0 { sense * sin_half } else { -sense * sin_half }])
}

/// Sorts eigenvalues, largest first. Adjacent ones are swapped by a quarter turn about the third axis, which keeps the
/// axes right-handed.
fn descending(mut values: Vec3, mut q: Quat, unit: impl Fn(Quat) -> Quat) -> (Vec3, Quat) {
    /// Cosine of 45 degrees, with the fifteen digits of MuJoCo's constant.
    #[allow(clippy::approx_constant)]
    const EIGHTH: f64 = 0.707106781186548;
    for (first, third) in [(0, 2), (1, 0), (0, 2)] {
        if values[first] + EIG_EPS < values[first + 1] {
            values.swap(first, first + 1);
            let mut quarter = [EIGHTH, 0.0, 0.0, 0.0];
            quarter[1 + third] = EIGHTH;
            q = unit(quat::mul(q, quarter));
        }
    }
    (values, q)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `V diag(values) Vᵀ`.
    fn rebuilt(e: &Eigen) -> Mat3 {
        let scaled: Mat3 = std::array::from_fn(|k| e.vectors[k] * e.values[k % 3]);
        mul(&scaled, &transpose(&e.vectors))
    }

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        let spread = [2.0, 0.3, -0.4, 0.3, 1.5, 0.2, -0.4, 0.2, 3.0];
        let equal = [1.0, 0.5, 0.5, 0.5, 1.0, 0.5, 0.5, 0.5, 1.0];
        let rising = [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0];
        for m in [spread, equal, rising] {
            let e = eig(&m);
            assert!(e.values[0] >= e.values[1] && e.values[1] >= e.values[2]);
            // right-handed
            let cross = vec3::cross(col(&e.vectors, 0), col(&e.vectors, 1));
            assert!(vec3::dist(cross, col(&e.vectors, 2)) < 1e-14);
            // a last rotation of less than 1.5e-6 is omitted
            assert!(rebuilt(&e).iter().zip(m).all(|(a, b)| (a - b).abs() < 1e-5), "{e:?}");
        }
    }
}
