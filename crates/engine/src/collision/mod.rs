//! Poses → contacts: which bodies are near each other, which of their geoms, and where those touch.

mod broad;
mod filter;
mod flex;
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
use flex::Finder;
use narrow::Search;
use sinew_geometry::collide::MAX_CONTACTS;
pub use work::{Candidate, CollisionWork};

/// Pairs of geoms that may touch, ordered by pairs of bodies, then by pairs of geoms.
///
/// *Reads* inertial frames, and which bodies are awake. *Writes* candidates in the workspace, `bvh_active`.
#[doc(alias = "mj_collision")]
pub fn candidates(m: &Model, awake: &Awake, pose: &Pose, active: &mut Collision, work: &mut CollisionWork) {
    work.candidates.clear();
    work.tasks.clear();
    if m.vis.global.bvactive != 0 {
        active.bvh_active[..body_nodes(m)].fill(0);
    }
    if m.opt.disabled(DisableFlags::CONSTRAINT) || m.opt.disabled(DisableFlags::CONTACT) || m.nbody + m.nflex < 2 {
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
    let bodies = m.nbody + m.nflex;
    let room = m.narena.saturating_sub(2 * bodies * bodies.saturating_sub(1));
    let most = (room / ARENA_BYTES).checked_sub(MAX_CONTACTS);
    let CollisionWork { candidates, tasks, query, colliders, .. } = work;
    let mut finder = Finder { m, pose, settings: &settings, contact, colliders, query, most, refused: 0 };
    let mut done = 0;
    for &(before, task) in tasks.iter() {
        geoms(&mut finder, &candidates[done..before]);
        finder.run(task);
        done = before;
    }
    geoms(&mut finder, &candidates[done..]);
    let refused = finder.refused;
    count.ncon = contact.len() as i32;
    refused
}

/// Adds the contacts of pairs of geoms.
fn geoms(finder: &mut Finder, candidates: &[Candidate]) {
    let (m, pose) = (finder.m, finder.pose);
    for candidate in candidates {
        if narrow::may_touch(m, pose, candidate) && finder.has_room() {
            narrow::collide(m, pose, candidate, finder.settings, finder.contact, finder.colliders);
        }
    }
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
