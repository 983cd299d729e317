//! Computations shared by the stages: awake subsets, frames, camera lenses, Jacobians, inertia products, positions,
//! rays.

pub mod activation;
pub mod anchor;
pub mod actuator;
pub mod awake;
pub mod bending;
pub mod cable;
pub mod camera;
pub mod capstan;
pub mod chain;
pub mod check;
pub mod contact;
pub mod distance;
pub mod elastic;
pub mod flex;
pub mod flex_law;
pub mod flex_spring;
pub mod fluid;
pub mod force;
pub mod frame;
pub mod inertia;
pub mod jacobian;
pub mod muscle;
pub mod object;
pub mod position;
pub mod ray;
pub mod ray_flex;
pub mod row;
pub mod shape;
pub mod side;
pub mod spring;

use crate::model::Model;
use crate::model::enums::{ConeType, JacobianType};

/// Whether constraint and tendon Jacobians are stored sparse: on request, or automatically from 60 degrees of freedom
/// on.
#[doc(alias = "mj_isSparse")]
#[inline]
pub fn is_sparse(m: &Model) -> bool {
    m.opt.jacobian == JacobianType::Sparse || (m.opt.jacobian == JacobianType::Auto && m.nv >= 60)
}

/// Whether friction cones are pyramidal.
#[doc(alias = "mj_isPyramidal")]
#[inline]
pub fn is_pyramidal(m: &Model) -> bool {
    m.opt.cone == ConeType::Pyramidal
}
