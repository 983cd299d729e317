//! Broad phase by bodies: pairs of geoms are tested only if bounding spheres of their two bodies overlap.

use crate::pairs::Pairs;
use sinew_engine::Model;
use sinew_engine::model::enums::GeomType;
use std::collections::BTreeMap;

/// Broad phase by bodies pays off from this mean number of geom pairs per body pair, and this total number of pairs.
const MIN_PAIRS: (usize, usize) = (4, 256);
/// Bounding spheres are enlarged by this part, so that rounding cannot separate shapes that touch.
const SLACK: f64 = 1e-4;

/// Geoms with one bounding sphere: those of a body, or a single static geom, because static geoms may be spread over
/// the whole scene.
#[derive(Clone, Debug)]
pub struct BodyBound {
    /// The body.
    pub body: usize,
    /// Its geoms that occur in pairs.
    pub geoms: Vec<usize>,
}

/// Consecutive geom pairs of the same two bodies.
#[derive(Clone, Copy, Debug)]
pub struct BodyPair {
    /// The first geom pair.
    pub first: usize,
    /// Indices of the two bounds.
    pub bounds: [usize; 2],
}

/// All body pairs; empty if there are too few geom pairs for it to pay off.
#[derive(Debug, Default)]
pub struct Broadphase {
    /// Bounding spheres.
    pub bounds: Vec<BodyBound>,
    /// Body pairs, in the order of their geom pairs.
    pub pairs: Vec<BodyPair>,
}

impl Broadphase {
    /// Groups the pairs of a model.
    pub fn new(m: &Model, pairs: &Pairs) -> Self {
        let mut of = Broadphase::default();
        let mut known = BTreeMap::new();
        for (first, pair) in pairs.all.iter().enumerate() {
            let mut bounds = pair.geoms.map(|g| of.add(m, g, &mut known));
            bounds.sort_unstable();
            if of.pairs.last().is_none_or(|b| b.bounds != bounds) {
                of.pairs.push(BodyPair { first, bounds });
            }
        }
        let worth = pairs.all.len() >= (MIN_PAIRS.0 * of.pairs.len()).max(MIN_PAIRS.1);
        if worth { of } else { Broadphase::default() }
    }

    /// Index of the bound of a geom, added if it is new.
    fn add(&mut self, m: &Model, geom: usize, known: &mut BTreeMap<(usize, Option<usize>), usize>) -> usize {
        let body = m.geom_bodyid[geom] as usize;
        let rests = m.body_weldid[body] == 0;
        let bound = *known.entry((body, rests.then_some(geom))).or_insert_with(|| {
            self.bounds.push(BodyBound { body, geoms: Vec::new() });
            self.bounds.len() - 1
        });
        let geoms = &mut self.bounds[bound].geoms;
        if !geoms.contains(&geom) {
            geoms.push(geom);
        }
        bound
    }
}

/// Bounding sphere of geoms in their body's frame: centre and radius, which is infinite for a plane.
pub fn bounding_sphere(m: &Model, bound: &BodyBound) -> ([f64; 3], f64) {
    let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
    for (&g, k) in bound.geoms.iter().flat_map(|g| (0..3).map(move |k| (g, k))) {
        low[k] = low[k].min(m.geom_pos[g][k] - m.geom_rbound[g]);
        high[k] = high[k].max(m.geom_pos[g][k] + m.geom_rbound[g]);
    }
    let centre = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
    let reach = |&g: &usize| match m.geom_type(g) {
        GeomType::Plane => f64::INFINITY,
        _ => sinew_math::vec3::dist(centre, m.geom_pos[g]) + m.geom_rbound[g],
    };
    (centre, bound.geoms.iter().map(reach).fold(0.0, f64::max))
}

/// Squared distance of the centres up to which geoms of a body pair may touch.
pub fn reach(m: &Model, pairs: &Pairs, k: usize) -> f64 {
    let broadphase = &pairs.broadphase;
    let BodyPair { first, bounds } = broadphase.pairs[k];
    let last = broadphase.pairs.get(k + 1).map_or(pairs.all.len(), |b| b.first);
    let margin = pairs.all[first..last].iter().map(|p| p.margin).fold(0.0, f64::max);
    let reach =
        bounds.iter().map(|&l| bounding_sphere(m, &broadphase.bounds[l]).1).sum::<f64>() * (1.0 + SLACK) + margin;
    (reach * reach).min(f64::from(f32::MAX))
}
