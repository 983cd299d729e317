//! `MjModel`.

use crate::error;
use crate::named::{Elements, Kind, Side, Views, with_accessors};
use crate::settings::{self, MjOption, MjStatistic, MjVisual};
use crate::views::{Field, Shared, Struct, install};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_engine::{Model, Sizes};
use sinew_mjcf::Source;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{RwLockReadGuard, RwLockWriteGuard};

/// A compiled model.
#[pyclass(extends = Struct, frozen, module = "sinew", weakref)]
pub struct MjModel {
    shared: Shared<Model>,
    /// The sizes, which never change.
    sizes: Sizes,
    #[pyo3(get)]
    opt: Py<MjOption>,
    #[pyo3(get)]
    vis: Py<MjVisual>,
    #[pyo3(get)]
    stat: Py<MjStatistic>,
    elements: Elements,
}

impl MjModel {
    /// Wraps a compiled model.
    pub fn wrap(py: Python<'_>, model: Model) -> PyResult<Py<Self>> {
        let sizes = Sizes::clone(&model);
        let shared = Shared::new(py, model, "MjModel")?;
        let fields = Struct::over(py, "MjModel", &shared, |m| m, &sizes.list())?;
        let (opt, vis, stat) = settings::of_model(py, &shared)?;
        let init = MjModel { shared, sizes, opt, vis, stat, elements: Elements::default() };
        Py::new(py, PyClassInitializer::from(fields).add_subclass(init))
    }

    /// The sizes.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Shared access for a native call.
    pub fn read(&self) -> PyResult<RwLockReadGuard<'_, Model>> {
        self.shared.read()
    }

    /// Exclusive access for a native call that changes the model.
    pub fn write(&self) -> PyResult<RwLockWriteGuard<'_, Model>> {
        self.shared.write()
    }

    /// A handle to the native model.
    pub fn shared(&self) -> &Shared<Model> {
        &self.shared
    }

    fn element(slf: &Bound<'_, Self>, kind: &'static Kind, which: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Views>> {
        let owner = (&**slf.as_super().get(), &slf.get().shared, Side::Model);
        slf.get().elements.get(slf.py(), owner, kind, which)
    }

    /// Whether data made for one of the two models fits the other.
    pub fn same_shape(&self, other: &MjModel) -> bool {
        self.shared.same(&other.shared) || self.sizes == other.sizes
    }
}

/// The files of an assets dictionary. As in MuJoCo no two may have the same name in different folders.
fn files(assets: HashMap<String, Vec<u8>>) -> PyResult<Source> {
    let mut seen = HashSet::new();
    for path in assets.keys() {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if !seen.insert(name) {
            return Err(PyValueError::new_err(format!("Repeated file name in assets dict: {name}")));
        }
    }
    Ok(Source::with_files(assets))
}

with_accessors! {
    MjModel,
    [
        body = BODY, joint = JOINT, jnt = JOINT, geom = GEOM, site = SITE, camera = CAMERA, cam = CAMERA,
        light = LIGHT, mesh = MESH, skin = SKIN, hfield = HFIELD, texture = TEXTURE, tex = TEXTURE,
        material = MATERIAL, mat = MATERIAL, pair = PAIR, exclude = EXCLUDE, equality = EQUALITY, eq = EQUALITY,
        tendon = TENDON, ten = TENDON, actuator = ACTUATOR, sensor = SENSOR, numeric = NUMERIC, text = TEXT,
        tuple = TUPLE, keyframe = KEY, key = KEY,
    ],
    {
        /// Compiles a model given as MJCF or URDF text. `assets` maps file names to contents.
        #[staticmethod]
        #[pyo3(signature = (xml, assets=None))]
        fn from_xml_string(py: Python<'_>, xml: String, assets: Option<HashMap<String, Vec<u8>>>) -> PyResult<Py<Self>> {
            let source = files(assets.unwrap_or_default())?;
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
            let source = files(assets.unwrap_or_default())?;
            let path = filename.to_string_lossy().into_owned();
            let model = py.detach(|| error::guarded(|| sinew_mjcf::load_file(&path, &source)))?;
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
