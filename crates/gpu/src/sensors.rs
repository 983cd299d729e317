//! Sensors that have a kernel.

use crate::geom_distances;
use crate::ray_meshes;
use crate::refuse::Refusal;
use sinew_engine::Model;
use sinew_engine::model::enums::{DataType, GeomType, ObjType, RayDataField, SensorType as S, TrnType};

/// When a sensor can be read. The numbers are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// While frames and velocities are there.
    Motion = 0,
    /// Once the forces of actuators are.
    Force = 1,
    /// After the solver.
    Acceleration = 2,
    /// Before contacts are searched for, in the room of that search.
    Distance = 3,
    /// Once contacts are found.
    Contact = 4,
}

/// The kernels' names of them.
pub const TURNS: [(&str, Turn); 5] = [
    ("TURN_MOTION", Turn::Motion),
    ("TURN_FORCE", Turn::Force),
    ("TURN_ACCELERATION", Turn::Acceleration),
    ("TURN_DISTANCE", Turn::Distance),
    ("TURN_CONTACT", Turn::Contact),
];

/// Sensors with a kernel, and the kernels' names of them.
pub const KINDS: [(&str, S, Turn); 47] = [
    ("MAGNETOMETER", S::Magnetometer, Turn::Motion),
    ("CAMPROJECTION", S::Camprojection, Turn::Motion),
    ("JOINTPOS", S::Jointpos, Turn::Motion),
    ("JOINTVEL", S::Jointvel, Turn::Motion),
    ("TENDONPOS", S::Tendonpos, Turn::Motion),
    ("TENDONVEL", S::Tendonvel, Turn::Motion),
    ("ACTUATORPOS", S::Actuatorpos, Turn::Motion),
    ("ACTUATORVEL", S::Actuatorvel, Turn::Motion),
    ("BALLQUAT", S::Ballquat, Turn::Motion),
    ("BALLANGVEL", S::Ballangvel, Turn::Motion),
    ("FRAMEPOS", S::Framepos, Turn::Motion),
    ("FRAMEQUAT", S::Framequat, Turn::Motion),
    ("FRAMEXAXIS", S::Framexaxis, Turn::Motion),
    ("FRAMEYAXIS", S::Frameyaxis, Turn::Motion),
    ("FRAMEZAXIS", S::Framezaxis, Turn::Motion),
    ("FRAMELINVEL", S::Framelinvel, Turn::Motion),
    ("FRAMEANGVEL", S::Frameangvel, Turn::Motion),
    ("GYRO", S::Gyro, Turn::Motion),
    ("VELOCIMETER", S::Velocimeter, Turn::Motion),
    ("SUBTREECOM", S::Subtreecom, Turn::Motion),
    ("SUBTREELINVEL", S::Subtreelinvel, Turn::Motion),
    ("SUBTREEANGMOM", S::Subtreeangmom, Turn::Motion),
    ("CLOCK", S::Clock, Turn::Motion),
    ("RANGEFINDER", S::Rangefinder, Turn::Motion),
    ("INSIDESITE", S::Insidesite, Turn::Motion),
    ("POTENTIAL", S::EPotential, Turn::Motion),
    ("JOINTLIMITPOS", S::Jointlimitpos, Turn::Motion),
    ("JOINTLIMITVEL", S::Jointlimitvel, Turn::Motion),
    ("TENDONLIMITPOS", S::Tendonlimitpos, Turn::Motion),
    ("TENDONLIMITVEL", S::Tendonlimitvel, Turn::Motion),
    ("KINETIC", S::EKinetic, Turn::Force),
    ("ACTUATORFRC", S::Actuatorfrc, Turn::Force),
    ("JOINTACTFRC", S::Jointactfrc, Turn::Force),
    ("TENDONACTFRC", S::Tendonactfrc, Turn::Force),
    ("TOUCH", S::Touch, Turn::Acceleration),
    ("CONTACT", S::Contact, Turn::Acceleration),
    ("JOINTLIMITFRC", S::Jointlimitfrc, Turn::Acceleration),
    ("TENDONLIMITFRC", S::Tendonlimitfrc, Turn::Acceleration),
    ("ACCELEROMETER", S::Accelerometer, Turn::Acceleration),
    ("FORCE", S::Force, Turn::Acceleration),
    ("TORQUE", S::Torque, Turn::Acceleration),
    ("FRAMELINACC", S::Framelinacc, Turn::Acceleration),
    ("FRAMEANGACC", S::Frameangacc, Turn::Acceleration),
    ("GEOMDIST", S::Geomdist, Turn::Distance),
    ("GEOMNORMAL", S::Geomnormal, Turn::Distance),
    ("GEOMFROMTO", S::Geomfromto, Turn::Distance),
    ("NONE", S::User, Turn::Motion),
];

/// When a sensor is read; `None` if it has no kernel.
pub fn turn(m: &Model, i: usize) -> Option<Turn> {
    let kind = m.sensor_type(i);
    let adheres = || m.actuator_trntype(m.sensor_objid[i] as usize) == TrnType::Body;
    if kind == S::Actuatorvel && adheres() {
        return Some(Turn::Contact);
    }
    KINDS[..KINDS.len() - 1].iter().find(|k| k.1 == kind).map(|k| k.2)
}

/// The first sensor that has no kernel.
pub fn check(m: &Model) -> Result<(), Refusal> {
    let lacks = |i: &usize| match m.sensor_type(*i) {
        S::Rangefinder => m.sensor_objtype(*i) == ObjType::Camera || ray_meshes::rays_see(m, GeomType::Sdf),
        S::Geomdist | S::Geomnormal | S::Geomfromto => geom_distances::of_sensor(m, *i).is_none(),
        _ => turn(m, *i).is_none(),
    };
    match (0..m.nsensor).find(lacks) {
        Some(i) => {
            Err(Refusal::element(m, format!("the sensor {:?} as it is used", m.sensor_type(i)), ObjType::Sensor, i))
        }
        None => Ok(()),
    }
}

/// Whether a sensor asks for more of a ray than how long it is.
pub fn asks_fields(m: &Model, i: usize) -> bool {
    m.sensor_type(i) == S::Rangefinder && m.sensor_intprm[i][0] != 1 << RayDataField::Dist as i32
}

/// Whether a sensor is about the momentum of everything.
pub fn moving_world(m: &Model, i: usize) -> bool {
    matches!(m.sensor_type(i), S::Subtreelinvel | S::Subtreeangmom) && m.sensor_objid[i] == 0
}

/// Whether sensors are about cameras.
pub fn use_cameras(m: &Model) -> bool {
    (0..m.nsensor).any(|i| [m.sensor_objtype(i), m.sensor_reftype(i)].contains(&ObjType::Camera))
}

/// Whether rays meet a geom: it is not transparent.
pub fn is_seen(m: &Model, g: usize) -> bool {
    usize::try_from(m.geom_matid[g]).map_or(m.geom_rgba[g], |mat| m.mat_rgba[mat])[3] != 0.0
}

/// What is watched, as the kernels know it: a body, its inertia, a geom, a site or a camera; and the body it is on.
pub fn watched(m: &Model, kind: ObjType, id: i32) -> (i64, i64) {
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

/// How a cutoff bounds a sensor: not at all, from above, or from both sides.
pub fn bounds(m: &Model, i: usize) -> i64 {
    match m.sensor_datatype(i) {
        DataType::Real => 2,
        DataType::Positive => 1,
        _ => 0,
    }
}
