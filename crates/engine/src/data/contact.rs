//! Records of the tables: contacts, and statistics per warning, stage and solver iteration.

use crate::fields::{DType, Dim, FieldInfo, Fields, Holds, Record, Slice, SliceMut, Zero};
use crate::model::Model;

include!(concat!(env!("OUT_DIR"), "/records.rs"));

/// Size of a contact in MuJoCo's arena, whose size bounds the number of contacts. (byte)
pub const ARENA_BYTES: usize = 576;

/// Number of contacts to reserve: more than bodies at rest have, and no more than the arena allows.
pub(super) fn capacity(m: &Model) -> usize {
    (64 + 8 * m.ngeom + of_flexes(m)).min(m.narena / ARENA_BYTES)
}

/// Number of contacts that flexes are expected to have, with other objects and with themselves.
pub(super) fn of_flexes(m: &Model) -> usize {
    4 * m.nflexvert + m.nflexelem
}
