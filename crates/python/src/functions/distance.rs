//! Distances between geoms.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, index, look};
use crate::arrays::Out;
use crate::data::MjData;
use crate::model::MjModel;
use pyo3::prelude::*;
use sinew_engine::support::distance::{Work, geom_distance};
use std::cell::RefCell;

thread_local! {
    /// Buffers of the colliders. Per thread: data is only read here, so several threads may call at once.
    static WORK: RefCell<Work> = RefCell::default();
}

/// Smallest signed distance between two geoms, at most distmax; writes the segment between their nearest points, or
/// zeros if they are farther apart.
#[pyfunction]
#[pyo3(signature = (m, d, geom1, geom2, distmax, fromto=None))]
fn mj_geomDistance(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    geom1: i64,
    geom2: i64,
    distmax: f64,
    fromto: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let fromto = fromto.map(|a| Out::new(a, "fromto")?.vector(6)).transpose()?;
    let ngeom = look(m, d, |m, _| m.ngeom)?;
    let geoms = [index("geom", geom1, ngeom)?, index("geom", geom2, ngeom)?];
    let found = WORK.with_borrow_mut(|work| look(m, d, |m, d| geom_distance(m, &d.pose, geoms, distmax, work)))?;
    if let Some(out) = fromto {
        out.store(found.fromto.as_flattened())?;
    }
    Ok(found.dist)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_geomDistance);
    Ok(())
}
