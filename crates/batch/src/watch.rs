//! Watched fields, whose values each world stores.

use sinew_engine::Data;
use sinew_engine::fields::{Fields, Slice};

/// The watched fields, and the layout of their values in a world. Values of all types are stored in double precision,
/// which represents each of them exactly.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    list: Vec<Column>,
    width: usize,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    row: usize,
    at: usize,
    len: usize,
    /// Whether the field is computed only by some calls.
    forces: bool,
}

/// Fields that only [`rne_post_constraint`](sinew_engine::step::rne_post_constraint) computes.
const FORCES: [&str; 3] = ["cacc", "cfrc_int", "cfrc_ext"];

/// Values of a field in one world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// In the simulation's own type.
    Field(Slice<'a>),
    /// Stored in double precision, whatever the original type.
    Kept(&'a [f64]),
}

impl Watched {
    /// Whether a row of the table of [`Data`] is watched.
    pub(crate) fn has(&self, row: usize) -> bool {
        self.list.iter().any(|c| c.row == row)
    }

    /// Adds a row of `len` elements.
    pub(crate) fn add(&mut self, row: usize, len: usize) {
        let forces = FORCES.contains(&Data::FIELDS[row].name);
        self.list.push(Column { row, at: self.width, len, forces });
        self.width += len;
    }

    /// Removes the row added last.
    pub(crate) fn remove_last(&mut self) {
        self.width -= self.list.pop().map_or(0, |column| column.len);
    }

    /// Stored values per world.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The values of a row among all that a world stores.
    pub(crate) fn of<'a>(&self, row: usize, kept: &'a [f64]) -> Option<&'a [f64]> {
        let column = self.list.iter().find(|c| c.row == row)?;
        kept.get(column.at..column.at + column.len)
    }

    /// Copies the values out of a simulation, if it has computed them.
    pub(crate) fn keep(&self, d: &Data, kept: &mut [f64]) {
        for c in self.list.iter().filter(|c| !c.forces || d.accel.flg_rnepost != 0) {
            let to = &mut kept[c.at..][..c.len];
            match d.field(c.row) {
                Slice::F64(s) => to.copy_from_slice(s),
                Slice::F32(s) => convert(s, to),
                Slice::I32(s) => convert(s, to),
                Slice::U8(s) => convert(s, to),
                // no field has these types
                Slice::I64(_) | Slice::Code(_) => {}
            }
        }
    }
}

fn convert<T: Copy + Into<f64>>(from: &[T], to: &mut [f64]) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to = from.into());
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_engine::fields::DType;

    #[test]
    fn double_precision_holds_every_type_of_field() {
        assert!(Data::FIELDS.iter().all(|f| f.dtype != DType::I64));
    }
}
