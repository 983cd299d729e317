//! Poses → contacts: which bodies are near each other, which of their geoms, and where those touch.

mod broad;
mod filter;
mod narrow;
mod obb;
mod param;
mod sweep;
mod tree;

use crate::data::Data;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags};
use narrow::Search;

/// Contacts of the present position, ordered by pairs of bodies, then by pairs of geoms.
///
/// *Reads* geom and inertial frames, and which bodies are awake. *Writes* contacts, their count and `bvh_active`;
/// removes all constraint rows, which are those of former contacts.
#[doc(alias = "mj_collision")]
pub fn collision(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    d.contact.clear();
    d.collision.ncon = 0;
    d.efc.clear_rows();
    if m.vis.global.bvactive != 0 {
        d.collision.bvh_active[..body_nodes(m)].fill(0);
    }
    if m.opt.disabled(DisableFlags::CONSTRAINT) || m.opt.disabled(DisableFlags::CONTACT) || m.nbody < 2 {
        return;
    }
    // out of the way of callbacks, which are handed the whole simulation
    let mut work = std::mem::take(&mut d.scratch.collision);
    broad::pairs(m, &d.awake, &d.pose, &mut work.broad, &mut work.pairs);
    Search::new(m, d, hooks, &mut work).run();
    d.scratch.collision = work;
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
