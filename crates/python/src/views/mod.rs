//! The fence around shared memory: numpy arrays and attributes that alias a `Model` or a `Data`.
//!
//! The `unsafe` code of the package is in [`place`], [`lend`] and [`dlpack`]; nothing outside this module can make a
//! [`place::Place`] or a loan.
//! What it rests on:
//!
//! * **Addresses are stable.** Owners live in an `Arc` and are never moved or replaced as a whole. Arrays of fixed
//!   length are boxed once and never reallocated. Storage that grows is handed over to whoever still looks at it before
//!   any call that could resize it (see [`cell::DataCell::lock`]).
//! * **Owners outlive views.** Every array has as base object a [`cell::Keeper`] or [`cell::Pin`] that holds the `Arc`.
//! * **No Rust reference to a `Data` is used across Python code.** References exist only while a lock guard does, and
//!   guards live inside one native call. A call that runs callbacks lends its `Data` out while it waits for them (see
//!   [`lend`]). The model stays shared: numbers that a callback writes into it may count only from the next call on.
//!
//! While a call runs with the GIL released another thread may touch the same numbers through numpy: as in MuJoCo that is
//! a race on values, and the caller's to avoid; it never touches lengths or addresses, and the engine checks every index
//! it reads. Integers that were written between calls are checked before the next one (see [`watch`]).

pub mod cell;
pub mod dlpack;
mod lend;
mod place;
pub mod records;
pub mod structs;
mod watch;

pub use cell::{DataCell, Shared};
pub use structs::{Field, Struct, Table, install};
