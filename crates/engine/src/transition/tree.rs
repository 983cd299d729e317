//! Derivatives of inverse dynamics along the tree, `τ(q, q̇, q̈) = M q̈ + c`, with respect to positions and velocities.
//!
//! All vectors are spatial, in world coordinates about a fixed point. Moving dof `j` rotates everything below it as one
//! rigid body about the axis `S_j`, except that the contributions from above keep their velocity `w_j` and acceleration
//! `α_j`. With `Ṡ_j = w_j × S_j`, a body `k` below changes by
//!
//! ```text
//! δv_k = S_j × v_k + Ṡ_j
//! δa_k = S_j × a_k + Ṡ_j × v_k + η_j           η_j = α_j × S_j + w_j × Ṡ_j
//! δf_k = S_j ×* f_k + I_k η_j + B_k Ṡ_j         B_k x = x ×* I_k v_k + v_k ×* I_k x + I_k (x × v_k)
//! ```
//!
//! The first term of each is the rotation with the body. It cancels in the force `τ_i = S_i · F_i` of every dof `i`
//! whose axis rotates too, and remains for dofs above. For velocity the same holds with `ψ_j = Ṡ_j + u_j × S_j` in
//! place of `η_j`, where `u_j` is the velocity after the joint, and with `S_j` in place of `Ṡ_j`. Given the sums of
//! `I`, `B` and `f` over subtrees, each pair of dofs where one is an ancestor of the other costs only a few products.
//!
//! *Source*: Carpentier and Mansard, "Analytical derivatives of rigid body dynamics algorithms", 2018; Singh, Russell
//! and Wensing, "Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra", 2022.

use crate::data::{Inertia, Pose};
use crate::model::Model;
use crate::model::enums::JointType;
use sinew_math::spatial::{
    Inertia10, Vec6, add, add_to, cross_force, cross_motion, dot, join, mul_dof, mul_inert, rot, sub,
};
use sinew_math::vec3;

/// Derivative of a force (rows: torque, force) with respect to a motion (columns).
pub(super) type Mat6 = [Vec6; 6];

/// Velocities and accelerations that the derivatives are evaluated at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates<'a> {
    /// Velocities of dofs.
    pub qvel: &'a [f64],
    /// Accelerations of dofs.
    pub qacc: &'a [f64],
    /// Acceleration of the world: minus gravity.
    pub base: Vec6,
    /// Velocity of the medium, relative to which drag is measured.
    pub wind: [f64; 3],
}

/// Terms of one dof.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Axis {
    /// First dof of the group of axes that rotate together with it.
    group: usize,
    /// `η`.
    pub lift: Vec6,
    /// `Ṡ` as it enters drag, including the wind term.
    pub rate: Vec6,
    /// `ψ`.
    pub drift: Vec6,
    /// `I S`, with the inertia of the subtree.
    pub momentum: Vec6,
    /// `Bᵀ S`, with `B` of the subtree.
    turn: Vec6,
    /// Change of the total force on the subtree with the dof's position, and with its velocity.
    pub change: [Vec6; 2],
}

/// Terms per body and per dof.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub vel: Vec<Vec6>,
    pub acc: Vec<Vec6>,
    /// Forces of bodies, then of subtrees. The caller subtracts other forces that rotate with their body.
    pub force: Vec<Vec6>,
    /// `B` of bodies, then of subtrees. The caller subtracts the velocity derivatives of other forces.
    pub drag: Vec<Mat6>,
    pub axis: Vec<Axis>,
}

impl Tree {
    pub(super) fn new(m: &Model) -> Self {
        Tree {
            vel: vec![[0.0; 6]; m.nbody],
            acc: vec![[0.0; 6]; m.nbody],
            force: vec![[0.0; 6]; m.nbody],
            drag: vec![[[0.0; 6]; 6]; m.nbody],
            axis: vec![Axis::default(); m.nv],
        }
    }

