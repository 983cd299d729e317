//! The state as a vector, keyframes, copies.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, call, call_anew, fits, look};
use crate::arrays::{Out, numbers};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew_engine::data::state::{StateError, extract_state, state_size};

fn wrong(e: StateError) -> PyErr {
    match e {
        StateError::Size { .. } => PyTypeError::new_err("state size should equal mj_stateSize(m, sig)"),
        StateError::Signature(sig) if sig < 0 => {
            error::fatal(format!("mj_stateSize: invalid state signature {sig} < 0"))
        }
        StateError::Signature(sig) => {
            error::fatal(format!("mj_stateSize: invalid state signature {sig} >= 2^mjNSTATE"))
        }
        StateError::NotSubset { .. } => error::fatal("mj_extractState: dstsig is not a subset of srcsig"),
        other => error::fatal(other.to_string()),
    }
}

/// Length of the state vector of a signature.
#[pyfunction]
fn mj_stateSize(m: &Bound<'_, MjModel>, sig: i32) -> PyResult<usize> {
    state_size(&*m.get().read()?, sig).map_err(wrong)
}

/// Writes the state components of a signature into `state`.
#[pyfunction]
fn mj_getState(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, state: &Bound<'_, PyAny>, sig: i32) -> PyResult<()> {
    let out = Out::new(state, "state")?;
    let mut values = out.values()?;
    look(m, d, |m, d| d.state.get(m, &mut values, sig))?.map_err(wrong)?;
    out.store(&values)
}

/// Reads the state components of a signature from `state`.
#[pyfunction]
fn mj_setState(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    state: &Bound<'_, PyAny>,
    sig: i32,
) -> PyResult<()> {
    let (_, values) = numbers(state, "state")?;
    call(py, m, d, |m, d| d.set_state(m, &values, sig))?.map_err(wrong)
}

/// Extracts the components of `dstsig` from a state vector of `srcsig`.
#[pyfunction]
fn mj_extractState(
    m: &Bound<'_, MjModel>,
    src: &Bound<'_, PyAny>,
    srcsig: i32,
    dst: &Bound<'_, PyAny>,
    dstsig: i32,
) -> PyResult<()> {
    let (_, from) = numbers(src, "src")?;
    let out = Out::new(dst, "dst")?;
    let mut to = out.values()?;
    extract_state(&*m.get().read()?, &from, srcsig, &mut to, dstsig).map_err(wrong)?;
    out.store(&to)
}

/// Copies the state components of a signature from one simulation to another.
#[pyfunction]
fn mj_copyState(m: &Bound<'_, MjModel>, src: &Bound<'_, MjData>, dst: &Bound<'_, MjData>, sig: i32) -> PyResult<()> {
    fits(m, src)?;
    fits(m, dst)?;
    if src.is(dst) {
        return Ok(());
    }
    let from = src.get().cell.read()?;
    src.get().check(&*m.get().read()?, &from)?;
    dst.get().cell.lock()?.copy_state(&from, sig).map_err(wrong)
}

/// Copies everything from one simulation to another of the same model.
#[pyfunction]
fn mj_copyData(dest: &Bound<'_, MjData>, m: &Bound<'_, MjModel>, src: &Bound<'_, MjData>) -> PyResult<()> {
    fits(m, src)?;
    fits(m, dest)?;
    if !src.is(dest) {
        let (model, from) = (m.get().read()?, src.get().cell.read()?);
        src.get().check(&model, &from)?;
        let mut to = dest.get().cell.lock_anew()?;
        dest.get().cell.renew(&model, &mut to);
        to.copy_from(&from);
    }
    Ok(())
}

/// Resets, then sets the state from a keyframe if it exists.
#[pyfunction]
fn mj_resetDataKeyframe(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, key: i32) -> PyResult<()> {
    call_anew(py, m, d, |m, d, _| {
        // as MuJoCo handles a keyframe that does not exist
        if d.reset_keyframe(m, usize::try_from(key).unwrap_or(usize::MAX)).is_err() {
            d.reset(m);
        }
    })
}

/// Stores the present state as keyframe `k`.
#[pyfunction]
fn mj_setKeyframe(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, k: i32) -> PyResult<()> {
    fits(m, d)?;
    let nkey = m.get().sizes().nkey;
    let key = match usize::try_from(k) {
        Ok(key) if key < nkey => key,
        Ok(_) => {
            let message = format!("index must be smaller than {nkey} (keyframes allocated in model)");
            return Err(error::fatal(format!("mj_setKeyframe: {message}")));
        }
        Err(_) => return Err(error::fatal("mj_setKeyframe: keyframe index cannot be negative")),
    };
    let data = d.get().cell.read()?;
    m.get().write()?.set_keyframe(&data, key).map_err(|e| error::fatal(format!("mj_setKeyframe: {e}")))
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_stateSize, mj_getState, mj_setState, mj_extractState, mj_copyState, mj_copyData);
    add!(module, mj_resetDataKeyframe, mj_setKeyframe);
    Ok(())
}
