//! Jacobians.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, index, look};
use crate::arrays::{Out, fixed};
use crate::data::MjData;
use crate::model::MjModel;
use pyo3::prelude::*;
use sinew_engine::support::jacobian::{self, Out as Dst};
use sinew_engine::{Data, Model};

type Arg<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The array of an optional argument, and a buffer for its values.
fn open<'py>((arg, name): (Arg<'_, 'py>, &'static str), nv: usize) -> PyResult<Option<(Out<'py>, Vec<f64>)>> {
    arg.map(|a| Ok((Out::new(a, name)?.matrix(3, nv)?, vec![0.0; 3 * nv]))).transpose()
}

/// Fills up to two optional 3 × nv arrays.
fn pair(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    first: (Arg<'_, '_>, &'static str),
    second: (Arg<'_, '_>, &'static str),
    work: impl FnOnce(&Model, &Data, Dst<'_>, Dst<'_>),
) -> PyResult<()> {
    let nv = m.get().sizes().nv;
    let (mut a, mut b) = (open(first, nv)?, open(second, nv)?);
    look(m, d, |m, d| {
        work(m, d, a.as_mut().map(|(_, v)| &mut v[..]), b.as_mut().map(|(_, v)| &mut v[..]));
    })?;
    [a, b].into_iter().flatten().try_for_each(|(out, values)| out.store(&values))
}

/// Jacobian of a world point attached to a body.
#[pyfunction]
fn mj_jac(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jacp: Arg<'_, '_>,
    jacr: Arg<'_, '_>,
    point: &Bound<'_, PyAny>,
    body: i64,
) -> PyResult<()> {
    let (point, body) = (fixed(point, "point")?, index("body", body, m.get().sizes().nbody)?);
    pair(m, d, (jacp, "jacp"), (jacr, "jacr"), |m, d, p, r| jacobian::jac(m, &d.pose, p, r, point, body))
}

macro_rules! frames {
    ($($name:ident, $id:ident, $count:ident, $doc:literal, $work:path;)*) => {$(
        #[doc = $doc]
        #[pyfunction]
        fn $name(
            m: &Bound<'_, MjModel>,
            d: &Bound<'_, MjData>,
            jacp: Arg<'_, '_>,
            jacr: Arg<'_, '_>,
            $id: i64,
        ) -> PyResult<()> {
            let id = index(stringify!($id), $id, m.get().sizes().$count)?;
            pair(m, d, (jacp, "jacp"), (jacr, "jacr"), |m, d, p, r| $work(m, &d.pose, p, r, id))
        }
    )*};
}

frames! {
    mj_jacBody, body, nbody, "Jacobian of a body frame.", jacobian::jac_body;
    mj_jacBodyCom, body, nbody, "Jacobian of a body's centre of mass.", jacobian::jac_body_com;
    mj_jacGeom, geom, ngeom, "Jacobian of a geom's centre.", jacobian::jac_geom;
    mj_jacSite, site, nsite, "Jacobian of a site.", jacobian::jac_site;
}

/// Jacobian of the centre of mass of a subtree.
#[pyfunction]
fn mj_jacSubtreeCom(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, jacp: Arg<'_, '_>, body: i64) -> PyResult<()> {
    let body = index("body", body, m.get().sizes().nbody)?;
    pair(m, d, (jacp, "jacp"), (None, "jacr"), |m, d, p, _| {
        if let Some(p) = p {
            jacobian::jac_subtree_com(m, &d.pose, p, body);
        }
    })
}

/// Jacobians of a world point and of an axis attached to a body.
#[pyfunction]
fn mj_jacPointAxis(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jacPoint: Arg<'_, '_>,
    jacAxis: Arg<'_, '_>,
    point: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
    body: i64,
) -> PyResult<()> {
    let (point, axis) = (fixed(point, "point")?, fixed(axis, "axis")?);
    let body = index("body", body, m.get().sizes().nbody)?;
    pair(m, d, (jacPoint, "jacPoint"), (jacAxis, "jacAxis"), |m, d, p, a| {
        jacobian::jac_point_axis(m, &d.pose, p, a, point, axis, body);
    })
}

/// Time derivative of the Jacobian of a world point attached to a body.
#[pyfunction]
fn mj_jacDot(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jacp: Arg<'_, '_>,
    jacr: Arg<'_, '_>,
    point: &Bound<'_, PyAny>,
    body: i64,
) -> PyResult<()> {
    let (point, body) = (fixed(point, "point")?, index("body", body, m.get().sizes().nbody)?);
    pair(m, d, (jacp, "jacp"), (jacr, "jacr"), |m, d, p, r| {
        jacobian::jac_dot(m, &d.pose, &d.motion, [p, r], point, body);
    })
}

/// The 3 × nv matrix from joint velocities to a subtree's angular momentum.
#[pyfunction]
fn mj_angmomMat(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, mat: &Bound<'_, PyAny>, body: i64) -> PyResult<()> {
    let body = index("body", body, m.get().sizes().nbody)?;
    pair(m, d, (Some(mat), "mat"), (None, ""), |m, d, mat, _| {
        if let Some(mat) = mat {
            jacobian::angmom_mat(m, &d.pose, mat, body);
        }
    })
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_jac, mj_jacBody, mj_jacBodyCom, mj_jacGeom, mj_jacSite, mj_jacSubtreeCom, mj_jacPointAxis);
    add!(module, mj_jacDot, mj_angmomMat);
    Ok(())
}
