//! Centres of mass, and inertias and motion axes about them.

use crate::data::{Awake, Pose};
use crate::model::Model;
use crate::model::enums::{JointType, SleepState};
use crate::support::awake as subset;
use sinew_math::{MINVAL, mat3, spatial, vec3};

/// Subtree centres of mass; body inertias and motion axes about the centre of mass of their tree.
///
/// *Equation*: `com_i = Σ_{j ∈ subtree i} m_j x_j / M_i`; `cinert_i = R I Rᵀ − m [r]×[r]×` with `r` from
/// the tree's centre of mass; `cdof = (axis, axis × (com − anchor))`.
/// *Reads* `xipos`, `ximat`, `xmat`, `xanchor`, `xaxis`. *Writes* `subtree_com`, `cinert`, `cdof`.
/// *Source*: Featherstone 2008, chapter 2; one reference point per tree keeps velocities small.
#[doc(alias = "mj_comPos")]
pub fn com_pos(m: &Model, awake: &Awake, pose: &mut Pose) {
    subtree_com(m, awake, pose);
    pose.cinert[0] = [0.0; 10];
    for i in subset::bodies(m, awake).iter().skip(1) {
        let com = pose.subtree_com[m.body_rootid[i] as usize];
        let offset = vec3::sub(pose.xipos[i], com);
        pose.cinert[i] = spatial::inert_com(&m.body_inertia[i], &pose.ximat[i], offset, m.body_mass[i]);
        let first = m.body_jntadr[i] as usize; // −1 wraps, but then there are no joints
        for j in first..first.wrapping_add(m.body_jntnum[i] as usize) {
            motion_axes(m, pose, i, j, com);
        }
    }
}

fn subtree_com(m: &Model, awake: &Awake, pose: &mut Pose) {
    let skips = subset::skips_bodies(m, awake);
    let bodies = subset::bodies(m, awake);
    for i in bodies.iter() {
        pose.subtree_com[i] = vec3::scale(pose.xipos[i], m.body_mass[i]);
    }
    for i in subset::parents(m, awake).iter().rev() {
        if i == 0 {
            continue;
        }
        let mut moment = pose.subtree_com[i];
        if skips && awake.body_awake[i] == SleepState::Asleep as i32 {
            // what sleeps holds its centre of mass already
            moment = vec3::scale(moment, m.body_subtreemass[i]);
        }
        let sum = &mut pose.subtree_com[m.body_parentid[i] as usize];
        *sum = vec3::add(*sum, moment);
    }
    for i in bodies.iter() {
        let mass = m.body_subtreemass[i];
        pose.subtree_com[i] = if mass < MINVAL { pose.xipos[i] } else { vec3::scale(pose.subtree_com[i], 1.0 / mass) };
    }
}

/// Motion axes of joint `j` of body `i` about `com`.
#[inline(always)]
fn motion_axes(m: &Model, pose: &mut Pose, i: usize, j: usize, com: [f64; 3]) {
    let offset = vec3::sub(com, pose.xanchor[j]);
    let dof = m.jnt_dofadr[j] as usize;
    const FREE: i32 = JointType::Free as i32;
    const BALL: i32 = JointType::Ball as i32;
    const SLIDE: i32 = JointType::Slide as i32;
    match m.jnt_type[j] {
        kind @ (FREE | BALL) => {
            let mut rot = dof;
            if kind == FREE {
                pose.cdof[dof] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
                pose.cdof[dof + 1] = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
                pose.cdof[dof + 2] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
                rot += 3;
            }
            let xmat = pose.xmat[i];
            for k in 0..3 {
                pose.cdof[rot + k] = spatial::hinge_axis(mat3::col(&xmat, k), offset);
            }
        }
        SLIDE => pose.cdof[dof] = spatial::slide_axis(pose.xaxis[j]),
        _ => pose.cdof[dof] = spatial::hinge_axis(pose.xaxis[j], offset),
    }
}
