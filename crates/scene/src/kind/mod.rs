//! One file per kind of decoration. Each function adds its shapes if the options enable them.

mod actuator;
mod bound;
mod camera;
mod contact;
mod element;
mod equality;
mod force;
mod frame;
mod geom;
mod inertia;
mod joint;
mod label;
mod near;
mod perturb;
mod sensor;
mod slack;
mod tendon;

pub(crate) use actuator::{actuators, slider_cranks};
pub(crate) use bound::{body_volumes, flex_volumes, mesh_cells, mesh_volumes};
pub(crate) use camera::{cameras, lights};
pub(crate) use contact::contacts;
pub(crate) use element::{flexes, sites, skins};
pub(crate) use equality::equalities;
pub(crate) use force::applied_forces;
pub(crate) use frame::{body_frames, geom_frames, site_frames};
pub(crate) use geom::geoms;
pub(crate) use inertia::{connections, inertia, mass_centres};
pub(crate) use joint::joints;
pub(crate) use label::{body_labels, island_labels};
pub(crate) use perturb::{perturbation, selected_point};
pub(crate) use sensor::{rays, tactile};
pub use slack::catenary;
pub(crate) use tendon::tendons;
