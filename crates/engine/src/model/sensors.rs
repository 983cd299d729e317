//! Output sizes that follow from the sensor type.

use super::enums::SensorType;

/// Number of values per contact, in the order of `ConDataField`.
pub const CONTACT_FIELDS: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];
/// Number of values per ray, in the order of `RayDataField`.
pub const RAY_FIELDS: [usize; 6] = [1, 3, 3, 3, 3, 1];

/// Sum of the sizes of the fields whose bit is set.
pub fn selected(sizes: &[usize], bits: i32) -> usize {
    sizes.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0).map(|(_, size)| size).sum()
}

impl SensorType {
    /// Number of outputs; `None` if it depends on parameters or on the sensed object.
    pub fn outputs(self) -> Option<usize> {
        use SensorType::*;
        Some(match self {
            Contact | Tactile | Rangefinder | User | Plugin => return None,
            Camprojection => 2,
            Accelerometer | Velocimeter | Gyro | Force | Torque | Magnetometer | Ballangvel | Framepos | Framexaxis
            | Frameyaxis | Framezaxis | Framelinvel | Frameangvel | Framelinacc | Frameangacc | Subtreecom
            | Subtreelinvel | Subtreeangmom | Geomnormal => 3,
            Ballquat | Framequat => 4,
            Geomfromto => 6,
            Touch | Jointpos | Jointvel | Tendonpos | Tendonvel | Actuatorpos | Actuatorvel | Actuatorfrc
            | Jointactfrc | Tendonactfrc | Jointlimitpos | Jointlimitvel | Jointlimitfrc | Tendonlimitpos
            | Tendonlimitvel | Tendonlimitfrc | Insidesite | Geomdist | EPotential | EKinetic | Clock => 1,
        })
    }
}
