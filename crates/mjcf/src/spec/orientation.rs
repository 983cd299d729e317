//! Orientations.

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
