//! Actuators: transmission targets, ranges, activation and history addresses.

use super::Section;
use super::flat::{Flat, Names};
use super::shared::{check_autolimits, check_range, check_user, fill_user, id_or_none, is_limited, user_size};
use crate::error::{Error, ErrorKind, Result, gather};
use crate::schema::attr;
use crate::spec::{self, Spec};
use sinew_engine::model::enums::{BiasType, DynType, GainType, JointType, ObjType, TrnType};
use sinew_engine::{Model, Sizes};

/// A history cursor is stored as a float and must be exact in single precision.
pub(super) const MAX_SAMPLES: i32 = 1 << 24;

/// Actuators with resolved targets and final ranges.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledActuators {
    list: Vec<Actuator>,
    nuser: usize,
    na: usize,
    nhistory: usize,
    moment_len: usize,
}

#[derive(Clone, Debug)]
struct Actuator {
    spec: spec::Actuator,
    trnid: [Option<usize>; 2],
    actnum: usize,
}

/// Looks up the targets of every actuator, inherits ranges and checks parameters.
pub(crate) fn resolve(spec: &Spec, flat: &Flat, names: &Names) -> Result<CompiledActuators> {
    let nuser = user_size(spec.size.nuser_actuator, spec.actuators.iter().map(|a| a.userdata.len()));
    let one = |actuator: &spec::Actuator| {
        resolve_one(actuator, nuser, spec, flat, names).map_err(|e| e.at(actuator.meta.loc).element("actuator"))
    };
    let list = gather(spec.actuators.iter().map(one))?;
    let na = spec.limits.check_len("act", list.iter().map(|a| a.actnum as u64).sum())?;
    let nhistory = spec.limits.check_len("history", list.iter().map(|a| history_len(a.spec.nsample, 1)).sum())?;
    let moment_len = spec.limits.check_len("actuator_moment", list.iter().map(|a| moment_row(a, flat) as u64).sum())?;
    Ok(CompiledActuators { list, nuser, na, nhistory, moment_len })
}

/// Length of a history buffer: user slot, cursor, then a time and `dim` values per sample.
pub(super) fn history_len(nsample: i32, dim: usize) -> u64 {
    if nsample > 0 { 2 + nsample as u64 * (1 + dim as u64) } else { 0 }
}

/// Refuses delays without a buffer, buffers that are too long, and buffers whose samples are not in time order.
pub(super) fn check_history(delay: f64, nsample: i32, timestep: f64) -> Result<()> {
    if delay > 0.0 && nsample <= 0 {
        return Err(Error::invalid("delay needs a history buffer").attribute(attr::DELAY).hint("set nsample as well"));
    }
    if nsample > 0 && (timestep.is_nan() || timestep <= 0.0) {
        let error = Error::invalid(format!("history buffers need a positive timestep, got {timestep}"));
        return Err(error.attribute(attr::NSAMPLE).hint("set a positive timestep in option"));
    }
    if nsample > MAX_SAMPLES {
        return Err(Error::invalid(format!("at most {MAX_SAMPLES} samples, got {nsample}")).attribute(attr::NSAMPLE));
    }
    Ok(())
}

/// Upper bound on the number of non-zeros of an actuator's moment.
fn moment_row(actuator: &Actuator, flat: &Flat) -> usize {
    match (actuator.spec.trntype, actuator.trnid[0]) {
        (TrnType::Joint | TrnType::Jointinparent, Some(joint)) => match flat.joints[joint].spec.kind {
            JointType::Free => 6,
            JointType::Ball => 3,
            JointType::Hinge | JointType::Slide => 1,
        },
        _ => flat.nv,
    }
}

fn resolve_one(actuator: &spec::Actuator, nuser: usize, spec: &Spec, flat: &Flat, names: &Names) -> Result<Actuator> {
    check_user(actuator.userdata.len(), nuser, "nuser_actuator")?;
    let trnid = find_target(actuator, names)?;
    let mut compiled = actuator.clone();
    if inherits(actuator) {
        inherit_range(&mut compiled, trnid[0], spec, flat).map_err(|e| e.attribute(attr::INHERITRANGE))?;
    }
    check_limits(&compiled, spec.compilers[actuator.meta.compiler].autolimits)?;
    let actnum = activations(actuator)?;
    if actuator.gaintype == GainType::Muscle {
        check_muscle(&actuator.gainprm)?;
    }
    if actuator.biastype == BiasType::Muscle {
        check_muscle(&actuator.biasprm)?;
    }
    check_history(actuator.delay, actuator.nsample, spec.option.timestep)?;
    Ok(Actuator { spec: compiled, trnid, actnum })
}

