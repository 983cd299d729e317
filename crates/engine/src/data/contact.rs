//! Records of the tables: contacts, and what is counted per warning, stage and iteration.

use crate::fields::{DType, Dim, FieldInfo, Fields, Holds, Record, Slice, SliceMut, Zero};
use crate::model::Model;

include!(concat!(env!("OUT_DIR"), "/records.rs"));

/// Bytes of a contact in MuJoCo's arena, whose size bounds their number.
pub const ARENA_BYTES: usize = 576;

/// Contacts to make room for beforehand: more than bodies at rest have, and no more than the arena allows.
pub(super) fn capacity(m: &Model) -> usize {
    (64 + 8 * m.ngeom + of_flexes(m)).min(m.narena / ARENA_BYTES)
}

/// Contacts that flexes are expected to have, with others and with themselves.
pub(super) fn of_flexes(m: &Model) -> usize {
    4 * m.nflexvert + m.nflexelem
}
