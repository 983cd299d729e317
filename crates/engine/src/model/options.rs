//! `mjOption`, `mjStatistic` and `mjVisual` with MuJoCo's defaults.

use super::enums::{self, Code, ConeType, DisableFlags, EnableFlags, Integrator, JacobianType, SolverType};
use crate::fields::{DType, Dim, FieldInfo, Fields, Holds, Slice, SliceMut};

include!(concat!(env!("OUT_DIR"), "/settings.rs"));

impl Options {
    /// Whether a feature that is on by default is switched off.
    #[inline]
    pub fn disabled(&self, flag: DisableFlags) -> bool {
        self.disableflags.intersects(flag)
    }

    /// Whether an optional feature is switched on.
    #[inline]
    pub fn enabled(&self, flag: EnableFlags) -> bool {
        self.enableflags.intersects(flag)
    }
}

/// Visualisation settings, in MuJoCo's groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visual {
    /// Free camera, offscreen size and other global settings.
    pub global: VisualGlobal,
    /// Rendering quality.
    pub quality: VisualQuality,
    /// Light attached to the camera.
    pub headlight: VisualHeadlight,
    /// Mapping from physical to drawn quantities.
    pub map: VisualMap,
    /// Sizes of decorations relative to the mean body size.
    pub scale: VisualScale,
    /// Colours of decorations.
    pub rgba: VisualRgba,
}
