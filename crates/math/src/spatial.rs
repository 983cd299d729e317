//! Spatial motion and force vectors (rotation first), and rigid-body inertia with 10 values.
//!
//! An inertia about a point is stored as `[Ixx, Iyy, Izz, Ixy, Ixz, Iyz, m cx, m cy, m cz, m]`.

use crate::pair::Real;
use crate::{Mat3, Vec3, mat3, vec3};
use wide::f64x2;

/// Angular then linear part of a motion, or torque then force.
pub type Vec6 = [f64; 6];
/// Rotational inertia (6), first moment of mass (3) and mass.
pub type Inertia10 = [f64; 10];

/// Upper half: angular velocity, or torque.
#[inline(always)]
pub fn rot(v: &Vec6) -> Vec3 {
    [v[0], v[1], v[2]]
}

/// Lower half: linear velocity, or force.
#[inline(always)]
pub fn lin(v: &Vec6) -> Vec3 {
    [v[3], v[4], v[5]]
}

/// Joins the two halves.
#[inline(always)]
pub fn join(rot: Vec3, lin: Vec3) -> Vec6 {
    [rot[0], rot[1], rot[2], lin[0], lin[1], lin[2]]
}

/// `a · b`, summed in the order of MuJoCo's vectorised dot product.
#[inline(always)]
pub fn dot(a: &Vec6, b: &Vec6) -> f64 {
    let pair = |k: usize| f64x2::from([a[k], a[k + 1]]) * f64x2::from([b[k], b[k + 1]]);
    let [first, second] = (pair(0) + pair(2)).to_array();
    let [fifth, sixth] = pair(4).to_array();
    (first + second) + (fifth + sixth)
}

/// `a + b`.
#[inline(always)]
pub fn add(a: &Vec6, b: &Vec6) -> Vec6 {
    std::array::from_fn(|k| a[k] + b[k])
}

/// `a − b`.
#[inline(always)]
pub fn sub(a: &Vec6, b: &Vec6) -> Vec6 {
    std::array::from_fn(|k| a[k] - b[k])
}

/// `a += b`.
#[inline(always)]
pub fn add_to(a: &mut Vec6, b: &Vec6) {
    for k in 0..6 {
        a[k] += b[k];
    }
}

/// `a += s b`.
#[inline(always)]
pub fn add_scaled(a: &mut Vec6, b: &Vec6, s: f64) {
    for k in 0..6 {
        a[k] += b[k] * s;
    }
}

/// Rate of change of the motion vector `v` when it moves with velocity `vel`: `vel × v`.
#[doc(alias = "mju_crossMotion")]
#[inline(always)]
pub fn cross_motion(vel: &Vec6, v: &Vec6) -> Vec6 {
    [
        -vel[2] * v[1] + vel[1] * v[2],
        vel[2] * v[0] - vel[0] * v[2],
        -vel[1] * v[0] + vel[0] * v[1],
        (-vel[2] * v[4] + vel[1] * v[5]) + (-vel[5] * v[1] + vel[4] * v[2]),
        (vel[2] * v[3] - vel[0] * v[5]) + (vel[5] * v[0] - vel[3] * v[2]),
        (-vel[1] * v[3] + vel[0] * v[4]) + (-vel[4] * v[0] + vel[3] * v[1]),
    ]
}

/// Rate of change of the force vector `f` when it moves with velocity `vel`: `vel ×* f`.
#[doc(alias = "mju_crossForce")]
#[inline(always)]
pub fn cross_force<T: Real>(vel: &[T; 6], f: &[T; 6]) -> [T; 6] {
    [
        (vel[1] * f[2] - vel[2] * f[1]) + (vel[4] * f[5] - vel[5] * f[4]),
        (vel[2] * f[0] - vel[0] * f[2]) + (vel[5] * f[3] - vel[3] * f[5]),
        (vel[0] * f[1] - vel[1] * f[0]) + (vel[3] * f[4] - vel[4] * f[3]),
        vel[1] * f[5] - vel[2] * f[4],
        vel[2] * f[3] - vel[0] * f[5],
        vel[0] * f[4] - vel[1] * f[3],
    ]
}

/// Inertia about a point, of a body with principal moments `inert` along the columns of `mat` and its centre of mass at
/// `dif` from the point: `R diag(I) Rᵀ − m [dif]× [dif]×`.
#[doc(alias = "mju_inertCom")]
#[inline]
pub fn inert_com(inert: &Vec3, mat: &Mat3, dif: Vec3, mass: f64) -> Inertia10 {
    let t = [
        mat[0] * inert[0],
        mat[3] * inert[0],
        mat[6] * inert[0],
        mat[1] * inert[1],
        mat[4] * inert[1],
        mat[7] * inert[1],
        mat[2] * inert[2],
        mat[5] * inert[2],
        mat[8] * inert[2],
    ];
    let rot = |row: usize, col: usize| mat[row] * t[col] + mat[row + 1] * t[col + 3] + mat[row + 2] * t[col + 6];
    [
        rot(0, 0) + mass * (dif[1] * dif[1] + dif[2] * dif[2]),
        rot(3, 1) + mass * (dif[0] * dif[0] + dif[2] * dif[2]),
        rot(6, 2) + mass * (dif[0] * dif[0] + dif[1] * dif[1]),
        rot(0, 1) - mass * dif[0] * dif[1],
        rot(0, 2) - mass * dif[0] * dif[2],
        rot(3, 2) - mass * dif[1] * dif[2],
        mass * dif[0],
        mass * dif[1],
        mass * dif[2],
        mass,
    ]
}

