//! Putting trees at rest to sleep, so that later stages skip them, and waking them.
//!
//! `tree_asleep` counts from [`AWAKE`](crate::support::awake::AWAKE) up to −1 while a tree is slow; trees of an island
//! then fall asleep together, each storing the next in a cycle, and wake together.

mod rest;
mod wake;

pub use rest::sleep;
pub use wake::{cycle, wake, wake_collision, wake_equality, wake_tendon};
