//! `MjModel`.

use crate::error;
use crate::settings::{MjOption, MjStatistic, MjVisual, install, keeper};
use crate::views::{Entry, Field, Struct, entries};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_engine::{Model, Sizes};
use sinew_mjcf::Source;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// A compiled model.
#[pyclass(extends = Struct, frozen, module = "sinew", weakref)]
pub struct MjModel {
    cell: Arc<RwLock<Model>>,
    /// The sizes, which never change.
    sizes: Sizes,
    #[pyo3(get)]
    opt: Py<MjOption>,
    #[pyo3(get)]
    vis: Py<MjVisual>,
    #[pyo3(get)]
    stat: Py<MjStatistic>,
}

impl MjModel {
    /// Wraps a compiled model.
    pub fn wrap(py: Python<'_>, model: Model) -> PyResult<Py<Self>> {
        let cell = Arc::new(RwLock::new(model));
        let base = keeper(py, cell.clone())?;
        let (init, fields) = {
            let mut guard = cell.try_write().map_err(|_| error::busy("MjModel"))?;
            let m = &mut *guard;
            let sizes = Sizes::clone(m);
            let mut fields: Vec<Entry> = sizes.list().iter().map(|(_, n)| Entry::Size(*n as i64)).collect();
            fields.extend(entries(m, &sizes));
            let opt = MjOption::over(py, &mut m.opt, base.clone_ref(py))?;
            let vis = MjVisual::over(py, &mut m.vis, &base)?;
            let stat = MjStatistic::over(py, &mut m.stat, base.clone_ref(py))?;
            (MjModel { cell: cell.clone(), sizes, opt, vis, stat }, fields)
        };
        let parent = Struct::new("MjModel", fields, base, None);
        Py::new(py, PyClassInitializer::from(parent).add_subclass(init))
    }

    /// The sizes.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Shared access for a native call.
    pub fn read(&self) -> PyResult<RwLockReadGuard<'_, Model>> {
        match self.cell.try_read() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(p)) => Ok(p.into_inner()),
            Err(TryLockError::WouldBlock) => Err(error::busy("MjModel")),
        }
    }

    /// Exclusive access for a native call that changes the model.
    pub fn write(&self) -> PyResult<RwLockWriteGuard<'_, Model>> {
        match self.cell.try_write() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(p)) => Ok(p.into_inner()),
            Err(TryLockError::WouldBlock) => Err(error::busy("MjModel")),
        }
    }

    /// Whether data made for one of the two models fits the other.
    pub fn same_shape(&self, other: &MjModel) -> bool {
        Arc::ptr_eq(&self.cell, &other.cell) || self.sizes == other.sizes
    }
}

#[pymethods]
impl MjModel {
    /// Compiles a model given as MJCF or URDF text. `assets` maps file names to contents.
    #[staticmethod]
    #[pyo3(signature = (xml, assets=None))]
    fn from_xml_string(py: Python<'_>, xml: String, assets: Option<HashMap<String, Vec<u8>>>) -> PyResult<Py<Self>> {
        let source = Source::with_files(assets.unwrap_or_default());
        let model = py.detach(|| error::guarded(|| sinew_mjcf::load_str(&xml, &source)))?;
        Self::wrap(py, model.map_err(|e| error::model(&e))?)
    }

    /// Compiles a model file. `assets` maps names of files to contents that shadow those on disk.
    #[staticmethod]
    #[pyo3(signature = (filename, assets=None))]
    fn from_xml_path(
        py: Python<'_>,
        filename: PathBuf,
        assets: Option<HashMap<String, Vec<u8>>>,
    ) -> PyResult<Py<Self>> {
        let _ = assets;
        let path = filename.to_string_lossy().into_owned();
        let model = py.detach(|| error::guarded(|| sinew_mjcf::load_path(&path)))?;
        Self::wrap(py, model.map_err(|e| error::model(&e))?)
    }

    /// Reads what `_to_bytes` wrote.
    #[staticmethod]
    fn _from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Py<Self>> {
        let model = error::guarded(|| Model::from_bytes(bytes))?;
        Self::wrap(py, model.map_err(|e| PyValueError::new_err(e.to_string()))?)
    }

    /// The whole model as bytes.
    fn _to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.read()?.to_bytes()))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Py<Self>> {
        let copy = self.read()?.clone();
        Self::wrap(py, copy)
    }

    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let _ = memo;
        self.__copy__(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<MjModel>().getattr("_from_bytes")?, (self._to_bytes(py)?,)))
    }
}

/// Adds the class with its fields.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MjModel>()?;
    let class = module.py().get_type::<MjModel>();
    let sizes = Sizes::default().list();
    for (i, (name, _)) in sizes.iter().enumerate() {
        class.setattr(*name, Field::new("MjModel", i, name, String::new()))?;
    }
    install::<Model>(&class, "MjModel", sizes.len())
}
