//! Poses → composite inertia, the mass matrix and its factor.

pub mod composite;
pub mod rotor;
pub mod tendon;

pub use composite::{crb, factor_m};
pub use rotor::rotors;
pub use tendon::tendon_armature;
