//! Pairs of geoms and their contacts.

use super::filter::{bodies_share_bits, too_far};
use super::flex::{self, Task};
use super::param::Owner;
use super::work::{Candidate, CollisionWork};
use super::{margin, param, tree};
use crate::data::{Awake, Collision, Contact, Pose};
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, GeomType, SleepState};
use crate::support::shape::{apart, with_shapes};
use sinew_geometry::collide::{self, Settings};

/// The search for geoms that may touch, body pair by body pair.
pub struct Search<'a> {
    /// The model.
    pub m: &'a Model,
    /// What is awake.
    pub awake: &'a Awake,
    /// Where everything is.
    pub pose: &'a Pose,
    /// Where bounding volumes are marked.
    pub active: &'a mut Collision,
    /// Pairs of bodies to look into, and what is found.
    pub work: &'a mut CollisionWork,
}

impl Search<'_> {
    /// All candidates. Explicit pairs come before the other geoms of their bodies.
    pub fn run(&mut self) {
        let m = self.m;
        let mut next = 0;
        // pairs and exclusions come in the same order
        let mut exclusions = m.exclude_signature.iter().map(|&s| unpacked(s)).peekable();
        for i in 0..self.work.pairs.len() {
            let pair = self.work.pairs[i];
            let first = next;
            while next < m.npair && unpacked(m.pair_signature[next]) <= pair {
                self.explicit(next);
                next += 1;
            }
            let bodies = [(pair >> 32) as usize, (pair & 0xFFFF_FFFF) as usize];
            while exclusions.next_if(|&excluded| excluded < pair).is_some() {}
            if exclusions.peek() == Some(&pair) || !bodies_share_bits(m, bodies[0], bodies[1]) {
                continue;
            }
            let task = match bodies.map(|b| b.checked_sub(m.nbody)) {
                [None, None] => None,
                [None, Some(f)] => Some(Task::Body(bodies[0], f)),
                [Some(f1), Some(f2)] => Some(Task::Flexes(f1, f2)),
                [Some(f), None] => Some(Task::Body(bodies[1], f)),
            };
            if let Some(task) = task {
                self.work.candidates.push(Candidate::Flex(task));
            } else {
                let listed = first..next;
                let merged = listed.clone().any(|k| unpacked(m.pair_signature[k]) == pair);
                self.bodies(bodies, if merged { listed } else { 0..0 });
            }
        }
        (next..m.npair).for_each(|pair| self.explicit(pair));
        let own = (0..m.nflex).filter(|&f| flex::meets_itself(m, f));
        self.work.candidates.extend(own.map(|f| Candidate::Flex(Task::Own(f))));
    }

    /// Geoms of two bodies, but for those of explicit pairs.
    fn bodies(&mut self, [b1, b2]: [usize; 2], listed: std::ops::Range<usize>) {
        let m = self.m;
        if m.body_geomnum[b1] == 1 && m.body_geomnum[b2] == 1 {
            self.unlisted(m.body_geomadr[b1] as usize, m.body_geomadr[b2] as usize, listed);
        } else if !m.opt.disabled(DisableFlags::MIDPHASE) && m.body_bvhadr[b1] >= 0 && m.body_bvhadr[b2] >= 0 {
            tree::leaves(m, self.pose, [b1, b2], self.active, self.work);
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

    /// Two geoms, whatever their contact types.
    fn geoms(&mut self, g1: usize, g2: usize) {
        let geoms = by_type(self.m, g1, g2);
        if self.m.geom_type(geoms[1]) > GeomType::Hfield {
            self.work.candidates.push(Candidate::Geoms(geoms));
        }
    }

    /// An explicit pair.
    fn explicit(&mut self, pair: usize) {
        let m = self.m;
        let [g1, g2] = [m.pair_geom1[pair], m.pair_geom2[pair]].map(|g| g as usize);
        let rests = |g: usize| self.awake.body_awake(m.geom_bodyid[g] as usize) != SleepState::Awake;
        if m.opt.enabled(EnableFlags::SLEEP) && rests(g1) && rests(g2) {
            return;
        }
        let geoms = by_type(m, g1, g2);
        if m.geom_type(geoms[1]) > GeomType::Hfield {
            self.work.candidates.push(Candidate::Pair(geoms, pair));
        }
    }
}

/// Distance at which two geoms count as touching.
fn touching_margin(m: &Model, [g1, g2]: [usize; 2], pair: Option<usize>) -> f64 {
    margin(m, pair.map_or(m.geom_margin[g1] + m.geom_margin[g2], |pair| m.pair_margin[pair]))
}

/// Whether two geoms are near enough to be looked at.
#[inline]
pub fn may_touch(m: &Model, pose: &Pose, geoms: [usize; 2], pair: Option<usize>) -> bool {
    !too_far(m, pose, geoms[0], geoms[1], touching_margin(m, geoms, pair))
}

/// Adds the contacts of two geoms, in the order of their types.
#[doc(alias = "mj_collideGeoms")]
pub fn collide(
    m: &Model,
    pose: &Pose,
    geoms: [usize; 2],
    pair: Option<usize>,
    settings: &Settings,
    contact: &mut Vec<Contact>,
    work: &mut collide::Work,
) {
    let margin = touching_margin(m, geoms, pair);
    if apart(m, pose, geoms, margin) {
        return;
    }
    let found = with_shapes(m, pose, geoms, |a, b| collide::collide(a, b, margin, settings, work));
    if found.is_none() || work.contacts.is_empty() {
        return;
    }
    param::add(contact, &common(m, geoms, pair).1, &work.contacts);
}

/// Distance at which two geoms count as touching, and what all their contacts have in common.
pub fn common(m: &Model, geoms: [usize; 2], pair: Option<usize>) -> (f64, Contact) {
    let margin = touching_margin(m, geoms, pair);
    let common = match pair {
        None => param::of_owners(m, geoms.map(Owner::Geom), margin),
        Some(pair) => param::of_pair(m, pair, geoms, margin),
    };
    (margin, common)
}

/// Two geoms in the order of their types.
pub fn by_type(m: &Model, g1: usize, g2: usize) -> [usize; 2] {
    if m.geom_type[g1] > m.geom_type[g2] { [g2, g1] } else { [g1, g2] }
}

/// Two bodies packed into 16 bits each, as in the lists of pairs and exclusions.
fn unpacked(signature: i32) -> u64 {
    let signature = u64::from(signature as u32);
    (signature >> 16) << 32 | (signature & 0xFFFF)
}

/// Whether two bodies are listed as never colliding.
pub fn excluded(m: &Model, pair: u64) -> bool {
    m.nexclude > 0 && m.exclude_signature.binary_search_by_key(&pair, |&s| unpacked(s)).is_ok()
}
