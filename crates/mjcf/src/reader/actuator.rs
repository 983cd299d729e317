//! `actuator`: the general form and its shortcuts, which all set the same attributes.

use super::Reader;
use crate::error::Result;
use crate::schema::{Attr, Item, attr};
use crate::spec::Actuator;
use sinew_engine::model::enums::{BiasType, DynType, GainType, Limited, TrnType};

impl Reader<'_, '_> {
    pub(super) fn actuator(&mut self, item: &Item) -> Result<()> {
        let class = self.class_of(item, attr::CLASS, 0)?;
        let mut out = Actuator { meta: self.meta(item), ..self.spec.classes[class].defaults().actuator.clone() };
        actuator(item, &mut out)?;
        if item.name == "plugin" {
            out.plugin = Some(self.plugin(item)?);
        }
        self.spec.actuators.push(out);
        Ok(())
    }
}

/// Overwrites the attributes given by an actuator element of any type.
pub(super) fn actuator(item: &Item, a: &mut Actuator) -> Result<()> {
    item.read(a);
    transmission(item, a)?;
    match item.name {
        "general" | "plugin" => {}
        "motor" => motor(a),
        "position" => position(item, a)?,
        "intvelocity" => intvelocity(item, a)?,
        "velocity" => velocity(item, a),
        "damper" => damper(item, a)?,
        "cylinder" => cylinder(item, a),
        "muscle" => muscle(item, a)?,
        _ => adhesion(item, a)?,
    }
    Ok(())
}

/// Reads the transmission: at most one target.
fn transmission(item: &Item, a: &mut Actuator) -> Result<()> {
    let targets = [
        (attr::JOINT, TrnType::Joint),
        (attr::JOINTINPARENT, TrnType::Jointinparent),
        (attr::TENDON, TrnType::Tendon),
        (attr::CRANKSITE, TrnType::Slidercrank),
        (attr::SITE, TrnType::Site),
        (attr::BODY, TrnType::Body),
    ];
    let mut given = 0;
    for (name, kind) in targets {
        if item.set(name, &mut a.target) {
            a.trntype = kind;
            given += 1;
        }
    }
    if given > 1 {
        let hint = "keep one of joint, jointinparent, tendon, cranksite, site, body";
        return Err(item.invalid("an actuator has at most one target").hint(hint));
    }
    let crank = item.has(attr::CRANKLENGTH) | item.set(attr::SLIDERSITE, &mut a.slidersite);
    if crank && !matches!(a.trntype, TrnType::Slidercrank | TrnType::Undefined) {
        return Err(item.invalid("cranklength and slidersite belong to a slider-crank").hint("give 'cranksite'"));
    }
    if item.set(attr::REFSITE, &mut a.refsite) && !matches!(a.trntype, TrnType::Site | TrnType::Undefined) {
        return Err(item.invalid_at(attr::REFSITE, "refsite needs a site as target").hint("give 'site'"));
    }
    Ok(())
}

fn motor(a: &mut Actuator) {
    a.gainprm[0] = 1.0;
    a.dyntype = DynType::None;
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::None;
}

/// A spring towards the control, with a damping coefficient (stored negative) or a damping ratio (stored positive).
fn position(item: &Item, a: &mut Actuator) -> Result<()> {
    let kp = item.get(attr::KP).unwrap_or(a.gainprm[0]);
    a.gainprm[0] = kp;
    a.biasprm[1] = -kp;
    if item.has(attr::KV) && item.has(attr::DAMPRATIO) {
        return Err(item.invalid("kv and dampratio cannot both be given").hint("remove one of them"));
    }
    for (name, sign) in [(attr::KV, -1.0), (attr::DAMPRATIO, 1.0)] {
        if let Some(damping) = item.get::<f64>(name) {
            a.biasprm[2] = sign * not_negative(item, name, damping)?;
        }
    }
    if let Some(timeconst) = item.get::<f64>(attr::TIMECONST) {
        a.dynprm[0] = not_negative(item, attr::TIMECONST, timeconst)?;
        a.dyntype = if timeconst == 0.0 { DynType::None } else { DynType::Filterexact };
    }
    item.set(attr::INHERITRANGE, &mut a.inheritrange);
    if a.inheritrange > 0.0 && a.ctrlrange != [0.0; 2] {
        return Err(item.invalid("ctrlrange and inheritrange cannot both be given").hint("remove one of them"));
    }
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::Affine;
    Ok(())
}

