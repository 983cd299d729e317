//! Memory that a simulation needs, and whether it is available.

use super::capacity::Capacity;
use super::{Contact, Data, SolverStat, contact, solver};
use crate::fields::{Dim, FieldInfo, Fields};
use crate::model::Model;

/// There is not enough memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes of memory are needed, which are not available")]
pub struct OutOfMemory {
    /// Bytes needed.
    pub bytes: u128,
}

/// Checks that this many bytes can be allocated at once. An allocation that fails later would abort the process.
///
/// # Errors
/// There is not enough memory.
pub fn probe(bytes: u128) -> Result<(), OutOfMemory> {
    let mut room: Vec<u8> = Vec::new();
    let found = usize::try_from(bytes).is_ok_and(|n| room.try_reserve_exact(n).is_ok());
    // keeps the compiler from removing the unused allocation
    std::hint::black_box(&mut room);
    if found { Ok(()) } else { Err(OutOfMemory { bytes }) }
}

/// Workspace of one collision query between convex shapes. Like the other constants of [`Data::bytes_needed`], it was
/// measured: `tests/memory.rs` of the crate `sinew` compares the sum with the bytes requested from the allocator.
const SEARCH_BYTES: usize = 140_000;

impl Data {
    /// Bytes that a simulation of a model takes: fields, capacity for rows and contacts, and an estimate of the
    /// workspaces. The actual size is between 0.5 and 1.25 times the result.
    pub fn bytes_needed(m: &Model) -> u128 {
        let Capacity { rows, entries, cones, dual, factor } = Capacity::new(m);
        let length = |dim: &Dim| match dim {
            Dim::Growing("nefc") => rows as u128,
            Dim::Growing("nJ") => entries as u128,
            Dim::Growing("nA") => dual as u128,
            Dim::Growing(_) => m.nv as u128,
            fixed => fixed.len(m) as u128,
        };
        let field = |f: &FieldInfo| f.dims.iter().map(length).product::<u128>() * f.dtype.bytes() as u128;
        let fields: u128 = Data::FIELDS.iter().map(field).sum();
        let contacts = contact::capacity(m) * size_of::<Contact>();
        let solver = size_of::<f64>() * (3 * factor + 4 * entries + dual + 30 * m.nv) + 100 * rows + 750 * cones;
        let statistics = solver::ISLANDS * solver::ITERATIONS * size_of::<SolverStat>();
        // the collision stage has one query workspace, and so have distance sensors
        let searches = SEARCH_BYTES * (1 + usize::from(m.nsensor > 0));
        let parts = 560 * m.nv + 380 * m.nbody + 420 * m.nflexvert + 450 * m.nflexelem + 400 * m.nsensordata;
        fields + (contacts + solver + statistics + searches + parts) as u128
    }

    /// Bytes of each field, of contacts and of solver statistics, with reserved capacity: block, name, bytes.
    pub fn bytes_by_field(&self) -> Vec<(&'static str, &'static str, usize)> {
        let field = |(i, f): (usize, &FieldInfo)| {
            (f.section, f.name, if f.grows() { self.room(i) } else { self.field(i).bytes() })
        };
        let mut list: Vec<_> = Data::FIELDS.iter().enumerate().map(field).collect();
        list.push(("collision", "contact", self.contact.capacity() * size_of::<Contact>()));
        list.push(("solution", "solver", size_of_val(&self.solver[..])));
        list
    }

    /// Sum of [`Data::bytes_by_field`]; workspaces are not counted.
    pub fn nbytes(&self) -> usize {
        self.bytes_by_field().iter().map(|f| f.2).sum()
    }
}
