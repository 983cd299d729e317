//! Poses → contacts: which bodies are near each other, which of their geoms, and where those touch.

mod broad;
mod filter;
mod narrow;
mod obb;
mod param;
mod sweep;
mod tree;
mod work;

use crate::data::contact::ARENA_BYTES;
use crate::data::{Awake, Collision, Contact, Pose};
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags};
use crate::support::shape::settings;
use narrow::Search;
use sinew_geometry::collide::MAX_CONTACTS;
pub use work::{Candidate, CollisionWork};

/// Pairs of geoms that may touch, ordered by pairs of bodies, then by pairs of geoms.
///
/// *Reads* inertial frames, and which bodies are awake. *Writes* candidates in the workspace, `bvh_active`.
#[doc(alias = "mj_collision")]
pub fn candidates(m: &Model, awake: &Awake, pose: &Pose, active: &mut Collision, work: &mut CollisionWork) {
    work.candidates.clear();
    if m.vis.global.bvactive != 0 {
        active.bvh_active[..body_nodes(m)].fill(0);
    }
    if m.opt.disabled(DisableFlags::CONSTRAINT) || m.opt.disabled(DisableFlags::CONTACT) || m.nbody < 2 {
        return;
    }
    broad::pairs(m, awake, pose, &mut work.broad, &mut work.pairs);
    Search { m, awake, pose, active, work }.run();
}

/// Contacts of the candidates that are left. Returns how many candidates found no room for their contacts.
///
/// *Reads* geom frames. *Writes* contacts and their count.
#[doc(alias = "mj_collision")]
pub fn contacts(
    m: &Model,
    pose: &Pose,
    contact: &mut Vec<Contact>,
    count: &mut Collision,
    work: &mut CollisionWork,
) -> usize {
    contact.clear();
    let settings = settings(m);
    // MuJoCo's arena holds the contacts and, meanwhile, all pairs of bodies there could be
    let room = m.narena.saturating_sub(2 * m.nbody * m.nbody.saturating_sub(1));
    let most = (room / ARENA_BYTES).checked_sub(MAX_CONTACTS);
    let CollisionWork { candidates, colliders, .. } = work;
    let mut refused = 0;
    for candidate in candidates.iter() {
        if narrow::may_touch(m, pose, candidate) {
            if most.is_none_or(|most| contact.len() > most) {
                refused += 1;
            } else {
                narrow::collide(m, pose, candidate, &settings, contact, colliders);
            }
        }
    }
    count.ncon = contact.len() as i32;
    refused
}

/// Tree nodes of bodies, which come before those of meshes. Only they are ever marked, and meshes have far more.
fn body_nodes(m: &Model) -> usize {
    let last = (0..m.nbody).rev().find(|&b| m.body_bvhnum[b] > 0);
    last.map_or(0, |b| (m.body_bvhadr[b] + m.body_bvhnum[b]) as usize)
}

/// Margin of a pair, unless one margin holds for all.
#[inline]
fn margin(m: &Model, own: f64) -> f64 {
    if m.opt.enabled(EnableFlags::OVERRIDE) { m.opt.o_margin } else { own }
}
