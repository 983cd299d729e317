//! Python module of sinew: MuJoCo's API over the Rust engine.

mod arrays;
mod batch;
mod callbacks;
mod canvas;
mod data;
mod error;
mod functions;
mod gpu;
mod interrupt;
mod level;
mod limits;
mod model;
mod named;
mod names_map;
mod overlay;
mod plugin;
mod rollout;
mod scene;
mod settings;
mod spec;
mod tables;
mod text;
mod viewer;
mod views;
mod warnings;

use pyo3::prelude::*;

#[pymodule]
fn _sinew(m: &Bound<'_, PyModule>) -> PyResult<()> {
    error::quiet_panics();
    m.add("__version__", functions::MUJOCO)?;
    m.add("__sinew_version__", env!("CARGO_PKG_VERSION"))?;
    m.add("FatalError", m.py().get_type::<error::FatalError>())?;
    m.add("StepError", m.py().get_type::<error::StepError>())?;
    m.add("UnexpectedError", m.py().get_type::<error::UnexpectedError>())?;
    level::register(m)?;
    limits::register(m)?;
    settings::register(m)?;
    views::records::register(m)?;
    model::register(m)?;
    spec::register(m)?;
    data::register(m)?;
    named::register(m)?;
    functions::register(m)?;
    callbacks::register(m)?;
    warnings::register(m)?;
    rollout::register(m)?;
    batch::register(m)?;
    gpu::register(m)?;
    scene::register(m)?;
    canvas::register(m)?;
    overlay::register(m)?;
    viewer::register(m)?;
    tables::register(m)
}
