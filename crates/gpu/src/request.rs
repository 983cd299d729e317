//! Parameters of a batch, and the report of its creation.
#![allow(unsafe_code)] // a guarantee about addresses of the caller's arrays

use crate::Capacity;
use std::time::Duration;

/// The device that steps a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// A GPU by its number.
    Gpu(usize),
    /// The CPU in its place: slow, for tests.
    Emulated,
}

/// Worlds that a call applies to.
#[derive(Clone, Copy, Debug)]
pub enum Chosen<'a> {
    /// All.
    All,
    /// Those whose entry is true.
    Mask(&'a [bool]),
    /// Those whose byte is not zero.
    Device(Address),
}

/// States for a reset, one row per world of the batch: positions, velocities, activations.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// In host memory.
    Host(&'a [f32]),
    /// In device memory.
    Device(Address),
}

/// An array of the caller on the batch's device.
#[derive(Clone, Copy, Debug)]
pub struct Address(u64);

impl Address {
    /// # Safety
    /// Until the call is done on its stream, the address holds as many numbers as the call is documented to read.
    pub unsafe fn new(address: u64) -> Self {
        Address(address)
    }

    pub(crate) fn get(self) -> u64 {
        self.0
    }
}

/// How a batch was created.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The GPU.
    pub device: String,
    /// Time to compile or load the kernels.
    pub compiling: Duration,
    /// Shared memory per world, in bytes.
    pub shared_bytes: usize,
    /// Device memory per world in bytes, including outputs.
    pub device_bytes: usize,
    /// Registers per thread.
    pub registers: usize,
    /// Local memory per thread in bytes (register spills).
    pub spilled: usize,
    /// Worlds that are resident on the GPU at a time.
    pub resident: usize,
    /// Capacity for contacts and rows, in the first build and in the one that takes over worlds with more.
    pub room: [Option<Capacity>; 2],
}
