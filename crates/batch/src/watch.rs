//! Fields that somebody reads, of which each world keeps the values.

use sinew_engine::Data;
use sinew_engine::fields::{Fields, Slice};

/// Which fields, and where their values are among those of a world. Numbers of all types are kept in double precision, which holds
/// each of them exactly.
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
    /// Whether only some calls compute it.
    forces: bool,
}

/// What only [`rne_post_constraint`](sinew_engine::step::rne_post_constraint) computes.
const FORCES: [&str; 3] = ["cacc", "cfrc_int", "cfrc_ext"];

/// Values of a field in one world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// As the simulation has them.
    Field(Slice<'a>),
    /// Kept in double precision, whatever their type.
    Kept(&'a [f64]),
}

impl Watched {
    /// Whether a row of the table of [`Data`] is among them.
    pub(crate) fn has(&self, row: usize) -> bool {
        self.list.iter().any(|c| c.row == row)
    }

    /// Adds a row of so many elements.
    pub(crate) fn add(&mut self, row: usize, len: usize) {
        let forces = FORCES.contains(&Data::FIELDS[row].name);
        self.list.push(Column { row, at: self.width, len, forces });
        self.width += len;
    }

    /// Takes back what was added last.
    pub(crate) fn remove_last(&mut self) {
        self.width -= self.list.pop().map_or(0, |column| column.len);
    }

    /// Numbers per world.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The values of a row among all that a world keeps.
    pub(crate) fn of<'a>(&self, row: usize, kept: &'a [f64]) -> Option<&'a [f64]> {
        let column = self.list.iter().find(|c| c.row == row)?;
        kept.get(column.at..column.at + column.len)
    }

    /// Copies the values out of a simulation, as far as it has computed them.
    pub(crate) fn keep(&self, d: &Data, kept: &mut [f64]) {
        for c in self.list.iter().filter(|c| !c.forces || d.accel.flg_rnepost != 0) {
            let to = &mut kept[c.at..][..c.len];
            match d.field(c.row) {
                Slice::F64(s) => to.copy_from_slice(s),
                Slice::F32(s) => convert(s, to),
                Slice::I32(s) => convert(s, to),
                Slice::U8(s) => convert(s, to),
                // there is no such field
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
