//! `MjData`.

use crate::error;
use crate::model::MjModel;
use crate::named::{Elements, Kind, Side, Views, with_accessors};
use crate::views::records::Records;
use crate::views::{DataCell, Struct, install};
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
    elements: Elements,
}

impl MjData {
    fn init(py: Python<'_>, data: Data, model: Py<MjModel>) -> PyResult<PyClassInitializer<Self>> {
        let cell = DataCell::new(py, data)?;
        let fields = Struct::over_data(py, &cell, model.get().sizes())?;
        let init = MjData { cell, model, elements: Elements::default() };
        Ok(PyClassInitializer::from(fields).add_subclass(init))
    }

    fn element(slf: &Bound<'_, Self>, kind: &'static Kind, which: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Views>> {
        let owner = (&**slf.as_super().get(), slf.get().model.get().shared(), Side::Data);
        slf.get().elements.get(slf.py(), owner, kind, which)
    }
}

/// What pickling stores: a function and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (Py<MjModel>, Bound<'py, PyBytes>));

with_accessors! {
    MjData,
    [
        body = BODY, joint = JOINT, jnt = JOINT, geom = GEOM, site = SITE, camera = CAMERA, cam = CAMERA,
        light = LIGHT, equality = EQUALITY, eq = EQUALITY, tendon = TENDON, ten = TENDON, actuator = ACTUATOR,
        sensor = SENSOR,
    ],
    {
        #[new]
        fn new(py: Python<'_>, model: Py<MjModel>) -> PyResult<PyClassInitializer<Self>> {
            let data = error::guarded(|| model.get().read().map(|m| Data::try_new(&m)))??;
            Self::init(py, data.map_err(|e| error::fatal(e.to_string()))?, model)
        }

        /// Reads what `_to_bytes` wrote for the same model.
        #[staticmethod]
        fn _from_bytes(py: Python<'_>, model: Py<MjModel>, bytes: &[u8]) -> PyResult<Py<Self>> {
            let data = error::guarded(|| model.get().read().map(|m| Data::from_bytes(&m, bytes)))??;
            Py::new(py, Self::init(py, data.map_err(|e| PyValueError::new_err(e.to_string()))?, model)?)
        }

        /// Everything as bytes.
        fn _to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
            Ok(PyBytes::new(py, &self.cell.read()?.to_bytes()))
        }

        /// The contacts of the moment.
        #[getter]
        fn contact(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            Records::contacts(py, &self.cell)
        }

        /// Warning counters, by `mjtWarning`.
        #[getter]
        fn warning(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            Records::warnings(py, &self.cell)
        }

        /// Stage timers, by `mjtTimer`.
        #[getter]
        fn timer(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            Records::timers(py, &self.cell)
        }

        /// Statistics of solver iterations.
        #[getter]
        fn solver(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            Records::solver(py, &self.cell)
        }

        fn __copy__(&self, py: Python<'_>) -> PyResult<Py<Self>> {
            let copy = self.cell.read()?.clone();
            Py::new(py, Self::init(py, copy, self.model.clone_ref(py))?)
        }

        fn __deepcopy__<'py>(&self, py: Python<'py>, memo: &Bound<'py, PyAny>) -> PyResult<Py<Self>> {
            let model = py.import("copy")?.call_method1("deepcopy", (&self.model, memo))?;
            let copy = self.cell.read()?.clone();
            Py::new(py, Self::init(py, copy, model.cast_into::<MjModel>()?.unbind())?)
        }

        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
            let make = py.get_type::<MjData>().getattr("_from_bytes")?;
            Ok((make, (self.model.clone_ref(py), self._to_bytes(py)?)))
        }
    }
}

/// Adds the class with its fields.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MjData>()?;
    install::<Data>(&module.py().get_type::<MjData>(), "MjData", 0)
}
