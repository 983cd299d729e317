//! How much memory a simulation takes, and whether it can be had.

use super::capacity::Capacity;
use super::{Contact, Data, SolverStat, contact, solver};
use crate::fields::{Dim, FieldInfo, Fields};
use crate::model::Model;

/// There is not as much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes of memory are needed, which cannot be had")]
pub struct OutOfMemory {
    /// What is needed.
    pub bytes: u128,
}

/// Whether so many bytes can be had at once. An allocation that fails later would end the process.
///
/// # Errors
/// They cannot.
pub fn probe(bytes: u128) -> Result<(), OutOfMemory> {
    let mut room: Vec<u8> = Vec::new();
    let found = usize::try_from(bytes).is_ok_and(|n| room.try_reserve_exact(n).is_ok());
    // an allocation that is not used could be left out
    std::hint::black_box(&mut room);
    if found { Ok(()) } else { Err(OutOfMemory { bytes }) }
}

/// Room for one search for contacts between convex shapes. Like the other sizes of [`Data::bytes_needed`] that no field
/// says, it was measured: `tests/memory.rs` of the crate `sinew` holds the sum to what the allocator is asked for.
const SEARCH_BYTES: usize = 140_000;

impl Data {
    /// Bytes that a simulation of a model takes: fields, room for rows and contacts, and an estimate of what the stages
    /// work with. What is really taken is between half of it and 1.25 times as much.
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
        // searches for contacts have room of their own, and sensors of distances once more
        let searches = SEARCH_BYTES * (1 + usize::from(m.nsensor > 0));
        let parts = 560 * m.nv + 380 * m.nbody + 420 * m.nflexvert + 450 * m.nflexelem + 400 * m.nsensordata;
        fields + (contacts + solver + statistics + searches + parts) as u128
    }

    /// Bytes of each field, of contacts and of solver statistics, with the room reserved for those that grow: block, name, bytes.
    pub fn bytes_by_field(&self) -> Vec<(&'static str, &'static str, usize)> {
        let field = |(i, f): (usize, &FieldInfo)| {
            (f.section, f.name, if f.grows() { self.room(i) } else { self.field(i).bytes() })
        };
        let mut list: Vec<_> = Data::FIELDS.iter().enumerate().map(field).collect();
        list.push(("collision", "contact", self.contact.capacity() * size_of::<Contact>()));
        list.push(("solution", "solver", size_of_val(&self.solver[..])));
        list
    }

    /// Bytes of all of them; what stages use on the way is not counted.
    pub fn nbytes(&self) -> usize {
        self.bytes_by_field().iter().map(|f| f.2).sum()
    }
}
