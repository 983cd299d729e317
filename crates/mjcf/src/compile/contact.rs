//! Explicit contact pairs and excluded body pairs.

use super::Section;
use super::flat::{Flat, FlatGeom, Names};
use crate::error::{Error, Result, gather};
use crate::schema::attr;
use crate::spec::{self, Spec};
use sinew_engine::model::enums::ObjType;
use sinew_engine::{Model, Sizes};
use sinew_math::order::by_key;

/// Mixing weights below this count as zero.
const MINMIX: f64 = 1e-14;

/// A pair with resolved geoms and final properties.
#[derive(Clone, Debug)]
struct Pair {
    source: usize,
    spec: spec::Pair,
    geoms: [usize; 2],
    signature: i32,
}

/// An excluded body pair.
#[derive(Clone, Copy, Debug)]
struct Exclude {
    source: usize,
    signature: i32,
}

/// Pairs and excludes in model order, sorted by body signature.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledContact {
    pairs: Vec<Pair>,
    excludes: Vec<Exclude>,
}

/// Looks up geoms and bodies, fills in what pairs inherit from their geoms, and sorts by signature.
pub(crate) fn resolve(spec: &Spec, flat: &Flat, names: &Names) -> Result<CompiledContact> {
    let pair =
        |(i, p): (usize, &spec::Pair)| resolve_pair(i, p, flat, names).map_err(|e| e.at(p.meta.loc).element("pair"));
    let exclude =
        |(i, x): (usize, &spec::Exclude)| resolve_exclude(i, x, names).map_err(|e| e.at(x.meta.loc).element("exclude"));
    let mut pairs = gather(spec.pairs.iter().enumerate().map(pair))?;
    let mut excludes = gather(spec.excludes.iter().enumerate().map(exclude))?;
    by_key(&mut pairs, |p| p.signature.abs_diff(i32::MIN).into());
    by_key(&mut excludes, |x| x.signature.abs_diff(i32::MIN).into());
    Ok(CompiledContact { pairs, excludes })
}

/// Both body ids in one integer, the smaller in the high half.
fn signature(body1: usize, body2: usize) -> i32 {
    ((body1.min(body2) << 16) + body1.max(body2)) as i32
}

fn resolve_exclude(source: usize, exclude: &spec::Exclude, names: &Names) -> Result<Exclude> {
    let body = |name: &str, attribute| {
        names.require(ObjType::Body, name, exclude.meta.loc).map_err(|e| e.attribute(attribute))
    };
    let signature = signature(body(&exclude.bodyname1, "body1")?, body(&exclude.bodyname2, "body2")?);
    Ok(Exclude { source, signature })
}

fn resolve_pair(source: usize, pair: &spec::Pair, flat: &Flat, names: &Names) -> Result<Pair> {
    if ![1, 3, 4, 6].contains(&pair.condim) {
        return Err(Error::invalid(format!("invalid condim {}", pair.condim))
            .attribute(attr::CONDIM)
            .hint("condim is 1, 3, 4 or 6"));
    }
    let geom =
        |name: &str, attribute| names.require(ObjType::Geom, name, pair.meta.loc).map_err(|e| e.attribute(attribute));
    let (mut id1, mut id2) = (geom(&pair.geomname1, "geom1")?, geom(&pair.geomname2, "geom2")?);
    if flat.geoms[id1].body > flat.geoms[id2].body {
        std::mem::swap(&mut id1, &mut id2);
    }
    let (geom1, geom2) = (&flat.geoms[id1], &flat.geoms[id2]);
    let mut spec = pair.clone();
    take_from_geoms(&mut spec, geom1, geom2);
    Ok(Pair { source, spec, geoms: [id1, id2], signature: signature(geom1.body, geom2.body) })
}

/// Fills in the missing properties of a pair: the geom with the higher priority determines them; for equal priority,
/// margin, gap and friction are the maximum, the solver reference is the minimum, and the impedance is mixed.
fn take_from_geoms(pair: &mut spec::Pair, geom1: &FlatGeom, geom2: &FlatGeom) {
    let (g1, g2) = (&geom1.spec, &geom2.spec);
    pair.margin.get_or_insert(g1.margin.max(g2.margin));
    pair.gap.get_or_insert(g1.gap.max(g2.gap));
    let winner = match g1.priority.cmp(&g2.priority) {
        std::cmp::Ordering::Greater => Some(g1),
        std::cmp::Ordering::Less => Some(g2),
        std::cmp::Ordering::Equal => None,
    };
    pair.friction.get_or_insert_with(|| {
        let [slide, spin, roll] = match winner {
            Some(g) => g.friction,
            None => std::array::from_fn(|i| g1.friction[i].max(g2.friction[i])),
        };
        [slide, slide, spin, roll, roll]
    });
    pair.solref.get_or_insert_with(|| match winner {
        Some(g) => g.solref,
        None => std::array::from_fn(|i| g1.solref[i].min(g2.solref[i])),
    });
    pair.solimp.get_or_insert_with(|| {
        let mix = mix_weight(g1.solmix, g2.solmix);
        match winner {
            Some(g) => g.solimp,
            None => std::array::from_fn(|i| mix * g1.solimp[i] + (1.0 - mix) * g2.solimp[i]),
        }
    });
}

/// Mixing weight of the first geom.
fn mix_weight(mix1: f64, mix2: f64) -> f64 {
    match (mix1 >= MINMIX, mix2 >= MINMIX) {
        (true, true) => mix1 / (mix1 + mix2),
        (false, false) => 0.5,
        (true, false) => 1.0,
        (false, true) => 0.0,
    }
}

impl CompiledContact {
    /// For each pair of the model, its index in [`Spec::pairs`].
    pub(crate) fn pair_order(&self) -> impl Iterator<Item = usize> {
        self.pairs.iter().map(|p| p.source)
    }

    /// For each exclude of the model, its index in [`Spec::excludes`].
    pub(crate) fn exclude_order(&self) -> impl Iterator<Item = usize> {
        self.excludes.iter().map(|x| x.source)
    }
}

impl Section for CompiledContact {
    fn count(&self, sizes: &mut Sizes) {
        sizes.npair = self.pairs.len();
        sizes.nexclude = self.excludes.len();
    }

    fn fill(&self, m: &mut Model) {
        for (i, pair) in self.pairs.iter().enumerate() {
            let p = &pair.spec;
            m.pair_dim[i] = p.condim;
            m.pair_geom1[i] = pair.geoms[0] as i32;
            m.pair_geom2[i] = pair.geoms[1] as i32;
            m.pair_signature[i] = pair.signature;
            m.pair_solref[i] = p.solref.unwrap_or_default();
            m.pair_solreffriction[i] = p.solreffriction;
            m.pair_solimp[i] = p.solimp.unwrap_or_default();
            m.pair_margin[i] = p.margin.unwrap_or_default();
            m.pair_gap[i] = p.gap.unwrap_or_default();
            m.pair_friction[i] = p.friction.unwrap_or_default();
        }
        for (i, exclude) in self.excludes.iter().enumerate() {
            m.exclude_signature[i] = exclude.signature;
        }
    }
}