    /// Computes velocities, accelerations and forces of bodies, and the rates of axes.
    pub(super) fn outward(&mut self, m: &Model, pose: &Pose, r: &Rates) {
        (self.vel[0], self.acc[0]) = ([0.0; 6], r.base);
        for b in 1..m.nbody {
            let parent = m.body_parentid[b] as usize;
            let (mut vel, mut acc) = (self.vel[parent], self.acc[parent]);
            for joint in m.body_joints(b) {
                let dofs = m.joint_dofs(joint);
                // a free joint translates first, then rotates
                let middle = if m.jnt_type(joint) == JointType::Free { dofs.start + 3 } else { dofs.start };
                for group in [dofs.start..middle, middle..dofs.end] {
                    let (before, lift) = (vel, acc);
                    add_to(&mut vel, &mul_dof(&pose.cdof[group.clone()], &r.qvel[group.clone()]));
                    add_to(&mut acc, &mul_dof(&pose.cdof[group.clone()], &r.qacc[group.clone()]));
                    for j in group.clone() {
                        let s = &pose.cdof[j];
                        let rate = cross_motion(&before, s);
                        (0..6).for_each(|k| acc[k] += rate[k] * r.qvel[j]);
                        self.axis[j] = Axis {
                            group: group.start,
                            lift: add(&cross_motion(&lift, s), &cross_motion(&before, &rate)),
                            // in the body frame, the wind rotates in the opposite direction
                            rate: add(&rate, &join([0.0; 3], vec3::cross(rot(s), r.wind))),
                            drift: add(&rate, &cross_motion(&vel, s)),
                            ..Axis::default()
                        };
                    }
                }
            }
            (self.vel[b], self.acc[b]) = (vel, acc);
            let momentum = mul_inert(&pose.cinert[b], &vel);
            self.force[b] = add(&mul_inert(&pose.cinert[b], &acc), &cross_force(&vel, &momentum));
            let still = vel == [0.0; 6];
            self.drag[b] = if still { [[0.0; 6]; 6] } else { coriolis(&pose.cinert[b], &vel, &momentum) };
        }
    }

    /// Computes sums over subtrees, and the terms of every dof that depend on them.
    pub(super) fn inward(&mut self, m: &Model, pose: &Pose, inertia: &Inertia) {
        for b in (1..m.nbody).rev() {
            let parent = m.body_parentid[b] as usize;
            if parent > 0 {
                let (force, drag) = (self.force[b], self.drag[b]);
                add_to(&mut self.force[parent], &force);
                self.drag[parent].iter_mut().zip(&drag).for_each(|(sum, row)| add_to(sum, row));
            }
        }
        for j in 0..m.nv {
            let b = m.dof_bodyid[j] as usize;
            let (s, drag, crb) = (&pose.cdof[j], &self.drag[b], &inertia.crb[b]);
            let axis = &mut self.axis[j];
            axis.momentum = mul_inert(crb, s);
            axis.turn = (0..6).fold([0.0; 6], |sum, k| add(&sum, &drag[k].map(|x| x * s[k])));
            let by = |shift: &Vec6, turn: &Vec6| -> Vec6 {
                let pushed = mul_inert(crb, shift);
                std::array::from_fn(|k| pushed[k] + dot(&drag[k], turn))
            };
            let own = by(&axis.lift, &axis.rate);
            axis.change = [add(&own, &cross_force(s, &self.force[b])), by(&axis.drift, s)];
        }
    }

    /// Adds `scale · ∂τ/∂q` to a matrix whose row `j` belongs to the moved dof `j`.
    pub(super) fn add_by_position(&self, m: &Model, pose: &Pose, scale: f64, out: &mut [f64]) {
        let nv = m.nv;
        for (j, own) in self.axis.iter().enumerate() {
            out[j * nv + j] += scale * dot(&pose.cdof[j], &own.change[0]);
            let mut next = m.dof_parentid[j];
            while let Ok(i) = usize::try_from(next) {
                let other = &self.axis[i];
                let together = own.group == other.group;
                out[j * nv + i] += scale
                    * if together {
                        dot(&other.momentum, &own.lift) + dot(&other.turn, &own.rate)
                    } else {
                        dot(&pose.cdof[i], &own.change[0])
                    };
                out[i * nv + j] += scale * (dot(&own.momentum, &other.lift) + dot(&own.turn, &other.rate));
                next = m.dof_parentid[i];
            }
        }
    }

    /// Adds `scale · ∂τ/∂q̇` to a matrix whose row `j` belongs to the moved dof `j`.
    pub(super) fn add_by_velocity(&self, m: &Model, pose: &Pose, scale: f64, out: &mut [f64]) {
        let nv = m.nv;
        for (j, own) in self.axis.iter().enumerate() {
            out[j * nv + j] += scale * dot(&pose.cdof[j], &own.change[1]);
            let mut next = m.dof_parentid[j];
            while let Ok(i) = usize::try_from(next) {
                let other = &self.axis[i];
                out[j * nv + i] += scale * dot(&pose.cdof[i], &own.change[1]);
                out[i * nv + j] += scale * (dot(&own.momentum, &other.drift) + dot(&own.turn, &pose.cdof[i]));
                next = m.dof_parentid[i];
            }
        }
    }
}

/// `B` of one body.
fn coriolis(inert: &Inertia10, vel: &Vec6, momentum: &Vec6) -> Mat6 {
    let mut b = [[0.0; 6]; 6];
    // columns of translations are zero
    for c in 0..3 {
        let mut x = [0.0; 6];
        x[c] = 1.0;
        let turned = add(&cross_force(&x, momentum), &cross_force(vel, &mul_inert(inert, &x)));
        let column = sub(&turned, &mul_inert(inert, &cross_motion(vel, &x)));
        (0..6).for_each(|r| b[r][c] = column[r]);
    }
    b
}
