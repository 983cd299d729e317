//! Velocity derivative of Coriolis and centrifugal forces.
//!
//! The axes `S_j` of dofs do not depend on velocity. With `u_j` the velocity right after the joint of dof `j`, a body
//! `k` below it has `∂v_k/∂q̇_j = S_j` and `∂a_k/∂q̇_j = Ṡ_j + S_j × (v_k − u_j)`. The derivative of its force
//! `f_k = I_k a_k + v_k ×* I_k v_k` is then `I_k ψ_j + B_k S_j`, where `ψ_j = Ṡ_j + u_j × S_j` is independent of `k`
//! and `B_k` of `j`. Both sums over a subtree are composite quantities, like the composite inertia. `B_k` only acts on
//! rotations `ω`: it gives the torque `E_k ω` and the force `2 ω × p_k`, where `p_k` is the momentum and
//! `E_k ω = ω × L + Ω × (J ω) − J (Ω × ω) − u × (c × ω) − c × (u × ω)` for a body with velocity `(Ω, u)`, angular
//! momentum `L`, rotational inertia `J` and first moment `c`.

use super::pattern;
use super::work::{AxisTerms, RneDerivWork};
use crate::data::{Awake, Inertia, Motion, Pose, State};
use crate::model::Model;
use crate::model::enums::JointType;
use crate::support::awake as subset;
use sinew_math::spatial::{Vec6, add, cross_motion, dot, join, lin, mul_dof, mul_inert, rot};
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// Subtracts the derivative of `qfrc_bias` from `deriv`.
///
/// *Equation*: for `j` an ancestor of `i`, `∂τ_i/∂q̇_j = S_i · (I_i ψ_j + B_i S_j)` with the composites of the body of
/// `i`; for `j` a descendant, with those of the body of `j`.
/// *Reads* `qvel`, `cdof`, `cinert`, `crb`, `cvel`, `cdof_dot`. *Writes* `qDeriv`.
/// *Source*: Echeandia and Wensing, "Numerical methods to compute the Coriolis matrix", 2021.
#[doc(alias = "mjd_rne_vel")]
pub fn rne_vel(
    m: &Model,
    awake: &Awake,
    state: &State,
    pose: &Pose,
    inertia: &Inertia,
    motion: &Motion,
    work: &mut RneDerivWork,
    deriv: &mut [f64],
) {
    composites(m, awake, pose, motion, work);
    for b in subset::bodies(m, awake).iter().skip(1) {
        axis_terms(m, state, pose, inertia, motion, b, work);
    }
    let at = pattern(m);
    for i in subset::dofs(m, awake).iter() {
        let (axis, own) = (&pose.cdof[i], &work.dof[i]);
        let last = m.body_dofs(m.dof_bodyid[i] as usize).end;
        let range = at.range(i);
        for (d, &j) in deriv[range.clone()].iter_mut().zip(&at.colind[range]) {
            let j = j as usize;
            *d -= if j < last {
                dot(&own.momentum, &work.dof[j].shift) + vec3::dot(own.turn, rot(&pose.cdof[j]))
            } else {
                dot(axis, &work.dof[j].force)
            };
        }
    }
}

/// `B` of every body, summed over subtrees.
fn composites(m: &Model, awake: &Awake, pose: &Pose, motion: &Motion, work: &mut RneDerivWork) {
    for b in subset::bodies(m, awake).iter() {
        work.body[b] = body_terms(&pose.cinert[b], &motion.cvel[b]);
    }
    for b in subset::parents(m, awake).iter().rev() {
        let parent = m.body_parentid[b] as usize;
        if parent != 0 {
            let child = work.body[b];
            work.body[parent].iter_mut().zip(child).for_each(|(sum, c)| *sum += c);
        }
    }
}

/// `E` (9 values) and `p` (3 values) of one body.
fn body_terms(i: &[f64; 10], vel: &Vec6) -> [f64; 12] {
    let (w, u) = (rot(vel), lin(vel));
    let momentum = mul_inert(i, vel);
    let (l, p, c) = (rot(&momentum), lin(&momentum), [i[6], i[7], i[8]]);
    let j = [i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]];
    let mut out = [0.0; 12];
    for k in 0..3 {
        let mut e = [0.0; 3];
        e[k] = 1.0;
        let spin = vec3::sub(vec3::cross(w, mat3::col(&j, k)), mat3::mul_vec(&j, vec3::cross(w, e)));
        let drift = vec3::add(vec3::cross(u, vec3::cross(c, e)), vec3::cross(c, vec3::cross(u, e)));
        let column = vec3::sub(vec3::add(vec3::cross(e, l), spin), drift);
        (0..3).for_each(|r| out[3 * r + k] = column[r]);
    }
    out[9..].copy_from_slice(&p);
    out
}

/// Per-dof vectors of the dofs of body `b`.
fn axis_terms(
    m: &Model,
    state: &State,
    pose: &Pose,
    inertia: &Inertia,
    motion: &Motion,
    b: usize,
    work: &mut RneDerivWork,
) {
    let terms = &work.body[b];
    let e: &Mat3 = terms[..9].try_into().expect("nine numbers");
    let p: Vec3 = [terms[9], terms[10], terms[11]];
    let crb = &inertia.crb[b];
    let mut vel = motion.cvel[m.body_parentid[b] as usize];
    for joint in m.body_joints(b) {
        let dofs = m.joint_dofs(joint);
        // a free joint translates first, then rotates
        let middle = if m.jnt_type(joint) == JointType::Free { dofs.start + 3 } else { dofs.start };
        for group in [dofs.start..middle, middle..dofs.end] {
            vel = add(&vel, &mul_dof(&pose.cdof[group.clone()], &state.qvel[group.clone()]));
            for i in group {
                let axis = &pose.cdof[i];
                let (w, v) = (rot(axis), lin(axis));
                let shift = add(&motion.cdof_dot[i], &cross_motion(&vel, axis));
                let swing = join(mat3::mul_vec(e, w), vec3::scale(vec3::cross(w, p), 2.0));
                work.dof[i] = AxisTerms {
                    shift,
                    force: add(&mul_inert(crb, &shift), &swing),
                    momentum: mul_inert(crb, axis),
                    turn: vec3::add(mat3::mul_vec_t(e, w), vec3::scale(vec3::cross(p, v), 2.0)),
                };
            }
        }
    }
}
