//! Orientations.

use super::Compiler;
use crate::compile::frames;
use crate::error::Result;

/// An alternative way to give an orientation; wins over `quat`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Orientation {
    /// Use the quaternion.
    #[default]
    Quat,
    /// Axis and angle.
    AxisAngle([f64; 4]),
    /// X axis and (not necessarily orthogonal) Y axis.
    XyAxes([f64; 6]),
    /// Z axis; the rotation from the current Z is minimal.
    ZAxis([f64; 3]),
    /// Euler angles in the compiler's sequence.
    Euler([f64; 3]),
}

impl Orientation {
    /// The quaternion it stands for, in the units of some settings; `quat` if it is none.
    ///
    /// # Errors
    /// When its axes are too short to give a direction.
    pub fn resolve(&self, quat: [f64; 4], compiler: &Compiler) -> Result<[f64; 4]> {
        frames::orientation(quat, self, compiler)
    }
}