/// MuJoCo does not check here for the errors of [`position`]; in those cases the bias stays off.
fn intvelocity(item: &Item, a: &mut Actuator) -> Result<()> {
    let _ = position(item, a);
    a.dyntype = DynType::Integrator;
    a.actlimited = Limited::True;
    if item.get(attr::INHERITRANGE).unwrap_or(a.inheritrange) > 0.0 && a.actrange != [0.0; 2] {
        return Err(item.invalid("actrange and inheritrange cannot both be given").hint("remove one of them"));
    }
    Ok(())
}

fn velocity(item: &Item, a: &mut Actuator) {
    let kv = item.get(attr::KV).unwrap_or(a.gainprm[0]);
    a.biasprm = [0.0; 10];
    a.gainprm[0] = kv;
    a.biasprm[2] = -kv;
    a.dyntype = DynType::None;
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::Affine;
}

fn damper(item: &Item, a: &mut Actuator) -> Result<()> {
    let kv: f64 = item.get(attr::KV).unwrap_or_default();
    a.gainprm = [0.0; 10];
    a.gainprm[2] = -not_negative(item, attr::KV, kv)?;
    a.ctrllimited = Limited::True;
    a.dyntype = DynType::None;
    a.gaintype = GainType::Affine;
    a.biastype = BiasType::None;
    positive_control(item, a)
}

fn cylinder(item: &Item, a: &mut Actuator) {
    item.set(attr::TIMECONST, &mut a.dynprm[0]);
    item.set(attr::BIAS, &mut a.biasprm[0]);
    item.set(attr::AREA, &mut a.gainprm[0]);
    if let Some(diameter) = item.get::<f64>(attr::DIAMETER).filter(|d| *d >= 0.0) {
        a.gainprm[0] = std::f64::consts::PI / 4.0 * diameter * diameter;
    }
    a.dyntype = DynType::Filter;
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::Affine;
}

/// Replaces values equal to a general actuator's defaults by a muscle's defaults; negative values count as not given.
fn muscle(item: &Item, a: &mut Actuator) -> Result<()> {
    let general_dyn = [1.0, 0.0];
    let general_gain = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let muscle_gain = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
    for (i, value) in [0.01, 0.04].into_iter().enumerate() {
        if a.dynprm[i] == general_dyn[i] {
            a.dynprm[i] = value;
        }
    }
    for (i, value) in muscle_gain.into_iter().enumerate() {
        if a.gainprm[i] == general_gain[i] {
            a.gainprm[i] = value;
        }
    }
    if let Some(tausmooth) = item.get::<f64>(attr::TAUSMOOTH) {
        a.dynprm[2] = tausmooth;
    }
    not_negative(item, attr::TAUSMOOTH, a.dynprm[2])?;
    let given = |slots: &mut [f64], name: Attr| {
        slots.iter_mut().zip(item.numbers(name)).filter(|(_, x)| **x >= 0.0).for_each(|(slot, &x)| *slot = x);
    };
    given(&mut a.dynprm[..2], attr::TIMECONST);
    given(&mut a.gainprm[..2], attr::RANGE);
    for (i, name) in
        [attr::FORCE, attr::SCALE, attr::LMIN, attr::LMAX, attr::VMAX, attr::FPMAX, attr::FVMAX].into_iter().enumerate()
    {
        given(&mut a.gainprm[i + 2..i + 3], name);
    }
    a.biasprm[..9].copy_from_slice(&a.gainprm[..9]);
    a.dyntype = DynType::Muscle;
    a.gaintype = GainType::Muscle;
    a.biastype = BiasType::Muscle;
    Ok(())
}

fn adhesion(item: &Item, a: &mut Actuator) -> Result<()> {
    item.set(attr::GAIN, &mut a.gainprm[0]);
    not_negative(item, attr::GAIN, a.gainprm[0])?;
    a.ctrllimited = Limited::True;
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::None;
    positive_control(item, a)
}

fn not_negative(item: &Item, name: Attr, value: f64) -> Result<f64> {
    if value < 0.0 { Err(item.invalid_at(name, format!("{name} cannot be negative"))) } else { Ok(value) }
}

fn positive_control(item: &Item, a: &Actuator) -> Result<()> {
    if a.ctrlrange.iter().any(|x| *x < 0.0) {
        return Err(item.invalid_at(attr::CTRLRANGE, "the control range of this actuator cannot be negative"));
    }
    Ok(())
}
