//! Unit quaternions, scalar first.

use crate::pair::Real;
use crate::{MINVAL, Mat3, Quat, Vec3, mat3, vec3};

/// The identity rotation.
pub const IDENTITY: Quat = [1.0, 0.0, 0.0, 0.0];

/// Hamilton product: applies `b` first, then `a`.
#[inline(always)]
pub fn mul<T: Real>(a: [T; 4], b: [T; 4]) -> [T; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// Product with the pure quaternion of a vector, `q ⊗ (0, v)`.
#[inline(always)]
pub fn mul_axis(q: Quat, v: Vec3) -> Quat {
    [
        -q[1] * v[0] - q[2] * v[1] - q[3] * v[2],
        q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
    ]
}

/// Conjugate, the inverse of a unit quaternion.
#[inline(always)]
pub fn conj(q: Quat) -> Quat {
    [q[0], -q[1], -q[2], -q[3]]
}

/// Rotates a vector; the identity returns it bitwise unchanged.
#[inline(always)]
pub fn rotate(q: Quat, v: Vec3) -> Vec3 {
    if q == IDENTITY {
        return v;
    }
    let t = [
        q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
    ];
    [
        v[0] + 2.0 * (q[2] * t[2] - q[3] * t[1]),
        v[1] + 2.0 * (q[3] * t[0] - q[1] * t[2]),
        v[2] + 2.0 * (q[1] * t[1] - q[2] * t[0]),
    ]
}

/// Unit quaternion and original length. A quaternion shorter than [`MINVAL`] becomes the identity; one within
/// [`MINVAL`] of unit length is returned unchanged.
#[inline]
pub fn normalize(q: Quat) -> (Quat, f64) {
    let n = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    if n < MINVAL {
        (IDENTITY, n)
    } else if (n - 1.0).abs() > MINVAL {
        let s = 1.0 / n;
        ([q[0] * s, q[1] * s, q[2] * s, q[3] * s], n)
    } else {
        (q, n)
    }
}

/// Rotation by `angle` about a unit `axis`.
#[inline]
pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quat {
    if angle == 0.0 {
        return IDENTITY;
    }
    let s = (angle * 0.5).sin();
    [(angle * 0.5).cos(), axis[0] * s, axis[1] * s, axis[2] * s]
}

/// Rotation matrix.
#[inline]
pub fn to_mat(q: Quat) -> Mat3 {
    if q == IDENTITY {
        return mat3::IDENTITY;
    }
    rotation(q)
}

/// Rotation matrix; for the identity, the signs of zeros are unspecified.
#[inline(always)]
pub fn rotation<T: Real>(q: [T; 4]) -> [T; 9] {
    let twice = |x: T| x + x;
    let (q00, q01, q02, q03) = (q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]);
    let (q11, q12, q13) = (q[1] * q[1], q[1] * q[2], q[1] * q[3]);
    let (q22, q23, q33) = (q[2] * q[2], q[2] * q[3], q[3] * q[3]);
    [
        q00 + q11 - q22 - q33,
        twice(q12 - q03),
        twice(q13 + q02),
        twice(q12 + q03),
        q00 - q11 + q22 - q33,
        twice(q23 - q01),
        twice(q13 - q02),
        twice(q23 + q01),
        q00 - q11 - q22 + q33,
    ]
}

/// Normalised quaternion of a rotation matrix.
///
/// A rotation matrix determines all products `4 qᵢ qⱼ`: squares from the diagonal, products with the scalar from the
/// antisymmetric part, the others from the symmetric part. Each row of these products is a multiple of the quaternion.
/// The row of the scalar is used if the trace is positive, otherwise that of the largest vector component: its square
/// is far from 0, and this component becomes positive.
///
/// *Source*: Shepperd, Quaternion from rotation matrix, 1978.
pub fn from_mat(m: &Mat3) -> Quat {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz] = *m;
    let products = [
        [1.0 + xx + yy + zz, zy - yz, xz - zx, yx - xy],
        [zy - yz, 1.0 + xx - yy - zz, xy + yx, xz + zx],
        [xz - zx, xy + yx, 1.0 - xx + yy - zz, yz + zy],
        [yx - xy, xz + zx, yz + zy, 1.0 - xx - yy + zz],
    ];
    // the last one in case of ties
    let vector = [(xx, 1), (yy, 2), (zz, 3)].into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let row = if xx + yy + zz > 0.0 { 0 } else { vector.map_or(0, |(_, row)| row) };
    let component = 0.5 * products[row][row].sqrt();
    let mut q = products[row].map(|p| 0.25 * p / component);
    q[row] = component;
    normalize(q).0
}

/// Shortest rotation that takes `z` to the direction of `v`: the identity for a vanishing `v`, half a turn about `x`
/// for the opposite direction.
pub fn z_to(v: Vec3) -> Quat {
    let (dir, length) = vec3::normalize(v);
    let (axis, sin) = vec3::normalize(vec3::cross([0.0, 0.0, 1.0], dir));
    if length < MINVAL || (sin < MINVAL && dir[2] >= 0.0) {
        IDENTITY
    } else if sin < MINVAL {
        [0.0, 1.0, 0.0, 0.0]
    } else {
        from_axis_angle(axis, sin.atan2(dir[2]))
    }
}

/// Rotation vector `angle · axis` of a quaternion, divided by `dt`, with the angle in (−π, π].
pub fn to_velocity(q: Quat, dt: f64) -> Vec3 {
    let (axis, sin_half) = {
        let v = [q[1], q[2], q[3]];
        vec3::normalize(v)
    };
    let mut speed = 2.0 * sin_half.atan2(q[0]);
    if speed > std::f64::consts::PI {
        speed -= 2.0 * std::f64::consts::PI;
    }
    vec3::scale(axis, speed / dt)
}

