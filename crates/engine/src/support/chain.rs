//! Chains of degrees of freedom from a body to the root, and Jacobian columns along them.

use crate::data::Pose;
use crate::model::Model;
use sinew_math::spatial::{self, Vec6};
use sinew_math::{Vec3, vec3};

/// Last dof that moves a body, −1 if none does.
#[inline(always)]
pub fn last_dof(m: &Model, body: usize) -> i32 {
    let moved = m.body_weldid[body] as usize;
    // the world has address −1 and no dofs
    if moved == 0 { -1 } else { m.body_dofadr[moved] + m.body_dofnum[moved] - 1 }
}

/// Dofs that move a body, from the last to the root.
#[doc(alias = "mj_bodyChain")]
#[inline]
pub fn ancestors(m: &Model, body: usize) -> impl Iterator<Item = usize> + '_ {
    let mut dof = last_dof(m, body);
    std::iter::from_fn(move || {
        let i = usize::try_from(dof).ok()?;
        dof = m.dof_parentid[i];
        Some(i)
    })
}

/// A dof that moves one or both of two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Shared {
    /// The dof.
    pub dof: usize,
    /// Whether it moves the first body, and the second body.
    pub moves: [bool; 2],
}

/// Dofs that move either of two bodies, in decreasing order.
#[doc(alias = "mj_mergeChain")]
#[inline]
pub fn merged(m: &Model, b1: usize, b2: usize) -> impl Iterator<Item = Shared> + '_ {
    let mut next = [last_dof(m, b1), last_dof(m, b2)];
    std::iter::from_fn(move || {
        let top = next[0].max(next[1]);
        let dof = usize::try_from(top).ok()?;
        let moves = [next[0] == top, next[1] == top];
        for side in 0..2 {
            if moves[side] {
                next[side] = m.dof_parentid[dof];
            }
        }
        Some(Shared { dof, moves })
    })
}

/// Vector from the centre of mass of a body's tree, where motion axes are expressed, to a point.
#[inline(always)]
pub fn offset(m: &Model, pose: &Pose, body: usize, point: Vec3) -> Vec3 {
    vec3::sub(point, pose.subtree_com[m.body_rootid[body] as usize])
}

/// Velocity of the point at `offset` per unit speed along a motion axis.
#[inline(always)]
pub fn column(axis: &Vec6, offset: Vec3) -> Vec3 {
    vec3::add(spatial::lin(axis), vec3::cross(spatial::rot(axis), offset))
}
