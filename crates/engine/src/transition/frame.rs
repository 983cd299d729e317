//! Motion of frames fixed to bodies, and its derivatives.
//!
//! At a point `x` of a body with velocity `V` and acceleration `A`, moving dof `j` gives `δx = c_j`,
//! `δV = S_j × V + Ṡ_j` and `δA = S_j × A + Ṡ_j × V + η_j`; changing its velocity gives `δV = S_j` and
//! `δA = ψ_j − V × S_j`. The notation is that of `tree.rs`.

use super::tie::By;
use super::tree::Tree;
use crate::data::Data;
use crate::model::Model;
use crate::support::chain::{column, offset};
use crate::support::object::ObjectFrame;
use sinew_math::spatial::{Vec6, add, cross_motion, lin, rot, sub};
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// Motion of a frame in world coordinates, or a change of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    pub pos: Vec3,
    pub turn: Vec3,
    pub spin: Vec3,
    pub vel: Vec3,
    /// Angular acceleration, and acceleration of the point.
    pub lift: Vec3,
    pub acc: Vec3,
}

/// A frame, with the motion of its body about the tree's reference point.
pub(super) struct Frame<'a> {
    pub body: usize,
    pub mat: &'a Mat3,
    arm: Vec3,
    pub now: Motion,
    vel: Vec6,
    acc: Vec6,
}

/// Motion of the point at `arm`, given velocity and acceleration at the reference point.
fn at(arm: Vec3, vel: &Vec6, acc: &Vec6) -> Motion {
    let (spin, lift) = (rot(vel), rot(acc));
    let shift = |x: &Vec6| vec3::add(lin(x), vec3::cross(rot(x), arm));
    Motion { spin, lift, vel: shift(vel), acc: shift(acc), ..Motion::default() }
}

impl<'a> Frame<'a> {
    pub(super) fn new(m: &Model, d: &Data, tree: &Tree, frame: ObjectFrame<'a>) -> Self {
        let ObjectFrame { body, pos, mat } = frame;
        let arm = offset(m, &d.pose, body, pos);
        let (vel, acc) = (tree.vel[body], tree.acc[body]);
        let mut now = at(arm, &vel, &acc);
        now.pos = pos;
        // the point moves with the body
        now.acc = vec3::add(now.acc, vec3::cross(now.spin, now.vel));
        Frame { body, mat, arm, now, vel, acc }
    }

    /// The world frame.
    pub(super) fn fixed() -> Self {
        let still = [0.0; 6];
        Frame { body: 0, mat: &mat3::IDENTITY, arm: [0.0; 3], now: Motion::default(), vel: still, acc: still }
    }

    /// Derivative of the motion with respect to a dof that moves the frame.
    pub(super) fn change(&self, d: &Data, tree: &Tree, j: usize, by: By) -> Motion {
        let (s, axis, still) = (&d.pose.cdof[j], &tree.axis[j], [0.0; 6]);
        let mut by = match by {
            By::Position => {
                let vel = add(&cross_motion(s, &self.vel), &axis.rate);
                let turned = add(&cross_motion(s, &self.acc), &cross_motion(&axis.rate, &self.vel));
                let mut change = at(self.arm, &vel, &add(&turned, &axis.lift));
                (change.pos, change.turn) = (column(s, self.arm), rot(s));
                change.vel = vec3::add(change.vel, vec3::cross(rot(&self.vel), change.pos));
                change.acc = vec3::add(change.acc, vec3::cross(rot(&self.acc), change.pos));
                change
            }
            By::Velocity => at(self.arm, s, &sub(&axis.drift, &cross_motion(&self.vel, s))),
            By::Acceleration => at(self.arm, &still, s),
        };
        let swept = vec3::add(vec3::cross(by.spin, self.now.vel), vec3::cross(self.now.spin, by.vel));
        by.acc = vec3::add(by.acc, swept);
        by
    }

    /// Change of a vector in the coordinates of this frame, when vector and frame change.
    pub(super) fn seen(&self, vector: Vec3, change: Vec3, turn: Vec3) -> Vec3 {
        mat3::mul_vec_t(self.mat, vec3::sub(change, vec3::cross(turn, vector)))
    }
}