/// Rotation vector that takes `b` to `a`, in the frame of `b`: `log(b⁻¹ a)`.
pub fn sub(a: Quat, b: Quat) -> Vec3 {
    to_velocity(mul(conj(b), a), 1.0)
}

/// Integrates a body-frame angular velocity over `h`. Normalises `q` first; the result is not normalised.
#[doc(alias = "mju_quatIntegrate")]
pub fn integrate(q: Quat, vel: Vec3, h: f64) -> Quat {
    let (axis, speed) = vec3::normalize(vel);
    mul(normalize(q).0, from_axis_angle(axis, h * speed))
}

/// The rotation nearest to a matrix, and the number of iterations from `start`.
///
/// *Source*: Müller, Bender, Chentanez, Macklin, A robust method to extract the rotational part of deformations, 2016.
#[doc(alias = "mju_mat2Rot")]
pub fn nearest(start: Quat, mat: &Mat3) -> (Quat, usize) {
    let mut q = start;
    for step in 0..500 {
        let turned = to_mat(q);
        let cols = [0, 1, 2].map(|j| (mat3::col(&turned, j), mat3::col(mat, j)));
        let torque = cols.iter().fold([0.0; 3], |sum, (r, m)| vec3::add(sum, vec3::cross(*r, *m)));
        let overlap: f64 = cols.iter().map(|(r, m)| vec3::dot(*r, *m)).sum();
        let (axis, angle) = vec3::normalize(vec3::scale(torque, 1.0 / (overlap.abs() + MINVAL)));
        if angle < 1e-9 {
            return (q, step);
        }
        q = normalize(mul(from_axis_angle(axis, angle), q)).0;
    }
    (q, 500)
}

/// Derivative of [`sub`] with respect to `a`, in tangent space: the change of the rotation vector as `a` rotates. The
/// derivative with respect to `b` is minus its transpose.
#[doc(alias = "mjd_subQuat")]
pub fn sub_derivative(a: Quat, b: Quat) -> Mat3 {
    let ([x, y, z], angle) = vec3::normalize(sub(a, b));
    let half = 0.5 * angle;
    let k = [0.0, -z, y, z, 0.0, -x, -y, x, 0.0];
    let kk = mat3::mul(&k, &k);
    let coef = 1.0 - if half < 6e-8 { 1.0 } else { half / half.tan() };
    std::array::from_fn(|i| mat3::IDENTITY[i] + k[i] * half + kk[i] * coef)
}

/// Derivatives of [`integrate`], in tangent space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntegrateDerivative {
    /// With respect to the quaternion.
    pub quat: Mat3,
    /// With respect to the velocity, for unit scale.
    pub vel: Mat3,
    /// With respect to the scale.
    pub scale: Vec3,
}

/// Derivatives of [`integrate`] for a velocity and its duration; they do not depend on the quaternion.
///
/// *Source*: Solà, Quaternion kinematics for the error-state Kalman filter, 2017, equation 183.
#[doc(alias = "mjd_quatIntegrate")]
pub fn integrate_derivative(vel: Vec3, scale: f64) -> IntegrateDerivative {
    let s = vec3::scale(vel, scale);
    let cross = [0.0, s[2], -s[1], -s[2], 0.0, s[0], s[1], -s[0], 0.0];
    let xx = vec3::dot(s, s);
    let x = xx.sqrt();
    let a = x.cos();
    // sin x / x, (1 − cos x) / x² and (x − sin x) / x³; as series where these would lose accuracy by cancellation
    let [b, c, d] = if x > 1.0 / 32.0 {
        let b = x.sin() / x;
        [b, (1.0 - a) / xx, (1.0 - b) / xx]
    } else {
        [
            1.0 + xx / 6.0 * (xx / 20.0 * (1.0 - xx / 42.0) - 1.0),
            (1.0 + xx / 12.0 * (xx / 30.0 * (1.0 - xx / 56.0) - 1.0)) / 2.0,
            (1.0 + xx / 20.0 * (xx / 42.0 * (1.0 - xx / 72.0) - 1.0)) / 6.0,
        ]
    };
    let sum = |eye: f64, turn: f64, outer: f64| -> Mat3 {
        std::array::from_fn(|i| eye * mat3::IDENTITY[i] + turn * cross[i] + outer * (s[i / 3] * s[i % 3]))
    };
    let vel_part = sum(b, c, d);
    IntegrateDerivative { quat: sum(a, b, c), vel: vel_part, scale: mat3::mul_vec(&vel_part, vel) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_give_their_quaternions_back() {
        let parts = [-1.0, -0.5, -1e-9, 0.0, 0.3, 1.0];
        let mut negative = 0;
        for i in 0..6usize.pow(4) {
            let q = normalize([i, i / 6, i / 36, i / 216].map(|i| parts[i % 6])).0;
            let back = from_mat(&to_mat(q));
            let sign = if (0..4).map(|k| q[k] * back[k]).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
            assert!((0..4).all(|k| (q[k] - sign * back[k]).abs() < 1e-15), "{q:?} {back:?}");
            // the scalar is non-negative unless the rotation exceeds 120°
            assert!(back[0] >= 0.0 || q[0].abs() <= 0.5 + 1e-15, "{back:?}");
            negative += usize::from(back[0] < 0.0);
        }
        assert!(negative > 0);
        assert_eq!(from_mat(&mat3::IDENTITY), IDENTITY);
    }
}
