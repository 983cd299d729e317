//! Constraint softness: `solref` and `solimp` → stiffness, damping, impedance, regularisation.

use crate::data::{Contact, Efc};
use crate::model::Model;
use crate::model::enums::{ConstraintType, DisableFlags, EqType};
use sinew_math::{MINVAL, factor};
use std::iter::repeat_n;

/// Bounds to which impedances are clamped.
const MIN_IMPEDANCE: f64 = 0.0001;
const MAX_IMPEDANCE: f64 = 0.9999;
/// Default `solref`, used if only one of the two values is positive.
const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];
const EQUALITY: i32 = ConstraintType::Equality as i32;
const ELLIPTIC: i32 = ConstraintType::ContactElliptic as i32;
const PYRAMIDAL: i32 = ConstraintType::ContactPyramidal as i32;

/// Regularisation and stiffness of all rows.
///
/// *Equation*: `R = (1 − d)/d · diag(A)`, `D = 1/R`, with impedance `d(pos)`; and `K`, `B` of the reference
/// acceleration `−B vel − K d pos`, from time constant and damping ratio or given directly. `R` of contact friction
/// rows is then adjusted; see `cones`.
/// *Reads* `efc_type`, `efc_id`, `efc_pos`, `efc_margin`. *Writes* `efc_KBIP`, `efc_R`, `efc_D`,
/// `efc_diagApprox`, `mu` of contacts.
#[doc(alias = "mj_makeImpedance")]
pub fn make_impedance(m: &Model, contact: &mut [Contact], efc: &mut Efc) {
    let n = efc.efc_type.len();
    efc.efc_R.clear();
    efc.efc_KBIP.clear();
    let mut i = 0;
    let (mut owner, mut held) = ((-1, -1), Held::NOTHING);
    while i < n {
        // one equality can have many rows, each with a separate impedance
        if owner != (efc.efc_type[i], efc.efc_id[i]) {
            owner = (efc.efc_type[i], efc.efc_id[i]);
            held.take(parameters(m, contact, efc, i));
        }
        let Held { of: Parameters { solreffriction, solimp, .. }, first } = &held;
        let (dim, pos) = extent(m, contact, efc, i);
        let (imp, slope) = impedance(solimp, pos, efc.efc_margin[i]);
        let elliptic = owner.0 == ELLIPTIC;
        let others =
            if elliptic && *solreffriction != [0.0; 2] { stiffness(solreffriction, solimp[1]) } else { *first };
        let Efc { efc_R, efc_KBIP, efc_diagApprox, .. } = &mut *efc;
        let mut last = [f64::NAN; 2];
        for &diag in &efc_diagApprox[i..i + dim] {
            if last[0] != diag {
                last = [diag, MINVAL.max((1.0 - imp) * diag / imp)];
            }
            efc_R.push(last[1]);
        }
        let row = |[k, b]: [f64; 2], slides: bool| [if slides { 0.0 } else { k }, b, imp, slope];
        let slides = is_friction(owner.0);
        efc_KBIP.push(row(*first, slides));
        efc_KBIP.extend(repeat_n(row(others, slides || elliptic), dim - 1));
        i += dim;
    }
    cones(m, contact, efc);
    // rows of a contact mostly share these values: divide once
    let mut last = ([f64::NAN; 2], [0.0; 2]);
    efc.efc_D.clear();
    for r in 0..n {
        let (weight, imp) = (efc.efc_R[r], efc.efc_KBIP[r][2]);
        if last.0 != [weight, imp] {
            last = ([weight, imp], [1.0 / weight, weight * imp / (1.0 - imp)]);
        }
        efc.efc_D.push(last.1[0]);
        efc.efc_diagApprox[r] = last.1[1];
    }
}

