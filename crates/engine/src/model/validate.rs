//! Validation of a model's integers: codes, indices, addresses, counts.
//!
//! The compiler only produces models that pass, and saved models are validated when loaded, so that a step need not
//! check. Code that writes to these arrays afterwards must validate again.

mod bodies;
mod flex;
mod relations;
mod trees;

use super::{Model, Sizes};
use crate::fields::{Dim, FieldInfo, Fields, Holds, Slice};

/// An integer that is invalid in a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}[{index}] is {value}, expected {expected}")]
#[non_exhaustive]
pub struct InvalidModel {
    /// The field.
    pub field: &'static str,
    /// Flat index in the field.
    pub index: usize,
    /// The value found.
    pub value: i64,
    /// The values allowed.
    pub expected: String,
}

type Check = Result<(), InvalidModel>;

/// Returns an error unless `good`.
fn ensure(good: bool, field: &'static str, index: usize, value: i32, expected: impl FnOnce() -> String) -> Check {
    if good { Ok(()) } else { Err(InvalidModel { field, index, value: value.into(), expected: expected() }) }
}

/// Returns an error unless the index is from 0 to below `end`, or −1 if `or_none`.
fn ensure_index(field: &'static str, index: usize, value: i32, end: usize, or_none: bool) -> Check {
    let good = usize::try_from(value).map_or(or_none && value == -1, |v| v < end);
    ensure(good, field, index, value, || {
        format!("{}below {end}", if or_none { "-1, or an index " } else { "an index " })
    })
}

impl Model {
    /// Checks every code, index, address and count, in time linear in the size of the model and its patterns.
    ///
    /// # Errors
    /// [`InvalidModel`], with the field, the flat index, and the values allowed.
    pub fn validate(&self) -> Result<(), InvalidModel> {
        Self::FIELDS.iter().enumerate().try_for_each(|(row, info)| self.check_field(row, info))?;
        relations::check(self)?;
        trees::check(self)?;
        bodies::check(self)?;
        flex::check(self)
    }

    fn check_field(&self, row: usize, info: &FieldInfo) -> Check {
        match self.field(row) {
            _ if matches!(info.holds, Holds::Number) => Ok(()),
            Slice::I32(values) => self.check_values(info, values.iter().copied()),
            Slice::U8(values) => self.check_values(info, values.iter().map(|&v| v.into())),
            Slice::F64(_) | Slice::F32(_) | Slice::I64(_) | Slice::Code(_) => Ok(()),
        }
    }

    fn check_values(&self, info: &FieldInfo, values: impl Iterator<Item = i32>) -> Check {
        let sizes: &Sizes = self;
        let width: usize = info.dims[1..].iter().map(|d| d.len(sizes)).product();
        let name = info.name;
        for (i, v) in values.enumerate() {
            match info.holds {
                Holds::Number => {}
                Holds::Code(of) => of.check(v).or_else(|e| ensure(false, name, i, v, || e.expected()))?,
                Holds::Index(dim) => ensure_index(name, i, v, dim.len(sizes), false)?,
                Holds::IndexOrNone(dim) => ensure_index(name, i, v, dim.len(sizes), true)?,
                Holds::Above => ensure_index(name, i, v, (i / width.max(1)).max(1), false)?,
                Holds::AboveOrNone => ensure_index(name, i, v, i / width.max(1), true)?,
                Holds::Count => ensure(v >= 0, name, i, v, || "a count".into())?,
                Holds::Start(dim, counts) => self.check_start(name, i, v, dim, counts)?,
            }
        }
        Ok(())
    }

    /// Checks that a range starts and ends within `dim`; the start of an empty range may be −1.
    fn check_start(&self, name: &'static str, i: usize, start: i32, dim: Dim, counts: usize) -> Check {
        let count = match self.field(counts) {
            Slice::I32(counts) => counts.get(i).copied().unwrap_or(0),
            _ => 0,
        };
        let end = dim.len(self);
        let field = Self::FIELDS[counts].name;
        ensure(count as i64 <= end as i64, field, i, count, || format!("at most {end}"))?;
        let good = usize::try_from(i64::from(start) + i64::from(count)).is_ok_and(|last| last <= end) && start >= 0
            || start == -1 && count == 0;
        ensure(good, name, i, start, || format!("the start of {count} among {end}"))
    }
}
