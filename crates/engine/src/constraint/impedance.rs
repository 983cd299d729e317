//! How hard constraints are held: `solref` and `solimp` → stiffness, damping, impedance, regularisation.

use crate::data::Efc;
use crate::model::Model;
use crate::model::enums::{ConstraintType, DisableBit, EqType};
use sinew_math::{MINVAL, factor};

/// Impedances are kept within these.
const MIN_IMPEDANCE: f64 = 0.0001;
const MAX_IMPEDANCE: f64 = 0.9999;
/// Default `solref`, used where the two numbers contradict each other.
const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// Regularisation and stiffness of all rows.
///
/// *Equation*: `R = (1 − d)/d · diag(A)`, `D = 1/R`, with impedance `d(pos)`; and `K`, `B` of the reference
/// acceleration `−B vel − K d pos`, from time constant and damping ratio or given directly.
/// *Reads* `efc_type`, `efc_id`, `efc_pos`, `efc_margin`. *Writes* `efc_KBIP`, `efc_R`, `efc_D`,
/// `efc_diagApprox`.
#[doc(alias = "mj_makeImpedance")]
pub fn make_impedance(m: &Model, efc: &mut Efc) {
    let n = efc.efc_type.len();
    let mut i = 0;
    while i < n {
        let (solref, solimp) = parameters(m, efc, i);
        let (dim, pos) = extent(m, efc, i);
        let (imp, slope) = impedance(&solimp, pos, efc.efc_margin[i]);
        for r in i..i + dim {
            efc.efc_R[r] = MINVAL.max((1.0 - imp) * efc.efc_diagApprox[r] / imp);
            let [k, b] = stiffness(&solref, solimp[1]);
            let k = if is_friction(efc.efc_type[r]) { 0.0 } else { k };
            efc.efc_KBIP[r] = [k, b, imp, slope];
        }
        i += dim;
    }
    for r in 0..n {
        efc.efc_D[r] = 1.0 / efc.efc_R[r];
        let imp = efc.efc_KBIP[r][2];
        efc.efc_diagApprox[r] = efc.efc_R[r] * imp / (1.0 - imp);
    }
}

fn is_friction(kind: i32) -> bool {
    kind == ConstraintType::FrictionDof as i32 || kind == ConstraintType::FrictionTendon as i32
}

/// `solref` and `solimp` of row `i`, made safe.
fn parameters(m: &Model, efc: &Efc, i: usize) -> ([f64; 2], [f64; 5]) {
    let id = efc.efc_id[i] as usize;
    let (mut solref, mut solimp) = match ConstraintType::try_from(efc.efc_type[i]) {
        Ok(ConstraintType::Equality) => (m.eq_solref[id], m.eq_solimp[id]),
        Ok(ConstraintType::LimitJoint) => (m.jnt_solref[id], m.jnt_solimp[id]),
        Ok(ConstraintType::FrictionDof) => (m.dof_solref[id], m.dof_solimp[id]),
        Ok(ConstraintType::LimitTendon) => (m.tendon_solref_lim[id], m.tendon_solimp_lim[id]),
        _ => (m.tendon_solref_fri[id], m.tendon_solimp_fri[id]),
    };
    if (solref[0] > 0.0) != (solref[1] > 0.0) {
        solref = DEFAULT_SOLREF;
    }
    if !m.opt.disabled(DisableBit::Refsafe) && solref[0] > 0.0 {
        solref[0] = solref[0].max(2.0 * m.opt.timestep);
    }
    for k in [0, 1, 3] {
        solimp[k] = solimp[k].clamp(MIN_IMPEDANCE, MAX_IMPEDANCE);
    }
    solimp[2] = solimp[2].max(0.0);
    solimp[4] = solimp[4].max(1.0);
    (solref, solimp)
}

/// Rows that share an impedance, and the violation it depends on.
fn extent(m: &Model, efc: &Efc, i: usize) -> (usize, f64) {
    let norm = |n: usize| {
        let v = &efc.efc_pos[i..i + n];
        (n, factor::dot(v, v).sqrt())
    };
    if efc.efc_type[i] != ConstraintType::Equality as i32 {
        return (1, efc.efc_pos[i]);
    }
    match EqType::try_from(m.eq_type[efc.efc_id[i] as usize]) {
        Ok(EqType::Weld) => norm(6),
        Ok(EqType::Connect) => norm(3),
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
/// width `solimp[2]`, along a power curve that bends at the midpoint `solimp[3]`.
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

/// Stiffness and damping: from a time constant and a damping ratio, or directly where negative.
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
