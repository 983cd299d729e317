//! The physics of sinew, stage by stage: Model + Data → next Data.
//!
//! Modules are listed in the order in which a step runs them; `step` calls them all and is the place to start reading.
#![allow(non_snake_case)] // fields have MuJoCo's names: qM, qLD, efc_J

pub mod bytes;
pub mod fields;

pub mod model;

pub mod data;

pub mod handle;
pub mod view;

pub mod support;

pub mod kinematics;
pub mod inertia;
pub mod collision;
pub mod constraint;
pub mod island;
pub mod actuation;

pub mod velocity;

pub mod passive;

pub mod acceleration;

pub mod sensor;

pub mod derivative;
pub mod integrate;

pub mod hooks;
pub mod plugin;
pub mod solver;
pub mod deformable;

pub mod sleep;

pub mod parts;
pub mod sim;

pub mod scratch;
pub mod step;
pub mod reset;
pub mod inverse;
pub mod transition;
pub mod set_const;
pub mod length_range;

pub use data::Data;
pub use fields::{Array, Fields, Pixels};
pub use handle::{Id, Ref};
pub use model::{Model, Sizes};
