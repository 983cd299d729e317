//! MuJoCo's functions over `MjModel` and `MjData`.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew_engine::{Data, Model, step};

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
    mj_forward: "Positions, velocities, forces and accelerations of the present state.", step::forward;
    mj_fwdPosition: "Everything that depends on positions only.", step::fwd_position;
    mj_fwdKinematics: "Poses and everything attached to them.", step::fwd_kinematics;
    mj_kinematics: "Frames of bodies, then of what is attached to them.", step::kinematics;
    mj_comPos: "Centres of mass, and inertias and motion axes about them.", step::com_pos;
    mj_camlight: "Camera and light frames.", step::camlight;
    mj_tendon: "Tendon paths, lengths and Jacobians.", step::tendon;
    mj_makeM: "Mass matrix, in both storage orders.", step::make_m;
    mj_factorM: "Factor of the mass matrix.", step::factor_m;
    mj_transmission: "Actuator lengths and moments.", step::transmission;
}

/// Adds all functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(module)
}
