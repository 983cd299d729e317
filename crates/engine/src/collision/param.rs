//! Contact parameters: from the geoms or flexes, from the explicit pair, or from the option that overrides them all.

use crate::data::Contact;
use crate::fields::Zero;
use crate::model::Model;
use crate::model::enums::EnableFlags;
use sinew_geometry::collide;
use sinew_math::{MINVAL, Mat3, mat3};

/// Smallest friction coefficient; MuJoCo's `mjMINMU`.
const MIN_FRICTION: f64 = 1e-5;

/// A geom or flex, as the source of contact parameters.
#[derive(Clone, Copy, Debug)]
pub enum Owner {
    /// A geom.
    Geom(usize),
    /// A flex.
    Flex(usize),
}

/// Contact parameters of a geom or flex.
struct Surface {
    priority: i32,
    condim: i32,
    gap: f64,
    solmix: f64,
    solref: [f64; 2],
    solimp: [f64; 5],
    friction: [f64; 3],
}

impl Surface {
    #[inline]
    fn of(m: &Model, owner: Owner) -> Self {
        match owner {
            Owner::Geom(g) => Surface {
                priority: m.geom_priority[g],
                condim: m.geom_condim[g],
                gap: m.geom_gap[g],
                solmix: m.geom_solmix[g],
                solref: m.geom_solref[g],
                solimp: m.geom_solimp[g],
                friction: m.geom_friction[g],
            },
            Owner::Flex(f) => Surface {
                priority: m.flex_priority[f],
                condim: m.flex_condim[f],
                gap: m.flex_gap[f],
                solmix: m.flex_solmix[f],
                solref: m.flex_solref[f],
                solimp: m.flex_solimp[f],
                friction: m.flex_friction[f],
            },
        }
    }
}

/// Parameters shared by all contacts of two geoms or flexes: taken from the one with higher priority, else mixed.
#[doc(alias = "mj_contactParam")]
#[inline]
pub fn of_owners(m: &Model, owners: [Owner; 2], margin: f64) -> Contact {
    let [a, b] = owners.map(|owner| Surface::of(m, owner));
    let (dim, solref, solimp, [slide, spin, roll]) = if a.priority == b.priority {
        mixed(&a, &b)
    } else {
        let first = if a.priority > b.priority { &a } else { &b };
        (first.condim, first.solref, first.solimp, first.friction)
    };
    let common = Contact {
        dim,
        solref,
        solimp,
        friction: [slide, slide, spin, roll, roll],
        includemargin: margin - (a.gap + b.gap),
        geom: owners.map(|owner| if let Owner::Geom(g) = owner { g as i32 } else { -1 }),
        flex: owners.map(|owner| if let Owner::Flex(f) = owner { f as i32 } else { -1 }),
        ..BLANK
    };
    overridden(m, common)
}

/// Parameters shared by all contacts of an explicit pair; `geoms` are ordered by type.
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

/// A contact with all ids unset (−1) and everything else zero.
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

/// Adds the contacts that a collider found; points without a normal are dropped.
#[doc(alias = "mj_setContact")]
pub fn add(contacts: &mut Vec<Contact>, common: &Contact, found: &[collide::Contact]) {
    // consecutive points of one face share a frame
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

/// Parameters of owners of equal priority: the maximum of dimension and friction, weighted means of the solver
/// parameters; if a `solref` is in direct (non-positive) form, the minimum of the two.
fn mixed(a: &Surface, b: &Surface) -> (i32, [f64; 2], [f64; 5], [f64; 3]) {
    let mix = match (a.solmix, b.solmix) {
        (a, b) if a >= MINVAL && b >= MINVAL => a / (a + b),
        (a, b) if a < MINVAL && b < MINVAL => 0.5,
        (a, _) if a < MINVAL => 0.0,
        _ => 1.0,
    };
    let blend = |a: f64, b: f64| mix * a + (1.0 - mix) * b;
    let (r1, r2) = (a.solref, b.solref);
    let standard = r1[0] > 0.0 && r2[0] > 0.0;
    let solref = std::array::from_fn(|i| if standard { blend(r1[i], r2[i]) } else { min(r1[i], r2[i]) });
    let solimp = std::array::from_fn(|i| blend(a.solimp[i], b.solimp[i]));
    let friction = std::array::from_fn(|i| max(a.friction[i], b.friction[i]));
    (a.condim.max(b.condim), solref, solimp, friction)
}

fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