/// The object of the transmission and, for slider-cranks and sites, its second site.
fn find_target(actuator: &spec::Actuator, names: &Names) -> Result<[Option<usize>; 2]> {
    if actuator.target.is_empty() {
        return Err(Error::new(ErrorKind::Missing("a transmission target".into()))
            .hint("set one of joint, jointinparent, tendon, cranksite, site, body"));
    }
    let find = |obj, name: &str, attribute: &str| {
        names.require(obj, name, actuator.meta.loc).map(Some).map_err(|e| e.attribute(attribute))
    };
    let target = |obj, attribute| find(obj, &actuator.target, attribute);
    Ok(match actuator.trntype {
        TrnType::Joint => [target(ObjType::Joint, "joint")?, None],
        TrnType::Jointinparent => [target(ObjType::Joint, "jointinparent")?, None],
        TrnType::Tendon => [target(ObjType::Tendon, "tendon")?, None],
        TrnType::Body => [target(ObjType::Body, "body")?, None],
        TrnType::Site if actuator.refsite.is_empty() => [target(ObjType::Site, "site")?, None],
        TrnType::Site => {
            let reference = find(ObjType::Site, &actuator.refsite, "refsite")?;
            [target(ObjType::Site, "site")?, reference]
        }
        TrnType::Slidercrank => {
            if actuator.slidersite.is_empty() {
                return Err(Error::new(ErrorKind::Missing("slidersite".into())).attribute(attr::SLIDERSITE));
            }
            let slider = find(ObjType::Site, &actuator.slidersite, "slidersite")?;
            if actuator.cranklength <= 0.0 {
                return Err(Error::invalid("cranklength must be positive").attribute(attr::CRANKLENGTH));
            }
            [target(ObjType::Site, "cranksite")?, slider]
        }
        TrnType::Undefined => return Err(Error::invalid("invalid transmission type")),
    })
}

/// Whether an actuator inherits its range from its target; only position-type actuators do.
fn inherits(actuator: &spec::Actuator) -> bool {
    actuator.gaintype == GainType::Fixed
        && actuator.biastype == BiasType::Affine
        && actuator.gainprm[0] == -actuator.biasprm[1]
        && actuator.inheritrange > 0.0
}

/// The range that is inherited from the target; the current value is irrelevant.
pub(crate) fn inherited(actuator: &mut spec::Actuator) -> Option<&mut [f64; 2]> {
    match actuator.dyntype {
        _ if !inherits(actuator) => None,
        DynType::None | DynType::Filterexact => Some(&mut actuator.ctrlrange),
        DynType::Integrator => Some(&mut actuator.actrange),
        _ => None,
    }
}

/// Sets the control (or, for integrated velocity, activation) range to the target's, scaled about its centre.
fn inherit_range(actuator: &mut spec::Actuator, target: Option<usize>, spec: &Spec, flat: &Flat) -> Result<()> {
    let target_range = match (actuator.trntype, target) {
        (TrnType::Joint, Some(id)) => match flat.joints[id].spec.kind {
            JointType::Hinge | JointType::Slide => flat.joints[id].spec.range,
            _ => return Err(Error::invalid("only hinge and slide joints have a range to inherit")),
        },
        (TrnType::Tendon, Some(id)) => spec.tendons[id].range,
        _ => return Err(Error::invalid("only joints and tendons have a range to inherit")),
    };
    let [low, high] = target_range;
    if low == high {
        return Err(Error::invalid(format!("target '{}' has no range", actuator.target)));
    }
    let mean = 0.5 * (high + low);
    let radius = 0.5 * (high - low) * actuator.inheritrange;
    let wrong = || Error::invalid("only position and intvelocity actuators inherit a range");
    *inherited(actuator).ok_or_else(wrong)? = [mean - radius, mean + radius];
    Ok(())
}

fn check_limits(actuator: &spec::Actuator, autolimits: bool) -> Result<()> {
    check_autolimits(autolimits, "force", actuator.forcelimited, actuator.forcerange)?;
    check_autolimits(autolimits, "ctrl", actuator.ctrllimited, actuator.ctrlrange)?;
    check_autolimits(autolimits, "act", actuator.actlimited, actuator.actrange)?;
    check_range("forcerange", actuator.forcelimited, actuator.forcerange)?;
    check_range("ctrlrange", actuator.ctrllimited, actuator.ctrlrange)?;
    check_range("actrange", actuator.actlimited, actuator.actrange)?;
    if is_limited(actuator.actlimited, actuator.actrange) && actuator.dyntype == DynType::None {
        return Err(Error::invalid("actrange on an actuator without activation")
            .attribute(attr::ACTRANGE)
            .hint("set dyntype, or remove actrange"));
    }
    Ok(())
}

