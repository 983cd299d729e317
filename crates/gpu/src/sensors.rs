//! Sensors that have a kernel.

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
}

/// The kernels' names of them.
pub const TURNS: [(&str, Turn); 3] =
    [("TURN_MOTION", Turn::Motion), ("TURN_FORCE", Turn::Force), ("TURN_ACCELERATION", Turn::Acceleration)];

/// Sensors with a kernel, and the kernels' names of them.
pub const KINDS: [(&str, S, Turn); 43] = [
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
        let asks_more = match m.sensor_type(*i) {
            S::Rangefinder => m.sensor_intprm[*i][0] != DISTANCE || !rays_end(m),
            // what is within its margin but has no row is not kept
            S::Contact => m.geom_gap.iter().chain(m.pair_gap.iter()).any(|gap| *gap != 0.0),
            S::Actuatorvel => m.actuator_trntype(m.sensor_objid[*i] as usize) == TrnType::Body,
            _ => moving_world(*i),
        };
        turn(m, *i).is_none() || !watches(m.sensor_objtype(*i)) || !watches(m.sensor_reftype(*i)) || asks_more
    };
    match (0..m.nsensor).find(lacks) {
        Some(i) => {
            Err(Refusal::element(m, format!("the sensor {:?} as it is used", m.sensor_type(i)), ObjType::Sensor, i))
        }
        None => Ok(()),
    }
}

/// The only field of a ray that has a kernel, as a bit.
const DISTANCE: i32 = 1 << RayDataField::Dist as i32;

/// Whether rays meet a geom: it is not transparent.
pub fn is_seen(m: &Model, g: usize) -> bool {
    usize::try_from(m.geom_matid[g]).map_or(m.geom_rgba[g], |mat| m.mat_rgba[mat])[3] != 0.0
}

/// Whether all that rays meet are shapes they have kernels for.
fn rays_end(m: &Model) -> bool {
    let solid = |g: usize| !matches!(m.geom_type(g), GeomType::Mesh | GeomType::Hfield | GeomType::Sdf);
    (0..m.ngeom).all(|g| !is_seen(m, g) || solid(g))
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