/// Momentum of inertia `i` moving with `v`.
#[doc(alias = "mju_mulInertVec")]
#[inline(always)]
pub fn mul_inert<T: Real>(i: &[T; 10], v: &[T; 6]) -> [T; 6] {
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Motion axis of a rotation about `axis` through the point at `−offset`.
#[doc(alias = "mju_dofCom")]
#[inline(always)]
pub fn hinge_axis(axis: Vec3, offset: Vec3) -> Vec6 {
    join(axis, vec3::cross(axis, offset))
}

/// Motion axis of a translation along `axis`.
#[doc(alias = "mju_dofCom")]
#[inline(always)]
pub fn slide_axis(axis: Vec3) -> Vec6 {
    join([0.0; 3], axis)
}

/// `Σ dofs[k] · vec[k]`: the motion for joint velocities `vec` along their axes.
#[doc(alias = "mju_mulDofVec")]
#[inline(always)]
pub fn mul_dof(dofs: &[Vec6], vec: &[f64]) -> Vec6 {
    let mut res = [0.0; 6];
    for (dof, &v) in dofs.iter().zip(vec) {
        add_scaled(&mut res, dof, v);
    }
    res
}

/// Transforms motion vector `v` from the point `old` to the point `new`, both in the frame of `v`. With `axes`, the
/// result is expressed in the frame whose axes are its columns.
#[doc(alias = "mju_transformSpatial")]
#[inline]
pub fn transform_motion(v: &Vec6, new: Vec3, old: Vec3, axes: Option<&Mat3>) -> Vec6 {
    let moved = vec3::sub(lin(v), vec3::cross(vec3::sub(new, old), rot(v)));
    turn(rot(v), moved, axes)
}

/// Transforms force vector `f` from the point `old` to the point `new`; see [`transform_motion`].
#[doc(alias = "mju_transformSpatial")]
#[inline]
pub fn transform_force(f: &Vec6, new: Vec3, old: Vec3, axes: Option<&Mat3>) -> Vec6 {
    let moved = vec3::sub(rot(f), vec3::cross(vec3::sub(new, old), lin(f)));
    turn(moved, lin(f), axes)
}

/// Rotates both halves of a vector out of the frame whose axes are the columns of `axes`.
#[inline(always)]
pub fn from_frame(v: &Vec6, axes: &Mat3) -> Vec6 {
    join(mat3::mul_vec(axes, rot(v)), mat3::mul_vec(axes, lin(v)))
}

#[inline(always)]
fn turn(rot: Vec3, lin: Vec3, axes: Option<&Mat3>) -> Vec6 {
    match axes {
        Some(a) => join(mat3::mul_vec_t(a, rot), mat3::mul_vec_t(a, lin)),
        None => join(rot, lin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quat;

    const V: Vec6 = [0.3, -0.7, 1.1, 0.2, 0.9, -0.4];
    const W: Vec6 = [-0.5, 0.6, 0.1, 1.3, -0.8, 0.7];

    #[test]
    fn force_cross_is_minus_transpose_of_motion_cross() {
        // (v ×* f) · w = −f · (v × w)
        let f = [0.4, 1.2, -0.6, 0.5, 0.3, 0.8];
        assert!((dot(&cross_force(&V, &f), &W) + dot(&f, &cross_motion(&V, &W))).abs() < 1e-14);
    }

    #[test]
    fn power_does_not_depend_on_the_point() {
        let f = [0.4, 1.2, -0.6, 0.5, 0.3, 0.8];
        let (new, old) = ([1.0, 2.0, -0.5], [0.2, -0.3, 0.7]);
        let axes = quat::to_mat(quat::normalize([0.5, 0.1, -0.4, 0.8]).0);
        let moved = dot(&transform_force(&f, new, old, Some(&axes)), &transform_motion(&V, new, old, Some(&axes)));
        assert!((moved - dot(&f, &V)).abs() < 1e-14);
    }

    #[test]
    fn kinetic_energy_about_any_point_is_the_bodys_own() {
        let inert = [0.4, 0.5, 0.6];
        let mat = quat::to_mat(quat::normalize([0.9, 0.2, -0.3, 0.1]).0);
        let (com, mass) = ([0.3, -0.2, 0.5], 2.0);
        // velocity at the origin, then at the centre of mass
        let energy = dot(&mul_inert(&inert_com(&inert, &mat, com, mass), &V), &V);
        let at_com = transform_motion(&V, com, [0.0; 3], None);
        let own = dot(&mul_inert(&inert_com(&inert, &mat, [0.0; 3], mass), &at_com), &at_com);
        assert!((energy - own).abs() < 1e-13);
    }
}
