//! Orientations.

use super::Compiler;
use crate::compile::frames;
use crate::error::Result;

/// An alternative form of an orientation; takes precedence over `quat`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Orientation {
    /// Use the quaternion.
    #[default]
    Quat,
    /// Axis and angle.
    AxisAngle([f64; 4]),
    /// X axis and (not necessarily orthogonal) Y axis.
    XyAxes([f64; 6]),
    /// Z axis; reached by the minimal rotation from the current Z.
    ZAxis([f64; 3]),
    /// Euler angles in the compiler's sequence.
    Euler([f64; 3]),
}

impl Orientation {
    /// The equivalent quaternion, with angles in the units of `compiler`; `quat` if no alternative is given.
    ///
    /// # Errors
    /// When its axes are too short to define a direction.
    pub fn resolve(&self, quat: [f64; 4], compiler: &Compiler) -> Result<[f64; 4]> {
        frames::orientation(quat, self, compiler)
    }
}
