//! MuJoCo's functions over `MjModel` and `MjData`.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew_engine::{Data, Model};

/// Runs a stage with the GIL released, both objects locked and panics turned into exceptions.
fn call<R: Send>(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    work: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<R> {
    if !d.get().model.get().same_shape(m.get()) {
        return Err(PyValueError::new_err("the data was made for a model of other sizes"));
    }
    let model = m.get().read()?;
    let mut data = d.get().cell.lock()?;
    let (model, data) = (&*model, &mut *data);
    py.detach(|| error::guarded(|| work(model, data)))
}

macro_rules! stages {
    ($($name:ident: $doc:literal, $work:expr;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            fn $name(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
                call(py, m, d, $work)
            }
        )*
        fn register_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}

stages! {
    mj_resetData: "Sets everything to zero, then the state to the model's initial state.", |m, d| d.reset(m);
}

/// Adds all functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(module)
}
