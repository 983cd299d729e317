//! Parameters of a contact from those of its geoms, of its explicit pair, or of the option that overrides them all.

use crate::data::Contact;
use crate::model::Model;
use crate::model::enums::EnableBit;
use sinew_geometry::collide;
use sinew_math::{MINVAL, mat3};

/// Least friction coefficient; MuJoCo's `mjMINMU`.
const MIN_FRICTION: f64 = 1e-5;

/// What all contacts of a pair of geoms have in common.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    dim: i32,
    gap: f64,
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
    friction: [f64; 5],
}

impl Params {
    /// Those of two geoms: of the one with higher priority, else mixed.
    #[doc(alias = "mj_contactParam")]
    pub fn of_geoms(m: &Model, g1: usize, g2: usize) -> Self {
        let gap = m.geom_gap[g1] + m.geom_gap[g2];
        let [p1, p2] = [m.geom_priority[g1], m.geom_priority[g2]];
        let (dim, solref, solimp, [slide, spin, roll]) = if p1 == p2 {
            mixed(m, g1, g2)
        } else {
            let g = if p1 > p2 { g1 } else { g2 };
            (m.geom_condim[g], m.geom_solref[g], m.geom_solimp[g], m.geom_friction[g])
        };
        Params { dim, gap, solref, solreffriction: [0.0; 2], solimp, friction: [slide, slide, spin, roll, roll] }
            .overridden(m)
    }

    /// Those of an explicit pair.
    pub fn of_pair(m: &Model, pair: usize) -> Self {
        Params {
            dim: m.pair_dim[pair],
            gap: m.pair_gap[pair],
            solref: m.pair_solref[pair],
            solreffriction: m.pair_solreffriction[pair],
            solimp: m.pair_solimp[pair],
            friction: m.pair_friction[pair],
        }
        .overridden(m)
    }

    fn overridden(mut self, m: &Model) -> Self {
        if m.opt.enabled(EnableBit::Override) {
            self.solref = m.opt.o_solref;
            self.solreffriction = m.opt.o_solref;
            self.solimp = m.opt.o_solimp;
            self.friction = m.opt.o_friction;
        }
        self.friction = self.friction.map(|f| max(MIN_FRICTION, f));
        self
    }

    /// A contact of two geoms; `None` if it has no normal.
    #[doc(alias = "mj_setContact")]
    pub fn contact(&self, found: &collide::Contact, geom: [i32; 2], margin: f64) -> Option<Contact> {
        let includemargin = margin - self.gap;
        Some(Contact {
            dist: found.dist,
            pos: found.pos,
            frame: mat3::frame(found.normal, found.tangent)?,
            includemargin,
            friction: self.friction,
            solref: self.solref,
            solreffriction: self.solreffriction,
            solimp: self.solimp,
            mu: 0.0,
            H: [0.0; 36],
            dim: self.dim,
            geom,
            flex: [-1; 2],
            elem: [-1; 2],
            vert: [-1; 2],
            exclude: i32::from(found.dist >= includemargin),
            efc_address: -1,
        })
    }
}

/// Parameters of geoms of equal priority: greatest dimension and friction, weighted means of the solver's, unless
/// one of the references is given directly: then the least.
fn mixed(m: &Model, g1: usize, g2: usize) -> (i32, [f64; 2], [f64; 5], [f64; 3]) {
    let mix = match (m.geom_solmix[g1], m.geom_solmix[g2]) {
        (a, b) if a >= MINVAL && b >= MINVAL => a / (a + b),
        (a, b) if a < MINVAL && b < MINVAL => 0.5,
        (a, _) if a < MINVAL => 0.0,
        _ => 1.0,
    };
    let blend = |a: f64, b: f64| mix * a + (1.0 - mix) * b;
    let (r1, r2) = (m.geom_solref[g1], m.geom_solref[g2]);
    let standard = r1[0] > 0.0 && r2[0] > 0.0;
    let solref = std::array::from_fn(|i| if standard { blend(r1[i], r2[i]) } else { min(r1[i], r2[i]) });
    let solimp = std::array::from_fn(|i| blend(m.geom_solimp[g1][i], m.geom_solimp[g2][i]));
    let friction = std::array::from_fn(|i| max(m.geom_friction[g1][i], m.geom_friction[g2][i]));
    (m.geom_condim[g1].max(m.geom_condim[g2]), solref, solimp, friction)
}

fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
