//! Poses → contacts: nearby bodies (broad phase), nearby geoms of these (mid phase), contact points (narrow phase).

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

/// Collects pairs that may touch, ordered by body pair, then by geom pair.
///
/// *Reads* inertial frames, sleep states of bodies. *Writes* candidates in the workspace, `bvh_active`.
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

/// Adds the contacts of a candidate. Returns the number of pairs dropped because the arena was full.
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

/// Runs a contact search. Returns the number of pairs dropped because the arena was full.
fn with_finder(
    m: &Model,
    pose: &Pose,
    contact: &mut Vec<Contact>,
    count: &mut Collision,
    work: &mut CollisionWork,
    find: impl FnOnce(&mut Finder),
) -> usize {
    // during collision MuJoCo's arena holds, besides the contacts, a buffer for all possible body pairs
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

/// Number of tree nodes of bodies, which precede those of meshes. Only body nodes are ever marked active, and meshes
/// have far more nodes.
fn body_nodes(m: &Model) -> usize {
    let last = (0..m.nbody).rev().find(|&b| m.body_bvhnum[b] > 0);
    last.map_or(0, |b| (m.body_bvhadr[b] + m.body_bvhnum[b]) as usize)
}

/// Margin of a pair: `own`, unless the override option sets one for all.
#[inline]
fn margin(m: &Model, own: f64) -> f64 {
    if m.opt.enabled(EnableFlags::OVERRIDE) { m.opt.o_margin } else { own }
}
