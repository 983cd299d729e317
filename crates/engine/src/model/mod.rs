//! The compiled model: field table, options, enums and names.

pub mod enums;
pub mod extension;
pub mod names;
pub mod options;
mod ranges;
mod save;
pub mod sensors;
mod validate;

use crate::fields::{Array, DType, Dim, FieldInfo, Fields, Holds, Pixels, Slice, SliceMut};
pub use options::{Options, Statistic, Visual};
use std::ops::Deref;
pub use validate::InvalidModel;

include!(concat!(env!("OUT_DIR"), "/model.rs"));

/// Sizes read as fields (`model.nv`) and cannot be assigned.
impl Deref for Model {
    type Target = Sizes;
    #[inline(always)]
    fn deref(&self) -> &Sizes {
        &self.sizes
    }
}

impl Model {
    /// Whether a body only slides, without rotating, and is dynamically decoupled from other bodies.
    #[inline]
    pub fn slides(&self, body: usize) -> bool {
        self.body_simple[body] == 2
    }

    /// Sets the number of bodies with gravity compensation: the only size that depends on values.
    pub(crate) fn set_ngravcomp(&mut self, n: usize) {
        self.sizes.ngravcomp = n;
    }
}
