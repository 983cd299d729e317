//! What the test programs of this crate share.

pub mod tolerance;
