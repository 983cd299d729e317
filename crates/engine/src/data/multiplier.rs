//! Warm start of a position-based solver.

use crate::bytes::{BytesError, Reader, Writer};
use crate::fields::{Slice, SliceMut};

/// Force of a constraint row at the end of a step, from which the next step starts. It is not part of the state:
/// setting a state or resetting clears it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multiplier {
    /// Kind of constraint, its two elements, and the index of the row within it.
    pub key: [i32; 4],
    /// The force.
    pub force: f64,
}

/// Appends multipliers to a saved simulation.
pub(super) fn write(list: &[Multiplier], w: &mut Writer) {
    w.u64(list.len() as u64);
    for one in list {
        w.slice(Slice::I32(&one.key));
        w.slice(Slice::F64(&[one.force]));
    }
}

/// Reads the output of [`write`].
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
