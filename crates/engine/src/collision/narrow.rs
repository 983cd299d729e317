//! Narrow phase: pairs of geoms and their contacts.

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

/// Search for geoms that may touch, one body pair at a time.
pub struct Search<'a> {
    /// The model.
    pub m: &'a Model,
    /// Sleep states.
    pub awake: &'a Awake,
    /// World poses.
    pub pose: &'a Pose,
    /// Receives the marks of active bounding volumes.
    pub active: &'a mut Collision,
    /// Body pairs to search, and the candidates found.
    pub work: &'a mut CollisionWork,
}

impl Search<'_> {
    /// Collects all candidates. Explicit pairs come before the other geom pairs of the same bodies.
    pub fn run(&mut self) {
        let m = self.m;
        let mut next = 0;
        // body pairs, explicit pairs and exclusions have the same sort order
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

    /// Adds the geom pairs of two bodies, except the explicit pairs `listed`.
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

    /// Adds two geoms, unless they are an explicit pair in `listed`.
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

    /// Adds two geoms if their types have a collider; contact types are not tested here.
    fn geoms(&mut self, g1: usize, g2: usize) {
        let geoms = by_type(self.m, g1, g2);
        if self.m.geom_type(geoms[1]) > GeomType::Hfield {
            self.work.candidates.push(Candidate::Geoms(geoms));
        }
    }

    /// Adds an explicit pair, unless both bodies are asleep or static.
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

/// Distance below which two geoms are in contact.
fn touching_margin(m: &Model, [g1, g2]: [usize; 2], pair: Option<usize>) -> f64 {
    margin(m, pair.map_or(m.geom_margin[g1] + m.geom_margin[g2], |pair| m.pair_margin[pair]))
}

/// Whether the bounding spheres of two geoms are within their margin.
#[inline]
pub fn may_touch(m: &Model, pose: &Pose, geoms: [usize; 2], pair: Option<usize>) -> bool {
    !too_far(m, pose, geoms[0], geoms[1], touching_margin(m, geoms, pair))
}

/// Adds the contacts of two geoms, which are ordered by type.
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

/// Contact margin of two geoms, and a template with the parameters that all their contacts share.
pub fn common(m: &Model, geoms: [usize; 2], pair: Option<usize>) -> (f64, Contact) {
    let margin = touching_margin(m, geoms, pair);
    let common = match pair {
        None => param::of_owners(m, geoms.map(Owner::Geom), margin),
        Some(pair) => param::of_pair(m, pair, geoms, margin),
    };
    (margin, common)
}

/// Two geoms ordered by type.
pub fn by_type(m: &Model, g1: usize, g2: usize) -> [usize; 2] {
    if m.geom_type[g1] > m.geom_type[g2] { [g2, g1] } else { [g1, g2] }
}

/// Converts a signature of the pair and exclusion lists, two bodies in 16 bits each, to one with 32 bits each.
fn unpacked(signature: i32) -> u64 {
    let signature = u64::from(signature as u32);
    (signature >> 16) << 32 | (signature & 0xFFFF)
}

/// Whether an exclusion lists two bodies.
pub fn excluded(m: &Model, pair: u64) -> bool {
    m.nexclude > 0 && m.exclude_signature.binary_search_by_key(&pair, |&s| unpacked(s)).is_ok()
}