/// Regularisation of friction in contacts.
///
/// *Equation*: `R_1 = R_0 / impratio`, `mu = mu_1 √(R_1/R_0)`; elliptic: `R_k mu_k² = R_1 mu_1²`;
/// pyramidal: `R = 2 mu² R_0` for all edges, which matches the friction of the elliptic model.
fn cones(m: &Model, contact: &mut [Contact], efc: &mut Efc) {
    let mut i = (efc.ne + efc.nf) as usize;
    while i < efc.efc_type.len() {
        let kind = efc.efc_type[i];
        if kind != PYRAMIDAL && kind != ELLIPTIC {
            i += 1;
            continue;
        }
        let con = &mut contact[efc.efc_id[i] as usize];
        let (dim, friction) = (con.dim as usize, &con.friction);
        let r0 = efc.efc_R[i];
        let r1 = r0 / MINVAL.max(m.opt.impratio);
        con.mu = friction[0] * (r1 / r0).sqrt();
        if kind == ELLIPTIC {
            efc.efc_R[i + 1] = r1;
            for k in 1..dim - 1 {
                efc.efc_R[i + k + 1] = r1 * friction[0] * friction[0] / (friction[k] * friction[k]);
            }
            i += dim;
        } else {
            let edges = 2 * (dim - 1);
            efc.efc_R[i..i + edges].fill(2.0 * con.mu * con.mu * r0);
            i += edges;
        }
    }
}

fn is_friction(kind: i32) -> bool {
    kind == ConstraintType::FrictionDof as i32 || kind == ConstraintType::FrictionTendon as i32
}

/// Solver parameters of a constraint.
#[derive(Clone, Copy)]
struct Parameters {
    solref: [f64; 2],
    /// For the friction rows of elliptic contacts; zeros mean `solref`.
    solreffriction: [f64; 2],
    solimp: [f64; 5],
}

/// Parameters of the current constraint, with the stiffness and damping of its first row.
struct Held {
    of: Parameters,
    first: [f64; 2],
}

impl Held {
    /// Initial value; NaN compares unequal to any parameters.
    const NOTHING: Held = Held {
        of: Parameters { solref: [f64::NAN; 2], solreffriction: [f64::NAN; 2], solimp: [f64::NAN; 5] },
        first: [f64::NAN; 2],
    };

    /// Switches to another constraint's parameters. Mostly these are the same, and stiffness and damping are kept.
    #[inline(always)]
    fn take(&mut self, of: Parameters) {
        if self.of.solref != of.solref || self.of.solimp[1] != of.solimp[1] {
            self.first = stiffness(&of.solref, of.solimp[1]);
        }
        self.of = of;
    }
}

impl Parameters {
    /// Replaces inconsistent references by their defaults and clamps all values to their bounds.
    fn safe(self, m: &Model) -> Self {
        let Parameters { mut solref, mut solreffriction, mut solimp } = self;
        for (reference, default) in [(&mut solref, DEFAULT_SOLREF), (&mut solreffriction, [0.0; 2])] {
            if (reference[0] > 0.0) != (reference[1] > 0.0) {
                *reference = default;
            }
            if !m.opt.disabled(DisableFlags::REFSAFE) && reference[0] > 0.0 {
                reference[0] = reference[0].max(2.0 * m.opt.timestep);
            }
        }
        for k in [0, 1, 3] {
            solimp[k] = solimp[k].clamp(MIN_IMPEDANCE, MAX_IMPEDANCE);
        }
        solimp[2] = solimp[2].max(0.0);
        solimp[4] = solimp[4].max(1.0);
        Parameters { solref, solreffriction, solimp }
    }
}

/// Effective solver parameters of a constraint, as far as they do not depend on its rows.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    /// Stiffness and damping.
    pub first: [f64; 2],
    /// Stiffness and damping of the friction rows of elliptic contacts.
    pub others: [f64; 2],
    /// Impedance: minimum, maximum, width, midpoint, power.
    pub solimp: [f64; 5],
}

/// Converts `solref`, `solreffriction` and `solimp` to their effective values.
pub fn hold(m: &Model, solref: [f64; 2], solreffriction: [f64; 2], solimp: [f64; 5]) -> Hold {
    let Parameters { solref, solreffriction, solimp } = Parameters { solref, solreffriction, solimp }.safe(m);
    let first = stiffness(&solref, solimp[1]);
    let others = if solreffriction == [0.0; 2] { first } else { stiffness(&solreffriction, solimp[1]) };
    Hold { first, others, solimp }
}

