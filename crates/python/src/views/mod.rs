//! Safe interface to shared memory: numpy arrays and attributes that alias a `Model` or a `Data`.
//!
//! The package's `unsafe` code is in [`place`], [`lend`] and [`dlpack`]; nothing outside this module can make a
//! [`place::Place`] or a loan. Its safety rests on:
//!
//! * **Addresses are stable.** Owners live in an `Arc` and are never moved or replaced as a whole. Arrays of fixed
//!   length are boxed once and never reallocated. Growing storage is handed over to the views that still use it before
//!   any call that could resize it (see [`cell::DataCell::lock`]).
//! * **Owners outlive views.** The base object of every array is a [`cell::Keeper`] or [`cell::Pin`] that holds the
//!   `Arc`.
//! * **No Rust reference to a `Data` is used across Python code.** References exist only while a lock guard does, and
//!   guards live inside one native call. A call that runs callbacks lends its `Data` out while it waits for them (see
//!   [`lend`]). The model stays shared: values that a callback writes into it may take effect only from the next call
//!   on.
//!
//! While a call runs with the GIL released another thread may access the same values through numpy. As in MuJoCo that
//! is a data race on values, which the caller must avoid; it never affects lengths or addresses, and the engine checks
//! every index it reads. Integers that were written between calls are checked before the next one (see [`watch`]).

pub mod cell;
pub mod dlpack;
mod lend;
mod place;
pub mod records;
pub mod structs;
mod watch;

pub use cell::{DataCell, Shared};
pub use structs::{Field, Struct, Table, install};
