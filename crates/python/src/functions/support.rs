//! Forces, velocities and properties of objects.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, index, look};
use crate::arrays::{Out, fixed};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::prelude::*;
use sinew_engine::model::enums::ObjType;
use sinew_engine::support::{contact, force, object};

/// Whether Jacobians are stored sparse.
#[pyfunction]
fn mj_isSparse(m: &Bound<'_, MjModel>) -> PyResult<i32> {
    Ok(i32::from(sinew_engine::support::is_sparse(&*m.get().read()?)))
}

/// Whether friction cones are pyramids.
#[pyfunction]
fn mj_isPyramidal(m: &Bound<'_, MjModel>) -> PyResult<i32> {
    Ok(i32::from(sinew_engine::support::is_pyramidal(&*m.get().read()?)))
}

/// Sum of the masses of all bodies.
#[pyfunction]
fn mj_getTotalmass(m: &Bound<'_, MjModel>) -> PyResult<f64> {
    Ok(m.get().read()?.body_mass.iter().sum())
}

/// Adds a force and torque at a world point of a body to joint forces.
#[pyfunction]
fn mj_applyFT(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    force: &Bound<'_, PyAny>,
    torque: &Bound<'_, PyAny>,
    point: &Bound<'_, PyAny>,
    body: i64,
    qfrc_target: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let s = m.get().sizes();
    let (f, t, p) = (fixed(force, "force")?, fixed(torque, "torque")?, fixed(point, "point")?);
    let body = index("body", body, s.nbody)?;
    let out = Out::new(qfrc_target, "qfrc_target")?.vector(s.nv)?;
    let mut qfrc = out.values()?;
    look(m, d, |m, d| force::apply_ft(m, &d.pose, f, t, p, body, &mut qfrc))?;
    out.store(&qfrc)
}

fn object_value(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    (objtype, objid): (i32, i64),
    res: &Bound<'_, PyAny>,
    work: impl FnOnce(&sinew_engine::Model, &sinew_engine::Data, object::ObjectFrame<'_>) -> [f64; 6],
) -> PyResult<()> {
    let out = Out::new(res, "res")?.vector(6)?;
    let kind = ObjType::try_from(objtype).map_err(|e| error::fatal(e.to_string()))?;
    let id = usize::try_from(objid).map_err(|_| error::fatal(format!("invalid object id {objid}")))?;
    let value = look(m, d, |m, d| object::object_frame(m, &d.pose, kind, id).map(|at| work(m, d, at)))?;
    out.store(&value.ok_or_else(|| error::fatal(format!("no object of type {objtype} with id {objid} has a frame")))?)
}

/// Velocity (rotation, translation) of an object, in world axes or its own.
#[pyfunction]
fn mj_objectVelocity(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    objtype: i32,
    objid: i64,
    res: &Bound<'_, PyAny>,
    flg_local: i32,
) -> PyResult<()> {
    object_value(m, d, (objtype, objid), res, |m, d, at| at.velocity(m, &d.pose, &d.motion, flg_local != 0))
}

/// Acceleration (rotation, translation) of an object, in world axes or its own.
#[pyfunction]
fn mj_objectAcceleration(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    objtype: i32,
    objid: i64,
    res: &Bound<'_, PyAny>,
    flg_local: i32,
) -> PyResult<()> {
    object_value(m, d, (objtype, objid), res, |m, d, at| {
        at.acceleration(m, &d.pose, &d.motion, &d.accel, flg_local != 0)
    })
}

/// Force and torque of a contact, in the contact frame.
#[pyfunction]
fn mj_contactForce(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, id: i64, result: &Bound<'_, PyAny>) -> PyResult<()> {
    let out = Out::new(result, "result")?.vector(6)?;
    let value = look(m, d, |m, d| {
        let c = usize::try_from(id).ok().and_then(|i| d.contact.get(i));
        c.filter(|c| c.efc_address >= 0).map_or([0.0; 6], |c| contact::contact_force(m, c, &d.efc))
    })?;
    out.store(&value)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(
        module,
        mj_getTotalmass,
        mj_isSparse,
        mj_isPyramidal,
        mj_applyFT,
        mj_objectVelocity,
        mj_objectAcceleration,
        mj_contactForce
    );
    Ok(())
}