/// Parameters of row `i`, checked and clamped.
fn parameters(m: &Model, contact: &[Contact], efc: &Efc, i: usize) -> Parameters {
    let id = efc.efc_id[i] as usize;
    let plain = |solref, solimp| Parameters { solref, solreffriction: [0.0; 2], solimp };
    let given = match efc.efc_type(i) {
        ConstraintType::Equality => plain(m.eq_solref[id], m.eq_solimp[id]),
        ConstraintType::LimitJoint => plain(m.jnt_solref[id], m.jnt_solimp[id]),
        ConstraintType::FrictionDof => plain(m.dof_solref[id], m.dof_solimp[id]),
        ConstraintType::LimitTendon => plain(m.tendon_solref_lim[id], m.tendon_solimp_lim[id]),
        ConstraintType::FrictionTendon => plain(m.tendon_solref_fri[id], m.tendon_solimp_fri[id]),
        _ => {
            let Contact { solref, solreffriction, solimp, .. } = contact[id];
            Parameters { solref, solreffriction, solimp }
        }
    };
    given.safe(m)
}

/// Number of rows from `i` on that share an impedance, and the violation it depends on.
fn extent(m: &Model, contact: &[Contact], efc: &Efc, i: usize) -> (usize, f64) {
    let norm = |n: usize| {
        let v = &efc.efc_pos[i..i + n];
        (n, factor::dot(v, v).sqrt())
    };
    let id = efc.efc_id[i] as usize;
    match efc.efc_type[i] {
        EQUALITY => {}
        ELLIPTIC => return (contact[id].dim as usize, efc.efc_pos[i]),
        PYRAMIDAL => return (2 * (contact[id].dim as usize - 1), efc.efc_pos[i]),
        _ => return (1, efc.efc_pos[i]),
    }
    match m.eq_type(id) {
        EqType::Weld => norm(6),
        EqType::Connect => norm(3),
        _ => (1, efc.efc_pos[i]),
    }
}

fn power(x: f64, p: f64) -> f64 {
    match p {
        1.0 => x,
        2.0 => x * x,
        _ => x.powf(p),
    }
}

/// Impedance and its derivative with respect to the violation: from `solimp[0]` to `solimp[1]` over the
/// width `solimp[2]`, along a power sigmoid with its inflection at the midpoint `solimp[3]`.
fn impedance(solimp: &[f64; 5], pos: f64, margin: f64) -> (f64, f64) {
    let [dmin, dmax, width, mid, p] = *solimp;
    if dmin == dmax || width <= MINVAL {
        return (0.5 * (dmin + dmax), 0.0);
    }
    let signed = (pos - margin) / width;
    let (x, sign) = if signed < 0.0 { (-signed, -1.0) } else { (signed, 1.0) };
    if x >= 1.0 || x <= 0.0 {
        return (if x >= 1.0 { dmax } else { dmin }, 0.0);
    }
    let (y, slope) = if p == 1.0 {
        (x, 1.0)
    } else if x <= mid {
        let a = 1.0 / power(mid, p - 1.0);
        (a * power(x, p), p * a * power(x, p - 1.0))
    } else {
        let b = 1.0 / power(1.0 - mid, p - 1.0);
        (1.0 - b * power(1.0 - x, p), p * b * power(1.0 - x, p - 1.0))
    };
    (dmin + y * (dmax - dmin), slope * sign * (dmax - dmin) / width)
}

/// Stiffness and damping: from a time constant and a damping ratio, or given directly by non-positive values.
fn stiffness(solref: &[f64; 2], dmax: f64) -> [f64; 2] {
    let [time, ratio] = *solref;
    let k = if time > 0.0 {
        1.0 / MINVAL.max(dmax * dmax * time * time * ratio * ratio)
    } else {
        -time / MINVAL.max(dmax * dmax)
    };
    let b = if ratio > 0.0 { 2.0 / MINVAL.max(dmax * time) } else { -ratio / MINVAL.max(dmax) };
    [k, b]
}
