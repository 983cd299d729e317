//! Model + Data → next Data: the physics of sinew, stage by stage.
//!
//! Modules are listed in the order a step runs them; `step` is the table of contents.
#![allow(non_snake_case)] // fields carry MuJoCo's names: qM, qLD, efc_J

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