/// Number of activations: the given number, otherwise one unless the actuator has no dynamics.
fn activations(actuator: &spec::Actuator) -> Result<usize> {
    let stateless = actuator.dyntype == DynType::None;
    let problem = match actuator.actdim {
        // a plugin decides for itself how many it needs
        given if actuator.plugin.is_some() => return Ok(usize::try_from(given).unwrap_or(usize::from(!stateless))),
        2.. if actuator.dyntype != DynType::User => "actdim above 1 needs dyntype=\"user\"",
        1 if stateless => "actdim is 1 but the actuator has no dynamics",
        0 if !stateless => "actdim is 0 but the actuator has dynamics",
        given => return Ok(usize::try_from(given).unwrap_or(usize::from(!stateless))),
    };
    Err(Error::invalid(problem).attribute(attr::ACTDIM))
}

/// Checks `range`, `lmin`, `lmax`, `scale`, `vmax`, `fpmax`, `fvmax` of a muscle's parameters.
fn check_muscle(prm: &[f64; 10]) -> Result<()> {
    let [low, high, _, scale, lmin, lmax, vmax, fpmax, fvmax, _] = *prm;
    let (attribute, problem) = if low >= high {
        ("range", "a muscle needs range[0] < range[1]")
    } else if lmin >= 1.0 {
        ("lmin", "a muscle needs lmin < 1")
    } else if lmax <= 1.0 {
        ("lmax", "a muscle needs lmax > 1")
    } else if scale <= 0.0 {
        ("scale", "a muscle's scale must be positive")
    } else if vmax <= 0.0 {
        ("vmax", "a muscle's vmax must be positive")
    } else if fpmax <= 0.0 {
        ("fpmax", "a muscle's fpmax must be positive")
    } else if fvmax <= 0.0 {
        ("fvmax", "a muscle's fvmax must be positive")
    } else {
        return Ok(());
    };
    Err(Error::invalid(problem).attribute(attribute))
}

impl CompiledActuators {
    /// Number of activations of all actuators.
    pub(crate) fn na(&self) -> usize {
        self.na
    }

    /// Length of the history buffers, which precede those of the sensors.
    pub(super) fn nhistory(&self) -> usize {
        self.nhistory
    }
}

impl Section for CompiledActuators {
    fn count(&self, sizes: &mut Sizes) {
        sizes.nu = self.list.len();
        sizes.na = self.na;
        sizes.nuser_actuator = self.nuser;
        sizes.nhistory += self.nhistory;
        sizes.nJmom = self.moment_len;
    }

    fn fill(&self, m: &mut Model) {
        let (mut actadr, mut historyadr) = (0, 0);
        for (i, actuator) in self.list.iter().enumerate() {
            let a = &actuator.spec;
            m.actuator_trntype[i] = a.trntype.into();
            m.actuator_dyntype[i] = a.dyntype.into();
            m.actuator_gaintype[i] = a.gaintype.into();
            m.actuator_biastype[i] = a.biastype.into();
            m.actuator_trnid[i] = actuator.trnid.map(id_or_none);
            m.actuator_actnum[i] = actuator.actnum as i32;
            m.actuator_actadr[i] = if actuator.actnum > 0 { actadr as i32 } else { -1 };
            actadr += actuator.actnum;
            m.actuator_group[i] = a.group;
            m.actuator_delay[i] = a.delay;
            m.actuator_history[i] = [a.nsample, a.interp];
            m.actuator_historyadr[i] = if a.nsample > 0 { historyadr as i32 } else { -1 };
            historyadr += history_len(a.nsample, 1);
            m.actuator_ctrllimited[i] = is_limited(a.ctrllimited, a.ctrlrange).into();
            m.actuator_forcelimited[i] = is_limited(a.forcelimited, a.forcerange).into();
            m.actuator_actlimited[i] = is_limited(a.actlimited, a.actrange).into();
            m.actuator_actearly[i] = a.actearly.into();
            m.actuator_cranklength[i] = a.cranklength;
            m.actuator_gear[i] = a.gear;
            m.actuator_dynprm[i] = a.dynprm;
            m.actuator_gainprm[i] = a.gainprm;
            m.actuator_biasprm[i] = a.biasprm;
            m.actuator_ctrlrange[i] = a.ctrlrange;
            m.actuator_forcerange[i] = a.forcerange;
            m.actuator_actrange[i] = a.actrange;
            m.actuator_lengthrange[i] = a.lengthrange;
        }
        fill_user(&mut m.actuator_user, self.nuser, self.list.iter().map(|a| a.spec.userdata.as_slice()));
    }
}
