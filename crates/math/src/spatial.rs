//! 6-D motion and force vectors (rotational part first) and 10-number spatial inertia.
//!
//! All quantities are world-oriented and refer to one common point; the `shift_*` functions move them to
//! another. An inertia is `[Ixx, Iyy, Izz, Ixy, Ixz, Iyz, m·x, m·y, m·z, m]`.

use crate::{Mat3, Vec3, mat3, vec3};

/// Motion `[ω; v]` or force `[τ; f]`.
pub type Vec6 = [f64; 6];
/// Spatial inertia in its 10 independent numbers.
pub type Inertia = [f64; 10];

/// Rotational half: `ω` or `τ`.
#[inline(always)]
pub fn rot(v: &Vec6) -> Vec3 {
    [v[0], v[1], v[2]]
}

/// Translational half: `v` or `f`.
#[inline(always)]
pub fn lin(v: &Vec6) -> Vec3 {
    [v[3], v[4], v[5]]
}

/// Joins the two halves.
#[inline(always)]
pub fn join(rot: Vec3, lin: Vec3) -> Vec6 {
    [rot[0], rot[1], rot[2], lin[0], lin[1], lin[2]]
}

/// `a + b`.
#[inline(always)]
pub fn add(a: &Vec6, b: &Vec6) -> Vec6 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]]
}

/// `a − b`.
#[inline(always)]
pub fn sub(a: &Vec6, b: &Vec6) -> Vec6 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5]]
}

/// `s a`.
#[inline(always)]
pub fn scale(a: &Vec6, s: f64) -> Vec6 {
    [a[0] * s, a[1] * s, a[2] * s, a[3] * s, a[4] * s, a[5] * s]
}

/// `a · b`, summed in the order of MuJoCo's vectorised dot product.
#[inline(always)]
pub fn dot(a: &Vec6, b: &Vec6) -> f64 {
    ((a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])
}

/// Rate of change of the motion `m` carried along by the velocity `vel`.
#[doc(alias = "mju_crossMotion")]
#[inline(always)]
pub fn cross_motion(vel: &Vec6, m: &Vec6) -> Vec6 {
    let w = rot(vel);
    let turned = vec3::cross(w, lin(m));
    join(vec3::cross(w, rot(m)), vec3::add(turned, vec3::cross(lin(vel), rot(m))))
}

/// Rate of change of the force `f` carried along by the velocity `vel`.
#[doc(alias = "mju_crossForce")]
#[inline(always)]
pub fn cross_force(vel: &Vec6, f: &Vec6) -> Vec6 {
    let w = rot(vel);
    let turned = vec3::cross(w, rot(f));
    join(vec3::add(turned, vec3::cross(lin(vel), lin(f))), vec3::cross(w, lin(f)))
}

/// Momentum of an inertia that moves with `v`.
#[doc(alias = "mju_mulInertVec")]
#[inline(always)]
pub fn mul_inert(i: &Inertia, v: &Vec6) -> Vec6 {
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// `Σ dof[k] · x[k]`: the motion that joint rates produce.
#[doc(alias = "mju_mulDofVec")]
#[inline(always)]
pub fn mul_dof(dof: &[Vec6], x: &[f64]) -> Vec6 {
    let mut terms = dof.iter().zip(x);
    let Some((d, x)) = terms.next() else { return [0.0; 6] };
    terms.fold(scale(d, *x), |sum, (d, x)| add(&sum, &scale(d, *x)))
}

/// The motion `m` known at `from`, seen at the point `to`.
#[inline(always)]
pub fn shift_motion(m: &Vec6, to: Vec3, from: Vec3) -> Vec6 {
    join(rot(m), vec3::sub(lin(m), vec3::cross(vec3::sub(to, from), rot(m))))
}

/// The force `f` known at `from`, seen at the point `to`.
#[inline(always)]
pub fn shift_force(f: &Vec6, to: Vec3, from: Vec3) -> Vec6 {
    join(vec3::sub(rot(f), vec3::cross(vec3::sub(to, from), lin(f))), lin(f))
}

/// Both halves expressed in a frame whose axes are the columns of `frame`.
#[inline(always)]
pub fn to_frame(v: &Vec6, frame: &Mat3) -> Vec6 {
    join(mat3::mul_vec_t(frame, rot(v)), mat3::mul_vec_t(frame, lin(v)))
}

/// Both halves of a vector in a frame whose axes are the columns of `frame`, expressed in the world.
#[inline(always)]
pub fn from_frame(v: &Vec6, frame: &Mat3) -> Vec6 {
    join(mat3::mul_vec(frame, rot(v)), mat3::mul_vec(frame, lin(v)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: Vec6 = [0.3, -1.2, 0.7, 2.0, 0.4, -0.9];
    const F: Vec6 = [1.1, 0.2, -0.5, 0.6, -1.4, 0.8];

    #[test]
    fn power_is_the_same_at_every_point() {
        let (a, b) = ([0.1, 0.2, 0.3], [-1.0, 2.0, 0.5]);
        let here = dot(&V, &F);
        let there = dot(&shift_motion(&V, b, a), &shift_force(&F, b, a));
        assert!((here - there).abs() < 1e-14);
    }

    #[test]
    fn crosses_are_dual() {
        let m = [0.5, 0.1, -0.2, 0.3, 1.0, 2.0];
        let lhs = dot(&cross_motion(&V, &m), &F);
        let rhs = -dot(&m, &cross_force(&V, &F));
        assert!((lhs - rhs).abs() < 1e-14);
    }

    #[test]
    fn momentum_of_a_point_mass() {
        // mass 2 at (0, 3, 0) moving as part of a body that spins about z
        let i = [2.0 * 9.0, 0.0, 2.0 * 9.0, 0.0, 0.0, 0.0, 0.0, 6.0, 0.0, 2.0];
        let p = mul_inert(&i, &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(p, [0.0, 0.0, 18.0, -6.0, 0.0, 0.0]);
    }
}
