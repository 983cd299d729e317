//! Pairs of geoms that may touch in any pose, for users that need the full list before the first step.

use super::broad::collect_traits;
use super::filter::{bodies_share_bits, may_meet, share_bits};
use super::narrow::{self, by_type, excluded};
use crate::data::{Awake, Contact};
use crate::model::Model;
use crate::model::enums::{DisableFlags, GeomType};

/// Two geoms ordered by type, with the parameters shared by all their contacts.
#[derive(Clone, Copy, Debug)]
pub struct Possible {
    /// The geoms.
    pub geoms: [usize; 2],
    /// The explicit pair that lists them, if any.
    pub pair: Option<usize>,
    /// Distance below which they are in contact.
    pub margin: f64,
    /// Parameters of their contacts.
    pub common: Contact,
}

/// All pairs of geoms that contact types, exclusions and the kinematic tree allow, explicit pairs first.
pub fn possible(m: &Model, awake: &Awake) -> Vec<Possible> {
    let mut traits = Vec::new();
    collect_traits(m, awake, &mut traits);
    let with_parents = m.opt.disabled(DisableFlags::FILTERPARENT);
    let explicit = |pair: usize| (by_type(m, m.pair_geom1[pair] as usize, m.pair_geom2[pair] as usize), Some(pair));
    let mut found: Vec<_> = (0..m.npair).map(explicit).collect();
    let listed: Vec<_> = found.iter().map(|(geoms, _)| *geoms).collect();
    for b1 in 0..m.nbody {
        for b2 in b1 + 1..m.nbody {
            let signature = (b1 as u64) << 32 | b2 as u64;
            if !may_meet(&traits[b1], &traits[b2], with_parents)
                || !bodies_share_bits(m, b1, b2)
                || excluded(m, signature)
            {
                continue;
            }
            for g1 in m.body_geoms(b1) {
                for g2 in m.body_geoms(b2) {
                    let bits = [g1, g2].map(|g| [m.geom_contype[g], m.geom_conaffinity[g]]);
                    let geoms = by_type(m, g1, g2);
                    if share_bits(bits[0], bits[1]) && !listed.contains(&geoms) {
                        found.push((geoms, None));
                    }
                }
            }
        }
    }
    found.retain(|(geoms, _)| m.geom_type(geoms[1]) > GeomType::Hfield);
    let with_parameters = |(geoms, pair)| {
        let (margin, common) = narrow::common(m, geoms, pair);
        Possible { geoms, pair, margin, common }
    };
    found.into_iter().map(with_parameters).collect()
}
