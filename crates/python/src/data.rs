//! `MjData`.

use crate::error;
use crate::model::MjModel;
use crate::settings::{install, keeper};
use crate::views::{DataCell, Struct, entries};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_engine::Data;
use std::sync::Arc;

/// The state of one simulation and everything computed from it.
#[pyclass(extends = Struct, frozen, module = "sinew", weakref)]
pub struct MjData {
    pub cell: Arc<DataCell>,
    #[pyo3(get)]
    pub model: Py<MjModel>,
}

impl MjData {
    fn init(py: Python<'_>, data: Data, model: Py<MjModel>) -> PyResult<PyClassInitializer<Self>> {
        let cell = DataCell::new(data);
        let base = keeper(py, cell.clone())?;
        let fields = entries(&mut *cell.peek()?, &*model.get().read()?);
        let parent = Struct::new("MjData", fields, base, Some(cell.clone()));
        Ok(PyClassInitializer::from(parent).add_subclass(MjData { cell, model }))
    }
}

#[pymethods]
impl MjData {
    #[new]
    fn new(py: Python<'_>, model: Py<MjModel>) -> PyResult<PyClassInitializer<Self>> {
        let data = error::guarded(|| model.get().read().map(|m| Data::new(&m)))??;
        Self::init(py, data, model)
    }

    /// Reads what `_to_bytes` wrote for the same model.
    #[staticmethod]
    fn _from_bytes(py: Python<'_>, model: Py<MjModel>, bytes: &[u8]) -> PyResult<Py<Self>> {
        let data = error::guarded(|| model.get().read().map(|m| Data::from_bytes(&m, bytes)))??;
        Py::new(py, Self::init(py, data.map_err(|e| PyValueError::new_err(e.to_string()))?, model)?)
    }

    /// Everything as bytes.
    fn _to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.cell.peek()?.to_bytes()))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Py<Self>> {
        let copy = self.cell.peek()?.clone();
        Py::new(py, Self::init(py, copy, self.model.clone_ref(py))?)
    }

    fn __deepcopy__<'py>(&self, py: Python<'py>, memo: &Bound<'py, PyAny>) -> PyResult<Py<Self>> {
        let model = py.import("copy")?.call_method1("deepcopy", (&self.model, memo))?;
        let copy = self.cell.peek()?.clone();
        Py::new(py, Self::init(py, copy, model.cast_into::<MjModel>()?.unbind())?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<MjModel>, Bound<'py, PyBytes>))> {
        let make = py.get_type::<MjData>().getattr("_from_bytes")?;
        Ok((make, (self.model.clone_ref(py), self._to_bytes(py)?)))
    }
}

/// Adds the class with its fields.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MjData>()?;
    install::<Data>(&module.py().get_type::<MjData>(), "MjData", 0)
}
