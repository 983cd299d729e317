//! Constraint forces between points of two bodies.
//!
//! The force is added to those of the tree as if it rotated with its bodies. Its actual change with dof `j` is
//! `δφ = (δx × f + x × δf + δt, δf)`; the difference `δφ − S_j ×* φ` acts on all dofs that move the body.

use super::partials::Partials;
use super::tree::Tree;
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::JointType;
use crate::support::chain::{Shared, ancestors, column, offset};
use sinew_math::spatial::{Vec6, add, add_to, cross_force, cross_motion, dot, join, lin, mul_dof, rot, sub};
use sinew_math::{Vec3, vec3};

/// A force and a torque on the second body, with opposite ones on the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    pub bodies: [usize; 2],
    /// Point of application on each body.
    pub points: [Vec3; 2],
    pub force: Vec3,
    pub torque: Vec3,
    /// Lever arms from the reference point of each body's tree to the points, and the wrenches about that reference
    /// point.
    arms: [Vec3; 2],
    wrenches: [Vec6; 2],
}

/// Derivative of a tie with respect to a dof.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    pub points: [Vec3; 2],
    pub force: Vec3,
    pub torque: Vec3,
    /// Change of the normal force of a contact.
    pub normal: f64,
}

/// Variable of a derivative: position, velocity or acceleration of a dof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Position,
    Velocity,
    Acceleration,
}

/// Signs of the force on the first and on the second body.
pub(super) const SIGNS: [f64; 2] = [-1.0, 1.0];

impl Tie {
    pub(super) fn new(
        m: &Model,
        pose: &Pose,
        bodies: [usize; 2],
        points: [Vec3; 2],
        [force, torque]: [Vec3; 2],
    ) -> Self {
        let arms = [0, 1].map(|side| offset(m, pose, bodies[side], points[side]));
        let wrenches = arms.map(|arm| join(vec3::add(torque, vec3::cross(arm, force)), force));
        Tie { bodies, points, force, torque, arms, wrenches }
    }

    /// Subtracts the tie from the forces of bodies.
    pub(super) fn subtract(&self, tree: &mut Tree) {
        for side in 0..2 {
            (0..6).for_each(|k| tree.force[self.bodies[side]][k] -= SIGNS[side] * self.wrenches[side][k]);
        }
    }

    /// Change of the wrench on one side with dof `j`, minus its rotation with the body if `j` moves that side.
    pub(super) fn delta(&self, pose: &Pose, side: usize, j: usize, moves: bool, change: &Change) -> Vec6 {
        let arm = self.arms[side];
        let swept = vec3::add(vec3::cross(change.points[side], self.force), vec3::cross(arm, change.force));
        let delta = join(vec3::add(swept, change.torque), change.force);
        if moves { sub(&delta, &cross_force(&pose.cdof[j], &self.wrenches[side])) } else { delta }
    }

    /// Adds the effect of a change with a dof, beyond rotation with the bodies.
    pub(super) fn add(&self, m: &Model, pose: &Pose, shared: Shared, change: &Change, out: &mut Partials) {
        for side in 0..2 {
            let delta = self.delta(pose, side, shared.dof, shared.moves[side], change);
            for i in ancestors(m, self.bodies[side]) {
                *out.q(shared.dof, i) += SIGNS[side] * dot(&pose.cdof[i], &delta);
            }
        }
    }

    /// Relative translation and rotation of side 1 with respect to side 0, per unit rate of a dof.
    pub(super) fn unit(&self, pose: &Pose, shared: Shared) -> [Vec3; 2] {
        let axis = &pose.cdof[shared.dof];
        let mut sum = [[0.0; 3]; 2];
        for side in (0..2).filter(|&k| shared.moves[k]) {
            sum[0] = vec3::add_scaled(sum[0], column(axis, self.arms[side]), SIGNS[side]);
            sum[1] = vec3::add_scaled(sum[1], rot(axis), SIGNS[side]);
        }
        sum
    }
}

/// Motion of all bodies for given dof rates, and motion of the dof axes with the bodies above them.
#[derive(Clone, Debug)]
pub(super) struct Field {
    body: Vec<Vec6>,
    axis: Vec<Vec6>,
}

impl Field {
    pub(super) fn new(m: &Model) -> Self {
        Field { body: vec![[0.0; 6]; m.nbody], axis: vec![[0.0; 6]; m.nv] }
    }

    /// Computes the motions for the rates `x`.
    pub(super) fn fill(&mut self, m: &Model, pose: &Pose, x: &[f64]) {
        for b in 1..m.nbody {
            let mut vel = self.body[m.body_parentid[b] as usize];
            for joint in m.body_joints(b) {
                let dofs = m.joint_dofs(joint);
                let middle = if m.jnt_type(joint) == JointType::Free { dofs.start + 3 } else { dofs.start };
                for group in [dofs.start..middle, middle..dofs.end] {
                    group.clone().for_each(|j| self.axis[j] = cross_motion(&vel, &pose.cdof[j]));
                    add_to(&mut vel, &mul_dof(&pose.cdof[group.clone()], &x[group]));
                }
            }
            self.body[b] = vel;
        }
    }

    /// Translation and rotation of side 1 of a tie with respect to side 0.
    pub(super) fn relative(&self, tie: &Tie) -> [Vec3; 2] {
        let at = |side: usize| {
            let v = &self.body[tie.bodies[side]];
            [vec3::add(lin(v), vec3::cross(rot(v), tie.arms[side])), rot(v)]
        };
        let ([v1, w1], [v0, w0]) = (at(1), at(0));
        [vec3::sub(v1, v0), vec3::sub(w1, w0)]
    }

    /// Change of [`Field::relative`] with a dof, where the points move as given.
    pub(super) fn change(&self, pose: &Pose, tie: &Tie, shared: Shared, points: &[Vec3; 2]) -> [Vec3; 2] {
        let mut sum = [[0.0; 3]; 2];
        for side in 0..2 {
            let v = &self.body[tie.bodies[side]];
            let mut shift = vec3::cross(rot(v), points[side]);
            let mut turn = [0.0; 3];
            if shared.moves[side] {
                let turned = add(&cross_motion(&pose.cdof[shared.dof], v), &self.axis[shared.dof]);
                shift = vec3::add(shift, vec3::add(lin(&turned), vec3::cross(rot(&turned), tie.arms[side])));
                turn = rot(&turned);
            }
            sum = [vec3::add_scaled(sum[0], shift, SIGNS[side]), vec3::add_scaled(sum[1], turn, SIGNS[side])];
        }
        sum
    }
}
