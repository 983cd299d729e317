//! Workspace for sensors and energies.

use crate::model::Model;
use crate::model::enums::SensorType;
use sinew_geometry::collide;

/// Buffers of the sensor stage.
#[derive(Clone, Debug)]
pub struct SensorWork {
    /// Values of one sensor.
    pub values: Vec<f64>,
    /// One value per dof.
    pub row: Vec<f64>,
    /// Buffers for distances between geoms.
    pub colliders: collide::Work,
}

impl SensorWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let distances = [SensorType::Geomdist, SensorType::Geomnormal, SensorType::Geomfromto].map(|t| t as i32);
        let measures = m.sensor_type.iter().any(|t| distances.contains(t));
        SensorWork {
            values: vec![0.0; m.sensor_dim.iter().max().map_or(0, |&n| n as usize)],
            row: vec![0.0; m.nv],
            colliders: if measures {
                collide::Work::new(m.opt.ccd_iterations.max(0) as usize)
            } else {
                collide::Work::default()
            },
        }
    }
}
