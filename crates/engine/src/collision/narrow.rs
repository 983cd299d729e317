//! Contacts of pairs of geoms.

use super::filter::{bodies_share_bits, too_far};
use super::{margin, param, tree};
use crate::data::Data;
use crate::data::collision_work::CollisionWork;
use crate::data::contact::ARENA_BYTES;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, GeomType, SleepState, Warning};
use crate::support::shape::{settings, with_shapes};
use sinew_geometry::collide::{self, MAX_CONTACTS, Settings};

/// The search for contacts, pair by pair.
pub struct Search<'a> {
    m: &'a Model,
    d: &'a mut Data,
    hooks: &'a mut dyn Hooks,
    work: &'a mut CollisionWork,
    settings: Settings,
    /// A pair is looked at while there are at most this many contacts.
    most: Option<usize>,
}

impl<'a> Search<'a> {
    /// A search among the pairs of bodies in `work`.
    pub fn new(m: &'a Model, d: &'a mut Data, hooks: &'a mut dyn Hooks, work: &'a mut CollisionWork) -> Self {
        // MuJoCo's arena holds the contacts and, meanwhile, all pairs of bodies there could be
        let room = m.narena.saturating_sub(2 * m.nbody * (m.nbody - 1));
        Search { m, d, hooks, work, settings: settings(m), most: (room / ARENA_BYTES).checked_sub(MAX_CONTACTS) }
    }

    /// All contacts. Explicit pairs come before the other geoms of their bodies.
    pub fn run(&mut self) {
        let m = self.m;
        let mut next = 0;
        for i in 0..self.work.pairs.len() {
            let pair = self.work.pairs[i];
            let first = next;
            while next < m.npair && unpacked(m.pair_signature[next]) <= pair {
                self.explicit(next);
                next += 1;
            }
            let bodies = [(pair >> 32) as usize, (pair & 0xFFFF_FFFF) as usize];
            if bodies_share_bits(m, bodies[0], bodies[1]) && !excluded(m, pair) {
                let listed = first..next;
                let merged = listed.clone().any(|k| unpacked(m.pair_signature[k]) == pair);
                self.bodies(bodies, if merged { listed } else { 0..0 });
            }
        }
        (next..m.npair).for_each(|pair| self.explicit(pair));
    }

    /// Geoms of two bodies, but for those of explicit pairs.
    fn bodies(&mut self, [b1, b2]: [usize; 2], listed: std::ops::Range<usize>) {
        let m = self.m;
        if m.body_geomnum[b1] == 1 && m.body_geomnum[b2] == 1 {
            self.unlisted(m.body_geomadr[b1] as usize, m.body_geomadr[b2] as usize, listed);
        } else if !m.opt.disabled(DisableFlags::MIDPHASE) && m.body_bvhadr[b1] >= 0 && m.body_bvhadr[b2] >= 0 {
            tree::leaves(m, &self.d.pose, [b1, b2], &mut self.d.collision, self.work);
            for i in 0..self.work.leaves.len() {
                let leaf = self.work.leaves[i];
                self.unlisted((leaf >> 32) as usize, (leaf & 0xFFFF_FFFF) as usize, listed.clone());
            }
        } else {
            for g1 in m.body_geoms(b1) {
                for g2 in m.body_geoms(b2) {
                    self.unlisted(g1, g2, listed.clone());
                }
            }
        }
    }

    /// Two geoms, unless an explicit pair has them.
    fn unlisted(&mut self, g1: usize, g2: usize, mut listed: std::ops::Range<usize>) {
        let m = self.m;
        let same = |k: usize| {
            let pair = [m.pair_geom1[k] as usize, m.pair_geom2[k] as usize];
            pair == [g1, g2] || pair == [g2, g1]
        };
        if !listed.any(same) {
            self.geoms(g1, g2);
        }
    }

    /// Two geoms by their contact types, or by what a callback makes of them.
    fn geoms(&mut self, g1: usize, g2: usize) {
        let m = self.m;
        let [g1, g2] = by_type(m, g1, g2);
        if m.geom_type[g2] > GeomType::Hfield as i32 && !self.hooks.contact_filter(m, self.d, g1, g2) {
            self.collide(g1, g2, margin(m, m.geom_margin[g1] + m.geom_margin[g2]), None);
        }
    }

    /// An explicit pair.
    fn explicit(&mut self, pair: usize) {
        let m = self.m;
        let [g1, g2] = [m.pair_geom1[pair], m.pair_geom2[pair]].map(|g| g as usize);
        let rests = |g: usize| self.d.awake.body_awake[m.geom_bodyid[g] as usize] != SleepState::Awake as i32;
        if m.opt.enabled(EnableFlags::SLEEP) && rests(g1) && rests(g2) {
            return;
        }
        let [g1, g2] = by_type(m, g1, g2);
        if m.geom_type[g2] > GeomType::Hfield as i32 {
            self.collide(g1, g2, margin(m, m.pair_margin[pair]), Some(pair));
        }
    }

    /// Adds the contacts of two geoms, in the order of their types.
    #[doc(alias = "mj_collideGeoms")]
    fn collide(&mut self, g1: usize, g2: usize, margin: f64, pair: Option<usize>) {
        let m = self.m;
        if too_far(m, &self.d.pose, g1, g2, margin) {
            return;
        }
        if self.most.is_none_or(|most| self.d.contact.len() > most) {
            self.d.warn(Warning::Contactfull, self.d.contact.len());
            return;
        }
        let work = &mut self.work.colliders;
        let found = with_shapes(m, &self.d.pose, [g1, g2], |a, b| collide::collide(a, b, margin, &self.settings, work));
        if found.is_none() || work.contacts.is_empty() {
            return;
        }
        let common = match pair {
            None => param::of_geoms(m, g1, g2, margin),
            Some(pair) => param::of_pair(m, pair, [g1, g2], margin),
        };
        param::add(&mut self.d.contact, &common, &work.contacts);
        self.d.collision.ncon = self.d.contact.len() as i32;
    }
}

fn by_type(m: &Model, g1: usize, g2: usize) -> [usize; 2] {
    if m.geom_type[g1] > m.geom_type[g2] { [g2, g1] } else { [g1, g2] }
}

/// Two bodies packed into 16 bits each, as in the lists of pairs and exclusions.
fn unpacked(signature: i32) -> u64 {
    let signature = u64::from(signature as u32);
    (signature >> 16) << 32 | (signature & 0xFFFF)
}

/// Whether two bodies are listed as never colliding.
fn excluded(m: &Model, pair: u64) -> bool {
    m.nexclude > 0 && m.exclude_signature.binary_search_by_key(&pair, |&s| unpacked(s)).is_ok()
}
