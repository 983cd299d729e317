//! The elements of a specification: structs, defaults, setters and reflection, written by the build script from
//! `mjcf.schema`; and what of them the schema does not list.

use super::composite::Curve;
use super::field::{Count, Element, Field, Kind, Record, Slot, Value};
use super::flexcomp::{Dof, Hold, Kind as Shape};
use super::{Loc, Meta, Open, Orientation, PluginUse, Setting, Wrap};
use crate::schema::attr;
use sinew_engine::length_range::LengthRangeOptions;
use sinew_engine::model::enums::*;

include!(concat!(env!("OUT_DIR"), "/spec.rs"));

impl Body {
    /// Centre of mass; the origin where none is given.
    pub(crate) fn com(&self) -> [f64; 3] {
        self.ipos.unwrap_or_default()
    }
}

impl From<&LengthRange> for LengthRangeOptions {
    fn from(given: &LengthRange) -> Self {
        let LengthRange { mode, useexisting, uselimit, accel, maxforce, .. } = *given;
        let LengthRange { timeconst, timestep, inttotal, interval, tolrange, .. } = *given;
        Self { mode, useexisting, uselimit, accel, maxforce, timeconst, timestep, inttotal, interval, tolrange }
    }
}

impl Sensor {
    /// What a plugin is asked for; other kinds of sensors compute their outputs themselves.
    pub(crate) fn plugin_used(&self) -> Option<&PluginUse> {
        self.plugin.as_ref().filter(|_| self.kind == SensorType::Plugin)
    }
}

impl Tuple {
    /// Adds an object with a number.
    pub fn push(&mut self, objtype: ObjType, name: impl Into<String>, prm: f64) {
        self.objtype.push(objtype as i32);
        self.objname.push(name.into());
        self.objprm.push(prm);
    }

    /// The objects with their numbers, as far as all three lists go.
    pub fn objects(&self) -> impl Iterator<Item = (ObjType, &str, f64)> {
        let types = self.objtype.iter().map(|&code| ObjType::try_from(code).unwrap_or(ObjType::Unknown));
        types.zip(&self.objname).zip(&self.objprm).map(|((objtype, name), &prm)| (objtype, name.as_str(), prm))
    }
}

impl Flex {
    /// Whether a shell resists bending.
    pub fn bends(&self) -> bool {
        self.elastic2d & 1 != 0
    }

    /// Whether a shell resists stretching.
    pub fn stretches(&self) -> bool {
        self.elastic2d & 2 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine has defaults of its own, for callers without a file.
    #[test]
    fn length_ranges_start_as_in_the_engine() {
        assert_eq!(LengthRangeOptions::from(&LengthRange::default()), LengthRangeOptions::default());
    }
}
