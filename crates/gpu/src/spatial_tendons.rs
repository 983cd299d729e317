//! Spatial tendons and their segments.

use sinew_engine::Model;
use sinew_engine::model::enums::WrapType;
use sinew_engine::support::cable::{Leg, legs};
use std::ops::Range;

/// A segment from a site to the next, possibly around a geom.
#[derive(Clone, Copy, Debug)]
pub struct TendonSegment {
    /// The sites.
    pub sites: [usize; 2],
    /// The wrapping geom.
    pub geom: Option<usize>,
    /// Whether it is a cylinder.
    pub cylinder: bool,
    /// The side site.
    pub side_site: Option<usize>,
    /// Factor of its length: 1 over the pulley divisor.
    pub scale: f64,
}

/// Whether a tendon is spatial.
pub fn is_spatial(m: &Model, t: usize) -> bool {
    m.wrap_type(m.tendon_adr[t] as usize) != WrapType::Joint
}

/// Segments of all tendons.
pub fn segments(m: &Model) -> Vec<TendonSegment> {
    (0..m.ntendon).flat_map(|t| of_tendon(m, t)).collect()
}

/// Range of a tendon's segments among all.
pub fn range(m: &Model, t: usize) -> Range<usize> {
    let first = (0..t).map(|t| of_tendon(m, t).count()).sum();
    first..first + of_tendon(m, t).count()
}

fn of_tendon(m: &Model, t: usize) -> impl Iterator<Item = TendonSegment> + '_ {
    legs(m, t).filter_map(|leg| match leg {
        Leg::Pulley => None,
        Leg::Span(s) => Some(TendonSegment {
            sites: s.ends.map(|w| m.wrap_objid[w] as usize),
            geom: s.around.map(|w| m.wrap_objid[w] as usize),
            cylinder: s.around.is_some_and(|w| m.wrap_type(w) == WrapType::Cylinder),
            side_site: s.around.map(|w| m.wrap_prm[w].round()).filter(|side| *side >= 0.0).map(|side| side as usize),
            scale: 1.0 / s.divisor,
        }),
    })
}

/// Dofs that may change the length of a tendon: those that move some of its points, but not all.
pub fn dofs(m: &Model, t: usize, chain: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let body = |s: TendonSegment| {
        let sites = s.sites.map(|site| m.site_bodyid[site] as usize);
        sites.into_iter().chain(s.geom.map(|g| m.geom_bodyid[g] as usize))
    };
    let chains: Vec<Vec<usize>> = of_tendon(m, t).flat_map(body).map(chain).collect();
    let mut all = chains.concat();
    all.sort_unstable();
    all.dedup();
    all.retain(|dof| !chains.iter().all(|c| c.contains(dof)));
    all
}
