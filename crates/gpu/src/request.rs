//! What a batch is asked for, and how it was made.
#![allow(unsafe_code)] // a promise about addresses of the caller's arrays

use crate::Capacity;
use std::time::Duration;

/// What a batch is stepped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// A GPU by its number.
    Gpu(usize),
    /// The CPU in its place: slow, for tests.
    Emulated,
}

/// Worlds that a call is about.
#[derive(Clone, Copy, Debug)]
pub enum Chosen<'a> {
    /// All.
    All,
    /// Those that are true.
    Mask(&'a [bool]),
    /// Those whose byte is not zero.
    Device(Address),
}

/// States to start from, a row a world of the batch: positions, velocities, activations.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// In the memory of the host.
    Host(&'a [f32]),
    /// On the device.
    Device(Address),
}

/// An array of somebody else on the batch's device.
#[derive(Clone, Copy, Debug)]
pub struct Address(u64);

impl Address {
    /// # Safety
    /// Until the call is done on its stream, the address holds as many numbers as the call is said to read.
    pub unsafe fn new(address: u64) -> Self {
        Address(address)
    }

    pub(crate) fn get(self) -> u64 {
        self.0
    }
}

/// How a batch was made.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The GPU.
    pub device: String,
    /// Time to get the kernels.
    pub compiling: Duration,
    /// Bytes of a world in shared memory.
    pub shared_bytes: usize,
    /// Bytes of a world in device memory, outputs included.
    pub device_bytes: usize,
    /// Registers of a thread.
    pub registers: usize,
    /// Bytes of a thread that did not fit its registers.
    pub spilled: usize,
    /// Worlds that are on the GPU together.
    pub resident: usize,
    /// Contacts and rows there is room for, at first and in the build that takes over worlds with more.
    pub room: [Option<Capacity>; 2],
}
