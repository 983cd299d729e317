//! Controls → forces, and the lengths and moments through which they act.

pub mod transmission;

pub use transmission::transmission;
