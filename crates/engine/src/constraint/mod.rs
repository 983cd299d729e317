//! Positions → constraint rows: Jacobian, residual, impedance and reference acceleration.

pub mod row;
pub mod motion;
pub mod work;
pub mod equality;
pub mod friction;
pub mod limit;
pub mod contact;
pub mod impedance;
pub mod make;
pub mod reference;

pub use make::{drop_rows, island_memory, make_constraint, memory};
pub use reference::reference_constraint;
pub use work::ConstraintWork;
