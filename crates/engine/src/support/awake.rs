//! Which bodies, parents and degrees of freedom a stage visits.
//!
//! With sleep off, or nothing asleep, that is all of them.

use crate::data::Awake;
use crate::model::Model;
use crate::model::enums::{EnableBit, SleepState, TrnType};
use sinew_math::sparse::Subset;

/// Whether some bodies are skipped.
#[inline]
pub fn skips_bodies(m: &Model, awake: &Awake) -> bool {
    m.opt.enabled(EnableBit::Sleep) && (awake.nbody_awake as usize) < m.nbody
}

/// Whether some degrees of freedom are skipped.
#[inline]
pub fn skips_dofs(m: &Model, awake: &Awake) -> bool {
    m.opt.enabled(EnableBit::Sleep) && (awake.nv_awake as usize) < m.nv
}

/// Whether some trees are skipped.
#[inline]
pub fn skips_trees(m: &Model, awake: &Awake) -> bool {
    m.opt.enabled(EnableBit::Sleep) && (awake.ntree_awake as usize) < m.ntree
}

/// Bodies that are not asleep, the world first.
#[inline]
pub fn bodies<'a>(m: &Model, awake: &'a Awake) -> Subset<'a> {
    if skips_bodies(m, awake) {
        Subset::Listed(&awake.body_awake_ind[..awake.nbody_awake as usize])
    } else {
        Subset::All(m.nbody)
    }
}

/// Bodies whose parent is not asleep.
#[inline]
pub fn parents<'a>(m: &Model, awake: &'a Awake) -> Subset<'a> {
    if skips_bodies(m, awake) {
        Subset::Listed(&awake.parent_awake_ind[..awake.nparent_awake as usize])
    } else {
        Subset::All(m.nbody)
    }
}

/// Degrees of freedom of trees that are awake.
#[inline]
pub fn dofs<'a>(m: &Model, awake: &'a Awake) -> Subset<'a> {
    if skips_dofs(m, awake) {
        Subset::Listed(&awake.dof_awake_ind[..awake.nv_awake as usize])
    } else {
        Subset::All(m.nv)
    }
}

/// Whether a body is asleep; static bodies are not.
#[inline]
pub fn body_asleep(awake: &Awake, body: usize) -> bool {
    awake.body_awake[body] == SleepState::Asleep as i32
}

/// Whether every tree a tendon touches is asleep; tendons between more than two trees stay awake.
#[doc(alias = "mj_sleepState")]
pub fn tendon_asleep(m: &Model, awake: &Awake, tendon: usize) -> bool {
    let trees = &m.tendon_treeid[tendon];
    let sleeps = |k: usize| awake.tree_awake[trees[k] as usize] == 0;
    match m.tendon_treenum[tendon] {
        1 => sleeps(0),
        2 => sleeps(0) && sleeps(1),
        _ => false,
    }
}

/// Whether what an actuator acts on is asleep.
#[doc(alias = "mj_sleepState")]
pub fn actuator_asleep(m: &Model, awake: &Awake, actuator: usize) -> bool {
    let [id, ref_id] = m.actuator_trnid[actuator].map(|id| id as usize);
    let site_awake = |site: usize| awake.body_awake[m.site_bodyid[site] as usize] == SleepState::Awake as i32;
    match TrnType::try_from(m.actuator_trntype[actuator]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) => body_asleep(awake, m.jnt_bodyid[id] as usize),
        Ok(TrnType::Slidercrank) => !site_awake(id) && !site_awake(ref_id),
        Ok(TrnType::Tendon) => tendon_asleep(m, awake, id),
        Ok(TrnType::Site) => body_asleep(awake, m.site_bodyid[id] as usize),
        Ok(TrnType::Body) => body_asleep(awake, id),
        Ok(TrnType::Undefined) | Err(_) => false,
    }
}
