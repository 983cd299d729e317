//! MuJoCo's functions over `MjModel` and `MjData`.

mod band;
mod constants;
mod constraint;
mod dense;
pub mod derivative;
mod distance;
mod history;
mod inertia;
mod inverse;
mod jacobian;
mod names;
mod position;
mod ray;
mod realloc;
mod save;
mod stages;
mod state;
mod support;
mod text;
mod util;

pub use names::MUJOCO;

use crate::callbacks::UserHooks;
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use crate::warnings::Watch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew_engine::hooks::Hooks;
use sinew_engine::{Data, Model};

/// Runs native code with the GIL released, both objects locked and panics converted to exceptions. Warnings are
/// reported; code that takes several steps shows the simulation to its [`Watch`] after each.
fn watched<R: Send>(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    work: impl FnOnce(&Model, &mut Data, &mut Watch) -> R + Send,
) -> PyResult<R> {
    fits(m, d)?;
    let (done, watch) = {
        let model = m.get().read()?;
        let mut data = d.get().cell.lock()?;
        d.get().settle(&model, &mut data)?;
        let mut watch = Watch::new(&data);
        let done = run(py, d, &model, &mut data, |m, d| work(m, d, &mut watch));
        watch.look(&data);
        (done, watch)
    };
    // after the locks are released: handlers may access the simulation
    watch.report(py)?;
    done
}

/// [`watched`] for code that takes at most one step.
pub(crate) fn call<R: Send>(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    work: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<R> {
    watched(py, m, d, |m, d, _| work(m, d))
}

/// Like [`call`] for code that runs the user's callbacks, if there are any.
fn call_with<R: Send>(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    work: impl FnOnce(&Model, &mut Data, &mut dyn Hooks) -> R + Send,
) -> PyResult<R> {
    let mut hooks = UserHooks::new(m, d);
    call(py, m, d, |m, d| work(m, d, hooks.get()))
}

/// Like [`call`] for code that only reads: views stay valid.
pub(crate) fn look<R>(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    work: impl FnOnce(&Model, &Data) -> R,
) -> PyResult<R> {
    fits(m, d)?;
    let model = m.get().read()?;
    let data = d.get().cell.read()?;
    d.get().check(&model, &data)?;
    error::guarded(|| work(&model, &data))
}

/// Like [`call_with`] for code that resets everything, whatever its state was.
fn call_anew<R: Send>(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    work: impl FnOnce(&Model, &mut Data, &mut dyn Hooks) -> R + Send,
) -> PyResult<R> {
    fits(m, d)?;
    let model = m.get().read()?;
    let mut data = d.get().cell.lock_anew()?;
    d.get().cell.renew(&model, &mut data);
    let mut hooks = UserHooks::new(m, d);
    run(py, d, &model, &mut data, |m, d| work(m, d, hooks.get()))
}

/// Runs native code with the GIL released. If it panics, the partial state is not used before a reset.
fn run<R: Send>(
    py: Python<'_>,
    d: &Bound<'_, MjData>,
    model: &Model,
    data: &mut Data,
    work: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<R> {
    let done = py.detach(|| error::stopped(|| work(model, data)));
    debug_assert!(d.as_super().get().in_place(data, 0), "a stage moved an array of fixed length");
    done.map_err(|stop| d.get().cell.stopped(stop, model, data))
}

fn fits(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    if d.get().model.get().same_shape(m.get()) {
        Ok(())
    } else {
        Err(PyValueError::new_err("the data was made for a model of other sizes"))
    }
}

/// Checks an index into something with `count` elements.
pub(crate) fn index(name: &str, id: i64, count: usize) -> PyResult<usize> {
    usize::try_from(id)
        .ok()
        .filter(|i| *i < count)
        .ok_or_else(|| error::fatal(format!("invalid {name} {id}, there are {count}")))
}

macro_rules! add {
    ($module:expr, $($name:ident),* $(,)?) => {
        $($module.add_function(pyo3::wrap_pyfunction!($name, $module)?)?;)*
    };
}
pub(crate) use add;

/// Adds all functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    stages::register(module)?;
    inverse::register(module)?;
    constants::register(module)?;
    constraint::register(module)?;
    state::register(module)?;
    save::register(module)?;
    inertia::register(module)?;
    jacobian::register(module)?;
    position::register(module)?;
    ray::register(module)?;
    realloc::register(module)?;
    distance::register(module)?;
    support::register(module)?;
    util::register(module)?;
    band::register(module)?;
    history::register(module)?;
    text::register(module)?;
    derivative::register(module)?;
    dense::register(module)?;
    names::register(module)
}
