//! Poses → contacts: which bodies are near each other, which of their geoms, and where those touch.

mod broad;
mod filter;
mod flex;
mod narrow;
mod obb;
mod param;
mod possible;
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
pub use possible::{Possible, possible};
use sinew_geometry::collide::MAX_CONTACTS;
pub use work::{Candidate, CollisionWork};

/// Pairs that may touch, ordered by pairs of bodies, then by pairs of geoms.
///
/// *Reads* inertial frames, and which bodies are awake. *Writes* candidates in the workspace, `bvh_active`.
#[doc(alias = "mj_collision")]
pub fn candidates(m: &Model, awake: &Awake, pose: &Pose, active: &mut Collision, work: &mut CollisionWork) {
    work.candidates.clear();
    if m.vis.global.bvactive != 0 {
        active.bvh_active[..body_nodes(m)].fill(0);
    }
    if m.opt.disabled(DisableFlags::CONSTRAINT) || m.opt.disabled(DisableFlags::CONTACT) || m.nbody + m.nflex < 2 {
        return;
    }
    broad::pairs(m, awake, pose, &mut work.broad, &mut work.pairs);
    Search { m, awake, pose, active, work }.run();
}

/// Adds the contacts of a candidate. Returns how many pairs found no room for their contacts.
///
/// *Reads* geom frames. *Writes* contacts and their count.
#[doc(alias = "mj_collision")]
pub fn contacts(
    m: &Model,
    pose: &Pose,
    candidate: Candidate,
    contact: &mut Vec<Contact>,
    count: &mut Collision,
    work: &mut CollisionWork,
) -> usize {
    let (geoms, pair) = match candidate {
        Candidate::Geoms(geoms) => (geoms, None),
        Candidate::Pair(geoms, pair) => (geoms, Some(pair)),
        Candidate::Flex(task) => return with_finder(m, pose, contact, count, work, |finder| finder.run(task)),
    };
    if !narrow::may_touch(m, pose, geoms, pair) {
        return 0;
    }
    with_finder(m, pose, contact, count, work, |finder| {
        if finder.has_room() {
            narrow::collide(m, pose, geoms, pair, finder.settings, finder.contact, finder.colliders);
        }
    })
}

/// Looks for contacts. Returns how many pairs found no room for theirs.
fn with_finder(
    m: &Model,
    pose: &Pose,
    contact: &mut Vec<Contact>,
    count: &mut Collision,
    work: &mut CollisionWork,
    find: impl FnOnce(&mut Finder),
) -> usize {
    // MuJoCo's arena holds the contacts and, meanwhile, all pairs of bodies there could be
    let bodies = m.nbody + m.nflex;
    let room = m.narena.saturating_sub(2 * bodies * bodies.saturating_sub(1));
    let most = (room / ARENA_BYTES).checked_sub(MAX_CONTACTS);
    let CollisionWork { query, colliders, .. } = work;
    let mut finder = Finder { m, pose, settings: &settings(m), contact, colliders, query, most, refused: 0 };
    find(&mut finder);
    let refused = finder.refused;
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
