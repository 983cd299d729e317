//! Parameters of a contact from those of its geoms, of its explicit pair, or of the option that overrides them all.

use crate::data::Contact;
use crate::fields::Zero;
use crate::model::Model;
use crate::model::enums::EnableFlags;
use sinew_geometry::collide;
use sinew_math::{MINVAL, Mat3, mat3};

/// Least friction coefficient; MuJoCo's `mjMINMU`.
const MIN_FRICTION: f64 = 1e-5;

/// What all contacts of two geoms have in common, from the geom with higher priority, else mixed.
#[doc(alias = "mj_contactParam")]
pub fn of_geoms(m: &Model, g1: usize, g2: usize, margin: f64) -> Contact {
    let [p1, p2] = [m.geom_priority[g1], m.geom_priority[g2]];
    let (dim, solref, solimp, [slide, spin, roll]) = if p1 == p2 {
        mixed(m, g1, g2)
    } else {
        let g = if p1 > p2 { g1 } else { g2 };
        (m.geom_condim[g], m.geom_solref[g], m.geom_solimp[g], m.geom_friction[g])
    };
    let common = Contact {
        dim,
        solref,
        solimp,
        friction: [slide, slide, spin, roll, roll],
        includemargin: margin - (m.geom_gap[g1] + m.geom_gap[g2]),
        geom: [g1 as i32, g2 as i32],
        ..BLANK
    };
    overridden(m, common)
}

/// What all contacts of an explicit pair have in common; its geoms come in the order of their types.
pub fn of_pair(m: &Model, pair: usize, geoms: [usize; 2], margin: f64) -> Contact {
    let common = Contact {
        dim: m.pair_dim[pair],
        solref: m.pair_solref[pair],
        solreffriction: m.pair_solreffriction[pair],
        solimp: m.pair_solimp[pair],
        friction: m.pair_friction[pair],
        includemargin: margin - m.pair_gap[pair],
        geom: geoms.map(|g| g as i32),
        ..BLANK
    };
    overridden(m, common)
}

/// A contact before anything is known.
const BLANK: Contact =
    Contact { geom: [-1; 2], flex: [-1; 2], elem: [-1; 2], vert: [-1; 2], efc_address: -1, ..Zero::ZERO };

fn overridden(m: &Model, mut c: Contact) -> Contact {
    if m.opt.enabled(EnableFlags::OVERRIDE) {
        c.solref = m.opt.o_solref;
        c.solreffriction = m.opt.o_solref;
        c.solimp = m.opt.o_solimp;
        c.friction = m.opt.o_friction;
    }
    c.friction = c.friction.map(|f| max(MIN_FRICTION, f));
    c
}

/// Adds what a collider found; points without a normal are left out.
#[doc(alias = "mj_setContact")]
pub fn add(contacts: &mut Vec<Contact>, common: &Contact, found: &[collide::Contact]) {
    // points of one face have one frame
    let mut last: Option<(&collide::Contact, Option<Mat3>)> = None;
    contacts.reserve(found.len());
    for point in found {
        let frame = match last {
            Some((p, frame)) if p.normal == point.normal && p.tangent == point.tangent => frame,
            _ => mat3::frame(point.normal, point.tangent),
        };
        last = Some((point, frame));
        if let Some(frame) = frame {
            contacts.push(*common);
            let end = contacts.len() - 1;
            let c = &mut contacts[end];
            c.dist = point.dist;
            c.pos = point.pos;
            c.frame = frame;
            c.exclude = i32::from(point.dist >= common.includemargin);
        }
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
