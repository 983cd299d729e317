//! Sensors that have a kernel.

use crate::geom_distances;
use crate::ray_meshes;
use crate::refuse::Refusal;
use sinew_engine::Model;
use sinew_engine::model::enums::{DataType, GeomType, ObjType, RayDataField, SensorType as S, TrnType};

/// The stage at which a sensor is computed. The numbers are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensorStage {
    /// With frames and velocities.
    Motion = 0,
    /// After actuator forces.
    Force = 1,
    /// After the solver.
    Acceleration = 2,
    /// Before the contact search, in its memory.
    Distance = 3,
    /// After the contact search.
    Contact = 4,
}

/// The kernels' names of them.
pub const STAGES: [(&str, SensorStage); 5] = [
    ("STAGE_MOTION", SensorStage::Motion),
    ("STAGE_FORCE", SensorStage::Force),
    ("STAGE_ACCELERATION", SensorStage::Acceleration),
    ("STAGE_DISTANCE", SensorStage::Distance),
    ("STAGE_CONTACT", SensorStage::Contact),
];

/// Supported sensors, and the kernels' names of them.
pub const KINDS: [(&str, S, SensorStage); 47] = [
    ("MAGNETOMETER", S::Magnetometer, SensorStage::Motion),
    ("CAMPROJECTION", S::Camprojection, SensorStage::Motion),
    ("JOINTPOS", S::Jointpos, SensorStage::Motion),
    ("JOINTVEL", S::Jointvel, SensorStage::Motion),
    ("TENDONPOS", S::Tendonpos, SensorStage::Motion),
    ("TENDONVEL", S::Tendonvel, SensorStage::Motion),
    ("ACTUATORPOS", S::Actuatorpos, SensorStage::Motion),
    ("ACTUATORVEL", S::Actuatorvel, SensorStage::Motion),
    ("BALLQUAT", S::Ballquat, SensorStage::Motion),
    ("BALLANGVEL", S::Ballangvel, SensorStage::Motion),
    ("FRAMEPOS", S::Framepos, SensorStage::Motion),
    ("FRAMEQUAT", S::Framequat, SensorStage::Motion),
    ("FRAMEXAXIS", S::Framexaxis, SensorStage::Motion),
    ("FRAMEYAXIS", S::Frameyaxis, SensorStage::Motion),
    ("FRAMEZAXIS", S::Framezaxis, SensorStage::Motion),
    ("FRAMELINVEL", S::Framelinvel, SensorStage::Motion),
    ("FRAMEANGVEL", S::Frameangvel, SensorStage::Motion),
    ("GYRO", S::Gyro, SensorStage::Motion),
    ("VELOCIMETER", S::Velocimeter, SensorStage::Motion),
    ("SUBTREECOM", S::Subtreecom, SensorStage::Motion),
    ("SUBTREELINVEL", S::Subtreelinvel, SensorStage::Motion),
    ("SUBTREEANGMOM", S::Subtreeangmom, SensorStage::Motion),
    ("CLOCK", S::Clock, SensorStage::Motion),
    ("RANGEFINDER", S::Rangefinder, SensorStage::Motion),
    ("INSIDESITE", S::Insidesite, SensorStage::Motion),
    ("POTENTIAL", S::EPotential, SensorStage::Motion),
    ("JOINTLIMITPOS", S::Jointlimitpos, SensorStage::Motion),
    ("JOINTLIMITVEL", S::Jointlimitvel, SensorStage::Motion),
    ("TENDONLIMITPOS", S::Tendonlimitpos, SensorStage::Motion),
    ("TENDONLIMITVEL", S::Tendonlimitvel, SensorStage::Motion),
    ("KINETIC", S::EKinetic, SensorStage::Force),
    ("ACTUATORFRC", S::Actuatorfrc, SensorStage::Force),
    ("JOINTACTFRC", S::Jointactfrc, SensorStage::Force),
    ("TENDONACTFRC", S::Tendonactfrc, SensorStage::Force),
    ("TOUCH", S::Touch, SensorStage::Acceleration),
    ("CONTACT", S::Contact, SensorStage::Acceleration),
    ("JOINTLIMITFRC", S::Jointlimitfrc, SensorStage::Acceleration),
    ("TENDONLIMITFRC", S::Tendonlimitfrc, SensorStage::Acceleration),
    ("ACCELEROMETER", S::Accelerometer, SensorStage::Acceleration),
    ("FORCE", S::Force, SensorStage::Acceleration),
    ("TORQUE", S::Torque, SensorStage::Acceleration),
    ("FRAMELINACC", S::Framelinacc, SensorStage::Acceleration),
    ("FRAMEANGACC", S::Frameangacc, SensorStage::Acceleration),
    ("GEOMDIST", S::Geomdist, SensorStage::Distance),
    ("GEOMNORMAL", S::Geomnormal, SensorStage::Distance),
    ("GEOMFROMTO", S::Geomfromto, SensorStage::Distance),
    ("NONE", S::User, SensorStage::Motion),
];

