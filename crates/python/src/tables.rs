//! The field and enum tables as Python data, for the package's own use (enums, stubs, tests).

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew_engine::fields::{DType, Dim, Fields};
use sinew_engine::model::enums::ENUMS;
use sinew_engine::model::options::*;
use sinew_engine::{Data, Model, Sizes};
use sinew_scene::{Camera, Perturb, SceneFields, ViewOptions};

type Row = (&'static str, &'static str, bool, &'static str);

fn rows<T: Fields>() -> Vec<Row> {
    let dtype = |d| match d {
        DType::F64 => "float64",
        DType::F32 => "float32",
        DType::I32 => "int32",
        DType::I64 => "int64",
        DType::U8 => "uint8",
        DType::Char => "char",
    };
    T::FIELDS.iter().map(|f| (f.name, dtype(f.dtype), f.is_scalar(), f.doc)).collect()
}

/// Rows `(name, type, whether a scalar, meaning)` of every table, in order; for `Sizes`, names.
#[pyfunction]
fn _tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("Sizes", Sizes::default().list().map(|(name, _)| name).to_vec())?;
    dict.set_item("MjModel", rows::<Model>())?;
    dict.set_item("MjData", rows::<Data>())?;
    dict.set_item("MjOption", rows::<Options>())?;
    dict.set_item("MjStatistic", rows::<Statistic>())?;
    dict.set_item("Global", rows::<VisualGlobal>())?;
    dict.set_item("Quality", rows::<VisualQuality>())?;
    dict.set_item("Headlight", rows::<VisualHeadlight>())?;
    dict.set_item("Map", rows::<VisualMap>())?;
    dict.set_item("Scale", rows::<VisualScale>())?;
    dict.set_item("Rgba", rows::<VisualRgba>())?;
    dict.set_item("MjvCamera", rows::<Camera>())?;
    dict.set_item("MjvOption", rows::<ViewOptions>())?;
    dict.set_item("MjvPerturb", rows::<Perturb>())?;
    dict.set_item("MjvScene", rows::<SceneFields>())?;
    Ok(dict)
}

/// Names and dimensions of the fields of `MjModel` or `MjData`, as written in the table.
#[pyfunction]
fn _shapes(owner: &str) -> Vec<(&'static str, Vec<String>)> {
    let word = |dim: &Dim| match dim {
        Dim::Const(n) => n.to_string(),
        Dim::Size(name, _) | Dim::Growing(name) => (*name).to_string(),
    };
    let fields = if owner == "MjData" { Data::FIELDS } else { Model::FIELDS };
    fields.iter().map(|f| (f.name, f.dims.iter().map(word).collect())).collect()
}

/// The header of a saved model, before the sizes.
#[pyfunction]
fn _model_header(py: Python<'_>) -> Bound<'_, PyBytes> {
    let bytes = Model::zeroed(Sizes::default()).to_bytes();
    let end = bytes.len().min(Model::HEADER_BYTES);
    PyBytes::new(py, &bytes[..end])
}

/// Bytes with the checksum of a saved model appended.
#[pyfunction]
fn _sealed<'py>(py: Python<'py>, bytes: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &sinew_engine::bytes::sealed(bytes.to_vec()))
}

/// Members `(name, value)` of every enum.
#[pyfunction]
fn _enums(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for e in ENUMS {
        dict.set_item(e.name, e.members.to_vec())?;
    }
    Ok(dict)
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_tables, module)?)?;
    module.add_function(wrap_pyfunction!(_model_header, module)?)?;
    module.add_function(wrap_pyfunction!(_sealed, module)?)?;
    module.add_function(wrap_pyfunction!(_shapes, module)?)?;
    module.add_function(wrap_pyfunction!(_enums, module)?)
}
