//! Sensors that have a kernel.

use crate::refuse::Refusal;
use sinew_engine::Model;
use sinew_engine::model::enums::{DataType, ObjType, SensorType as S};

/// When a sensor can be read. The numbers are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// While frames and velocities are there.
    Motion = 0,
    /// Once the forces of actuators are.
    Force = 1,
    /// After the solver.
    Acceleration = 2,
}

/// The kernels' names of them.
pub const TURNS: [(&str, Turn); 3] =
    [("TURN_MOTION", Turn::Motion), ("TURN_FORCE", Turn::Force), ("TURN_ACCELERATION", Turn::Acceleration)];

/// Sensors with a kernel, and the kernels' names of them.
pub const KINDS: [(&str, S, Turn); 31] = [
    ("MAGNETOMETER", S::Magnetometer, Turn::Motion),
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
    ("ACTUATORFRC", S::Actuatorfrc, Turn::Force),
    ("JOINTACTFRC", S::Jointactfrc, Turn::Force),
    ("TENDONACTFRC", S::Tendonactfrc, Turn::Force),
    ("ACCELEROMETER", S::Accelerometer, Turn::Acceleration),
    ("FORCE", S::Force, Turn::Acceleration),
    ("TORQUE", S::Torque, Turn::Acceleration),
    ("FRAMELINACC", S::Framelinacc, Turn::Acceleration),
    ("FRAMEANGACC", S::Frameangacc, Turn::Acceleration),
    ("NONE", S::User, Turn::Motion),
];

/// When a sensor is read; `None` if it has no kernel.
pub fn turn(m: &Model, i: usize) -> Option<Turn> {
    let kind = m.sensor_type(i);
    KINDS[..KINDS.len() - 1].iter().find(|k| k.1 == kind).map(|k| k.2)
}

/// The first sensor that has no kernel.
pub fn check(m: &Model) -> Result<(), Refusal> {
    let watches = |kind: ObjType| !matches!(kind, ObjType::Camera);
    let moving_world = |i: usize| {
        let subtree = matches!(m.sensor_type(i), S::Subtreelinvel | S::Subtreeangmom);
        subtree && m.sensor_objid[i] == 0
    };
    let lacks = |i: &usize| {
        turn(m, *i).is_none() || !watches(m.sensor_objtype(*i)) || !watches(m.sensor_reftype(*i)) || moving_world(*i)
    };
    match (0..m.nsensor).find(lacks) {
        Some(i) => {
            Err(Refusal::element(m, format!("the sensor {:?} as it is used", m.sensor_type(i)), ObjType::Sensor, i))
        }
        None => Ok(()),
    }
}

/// What is watched, as the kernels know it: a body, its inertia, a geom or a site; and the body it is on.
pub fn watched(m: &Model, kind: ObjType, id: i32) -> (i64, i64) {
    let Ok(at) = usize::try_from(id) else { return (0, -1) };
    match kind {
        ObjType::Xbody => (0, id.into()),
        ObjType::Body => (1, id.into()),
        ObjType::Geom => (2, m.geom_bodyid[at].into()),
        ObjType::Site => (3, m.site_bodyid[at].into()),
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