/// The stage of a sensor; `None` if it has no kernel.
pub fn stage(m: &Model, i: usize) -> Option<SensorStage> {
    let kind = m.sensor_type(i);
    let adheres = || m.actuator_trntype(m.sensor_objid[i] as usize) == TrnType::Body;
    if kind == S::Actuatorvel && adheres() {
        return Some(SensorStage::Contact);
    }
    KINDS[..KINDS.len() - 1].iter().find(|k| k.1 == kind).map(|k| k.2)
}

/// Refuses the first sensor that has no kernel.
pub fn check(m: &Model) -> Result<(), Refusal> {
    let lacks = |i: &usize| match m.sensor_type(*i) {
        S::Rangefinder => m.sensor_objtype(*i) == ObjType::Camera || ray_meshes::rays_see(m, GeomType::Sdf),
        S::Geomdist | S::Geomnormal | S::Geomfromto => geom_distances::of_sensor(m, *i).is_none(),
        _ => stage(m, *i).is_none(),
    };
    match (0..m.nsensor).find(lacks) {
        Some(i) => {
            Err(Refusal::element(m, format!("the sensor {:?} as it is used", m.sensor_type(i)), ObjType::Sensor, i))
        }
        None => Ok(()),
    }
}

/// Whether a rangefinder needs more than the distance.
pub fn asks_fields(m: &Model, i: usize) -> bool {
    m.sensor_type(i) == S::Rangefinder && m.sensor_intprm[i][0] != 1 << RayDataField::Dist as i32
}

/// Whether a sensor is one of the momentum of the whole model.
pub fn moving_world(m: &Model, i: usize) -> bool {
    matches!(m.sensor_type(i), S::Subtreelinvel | S::Subtreeangmom) && m.sensor_objid[i] == 0
}

/// Whether any sensor refers to a camera.
pub fn use_cameras(m: &Model) -> bool {
    (0..m.nsensor).any(|i| [m.sensor_objtype(i), m.sensor_reftype(i)].contains(&ObjType::Camera))
}

/// Whether rays hit a geom: it is not transparent.
pub fn is_visible(m: &Model, g: usize) -> bool {
    usize::try_from(m.geom_matid[g]).map_or(m.geom_rgba[g], |mat| m.mat_rgba[mat])[3] != 0.0
}

/// The kernels' code of an object type (body frame, inertial frame, geom, site or camera), and the body it is on.
pub fn object(m: &Model, kind: ObjType, id: i32) -> (i64, i64) {
    let Ok(at) = usize::try_from(id) else { return (0, -1) };
    match kind {
        ObjType::Xbody => (0, id.into()),
        ObjType::Body => (1, id.into()),
        ObjType::Geom => (2, m.geom_bodyid[at].into()),
        ObjType::Site => (3, m.site_bodyid[at].into()),
        ObjType::Camera => (4, m.cam_bodyid[at].into()),
        _ => (0, -1),
    }
}

/// How a cutoff applies: not at all, from above, or from both sides.
pub fn cutoff_type(m: &Model, i: usize) -> i64 {
    match m.sensor_datatype(i) {
        DataType::Real => 2,
        DataType::Positive => 1,
        _ => 0,
    }
}
