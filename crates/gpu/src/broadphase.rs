//! Pairs of geoms in bunches: those of two things that move as one each, which are passed over together where these are apart.

use crate::pairs::Pairs;
use sinew_engine::Model;
use sinew_engine::model::enums::GeomType;
use std::collections::BTreeMap;

/// Fewer pairs in a bunch on the mean are looked at one by one, as are fewer pairs in all.
const WORTH: (usize, usize) = (4, 256);
/// Balls around what moves as one are wider by this part, so that rounding cannot part what touches.
const SLACK: f64 = 1e-4;

/// Geoms that move as one: those of a body, or one that cannot move, as bodies at rest may be spread over all the scene.
#[derive(Clone, Debug)]
pub struct BodyBound {
    /// The body.
    pub body: usize,
    /// Its geoms that are in pairs.
    pub geoms: Vec<usize>,
}

/// Consecutive pairs of the same two lumps.
#[derive(Clone, Copy, Debug)]
pub struct BodyPair {
    /// The first pair.
    pub first: usize,
    /// The lumps, as places in their list.
    pub bounds: [usize; 2],
}

/// All bunches; none where pairs are too few for them.
#[derive(Debug, Default)]
pub struct Broadphase {
    /// What moves as one.
    pub bounds: Vec<BodyBound>,
    /// Pairs, bunch by bunch.
    pub pairs: Vec<BodyPair>,
}

impl Broadphase {
    /// Those of the pairs of a model.
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
        let worth = pairs.all.len() >= (WORTH.0 * of.pairs.len()).max(WORTH.1);
        if worth { of } else { Broadphase::default() }
    }

    /// The lump of a geom.
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

/// A ball around the geoms of a lump, in its body's frame: centre and radius, which is without end around a plane.
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

/// The square of how far apart the centres of two balls may be where pairs of a bunch may touch.
pub fn reach(m: &Model, pairs: &Pairs, k: usize) -> f64 {
    let broadphase = &pairs.broadphase;
    let BodyPair { first, bounds } = broadphase.pairs[k];
    let last = broadphase.pairs.get(k + 1).map_or(pairs.all.len(), |b| b.first);
    let margin = pairs.all[first..last].iter().map(|p| p.margin).fold(0.0, f64::max);
    let reach =
        bounds.iter().map(|&l| bounding_sphere(m, &broadphase.bounds[l]).1).sum::<f64>() * (1.0 + SLACK) + margin;
    (reach * reach).min(f64::from(f32::MAX))
}
