//! Shared by the test programs of this crate.
#![allow(dead_code)] // each test program uses a part of this

pub mod deformable;
pub mod flex;
pub mod tolerance;
