//! Forces, velocities and properties of objects.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::util::{In, Res};
use super::{add, call, index, look};
use crate::arrays::{Out, fixed};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use crate::views::records::MjContact;
use pyo3::prelude::*;
use sinew_engine::data::Contact;
use sinew_engine::model::enums::{ObjType, SameFrame};
use sinew_engine::support::{contact, force, frame, object};
use sinew_math::MINVAL;

/// Whether Jacobians are sparse.
#[pyfunction]
fn mj_isSparse(m: &Bound<'_, MjModel>) -> PyResult<i32> {
    Ok(i32::from(sinew_engine::support::is_sparse(&*m.get().read()?)))
}

/// Whether friction cones are pyramidal.
#[pyfunction]
fn mj_isPyramidal(m: &Bound<'_, MjModel>) -> PyResult<i32> {
    Ok(i32::from(sinew_engine::support::is_pyramidal(&*m.get().read()?)))
}

/// Sum of the masses of all bodies.
#[pyfunction]
fn mj_getTotalmass(m: &Bound<'_, MjModel>) -> PyResult<f64> {
    Ok(m.get().read()?.body_mass.iter().sum())
}

/// Scales masses and inertias to a given total mass.
#[pyfunction]
fn mj_setTotalmass(m: &Bound<'_, MjModel>, newmass: f64) -> PyResult<()> {
    let mut model = m.get().write()?;
    let scale = (newmass / model.body_mass.iter().sum::<f64>().max(MINVAL)).max(MINVAL);
    model.body_mass.iter_mut().skip(1).for_each(|mass| *mass *= scale);
    model.body_inertia.iter_mut().skip(1).flatten().for_each(|inertia| *inertia *= scale);
    Ok(())
}

/// World position and orientation of a frame on a body; `sameframe` says which frame of the body it coincides with.
#[pyfunction]
fn mj_local2Global(
    d: &Bound<'_, MjData>,
    xpos: Res<'_, 3>,
    xmat: Res<'_, 9>,
    pos: In<3>,
    quat: In<4>,
    body: i64,
    sameframe: u8,
) -> PyResult<()> {
    let sameframe = SameFrame::try_from(i32::from(sameframe)).map_err(|e| error::fatal(e.to_string()))?;
    let (at, axes) = {
        let data = d.get().cell.read()?;
        let body = index("body", body, data.pose.xpos.len())?;
        (
            frame::local_to_global_pos(&data.pose, body, &pos.0, sameframe),
            frame::local_to_global_mat(&data.pose, body, &quat.0, sameframe),
        )
    };
    xpos.set(at)?;
    xmat.set(axes)
}

/// Adds a contact; returns 1 if there is no capacity left.
#[pyfunction]
fn mj_addContact(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    con: &Bound<'_, MjContact>,
) -> PyResult<i32> {
    let con = con.as_any();
    let number = |name: &str| con.getattr(name)?.extract::<f64>();
    let integer = |name: &str| con.getattr(name)?.extract::<i32>();
    fn numbers<const N: usize>(con: &Bound<'_, PyAny>, name: &'static str) -> PyResult<[f64; N]> {
        fixed(&con.getattr(name)?, name)
    }
    let pair = |name: &'static str| numbers::<2>(con, name).map(|v| v.map(|x| x as i32));
    let contact = Contact {
        dist: number("dist")?,
        pos: numbers(con, "pos")?,
        frame: numbers(con, "frame")?,
        includemargin: number("includemargin")?,
        friction: numbers(con, "friction")?,
        solref: numbers(con, "solref")?,
        solreffriction: numbers(con, "solreffriction")?,
        solimp: numbers(con, "solimp")?,
        mu: number("mu")?,
        H: numbers(con, "H")?,
        dim: integer("dim")?,
        geom: pair("geom")?,
        flex: pair("flex")?,
        elem: pair("elem")?,
        vert: pair("vert")?,
        exclude: integer("exclude")?,
        efc_address: integer("efc_address")?,
    };
    contact.validate(&*m.get().read()?).map_err(|e| error::fatal(format!("MjContact: {e}")))?;
    let added = call(py, m, d, |m, d| d.add_contact(m, contact))?;
    Ok(i32::from(!added))
}

/// Adds the joint forces of a force and torque applied at a world point of a body.
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

/// Velocity (rotation, translation) of an object, in world axes or its local axes.
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

/// Acceleration (rotation, translation) of an object, in world axes or its local axes.
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
        c.filter(|c| c.efc_address >= 0).map_or([0.0; 6], |c| contact::contact_force(m, c, &d.solution))
    })?;
    out.store(&value)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(
        module,
        mj_getTotalmass,
        mj_setTotalmass,
        mj_local2Global,
        mj_addContact,
        mj_isSparse,
        mj_isPyramidal,
        mj_applyFT,
        mj_objectVelocity,
        mj_objectAcceleration,
        mj_contactForce
    );
    Ok(())
}
