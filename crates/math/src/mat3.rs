//! 3×3 matrices, row-major, and symmetric eigenvalues.

use crate::{Mat3, Quat, Vec3, quat, vec3};

/// The identity matrix.
pub const IDENTITY: Mat3 = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// `m v`.
#[inline(always)]
pub fn mul_vec(m: &Mat3, v: Vec3) -> Vec3 {
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

/// Rows: a unit normal and two tangents, the first near `tangent` or, where that is zero, near y or z; `None` if
/// the normal is zero.
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
    /// The same rotation as a quaternion.
    pub quat: Quat,
    /// Jacobi rotations used.
    pub iterations: usize,
}

/// Symmetric eigenvalue decomposition, as MuJoCo's `mju_eig3`.
pub fn eig(m: &Mat3) -> Eigen {
    eig_by(m, |q| quat::normalize(q).0)
}

/// Jacobi rotations accumulated as a quaternion that `unit` keeps at unit length, until the largest off-diagonal
/// element falls below 1e-12 or 500 rotations are done.
pub fn eig_by(m: &Mat3, unit: impl Fn(Quat) -> Quat) -> Eigen {
    const EPS: f64 = 1e-12;
    /// Half a quarter turn's cosine with the digits MuJoCo gives it.
    #[allow(clippy::approx_constant)]
    const QUARTER: f64 = 0.707106781186548;
    let mut q = quat::IDENTITY;
    let mut iterations = 0;
    let mut values = [0.0; 3];
    while iterations < 500 {
        let r = quat::to_mat(q);
        let d = mul(&mul(&transpose(&r), m), &r);
        values = [d[0], d[4], d[8]];
        let (a01, a02, a12) = (d[1].abs(), d[2].abs(), d[5].abs());
        let (row, col, k) = if a01 > a02 && a01 > a12 {
            (0, 1, 2)
        } else if a02 > a12 {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        let off = d[3 * row + col];
        if off.abs() < EPS {
            break;
        }
        let tau = (d[4 * col] - d[4 * row]) / (2.0 * off);
        let t =
            if tau >= 0.0 { 1.0 / (tau + (1.0 + tau * tau).sqrt()) } else { -1.0 / (-tau + (1.0 + tau * tau).sqrt()) };
        let c = 1.0 / (1.0 + t * t).sqrt();
        if c > 1.0 - EPS {
            break;
        }
        // half-angle quaternion; the sign makes the turn right-handed about axis k
        let mut s = (0.5 - 0.5 * c).sqrt();
        if (tau >= 0.0) != (k == 1) {
            s = -s;
        }
        let mut step = [(1.0 - s * s).sqrt(), 0.0, 0.0, 0.0];
        step[k + 1] = s;
        q = unit(quat::mul(q, unit(step)));
        iterations += 1;
    }
    // sort by rotating a quarter turn about the axis that stays
    for j in [0usize, 1, 0] {
        if values[j] + EPS < values[j + 1] {
            values.swap(j, j + 1);
            let mut turn = [QUARTER, 0.0, 0.0, 0.0];
            turn[1 + (j + 2) % 3] = turn[0];
            q = unit(quat::mul(q, turn));
        }
    }
    Eigen { values, vectors: quat::to_mat(q), quat: q, iterations }
}
