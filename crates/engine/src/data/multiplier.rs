//! What a position-based solver remembers of the last step.

use crate::bytes::{BytesError, Reader, Writer};
use crate::fields::{Slice, SliceMut};

/// Force of a constraint row at the end of a step. It is where the next step begins, and no part of the state: setting a
/// state or a reset forgets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multiplier {
    /// Kind of constraint, the elements it is between, and which of its rows.
    pub key: [i32; 4],
    /// The force.
    pub force: f64,
}

/// Appends them to a saved simulation.
pub(super) fn write(list: &[Multiplier], w: &mut Writer) {
    w.u64(list.len() as u64);
    for one in list {
        w.slice(Slice::I32(&one.key));
        w.slice(Slice::F64(&[one.force]));
    }
}

/// Reads what [`write`] wrote.
pub(super) fn read(r: &mut Reader<'_>) -> Result<Vec<Multiplier>, BytesError> {
    let count = r.u64()?;
    let each = size_of::<[i32; 4]>() + size_of::<f64>();
    if count > (r.0.len() / each) as u64 {
        return Err(BytesError::Shape { field: "multipliers", expected: r.0.len() / each, found: count });
    }
    let mut list = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let (mut key, mut force) = ([0; 4], [0.0]);
        r.slice(SliceMut::I32(&mut key))?;
        r.slice(SliceMut::F64(&mut force))?;
        list.push(Multiplier { key, force: force[0] });
    }
    Ok(list)
}
