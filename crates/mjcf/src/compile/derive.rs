//! The last pass: values derived by running the model.

use super::flat::Flat;
use super::joint;
use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::Spec;
use sinew_engine::data::memory;
use sinew_engine::length_range::{LengthRangeError, set_length_ranges};
use sinew_engine::model::enums::{EnableFlags, SleepPolicy};
use sinew_engine::reset::DataError;
use sinew_engine::set_const::{SetConstError, set_const};
use sinew_engine::{Data, Model};

/// Fills constants at the initial position, springs given by a time constant, length ranges and statistics.
pub(super) fn derive(spec: &Spec, flat: &Flat, m: &mut Model) -> Result<()> {
    // nothing may sleep while constants are computed
    let flags = m.opt.enableflags;
    m.opt.enableflags.remove(EnableFlags::SLEEP);
    memory::probe(Data::bytes_needed(m)).map_err(|e| Error::invalid(e.to_string()).hint("lower 'memory' of 'size'"))?;
    let mut d = Data::new(m);
    set_const(m, &mut d).map_err(|e| constant_error(spec, flat, e))?;
    joint::spring_damper(flat, m);
    set_length_ranges(m, &(&spec.compilers[0].lengthrange).into()).map_err(|e| range_error(spec, e))?;
    let (stat, given) = (&mut m.stat, &spec.stat);
    stat.meaninertia = given.meaninertia.unwrap_or(stat.meaninertia);
    stat.meanmass = given.meanmass.unwrap_or(stat.meanmass);
    stat.meansize = given.meansize.unwrap_or(stat.meansize);
    stat.extent = given.extent.unwrap_or(stat.extent);
    stat.center = given.center.unwrap_or(stat.center);
    m.opt.enableflags = flags;
    check_sleep(flat, m)
}

/// Checks that trees that start asleep can be asleep: nothing may move them or touch them from outside.
fn check_sleep(flat: &Flat, m: &Model) -> Result<()> {
    if !m.opt.enabled(EnableFlags::SLEEP) || !m.tree_sleep_policy.contains(&(SleepPolicy::Init as i32)) {
        return Ok(());
    }
    Data::try_new(m).map(drop).map_err(|e| {
        let error = Error::invalid(e.to_string());
        let DataError::CannotSleep(e) = e else { return error };
        error
            .at(flat.bodies[e.root].spec.meta.loc)
            .element("body")
            .attribute(attr::SLEEP)
            .hint("give sleep=\"init\" to all trees that touch or are tied together, or to none of them")
    })
}

fn constant_error(spec: &Spec, flat: &Flat, e: SetConstError) -> Error {
    let error = Error::invalid(e.to_string());
    match e {
        SetConstError::Massless { body } => error.at(flat.bodies[body].spec.meta.loc).element("body"),
        SetConstError::Sleepless { tendon, .. } => error
            .at(spec.tendons[tendon].meta.loc)
            .element("tendon")
            .hint("trees that such a tendon ties together cannot have sleep=\"allowed\" or \"init\""),
        SetConstError::NotPlanar { flex } => error.at(spec.flexes[flex].meta.loc).element("flex"),
        SetConstError::EqualityObject { equality, .. } => {
            error.at(spec.equalities[equality].meta.loc).element("equality")
        }
    }
}

fn range_error(spec: &Spec, e: LengthRangeError) -> Error {
    let (LengthRangeError::TooLong { actuator, .. }
    | LengthRangeError::Unstable { actuator }
    | LengthRangeError::Empty { actuator, .. }
    | LengthRangeError::NotConverged { actuator, .. }) = e;
    Error::invalid(e.to_string())
        .at(spec.actuators[actuator].meta.loc)
        .element("actuator")
        .attribute(attr::LENGTHRANGE)
        .hint(
            "give lengthrange, limit the joints that the actuator moves, or change the compiler's lengthrange settings",
        )
}
