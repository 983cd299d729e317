//! Trees at rest → trees asleep, which later stages skip, and back.
//!
//! `tree_asleep` counts from [`AWAKE`](crate::support::awake::AWAKE) up to −1 while a tree is slow; trees of an island
//! then fall asleep together, each pointing to the next in a cycle, and wake together.

mod rest;
mod wake;

pub use rest::sleep;
pub use wake::{cycle, wake, wake_collision, wake_equality, wake_tendon};
