//! Unit quaternions, scalar first.

use crate::{MINVAL, Mat3, Quat, Vec3, vec3};

/// The rotation that changes nothing.
pub const IDENTITY: Quat = [1.0, 0.0, 0.0, 0.0];

/// Hamilton product: first `b`, then `a`.
#[inline(always)]
pub fn mul(a: Quat, b: Quat) -> Quat {
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

/// Rotates a vector; the identity returns it bit for bit.
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

/// Unit quaternion and former length. Too short a quaternion becomes the identity; one already within
/// [`MINVAL`] of unit length is left as it is.
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
        return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    }
    let (q00, q01, q02, q03) = (q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]);
    let (q11, q12, q13) = (q[1] * q[1], q[1] * q[2], q[1] * q[3]);
    let (q22, q23, q33) = (q[2] * q[2], q[2] * q[3], q[3] * q[3]);
    [
        q00 + q11 - q22 - q33,
        2.0 * (q12 - q03),
        2.0 * (q13 + q02),
        2.0 * (q12 + q03),
        q00 - q11 + q22 - q33,
        2.0 * (q23 - q01),
        2.0 * (q13 - q02),
        2.0 * (q23 + q01),
        q00 - q11 - q22 + q33,
    ]
}

/// Quaternion of a rotation matrix (largest component first for stability), normalised.
pub fn from_mat(m: &Mat3) -> Quat {
    let trace = m[0] + m[4] + m[8];
    let q = if trace > 0.0 {
        let w = 0.5 * (1.0 + m[0] + m[4] + m[8]).sqrt();
        [w, 0.25 * (m[7] - m[5]) / w, 0.25 * (m[2] - m[6]) / w, 0.25 * (m[3] - m[1]) / w]
    } else if m[0] > m[4] && m[0] > m[8] {
        let x = 0.5 * (1.0 + m[0] - m[4] - m[8]).sqrt();
        [0.25 * (m[7] - m[5]) / x, x, 0.25 * (m[1] + m[3]) / x, 0.25 * (m[2] + m[6]) / x]
    } else if m[4] > m[8] {
        let y = 0.5 * (1.0 - m[0] + m[4] - m[8]).sqrt();
        [0.25 * (m[2] - m[6]) / y, 0.25 * (m[1] + m[3]) / y, y, 0.25 * (m[5] + m[7]) / y]
    } else {
        let z = 0.5 * (1.0 - m[0] - m[4] + m[8]).sqrt();
        [0.25 * (m[3] - m[1]) / z, 0.25 * (m[2] + m[6]) / z, 0.25 * (m[5] + m[7]) / z, z]
    };
    normalize(q).0
}

/// Shortest rotation that takes `z` to the direction of `v`: none for a vanishing `v`, half a turn about
/// `x` when opposite.
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

/// 3-D rotation vector `angle · axis` of a quaternion scaled by `1/dt`, with the angle in (−π, π].
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

/// Integrates a body-frame angular velocity over `h`: normalises first, leaves the product as it comes.
#[doc(alias = "mju_quatIntegrate")]
pub fn integrate(q: Quat, vel: Vec3, h: f64) -> Quat {
    let (axis, speed) = vec3::normalize(vel);
    mul(normalize(q).0, from_axis_angle(axis, h * speed))
}
