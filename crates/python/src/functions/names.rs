//! Names, ids and the version.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::add;
use crate::model::MjModel;
use crate::text::Text;
use pyo3::prelude::*;
use sinew_engine::model::enums::ObjType;

/// Id of the named object; −1 if there is none.
#[pyfunction]
fn mj_name2id(m: &Bound<'_, MjModel>, r#type: i32, name: Text) -> PyResult<i64> {
    let model = m.get().read()?;
    let id = ObjType::try_from(r#type).ok().and_then(|kind| model.name2id(kind, &name));
    Ok(id.map_or(-1, |i| i as i64))
}

/// Name of an object; `None` if it has none.
#[pyfunction]
fn mj_id2name(m: &Bound<'_, MjModel>, r#type: i32, id: i64) -> PyResult<Option<String>> {
    let model = m.get().read()?;
    let (Ok(kind), Ok(id)) = (ObjType::try_from(r#type), usize::try_from(id)) else { return Ok(None) };
    Ok(model.id2name(kind, id).map(String::from))
}

/// The version of MuJoCo that this module reproduces, as a number.
#[pyfunction]
fn mj_version() -> i32 {
    3_005_000
}

/// The version of MuJoCo that this module reproduces.
pub const MUJOCO: &str = "3.5.0";

/// The version of MuJoCo that this module reproduces.
#[pyfunction]
fn mj_versionString() -> &'static str {
    MUJOCO
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_name2id, mj_id2name, mj_version, mj_versionString);
    Ok(())
}
